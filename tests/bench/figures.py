"""One measured figure, and how a table of them is printed."""

from collections.abc import Sequence

from msgspec import Struct


class Figure(Struct, frozen=True):
    """A figure: what was measured, beside a peer measured in the same run, and the bar it should meet.

    `peer` names the peer and `ratio` is this figure over the peer's (or the peer's over this one, where
    `name` says "times"); both are empty without one. `bar` is the demand in words, `met` whether it holds.
    """

    name: str
    value: float
    unit: str
    peer: str = ""
    ratio: float | None = None
    bar: str = ""
    met: bool | None = None


def table(figures: Sequence[Figure]) -> str:
    """The figures as aligned lines."""
    rows = [("figure", "value", "unit", "peer", "ratio", "bar", "met")]
    rows += [
        (
            one.name,
            f"{one.value:,.4g}",
            one.unit,
            one.peer,
            "" if one.ratio is None else f"{one.ratio:.3g}",
            one.bar,
            {None: "", True: "yes", False: "NO"}[one.met],
        )
        for one in figures
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )
