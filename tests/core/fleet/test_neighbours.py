"""What agents see of each other."""

import pytest

from core.agent.own_tools import Neighbour
from core.fleet.neighbours import Around
from core.session.session import Session
from core.session.state import Exit, SessionState


def sessions(**names: str) -> dict[str, Session]:
    return {
        key: Session(SessionState(key=key, name=name, directory=f"/{name}", started=True))
        for key, name in names.items()
    }


async def test_an_agent_sees_the_others_that_run() -> None:
    all_ = sessions(k1="api", k2="docs")
    all_["k3"] = Session(SessionState(key="k3", name="gone", exit=Exit()))
    assert await Around("k1", all_, print).others() == [Neighbour("docs", "idle", "/docs")]


async def test_a_message_says_whom_it_is_from() -> None:
    sent: list[tuple[str, str]] = []
    around = Around("k1", sessions(k1="api", k2="docs"), lambda key, text: sent.append((key, text)))
    await around.send("docs", "hello")
    assert sent == [("k2", "Message from the agent api, not from the person:\n\nhello")]


@pytest.mark.parametrize("name", ["nobody", "api", "twin"])
async def test_a_name_must_mean_one_other_agent(name: str) -> None:
    with pytest.raises(KeyError):
        await Around("k1", sessions(k1="api", k2="twin", k3="twin"), print).send(name, "hello")
