"""Our own themes, a dark and a light one, and what of them the widgets may rely on.

Contrast of text on every surface is at least 4.5:1 (a test computes it). It must not know a widget.
"""

from textual.theme import BUILTIN_THEMES, Theme

DARK = Theme(
    name="quarterdeck-dark",
    primary="#7fb4ff",
    secondary="#8fa3bf",
    accent="#ffb454",
    foreground="#d8dee9",
    background="#11151c",
    surface="#171c25",
    panel="#1f2633",
    success="#7fd18b",
    warning="#e8c268",
    error="#ff8080",
    boost="#242c3a",
    dark=True,
    variables={
        "text-accent": "#ffb454",
        "text-success": "#7fd18b",
        "text-warning": "#e8c268",
        "text-error": "#ff8080",
        "text-muted": "#94a1b5",
        "foreground-muted": "#94a1b5",
        "text-disabled": "#8490a3",
        "block-cursor-background": "#2f4a73",
        "block-cursor-foreground": "#ffffff",
        "input-selection-background": "#2f4a73",
        "border": "#3a4659",
        "border-blurred": "#2a3342",
        "scrollbar": "#2a3342",
        "scrollbar-hover": "#3a4659",
        "scrollbar-active": "#4d5c75",
        "scrollbar-background": "#11151c",
    },
)

LIGHT = Theme(
    name="quarterdeck-light",
    primary="#1a56b0",
    secondary="#46566e",
    accent="#96470a",
    foreground="#1f2630",
    background="#fbfaf7",
    surface="#f3f1ec",
    panel="#e8e5dd",
    success="#1f6b34",
    warning="#7a5200",
    error="#b3201f",
    boost="#dedad0",
    dark=False,
    variables={
        "text-accent": "#96470a",
        "text-success": "#1f6b34",
        "text-warning": "#7a5200",
        "text-error": "#b3201f",
        "text-muted": "#545f6e",
        "foreground-muted": "#545f6e",
        "text-disabled": "#5a6574",
        "block-cursor-background": "#1a56b0",
        "block-cursor-foreground": "#ffffff",
        "input-selection-background": "#b9d0f2",
        "border": "#a8a496",
        "border-blurred": "#cfcbc0",
        "scrollbar": "#cfcbc0",
        "scrollbar-hover": "#a8a496",
        "scrollbar-active": "#8a8678",
        "scrollbar-background": "#fbfaf7",
    },
)

OURS = (DARK, LIGHT)
DEFAULT = DARK.name


def theme_names() -> tuple[str, ...]:
    """All themes there are: ours, then Textual's."""
    return (*(theme.name for theme in OURS), *BUILTIN_THEMES)
