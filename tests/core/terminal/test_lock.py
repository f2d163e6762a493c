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
