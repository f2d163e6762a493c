"""The looks of the conversation by role, made from a theme's colours: one frozen value, fit as a cache key.

Text keeps a contrast of 4.5:1 against the theme's background. Without colour every role that must stand
out has an attribute instead. Must not know where a style is used.
"""

from collections.abc import Mapping
from functools import lru_cache

import msgspec
from rich.style import Style
from textual.color import Color
from textual.theme import Theme

CONTRAST = 4.5
"""The least contrast of text, as WCAG 2 measures it."""

_NONE = Style.null()


class Palette(msgspec.Struct, frozen=True, cache_hash=True):
    """A style for each role; what a role does not say is left to the widget's own style."""

    colour: bool = True
    text: Style = _NONE
    dim: Style = _NONE
    accent: Style = _NONE
    heading: Style = _NONE
    title: Style = _NONE  # a heading of the first level
    strong: Style = _NONE
    emphasis: Style = _NONE
    strike: Style = _NONE
    code: Style = _NONE  # inside a sentence
    code_block: Style = _NONE  # its text and its ground
    link: Style = _NONE
    url: Style = _NONE
    quote: Style = _NONE
    rule: Style = _NONE  # lines, bars, table borders
    marker: Style = _NONE  # bullets and numbers
    line_number: Style = _NONE
    added: Style = _NONE
    removed: Style = _NONE
    added_word: Style = _NONE
    removed_word: Style = _NONE
    error: Style = _NONE
    warning: Style = _NONE
    success: Style = _NONE
    thinking: Style = _NONE
    prompt: Style = _NONE
    match: Style = _NONE  # what a search has found
    match_current: Style = _NONE
    selection: Style = _NONE
    keyword: Style = _NONE
    name: Style = _NONE  # what is defined or called
    string: Style = _NONE
    number: Style = _NONE
    comment: Style = _NONE
    operator: Style = _NONE

    @classmethod
    def from_theme(
        cls, theme: Theme | Mapping[str, str], *, dark: bool = True, colour: bool = True
    ) -> "Palette":
        """The palette of a Textual theme, or of an app's CSS variables.

        `dark` matters only for variables without colours; `colour=False` gives attributes alone (NO_COLOR).
        """
        if not colour:
            return PLAIN_PALETTE
        variables = theme.to_color_system().generate() if isinstance(theme, Theme) else theme
        dark = theme.dark if isinstance(theme, Theme) else dark
        names = tuple(variables.get(name, "") for name in _NAMES)
        return _from_colours(names, dark)


_NAMES = ("foreground", "background", "primary", "secondary", "accent", "warning", "error", "success")
_FALLBACK = {
    True: ("#e0e0e0", "#121212", "#4ea1f3", "#7fb7e8", "#ffa62b", "#ffa62b", "#e0607e", "#4ebf71"),
    False: ("#202020", "#f0f0f0", "#004578", "#0178d4", "#8a5200", "#8a5200", "#a02040", "#1e7a3c"),
}

PLAIN_PALETTE = Palette(
    colour=False,
    dim=Style(dim=True),
    accent=Style(bold=True),
    heading=Style(bold=True),
    title=Style(bold=True, underline=True),
    strong=Style(bold=True),
    emphasis=Style(italic=True),
    strike=Style(strike=True),
    code=Style(bold=True),
    link=Style(underline=True),
    url=Style(dim=True),
    quote=Style(italic=True),
    rule=Style(dim=True),
    marker=Style(bold=True),
    line_number=Style(dim=True),
    added=Style(bold=True),
    added_word=Style(bold=True, reverse=True),
    removed_word=Style(reverse=True),
    error=Style(bold=True, reverse=True),
    warning=Style(bold=True),
    thinking=Style(dim=True, italic=True),
    prompt=Style(bold=True),
    match=Style(underline=True, bold=True),
    match_current=Style(reverse=True),
    selection=Style(reverse=True),
    keyword=Style(bold=True),
    comment=Style(dim=True),
)


