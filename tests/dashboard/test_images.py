"""Images for prompts."""

import os
from pathlib import Path

import pytest

from core.errors import QuarterdeckError
from dashboard.images import MOST_BYTES, read_image

PNG = b"\x89PNG\r\n\x1a\n rest"


def test_an_image_is_known_by_its_bytes_not_its_name(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(PNG)
    image = read_image("a.jpg", str(tmp_path))
    assert (image.media_type, image.name) == ("image/png", "a.jpg")
    assert read_image(f"file://{tmp_path}/a.jpg", "/") == image


@pytest.mark.parametrize(
    ("content", "words"),
    [(None, "No such file"), (b"text", "no PNG"), (PNG + b"x" * MOST_BYTES, "larger than 5 MiB")],
)
def test_what_is_no_image_says_why(tmp_path: Path, content: bytes | None, words: str) -> None:
    if content is not None:
        (tmp_path / "a.png").write_bytes(content)
    with pytest.raises(QuarterdeckError, match=words):
        read_image("a.png", str(tmp_path))


def test_a_pipe_is_no_image_and_keeps_nobody_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.png")
    with pytest.raises(QuarterdeckError, match="no file"):
        read_image("a.png", str(tmp_path))


@pytest.mark.parametrize("path", ["a\0.png", "~nobody-at-all/a.png"])
def test_a_path_that_cannot_be_is_said(tmp_path: Path, path: str) -> None:
    with pytest.raises(QuarterdeckError, match="cannot be read"):
        read_image(path, str(tmp_path))
