"""The terminal driver that survives bytes which are no UTF-8 (case UIX-07).

Textual decodes stdin strictly, and one bad byte (a Latin-1 paste, a binary leak) ends its input thread: the
app lives on and takes no key any more. Here a bad byte is U+FFFD. It must not know the app.
"""

import codecs
from functools import partial
from typing import Any

from textual.drivers import linux_driver
from textual.drivers.linux_driver import LinuxDriver


def forgiving_decoder(encoding: str) -> partial[codecs.IncrementalDecoder]:
    """As `codecs.getincrementaldecoder`, but what cannot be decoded becomes U+FFFD."""
    return partial(codecs.getincrementaldecoder(encoding), errors="replace")


class ForgivingDriver(LinuxDriver):
    """Textual's driver for Linux, reading with a forgiving decoder."""

    def run_input_thread(self) -> None:
        """Read input until told to stop."""
        # The decoder is made inside Textual's loop from this module name; copying the whole loop to change
        # one word would have to follow each release.
        module: Any = linux_driver
        module.getincrementaldecoder = forgiving_decoder
        super().run_input_thread()