def contrast(one: Color, other: Color) -> float:
    """How far apart two opaque colours are, from 1 to 21 (WCAG 2)."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: Color) -> float:
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour.normalized
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _legible(colour: Color, ground: Color, toward: Color) -> Color:
    """`colour`, moved toward the text's colour until it can be read on `ground`."""
    for step in range(10):
        moved = colour.blend(toward, step / 10, alpha=1.0)
        if contrast(moved, ground) >= CONTRAST:
            return moved
    return toward


def _tint(ground: Color, colour: Color, amount: float, text: Color) -> Color:
    """`ground` with some of `colour`, as much as `text` on it can still be read."""
    while amount > 0.02 and contrast(ground.blend(colour, amount, alpha=1.0), text) < CONTRAST:
        amount *= 0.8
    return ground.blend(colour, amount, alpha=1.0)


@lru_cache(maxsize=32)
def _from_colours(names: tuple[str, ...], dark: bool) -> Palette:
    colours = [Color.parse(name or spare) for name, spare in zip(names, _FALLBACK[dark], strict=True)]
    if colours[0].ansi is not None or colours[1].ansi is not None:
        return _ansi_palette(colours)
    text, ground, *hues = colours
    primary, secondary, accent, warning, error, success = (_legible(hue, ground, text) for hue in hues)
    dim = _legible(text.blend(ground, 0.45, alpha=1.0), ground, text)
    green, red = hues[5], hues[4]
    block = _tint(ground, text, 0.07, text)
    return _styled(
        text=Style(color=text.rich_color),
        dim=Style(color=dim.rich_color),
        hues=[Style(color=hue.rich_color) for hue in (primary, secondary, accent, warning, error, success)],
        code_ground=Style(bgcolor=block.rich_color),
        added=_on(text, _tint(ground, green, 0.16, text)),
        removed=_on(text, _tint(ground, red, 0.16, text)),
        added_word=_on(text, _tint(ground, green, 0.4, text)) + Style(bold=True),
        removed_word=_on(text, _tint(ground, red, 0.4, text)) + Style(bold=True),
        match=_on(text, _tint(ground, hues[3], 0.35, text)),
        match_current=_on(ground, warning) + Style(bold=True),
        selection=_on(text, _tint(ground, hues[0], 0.4, text)),
    )


def _on(text: Color, ground: Color) -> Style:
    return Style(color=text.rich_color, bgcolor=ground.rich_color)


def _ansi_palette(colours: list[Color]) -> Palette:
    """For themes that use the terminal's own colours: nothing can be blended, so attributes help."""
    hues = [Style(color=hue.rich_color) for hue in colours[2:]]
    warning, error, success = hues[3:]
    reverse = Style(reverse=True)
    return _styled(
        text=_NONE,
        dim=Style(dim=True),
        hues=hues,
        code_ground=_NONE,
        added=success,
        removed=error,
        added_word=success + reverse,
        removed_word=error + reverse,
        match=warning + Style(underline=True),
        match_current=warning + reverse,
        selection=reverse,
    )


def _styled(
    *,
    text: Style,
    dim: Style,
    hues: list[Style],
    code_ground: Style,
    added: Style,
    removed: Style,
    added_word: Style,
    removed_word: Style,
    match: Style,
    match_current: Style,
    selection: Style,
) -> Palette:
    """The roles from the few looks a theme decides."""
    primary, secondary, accent, warning, error, success = hues
    bold, italic = Style(bold=True), Style(italic=True)
    return Palette(
        text=text,
        dim=dim,
        accent=accent,
        heading=primary + bold,
        title=primary + bold + Style(underline=True),
        strong=bold,
        emphasis=italic,
        strike=Style(strike=True),
        code=text + code_ground if code_ground else bold,
        code_block=text + code_ground,
        link=primary + Style(underline=True),
        url=dim,
        quote=dim + italic,
        rule=dim,
        marker=primary,
        line_number=dim,
        added=added,
        removed=removed,
        added_word=added_word,
        removed_word=removed_word,
        error=error,
        warning=warning,
        success=success,
        thinking=dim + italic,
        prompt=primary + bold,
        match=match,
        match_current=match_current,
        selection=selection,
        keyword=primary,
        name=secondary,
        string=success,
        number=warning,
        comment=dim + italic,
        operator=_NONE,
    )
