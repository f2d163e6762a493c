"""Retries are known as such, for a while."""

from core.proxy.flow import Flow
from core.proxy.requests import read_request
from core.proxy.tries import KEPT, Tries
from tests.fakes.capture import asks


def flow(number: int, words: str) -> Flow:
    asked = asks(number, words=words)
    return Flow(asked, read_request(asked), 1, "")


def test_requests_that_were_given_up_are_forgotten_in_time() -> None:
    tries = Tries()
    first = flow(0, "first")
    waiting = flow(1, "still waiting")
    for one in (first, waiting):
        tries.begin(one)
    first.seal("transport", 1.0)
    tries.over(first, 1.0)
    assert tries.newest(first.request.conversation) is first
    for number in range(2, KEPT + 3):
        other = flow(number, f"prompt {number}")
        tries.begin(other)
        other.seal("transport", 1.0)
        tries.over(other, 1.0)
    tries.begin(flow(99, "one more"))
    assert tries.newest(first.request.conversation) is None
    assert tries.newest(waiting.request.conversation) is waiting, "one that is open is never forgotten"
