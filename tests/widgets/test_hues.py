import pytest
from textual.color import Color

from widgets.hues import HUES, Hues


def test_the_first_eight_agents_differ_and_keep_their_colour() -> None:
    hues = Hues()
    given = [hues.of(str(number)) for number in range(8)]
    assert len(set(given)) == 8
    assert [hues.of(str(number)) for number in range(8)] == given
    assert hues.of("ninth") in HUES


@pytest.mark.parametrize("hue", HUES)
@pytest.mark.parametrize("ground", ["#11151c", "#171c25", "#fbfaf7", "#f3f1ec"])
def test_a_colour_stands_out_from_either_ground(hue: str, ground: str) -> None:
    light, dark = sorted((_luminance(hue), _luminance(ground)), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= 3.0


def _luminance(text: str) -> float:
    def linear(channel: int) -> float:
        share = channel / 255
        return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4

    colour = Color.parse(text)
    red, green, blue = linear(colour.r), linear(colour.g), linear(colour.b)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
