"""The terminal driver that survives bytes which are no UTF-8 (case UIX-07), and a terminal that goes away.

Textual decodes stdin strictly, and one bad byte (a Latin-1 paste, a binary leak) ends its input thread: the
app lives on and takes no key any more. Here a bad byte is U+FFFD. Its output thread ends with the first write
to a closed terminal, and the app then waits for it for ever, with all agents running; here such writes go
nowhere, so that the app can end in order. And it writes to stderr, which may lead to a file (`2>file`): the
screen is then stdout. It must not know the app.
"""

import codecs
import sys
from functools import partial
from typing import IO, Any

from textual.app import App
from textual.drivers import linux_driver
from textual.drivers.linux_driver import LinuxDriver


def forgiving_decoder(encoding: str) -> partial[codecs.IncrementalDecoder]:
    """As `codecs.getincrementaldecoder`, but what cannot be decoded becomes U+FFFD."""
    return partial(codecs.getincrementaldecoder(encoding), errors="replace")


class EnduringFile:
    """A text file whose other end may be gone: what can no longer be written is dropped."""

    def __init__(self, file: IO[str] | Any) -> None:
        """Write to `file` as long as it takes it."""
        self._file = file

    def write(self, text: str) -> int:
        """Write, or drop."""
        try:
            return self._file.write(text)
        except OSError:
            return len(text)

    def flush(self) -> None:
        """Flush, or drop."""
        try:
            self._file.flush()
        except OSError:
            return

    def __getattr__(self, name: str) -> Any:
        """All else is the file's own."""
        return getattr(self._file, name)


def _screen() -> IO[str] | None:
    """What leads to the terminal; Textual has no other way to tell its driver so (8.2.8)."""
    errors = sys.__stderr__
    return errors if errors is not None and errors.isatty() else sys.__stdout__


class ForgivingDriver(LinuxDriver):
    """Textual's driver for Linux, reading with a forgiving decoder and writing to an enduring file."""

    def __init__(self, app: App[object], **options: Any) -> None:
        """As the driver it stands in for."""
        super().__init__(app, **options)
        file: Any = EnduringFile(_screen())
        self._file = file

    def write(self, data: str) -> None:
        """Write, unless the terminal is lent to another program: what is said meanwhile is dropped."""
        if self._writer_thread is not None:
            super().write(data)

    def run_input_thread(self) -> None:
        """Read input until told to stop."""
        # The decoder is made inside Textual's loop from this module name; copying the whole loop to change
        # one word would have to follow each release.
        module: Any = linux_driver
        module.getincrementaldecoder = forgiving_decoder
        super().run_input_thread()
