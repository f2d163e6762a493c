"""Our themes can be read: every text colour on every surface has a contrast of 4.5:1 at least."""

import pytest
from textual.color import Color
from textual.theme import Theme

from dashboard.themes import OURS

TEXTS = ("foreground", "primary", "secondary", "accent", "success", "warning", "error")
SURFACES = ("background", "surface", "panel")
TEXT_KINDS = ("", "-muted", "-disabled", "-accent", "-success", "-warning", "-error", "-primary")
GENERATED = ("foreground-muted", *(f"text{kind}" for kind in TEXT_KINDS))


def luminance(color: Color) -> float:
    """Relative luminance as WCAG 2 defines it."""
    parts = [
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in color.normalized
    ]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(text: Color, surface: Color) -> float:
    bright, dim = sorted((luminance(text), luminance(surface)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


@pytest.mark.parametrize("theme", OURS, ids=lambda theme: theme.name)
@pytest.mark.parametrize("surface", SURFACES)
def test_every_colour_can_be_read(theme: Theme, surface: str) -> None:
    colors = theme.to_color_system().generate()
    ground = Color.parse(colors[surface])
    for name in TEXTS + GENERATED:
        if not colors[name].startswith("auto"):  # Textual picks those for contrast by itself
            color = Color.parse(colors[name])
            assert contrast(ground.blend(color, color.a, alpha=1), ground) >= 4.5, (name, surface)


@pytest.mark.parametrize("theme", OURS, ids=lambda theme: theme.name)
def test_the_cursor_can_be_read(theme: Theme) -> None:
    colors = theme.to_color_system().generate()
    text, ground = (Color.parse(colors[f"block-cursor-{part}"]) for part in ("foreground", "background"))
    assert contrast(text, ground) >= 4.5


@pytest.mark.parametrize("theme", OURS, ids=lambda theme: theme.name)
@pytest.mark.parametrize("share", [0.16, 0.18])
def test_what_is_focused_can_be_read(theme: Theme, share: float) -> None:
    """The title of the focused pane and its rows in the list stand on a ground with some of the primary."""
    colors = theme.to_color_system().generate()
    plain = Color.parse(colors["background"])
    ground = plain.blend(Color.parse(colors["primary"]), share, alpha=1)
    for name in ("foreground", "foreground-muted", "text-accent", "text-success", "text-error"):
        color = Color.parse(colors[name])
        assert contrast(ground.blend(color, color.a, alpha=1), ground) >= 4.5, name
