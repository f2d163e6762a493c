"""What is said to a kept agent, on connections that break at will."""

import anyio
import anyio.lowlevel
import pytest

from core.agent.sink import Sink
from core.errors import AgentGone, BudgetSpent, HostLost, KeeperError
from core.fleet.courier import Courier
from core.keeper import messages as to
from core.keeper.client import Client
from core.session.answers import Allow
from core.session.entries import NoticeEntry
from core.session.events import AskRaised, AskSettled, HostLeft, ProcessExited
from core.session.session import Session
from core.session.state import Ask, Budget, Prompt, SessionState

MAKE = Ask(id="a1", kind="permission", tool="Bash", input_json=b'{"command": "make"}')


class Wire:
    """A channel that keeps what is sent, and is cut when a test says so."""

    def __init__(self) -> None:
        self.open = True
        self.sent: list[to.Attach | to.Command] = []

    def send(self, line: bytes) -> bool:
        if self.open:
            self.sent.append(to.read_said(line))
        return self.open

    def close(self) -> None:
        self.open = False

    def of(self, kind: type[to.Said]) -> list[to.Said]:
        return [said for said in self.sent if isinstance(said, kind)]


class Talk:
    """A session, its outbox, and the connections that are made for it one after the other."""

    def __init__(self) -> None:
        self.session = Session(SessionState(key="k"))
        self.sink = Sink(self.session, lambda: None, lambda: 1.0)
        self.courier = Courier(self.sink)
        self.client = Client(lambda told: None)
        self.wire = Wire()

    def connect(self) -> Wire:
        self.client, self.wire = Client(lambda told: None), Wire()
        self.client.begin(self.wire, to.Attach())
        self.courier.client = self.client
        self.courier.go_again()
        return self.wire

    def cut(self, why: KeeperError | None = None) -> None:
        self.wire.close()
        self.client.lose(why)
        self.courier.client = None

    def said(self) -> list[str]:
        return [entry.text for entry in self.session.conversation.entries() if isinstance(entry, NoticeEntry)]


@pytest.fixture
def talk() -> Talk:
    return Talk()


def test_a_prompt_goes_with_each_connection_until_one_has_it(talk: Talk) -> None:
    talk.courier.send(Prompt(id="p1", text="hello", state="queued"))
    assert [prompt.text for prompt in talk.session.state.prompts] == ["hello"]
    assert len(talk.connect().of(to.Send)) == 1
    talk.cut()
    again = talk.connect()
    (send,) = again.of(to.Send)
    assert isinstance(send, to.Send)
    assert send.prompt.id == "p1"
    talk.client.hear(to.write(to.Done(n=send.n)))
    talk.cut()
    assert talk.connect().of(to.Send) == []
    assert len(talk.session.state.prompts) == 1


def test_a_prompt_that_is_refused_comes_back_with_the_reason(talk: Talk) -> None:
    wire = talk.connect()
    talk.courier.send(Prompt(id="p1", text="hello", state="queued"))
    (send,) = wire.of(to.Send)
    talk.client.hear(to.write(to.Done(n=send.n, failure=to.failure_of(AgentGone()))))
    assert talk.session.state.prompts == ()
    assert [prompt.text for prompt in talk.sink.take_given_back()] == ["hello"]
    talk.cut()
    assert talk.connect().of(to.Send) == []


def test_limits_are_told_once_and_anew_to_a_new_connection(talk: Talk) -> None:
    budget = Budget(scope="day", limit_usd=5.0)
    wire = talk.connect()
    talk.courier.restrain((budget,))
    talk.courier.restrain((budget,))
    assert len(wire.of(to.Restrain)) == 1
    talk.cut()
    assert len(talk.connect().of(to.Restrain)) == 1


@pytest.mark.parametrize("settled", [False, True])
async def test_an_answer_never_goes_twice_and_what_became_of_it_is_said(talk: Talk, settled: bool) -> None:
    wire = talk.connect()
    talk.sink.emit(AskRaised(at=1.0, ask=MAKE))

    async def cut_once_it_is_sent() -> None:
        while not wire.of(to.AnswerAsk):
            await anyio.lowlevel.checkpoint()
        talk.cut(HostLost("The connection broke."))

    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(cut_once_it_is_sent)
            with pytest.raises(HostLost):
                await talk.courier.answer("a1", Allow())
    if settled:
        talk.sink.emit(AskSettled(at=2.0, id="a1", outcome="allowed"))
    assert talk.connect().of(to.AnswerAsk) == []
    assert ("answer it again" in talk.said()[-1]) is not settled
    assert "make" in talk.said()[-1]


async def test_without_a_connection_it_is_said_why_nothing_went(talk: Talk) -> None:
    with pytest.raises(KeeperError, match="connection"):
        await talk.courier.do(to.Interrupt())
    talk.sink.emit(HostLeft(at=1.0, reason="build1 does not answer", retry_at=0.0))
    with pytest.raises(HostLost, match="build1 does not answer"):
        await talk.courier.do(to.Interrupt())
    talk.sink.emit(ProcessExited(at=2.0, reason="gone"))
    with pytest.raises(AgentGone):
        await talk.courier.do(to.Interrupt())
    with pytest.raises(AgentGone):
        talk.courier.send(Prompt(id="p1", text="hello", state="queued"))


def test_what_was_spent_refuses_a_prompt_before_it_is_kept() -> None:
    talk = Talk()
    talk.session.state = SessionState(
        key="k", budgets=(Budget(scope="agent", limit_usd=1.0, stage="stopped"),)
    )
    with pytest.raises(BudgetSpent):
        talk.courier.send(Prompt(id="p1", text="hello", state="queued"))
    assert talk.connect().of(to.Send) == []
