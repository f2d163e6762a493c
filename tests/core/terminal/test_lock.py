import threading

from core.terminal.lock import Turns


def test_who_waits_comes_before_who_had_it() -> None:
    lock, order, waiting, seen = Turns(), list[str](), threading.Event(), threading.Event()

    def look() -> None:
        waiting.set()
        with lock:
            order.append("look")
        seen.set()

    looker = threading.Thread(target=look)
    with lock:
        looker.start()
        waiting.wait(5)
        while not lock._next.locked():  # it stands in line
            pass
    with lock:
        order.append("again")
    assert seen.wait(5)
    looker.join()
    assert order == ["look", "again"]


def test_one_thread_may_take_it_twice() -> None:
    lock = Turns()
    with lock, lock:
        pass
    with lock:
        pass


class Holder:
    """Another thread that has the lock until it is told to let go."""

    def __init__(self, lock: Turns) -> None:
        self._lock = lock
        self._has, self._may_go = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._hold, daemon=True)
        self._thread.start()
        assert self._has.wait(30)

    def _hold(self) -> None:
        with self._lock:
            self._has.set()
            self._may_go.wait(30)

    def let_go(self) -> None:
        self._may_go.set()
        self._thread.join(30)


def test_one_may_wait_for_a_while_only() -> None:
    lock = Turns()
    holder = Holder(lock)
    for wait_s in (0, 0.001):
        with lock.within(wait_s) as mine:
            assert not mine
    holder.let_go()
    with lock.within(0) as mine:
        assert mine
    assert not lock._held.locked()


def test_who_waits_in_vain_keeps_nobody_from_coming_next() -> None:
    lock = Turns()
    holder = Holder(lock)
    with lock.within(0.001):
        pass
    holder.let_go()
    Holder(lock).let_go()


def test_what_is_wanted_soon_is_done_at_once_if_nobody_has_it() -> None:
    lock, done = Turns(), list[bool]()
    lock.soon(lambda: done.append(lock._held.locked()))
    assert done == [True]
    assert not lock._held.locked()


def test_what_is_wanted_soon_is_done_by_the_holder_at_his_end() -> None:
    lock, done = Turns(), list[int]()
    holder = Holder(lock)
    for number in range(3):
        lock.soon(lambda number=number: done.append(number))  # type: ignore[misc]
    assert done == []
    holder.let_go()
    assert done == [0, 1, 2]


def test_what_the_holder_himself_wants_soon_is_done_at_his_end() -> None:
    lock, done = Turns(), list[str]()
    with lock:
        with lock:
            lock.soon(lambda: done.append("done"))
        assert done == []
    assert done == ["done"]


def test_no_wish_is_forgotten_whenever_it_comes() -> None:
    """Two threads that take it and let go of it all the time: a wish at any moment is done."""
    lock, done = Turns(), list[int]()

    def work(first: int) -> None:
        for number in range(first, first + 2000):
            lock.soon(lambda: done.append(number))  # noqa: B023 - done before the next one, or too late to matter
            with lock:
                pass

    threads = [threading.Thread(target=work, args=(first,)) for first in (0, 2000)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(done) == 4000
