"""The only place where money, tokens, durations, ages, shares and paths become text.

Everything here is a pure function of its arguments: no clock, no home directory, no screen. What an
agent wrote goes through `plain` or `one_line` before it may reach a widget. Numbers that change while
a person looks have a fixed width, so that nothing jumps.
"""

import re
from datetime import datetime

from msgspec import Struct
from rich.cells import cell_len, chop_cells, set_cell_size

from widgets.render.safe import clean, expand_tabs

ELLIPSIS = "…"

COPIED = "in origin"
"""What stands for the cost of a session whose answers all count in the one it was copied from."""

_BLANKS = re.compile(r"\s+")
_MODEL = re.compile(r"claude-(?:([a-z]+)-(\d+(?:-\d{1,2})?)|(\d+(?:-\d{1,2})?)-([a-z]+))(?:-\d{8})?(\[1m\])?")
_WINDOWS = {"five_hour": "5h", "seven_day": "7d"}


class Here(Struct, frozen=True):
    """What paths are shown relative to: the directory a session works in, and the person's home."""

    directory: str = ""
    home: str = ""


def plain(text: str) -> str:
    """`text` with every control byte gone but line ends; tabs become spaces."""
    return "\n".join([expand_tabs(line) for line in clean(text).split("\n")])


def one_line(text: str) -> str:
    """`text` as one line: control bytes gone, every run of blanks and line ends one space."""
    return _BLANKS.sub(" ", plain(text)).strip()


def shorten(text: str, width: int) -> str:
    """`text` in at most `width` cells; what does not fit gives way to `…` at its end."""
    if cell_len(text) <= width:
        return text
    if width <= 0:
        return ""
    return chop_cells(text, width - 1)[0] + ELLIPSIS if width > 1 else ELLIPSIS


