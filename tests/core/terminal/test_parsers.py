"""No parser raises, whatever stands on a screen; and half a frame is never taken for another dialog."""

from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.session.screen import Row, Screen, Span, Style
from core.terminal.emulator import Emulator
from core.terminal.parsers.activity import activity
from core.terminal.parsers.compaction import compaction
from core.terminal.parsers.composer import composer
from core.terminal.parsers.dialog import OtherDialog, dialog
from core.terminal.parsers.furniture import furniture
from core.terminal.parsers.permission import permission
from core.terminal.parsers.picker import picker
from core.terminal.parsers.plan import plan
from core.terminal.parsers.progress import progress
from core.terminal.parsers.question import question
from core.terminal.parsers.resume import resume
from core.terminal.parsers.trust import TrustDialog, trust
from tests.fakes.older_screens import CASES
from tests.fakes.screens import all_recorded

PARSERS: tuple[Callable[[Screen], object], ...] = (
    activity,
    compaction,
    composer,
    dialog,
    furniture,
    permission,
    picker,
    plan,
    progress,
    question,
    resume,
    trust,
)

_PIECES = [
    *(
        "❯ ",
        "❯",
        "  ❯ 1. Yes",
        "    2. No",
        "❯ 1. [ ] unit",
        "  2. [✔] api",
        "     Submit",
        "  3. Type something.",
    ),
    *("─" * 40, "▔" * 40, "╌" * 40, "╭──────────────╮", "│ > │", "╰──────────────╯", "  ──────────"),
    *(
        "● text",
        "⏺ Bash(x)",
        "  ⎿  Compacted",
        "❯ /compact",
        "✻ Working… (3s · ↓ 4.8.8k tokens)",
        "✻ Done for 3s",
    ),
    *(
        "Do you want to proceed?",
        " ☐ Database ",
        "←  ☒ A  ✔ Submit  →",
        "Review your answers",
        "Ready to code?",
    ),
    *(
        "Enter to confirm · Esc to cancel",
        "  Resume session",
        "  │ ⌕ Search…  │",
        "  /model   Switch",
        "❯ /mo",
    ),
    *(
        "    now · HEAD",
        "→ x",
        " ● Which?",
        "",
        " ",
        "\xa0",
        "日本 é \u200b",
        "99999999999. x",
        "  99. x",
        "[Pasted text #1]",
    ),
]
_lines = st.one_of(st.sampled_from(_PIECES), st.text(st.characters(exclude_categories=["Cs"]), max_size=12))
_styles = st.builds(
    Style,
    foreground=st.integers(-1, (1 << 25) - 1),
    dim=st.booleans(),
    bold=st.booleans(),
    reverse=st.booleans(),
)
_spans = st.builds(Span, text=_lines, style=_styles)
_rows = st.builds(Row, spans=st.lists(_spans, max_size=2).map(tuple))
_screens = st.builds(
    Screen,
    columns=st.integers(1, 120),
    height=st.integers(1, 40),
    rows=st.lists(_rows, max_size=24).map(tuple),
)


@given(_screens)
@settings(max_examples=200)
def test_no_parser_raises_on_any_screen(screen: Screen) -> None:
    for parse in PARSERS:
        parse(screen)
    found = dialog(screen)
    if found is not None:
        assert 0 <= found.menu.selected < len(found.menu.items)
        for index in range(len(found.menu.items)):
            assert len(found.menu.keys_for(index)) == abs(index - found.menu.selected) + 1


@pytest.mark.parametrize("name", sorted(all_recorded()))
def test_half_a_frame_is_no_other_dialog(name: str) -> None:
    """A screen of which only the upper rows are painted yet."""
    screen = all_recorded()[name]
    whole = type(dialog(screen))
    for cut in range(1, screen.height + 1):
        if not screen.rows[cut - 1].spans:
            continue
        upper = screen.rows[:cut] + (Row(),) * (screen.height - cut)
        half = msgspec.structs.replace(screen, rows=upper)
        found = dialog(half)
        assert found is None or type(found) is whole, (name, cut, half.text)


@pytest.mark.parametrize("name", sorted(all_recorded()))
def test_a_dialog_that_begins_above_the_screen_is_known_or_told_as_it_is(name: str) -> None:
    screen = all_recorded()[name]
    whole = dialog(screen)
    top = whole.menu.top if whole is not None else screen.height
    for cut in range(min(top, screen.height - 8)):
        half = msgspec.structs.replace(screen, rows=(*screen.rows[cut:], *(Row(),) * cut))
        found = dialog(half)
        assert type(found) in (type(whole), OtherDialog, type(None)), (name, cut, half.text)


@pytest.mark.parametrize("columns", [80, 40])
@pytest.mark.parametrize(
    ("name", "kind", "state"),
    [
        ("TRM-09.trust.bin", TrustDialog, "unknown"),
        ("TRM-09.bypass.bin", TrustDialog, "unknown"),
        ("TRM-09.statusbar.bin", None, "idle"),
        ("TRM-11.a.bin", None, "working"),
        ("TRM-11.b.bin", None, "idle"),
    ],
)
def test_handed_screens_fed_in_two_reads(name: str, kind: type | None, state: str, columns: int) -> None:
    """Cases TRM-09 and TRM-11, through the emulator and cut anywhere."""
    data = (CASES / name).read_bytes()
    for cut in range(1, len(data), 9):
        emulator = Emulator(columns, 24)
        emulator.feed(data[:cut])
        half = dialog(emulator.screen())
        emulator.feed(data[cut:])
        screen = emulator.screen()
        found = dialog(screen)
        assert (type(found) if found is not None else None) is kind
        assert half is None or type(half) is kind
        assert activity(screen).state == state
