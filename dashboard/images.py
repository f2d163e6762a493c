"""Images that go with a prompt, read from disk. It must not know where they are shown or sent."""

import base64
import stat
from pathlib import Path

from core.errors import QuarterdeckError
from core.session.state import Image

MOST_BYTES = 5 * 2**20
"""What the API takes of one image at most."""

SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"RIFF", "image/webp"),
)
"""How a file of each type begins; its name may lie."""


def read_image(path: str, directory: str) -> Image:
    """The image at `path`, a relative one in `directory`; a `QuarterdeckError` says why not. Blocking."""
    try:
        file = Path(directory, Path(path.removeprefix("file://")).expanduser())
        found = file.stat()
        if not stat.S_ISREG(found.st_mode):  # whoever opens a pipe waits for ever
            raise QuarterdeckError("no file")
        if found.st_size > MOST_BYTES:
            raise QuarterdeckError(f"larger than {MOST_BYTES // 2**20} MiB")
        data = file.read_bytes()
    except OSError as error:
        raise QuarterdeckError(error.strerror or "cannot be read") from None
    except (ValueError, RuntimeError):  # a NUL in it, or the home of nobody
        raise QuarterdeckError("cannot be read") from None
    media_type = next((kind for begin, kind in SIGNATURES if data.startswith(begin)), "")
    if not media_type:
        raise QuarterdeckError("no PNG, JPEG, GIF or WebP image")
    return Image(media_type, base64.b64encode(data).decode("ascii"), file.name)
