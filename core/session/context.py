"""What fills a model's context window, part by part, as the CLI measured it. Pure data, all in tokens.

It must not know who asked, nor how it is drawn.
"""

from msgspec import Struct


class Part(Struct, frozen=True):
    """A part of the window; `kind` is the CLI's word: `used`, `deferred`, `buffer` or `free`."""

    name: str
    tokens: int = 0
    kind: str = "used"


class Context(Struct, frozen=True):
    """The window and what is in it.

    `files` and `tools` take the used parts for memory files and MCP tools to pieces. `compacts_at`: from so
    many tokens on the CLI compacts by itself, 0 where it does not.
    """

    parts: tuple[Part, ...] = ()
    tokens: int = 0
    window: int = 0
    files: tuple[Part, ...] = ()
    tools: tuple[Part, ...] = ()
    compacts_at: int = 0

    @property
    def fill(self) -> float | None:
        """The share of the window in use, 0.0 to 1.0; None while the window is unknown."""
        return min(1.0, self.tokens / self.window) if self.window else None
