"""Screens for tests: recorded ones by scene, name and width, and made ones from their text."""

from functools import cache
from pathlib import Path

import msgspec

from core.session.screen import Row, Screen, Span

FOLDER = Path(__file__).parent.parent / "data" / "screens"


@cache
def _scene(scene: str, columns: int) -> dict[str, Screen]:
    return msgspec.json.decode((FOLDER / f"{scene}-{columns}.json").read_bytes(), type=dict[str, Screen])


def recorded(scene: str, name: str, columns: int = 80) -> Screen:
    """A screen of the real CLI."""
    return _scene(scene, columns)[name]


def all_recorded() -> dict[str, Screen]:
    """All of them, by `scene-columns/name`."""
    files = sorted(FOLDER.glob("*-*.json"))
    found: dict[str, Screen] = {}
    for file in files:
        scene, _, columns = file.stem.rpartition("-")
        found |= {f"{file.stem}/{name}": screen for name, screen in _scene(scene, int(columns)).items()}
    return found


def written(text: str, columns: int = 80, height: int = 24) -> Screen:
    """A screen with that text from its top on, all plain; what is wider goes on in the next row."""
    lines = [
        line[at : at + columns] for line in text.splitlines() for at in range(0, len(line) or 1, columns)
    ]
    rows = [Row((Span(line),)) if line else Row() for line in lines]
    rows += [Row()] * (height - len(rows))
    return Screen(columns=columns, height=height, rows=tuple(rows[-height:]))


def encoded(screens: dict[str, Screen]) -> str:
    """Screens by name as JSON, a row a line, so that what differs can be read."""
    return "{\n" + ",\n".join(f'"{name}": {_encoded(screen)}' for name, screen in screens.items()) + "\n}\n"


def _encoded(screen: Screen) -> str:
    told = _stripped(msgspec.structs.replace(screen, rows=(), revision=0))
    rows = ",\n  ".join(msgspec.json.encode(_stripped(row)).decode() for row in screen.rows)
    return (
        msgspec.json.encode(told).decode().removesuffix("}")
        + f'{"," if told else ""}"rows":[\n  {rows}\n ]}}'
    )


def _stripped(told: object) -> object:
    """A Struct as plain data without what is as by default."""
    match told:
        case msgspec.Struct():
            fields = zip(told.__struct_fields__, _defaults(type(told)), strict=True)
            values = ((name, getattr(told, name), default) for name, default in fields)
            return {name: _stripped(value) for name, value, default in values if value != default}
        case tuple():
            return [_stripped(value) for value in told]
    return told


def _defaults(kind: type[msgspec.Struct]) -> list[object]:
    missing = len(kind.__struct_fields__) - len(kind.__struct_defaults__)
    return [msgspec.UNSET] * missing + list(kind.__struct_defaults__)
