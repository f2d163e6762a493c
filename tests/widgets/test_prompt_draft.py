import pytest

from core.session.state import Image
from tests.widgets.screen import CASES, CONTROLS
from widgets.prompt_draft import Draft, image_paths, mention, normalised, pasted_image, with_names


def test_line_ends_are_one_kind_and_controls_go() -> None:
    """Case UIX-06."""
    assert normalised("l1\nl2\r\nl3\rl4\t.") == "l1\nl2\nl3\nl4\t."
    assert "\x1b" not in normalised(CONTROLS)
    assert "\r" not in normalised(CASES.joinpath("UIX-06.bin").read_bytes().decode(errors="replace"))


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("see @a.png and @/tmp/b.JPG, not c.png or me@d.png", ("a.png", "/tmp/b.JPG")),
        ('@"my shot.webp"!', ("my shot.webp",)),
        ("@a.png @a.png", ("a.png",)),
        ("@a.pngx @notes.txt", ()),
    ],
)
def test_images_are_mentioned_with_at(text: str, paths: tuple[str, ...]) -> None:
    assert image_paths(text) == paths


@pytest.mark.parametrize(
    ("pasted", "path"),
    [
        ("/tmp/shot.png\n", "/tmp/shot.png"),
        ("'/tmp/my shot.png'", "/tmp/my shot.png"),
        ("/tmp/my\\ shot.png", "/tmp/my shot.png"),
        ("file:///tmp/a.gif", "/tmp/a.gif"),
        ("~/a.jpeg", "~/a.jpeg"),
        ("look at /tmp/a.png", ""),
        ("/tmp/a.png\n/tmp/b.png", ""),
        ("", ""),
    ],
)
def test_a_pasted_path_is_an_image(pasted: str, path: str) -> None:
    assert pasted_image(pasted) == path
    assert not path or image_paths(mention(path)) == (path,)


def test_an_attached_image_is_named_a_missing_one_stays() -> None:
    images = {"a.png": Image("image/png", "", "a.png")}
    assert with_names("see @a.png and @b.png", images) == "see [a.png] and @b.png"


def test_a_huge_paste_is_folded_and_sent_whole() -> None:
    draft = Draft()
    many, other = "\n".join(map(str, range(500))), "\n".join(map(str, range(1, 501)))
    shown = f"before {draft.fold(many)} and {draft.fold(other)} and {draft.fold(many)}"
    assert shown == "before [pasted 500 lines] and [pasted 500 lines #2] and [pasted 500 lines]"
    assert draft.whole(shown) == f"before {many} and {other} and {many}"
    assert draft.fold("x" * 1_000_000) == "[pasted 1,000,000 characters]"
    assert draft.fold("a\nb") == "a\nb"


def test_history_and_back_to_the_draft() -> None:
    draft = Draft()
    draft.sent("one")
    draft.sent("two")
    draft.sent("two")
    assert draft.older("half") == "two"
    assert draft.older("two") == "one"
    assert draft.older("one") is None
    assert draft.newer() == "two"
    assert draft.newer() == "half"
    assert draft.newer() is None
