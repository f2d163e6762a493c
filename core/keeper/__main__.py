"""A keeper as a process: `python -m core.keeper`, its orders as one JSON object on stdin.

It leaves the process that started it: what that one waits for ends as soon as the socket listens (exit code
0), the keeper goes on as a child of init, in a session of its own. What cannot be done is said on stderr
before that. Imports are late on purpose: half of the start is theirs, and nobody waits for it.
"""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from core.keeper.orders import Orders, Spot

LOG_LINES = "keepers.log"


def main() -> int:
    """Start; returns twice, so to speak: in the parent at once, in the keeper at its end."""
    from core.errors import QuarterdeckError
    from core.keeper.orders import read_orders, take_place

    try:
        orders = read_orders(sys.stdin.buffer.read())
        if orders.state is not None:
            _check_journal(orders)
        place = take_place(orders)
    except (QuarterdeckError, OSError, msgspec.MsgspecError) as error:
        print(error, file=sys.stderr)
        return 1
    _go_on_as_a_child(orders, place)
    _leave_terminal(Path(orders.root))
    from core.keeper.life import live

    return live(orders, place)


def _go_on_as_a_child(orders: "Orders", place: "Spot") -> None:
    """Return in a child only; we end once it has signed its card, and say what kept it from that."""
    from core.errors import KeeperError
    from core.keeper.folder import Folder
    from core.keeper.orders import sign

    hear, tell = os.pipe()
    if os.fork():
        os.close(tell)
        problem = os.read(hear, 4096)
        os.write(2, problem)
        os._exit(1 if problem else 0)  # whoever started us waits for this
    os.close(hear)
    try:
        sign(orders, place)
    except KeeperError as error:
        Folder(Path(orders.root)).socket(orders.key).unlink(missing_ok=True)
        os.write(tell, str(error).encode())
        os._exit(1)
    os.close(tell)


def _check_journal(orders: "Orders") -> None:
    """An earlier keeper's journal may be of a later release: say so while somebody listens."""
    from core.keeper.folder import Folder
    from core.keeper.journal import check_version, parts_of

    for part in parts_of(Folder(Path(orders.root)).journals, orders.key)[-1:]:
        check_version(part)


def _leave_terminal(root: Path) -> None:
    """Let go of every pipe of the one who started us; what goes wrong goes to a file."""
    os.chdir("/")
    null = os.open(os.devnull, os.O_RDWR)
    try:
        log = os.open(root / LOG_LINES, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    except OSError:
        log = os.dup(null)  # nobody to tell it; the agent goes on
    for fd, to in ((0, null), (1, null), (2, log)):
        os.dup2(fd=to, fd2=fd)
    os.close(null)
    os.close(log)


if __name__ == "__main__":
    sys.exit(main())
