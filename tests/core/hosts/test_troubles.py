"""What ssh says, in words that say what to do; how long to wait."""

import pytest

from core.hosts.host import Host
from core.hosts.troubles import Trouble, other_release, pause_s, sentence, silent, trouble_of

FAR = Host(name="far", destination="ann@far")

CASES = [
    (
        255,
        "ssh: connect to host far port 22: No route to host\n",
        False,
        "far cannot be reached: No route to host",
    ),
    (255, "Connection to far closed by remote host.\n", True, "the connection to far was lost"),
    (255, "Timeout, server far not responding.\r\n", True, "was lost (Timeout, server far not responding)"),
    (127, "sh: 1: quarterdeck: not found\n", False, "there is no `quarterdeck` on far"),
    (
        1,
        "quarterdeck: config.toml, line 3: no\n",
        False,
        "ended with code 1: quarterdeck: config.toml, line 3: no",
    ),
    (None, "", False, "ssh gave no reason"),
]


@pytest.mark.parametrize(("code", "stderr", "greeted", "text"), CASES, ids=[text for *_, text in CASES])
def test_what_went_wrong(code: int | None, stderr: str, greeted: bool, text: str) -> None:
    assert text in trouble_of(FAR, code, stderr, greeted=greeted).text


def test_a_refused_login_is_not_tried_every_second() -> None:
    refused = trouble_of(FAR, 255, "ann@far: Permission denied (publickey).", greeted=False)
    assert refused.stubborn
    assert pause_s(refused, 0) >= 60
    lost = Trouble("the connection to far was lost")
    pauses = [pause_s(lost, tries) for tries in range(12)]
    assert pauses == sorted(pauses)
    assert pauses[0] <= 2
    assert pauses[-1] == 60
    assert sentence(lost, FAR) == "The connection to far was lost."
    assert sentence(Trouble("far is away"), FAR) == "far is away."


def test_nothing_a_machine_says_can_act_on_the_terminal() -> None:
    noise = "\x1b]52;c;QQ==\x07\x1b[2Jhello\x9b\u202e"
    told = (
        trouble_of(FAR, 255, noise, greeted=False),
        trouble_of(FAR, 3, noise, greeted=True),
        silent(FAR, noise),
        other_release(FAR, noise),
    )
    assert all("hello" in trouble.text and trouble.text.isprintable() for trouble in told)