def shorten_middle(text: str, width: int) -> str:
    """`text` in at most `width` cells; the middle gives way, because both ends tell something."""
    if cell_len(text) <= width:
        return text
    if width < 5:
        return shorten(text, width)
    tail = text[-((width - 1) * 2 // 3) :]
    while cell_len(tail) > (width - 1) * 2 // 3:
        tail = tail[1:]
    return chop_cells(text, width - 1 - cell_len(tail))[0] + ELLIPSIS + tail


def pad(text: str, width: int) -> str:
    """`text` in exactly `width` cells, flush left."""
    return set_cell_size(shorten(text, width), max(0, width))


def pad_left(text: str, width: int) -> str:
    """`text` in exactly `width` cells, flush right: the way of numbers."""
    text = shorten(text, width)
    return " " * (width - cell_len(text)) + text


def path(text: str, width: int = 0, home: str = "", directory: str = "") -> str:
    """A path for people: relative inside `directory`, `~` for `home`.

    Beyond `width` whole folders in the middle give way to `…`, the file's name last; 0: none does.
    """
    text = relative(one_line(text), Here(directory, home))
    if not width or cell_len(text) <= width:
        return text
    parts = text.split("/")
    tails = range(2, len(parts))
    for head, tail in [([parts[0]], tail) for tail in tails if parts[0]] + [([], tail) for tail in tails]:
        short = "/".join([*head, ELLIPSIS, *parts[tail:]])
        if cell_len(short) <= width:
            return short
    return shorten_middle(parts[-1], width)


def relative(text: str, here: Here) -> str:
    """One path, all of it, as seen from `here`."""
    for folder, start in ((here.directory, ""), (here.home, "~/")):
        folder = folder.rstrip("/")
        if folder and text.startswith(folder + "/"):
            return start + text[len(folder) + 1 :]
        if folder and text == folder:
            return start.rstrip("/") or "."
    return text


def with_paths(text: str, here: Here) -> str:
    """A sentence in which every path inside the session's directory or the home is written short.

    ` in DIRECTORY` says nothing and goes.
    """
    for folder, start in ((here.directory, ""), (here.home, "~/")):
        folder = folder.rstrip("/")
        if folder and folder in text:
            standing = r"(?<![\w./~-])" + re.escape(folder)
            if not start:
                text = re.sub(rf" in {re.escape(folder)}/?(?=$| in )", "", text)
            text = re.sub(rf"{standing}/(?=[^\s'\";:,)])", start, text)
            text = re.sub(rf"{standing}/?(?![\w./-])", start.rstrip("/") or ".", text)
    return text


def model(text: str) -> str:
    """A model's short name: `claude-opus-5-5` is `opus 5.5`, a date goes, `[1m]` becomes `1m`.

    A name of another form stays as it is.
    """
    text = one_line(text)
    found = _MODEL.fullmatch(text)
    if found is None:
        return text
    family, version = found[1] or found[4], found[2] or found[3]
    return f"{family} {version.replace('-', '.')}" + (" 1m" if found[5] else "")


def window(text: str) -> str:
    """The span of an account's limit: `five_hour` is `5h`, `seven_day_opus` is `7d opus`."""
    text = one_line(text)
    for name, short in _WINDOWS.items():
        text = text.replace(name, short)
    return text.replace("_", " ")


def money(usd: float) -> str:
    """US dollars in at most 7 cells: `$0.91`, `$123.40`, `$12,345`."""
    return f"${usd:,.2f}" if usd < 1000 else f"${usd:,.0f}"


def estimate(usd: float, *, partial: bool = False) -> str:
    """US dollars by list prices: `~$0.91`; `~$0.91+?` where something in it has no known price."""
    if not partial:
        return f"~{money(usd)}"
    return f"~{money(usd)}+?" if usd else "?"


def tokens(count: int) -> str:
    """A token count in at most 5 cells: `999`, `1.2k`, `123k`, `1.2M`."""
    if count < 1000:
        return str(count)
    for unit, name in ((1_000, "k"), (1_000_000, "M"), (1_000_000_000, "G")):
        value = count / unit
        if value < 9.95:
            return f"{value:.1f}{name}"
        if value < 999.5:
            return f"{value:.0f}{name}"
    return f"{count / 1_000_000_000_000:.1f}T"


def size(count: int) -> str:
    """A number of bytes in at most 6 cells: `999 B`, `12 kB`, `1.2 MB`."""
    if count < 1000:
        return f"{count} B"
    for unit, name in ((1_000, "kB"), (1_000_000, "MB"), (1_000_000_000, "GB")):
        value = count / unit
        if value < 9.95 and unit > 1000:
            return f"{value:.1f} {name}"
        if value < 999.5:
            return f"{value:.0f} {name}"
    return f"{count / 1_000_000_000_000:.1f} TB"


def age(seconds: float) -> str:
    """How long a state lasts already, in at most 5 cells: `0:42`, `14:40`, `2h05`, `12h`, `3d04`."""
    whole = max(0, int(seconds))
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02d}"
    hours = whole // 3600
    if hours < 24:
        return f"{hours}h{whole % 3600 // 60:02d}"
    days = hours // 24
    return f"{days}d{hours % 24:02d}" if days < 100 else f"{days}d"


def duration(seconds: float) -> str:
    """How long something took: `0.1s`, `42s`, `4m 12s`, `1h 02m`."""
    seconds = max(0.0, seconds)
    if seconds < 9.95:
        return f"{seconds:.1f}s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole}s"
    if whole < 3600:
        return f"{whole // 60}m {whole % 60:02d}s"
    return f"{whole // 3600}h {whole % 3600 // 60:02d}m"


def ago(seconds: float) -> str:
    """How long ago something was, in at most 4 cells: `now`, `5m`, `3h`, `12d`, `9w`, `14mo`, `3y`."""
    whole = max(0, int(seconds))
    if whole < 60:
        return "now"
    for below, unit_s, name in ((3600, 60, "m"), (86_400, 3600, "h"), (14 * 86_400, 86_400, "d")):
        if whole < below:
            return f"{whole // unit_s}{name}"
    days = whole // 86_400
    if days < 70:
        return f"{days // 7}w"
    return f"{days * 12 // 365}mo" if days < 730 else f"{days // 365}y"


def clock(at: float) -> str:
    """A moment today, local time: `15:10`."""
    return _local(at, "%H:%M")


def clock_seconds(at: float) -> str:
    """A moment to the second, local time: `15:10:07`."""
    return _local(at, "%H:%M:%S")


def weekday_clock(at: float) -> str:
    """A moment with its day, local time: `Mon 14:02`."""
    return _local(at, "%a %H:%M")


def _local(at: float, form: str) -> str:
    """A moment in local time; a time that cannot be is `–`: the API and other machines tell some."""
    try:
        return datetime.fromtimestamp(at).astimezone().strftime(form)
    except (ValueError, OverflowError, OSError):
        return "–"


def share(fraction: float | None) -> str:
    """A share in exactly 5 cells: ` 31 %`, `100 %`; unknown is `  – %`."""
    return "  – %" if fraction is None else f"{min(999, round(fraction * 100)):3d} %"


def bar(fraction: float | None, width: int) -> str:
    """A share as a bar of `width` cells; anything above zero shows at least one."""
    filled = 0 if not fraction else max(1, min(width, round(fraction * width)))
    return "▓" * filled + "░" * (width - filled)


def rate(tokens_per_s: float) -> str:
    """A speed in exactly 9 cells: ` 61 tok/s`; none is blank."""
    return f"{min(999, round(tokens_per_s)):3d} tok/s" if tokens_per_s >= 0.5 else " " * 9


def count(number: int, one: str, many: str = "") -> str:
    """A number and its noun: `1 turn`, `4 turns`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
