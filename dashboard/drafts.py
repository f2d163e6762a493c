"""What a person had begun to write to each agent, kept from one start to the next.

Only of agents that live on; a file that cannot be read or written only means that a draft is lost with the
terminal. It must not know a widget.
"""

import os
from collections.abc import Mapping
from pathlib import Path

import msgspec

FILE = "drafts.json"
EVERYBODY = "*"
"""The key of what is written to several agents at once."""


class Drafts:
    """Unsent texts by the key of their session; None for the folder keeps nothing."""

    def __init__(self, folder: Path | None) -> None:
        """Read what is there."""
        self._file = folder / FILE if folder else None
        self._kept = self._read()

    @property
    def kept(self) -> Mapping[str, str]:
        """What was kept last."""
        return self._kept

    def keep(self, texts: Mapping[str, str]) -> None:
        """Keep these instead. Blocking, a few kilobytes; does nothing where nothing changed."""
        written = {key: text for key, text in texts.items() if text}
        if written == self._kept or self._file is None:
            return
        self._kept = written
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            beside = self._file.with_suffix(f".{os.getpid()}")
            descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with open(descriptor, "wb") as file:  # noqa: PTH123 — of a descriptor
                file.write(msgspec.json.encode(written))
            beside.replace(self._file)
        except OSError:
            self._file = None

    def _read(self) -> dict[str, str]:
        try:
            return msgspec.json.decode(self._file.read_bytes(), type=dict[str, str]) if self._file else {}
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
            return {}
