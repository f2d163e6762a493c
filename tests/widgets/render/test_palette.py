import msgspec
import pytest
from rich.style import Style
from textual.color import Color
from textual.theme import BUILTIN_THEMES

from widgets.render.palette import CONTRAST, PLAIN_PALETTE, Palette, contrast

COLOURED = [theme for theme in BUILTIN_THEMES.values() if not theme.ansi]


def styles(palette: Palette) -> dict[str, Style]:
    return {name: getattr(palette, name) for name in palette.__struct_fields__ if name != "colour"}


@pytest.mark.parametrize("theme", COLOURED, ids=lambda theme: theme.name)
def test_every_text_can_be_read(theme: object) -> None:
    palette = Palette.from_theme(theme)  # type: ignore[arg-type]
    variables = theme.to_color_system().generate()  # type: ignore[attr-defined]
    ground = Color.parse(variables["background"])
    text = Color.parse(variables["foreground"])
    least = min(CONTRAST, contrast(text, ground)) - 0.1
    for name, style in styles(palette).items():
        over = Color.from_rich_color(style.bgcolor) if style.bgcolor else ground
        shown = Color.from_rich_color(style.color) if style.color else text
        assert contrast(shown, over) >= least, name


def test_equal_palettes_are_one_key() -> None:
    theme = BUILTIN_THEMES["nord"]
    one = Palette.from_theme(theme)
    other = Palette.from_theme(theme.to_color_system().generate(), dark=theme.dark)
    assert one == other
    assert len({one, other, msgspec.structs.replace(one, colour=False)}) == 2


def test_without_colour_only_attributes_are_left() -> None:
    palette = Palette.from_theme(BUILTIN_THEMES["nord"], colour=False)
    assert palette is PLAIN_PALETTE
    assert all(style.color is None and style.bgcolor is None for style in styles(palette).values())
    assert palette.added_word != palette.removed_word


def test_themes_of_terminal_colours_work() -> None:
    palette = Palette.from_theme(BUILTIN_THEMES["ansi-dark"])
    assert palette.added.color is not None
    assert palette.code_block.bgcolor is None


def test_variables_may_be_missing() -> None:
    assert Palette.from_theme({}, dark=False) != Palette.from_theme({}, dark=True)
