"""A painted line is the one Textual would have made."""

from textual.strip import Strip
from textual.visual import Visual

from tests.widgets.screen import Stage
from widgets.line import Piece, content
from widgets.one_line import OneLine
from widgets.paint import paint

LINES = (
    (),
    (Piece("plain"),),
    (Piece("◆ ", "$text-accent"), Piece("日本語", "bold"), Piece("  "), Piece("0:42", "bold $text-muted")),
    (Piece("[red]no markup", "$text-error"), Piece("", "bold"), Piece("end")),
)


async def test_it_is_what_textual_makes() -> None:
    line = OneLine()
    async with Stage(line).run_test(size=(40, 3)) as pilot:
        await pilot.pause()
        for pieces in LINES:
            style = line.visual_style
            ours = paint(pieces, style, pilot.app.stylesheet.parse_style)
            theirs = Visual.to_strips(line, content(pieces), 40, 1, style)[0]
            assert cells(ours) == cells(theirs)


def cells(strip: Strip) -> list[tuple[str, object, object]]:
    """Each character with its look and its column."""
    return [(char, style, style and style.meta) for text, style, _ in strip for char in text]
