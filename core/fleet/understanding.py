"""What is understood of one run of an interactive session: channels fed, a session folded, asks answered.

    Console ─screens→ ╮
    transcript ─lines→ Channels ─events that count→ Session
    capture ─events→  ╯

It must not know how the program is started, nor who shows the session.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import anyio
import anyio.to_thread
from msgspec.structs import replace

from core.fleet.lookout import Lookout
from core.fleet.unseen import Unseen
from core.history.reports import Cost
from core.history.running import Running
from core.history.spending import Found, Priced, Spending
from core.session import events as ev
from core.session.answers import Answer, Postpone
from core.session.events import Event
from core.session.session import Session
from core.session.state import Usage
from core.terminal.channels.committed import Entry, FileChosen, TurnBegan
from core.terminal.channels.following import follow_transcript
from core.terminal.channels.hub import Channels
from core.terminal.channels.screen import PickerChanged
from core.terminal.channels.transcripts import Transcripts
from core.terminal.console import Console
from core.terminal.replying import Replies

GRACE_S = 1.0
"""So long the transcript has to say itself how a turn ended, once the process rests."""


class Understanding:
    """One run of the session `session`. `begin` before the program starts, then `follow` its console.

    `running` is what its process said of itself last.
    """

    def __init__(
        self,
        session: Session,
        lookout: Lookout,
        transcripts: Transcripts,
        clock: Callable[[], float],
        changed: Callable[[], None],
        *,
        since: float = 0.0,
    ) -> None:
        """`changed` is called after each event; `clock` tells seconds since the epoch.

        What its transcripts tell of before `since` was spent by others, and is in no figure.
        """
        self.session = session
        self.started = False
        self.cost = Cost()
        self._lookout = lookout
        self._transcripts = transcripts
        self._clock = clock
        self._changed = changed
        self._since = since
        self._followed: set[Path] = set()
        self._again = False
        self._answers: dict[int, Priced] = {}
        self.running: Running | None = None
        self._replies: Replies | None = None
        self._spending: Spending | None = None
        self._written = anyio.Event()
        self._seen = anyio.Event()
        self._picking = False
        self.channels = channels = Channels(self.apply)
        self._unseen = Unseen(session, channels, self.apply)
        channels.screen.hear(PickerChanged, self._pick)
        channels.committed.hear(FileChosen, lambda told: self._turn_to(told.file))
        channels.committed.hear(Entry, lambda told: self._written.set())
        channels.committed.hear(TurnBegan, lambda told: self._look_again())

    def begin(self) -> None:
        """Note what is there before the program starts. Blocks."""
        self._transcripts.note()

    async def follow(self, pid: Callable[[], int]) -> None:
        """Follow what is written for ever: begin with this before the screen's first byte is read."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(follow_transcript, self.channels, self._transcripts, pid, self._lookout.watch)
            tasks.start_soon(self._follow_cost)

    async def look_at(self, console: Console, prompt: Callable[[str], None]) -> None:
        """Follow the screen until the program has ended; `prompt` queues words a dialog has no place for."""

        async def say(text: str) -> None:
            prompt(text)

        self._replies = Replies(self.channels, console, self.apply, self._clock, say)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._pass_time)
            async for screen in console.snapshots(lambda _: self._picking):
                self.channels.see(screen, self._clock())
                self._seen.set()
            tasks.cancel_scope.cancel()

    async def answer(self, ask_id: str, answer: Answer | Postpone) -> None:
        """Type an answer at the dialog an ask came from. Raises as `Replies.answer`."""
        if self._replies is not None:
            await self._replies.answer(ask_id, answer)

    def hear(self, events: Sequence[Event]) -> None:
        """What was captured of the API stream."""
        for event in events:
            if isinstance(event, ev.CaptureChanged):
                self._take_turns(event)
        self.channels.hear(events)

    def tell(self, running: Running) -> None:
        """What the process says of itself now."""
        self.running = running
        self._unseen.tell(running)
        self._end_turn()
        self._changed()

    def _end_turn(self) -> None:
        """The process is idle since the turn began: that ends a turn whose end is not written.

        Not at once: what is written tells more of the end.
        """
        if self._idle_since() is not None:
            asyncio.get_running_loop().call_later(GRACE_S, self._end_turn_for_good)

    def _end_turn_for_good(self) -> None:
        idle_since = self._idle_since()
        if idle_since is not None:
            done = ev.TurnCompleted(at=idle_since, source="transcript", reason="idle")
            self.channels.settle((done,))

    def _idle_since(self) -> float | None:
        """Since when the process says that it is idle although a turn is open."""
        running, turn = self.running, self.session.state.turn
        if running is None or turn is None or running.status != "idle":
            return None
        return running.updated_at if running.updated_at >= turn.started_at else None

    def apply(self, event: Event) -> None:
        """Fold an event that counts; that its composer stands means that it has started."""
        self.started = self.started or (isinstance(event, ev.Initialized) and event.source == "screen")
        before = self.session.state.usage
        self.session.apply(event)
        if 0.0 < event.at < self._since or (self._again and self.channels.recalls):
            self.session.state = replace(
                self.session.state, usage=_only_told(before, self.session.state.usage)
            )
        self._changed()

    def _look_again(self) -> None:
        """Once all lines that came together are read: a quick turn may be over already."""
        asyncio.get_running_loop().call_soon(self._end_turn)

    def _take_turns(self, event: ev.CaptureChanged) -> None:
        if event.state == "on":
            self.channels.attach(event.at)
        else:
            self.channels.detach(event.at, "the capture has ended")

    def _pick(self, told: PickerChanged) -> None:
        """While a list is open, colour alone tells what is marked in it."""
        self._picking = told.menu is not None

    def _turn_to(self, path: Path) -> None:
        self._again = path in self._followed
        self._followed.add(path)
        price = self._lookout.price
        self._spending = Spending(path, price) if price is not None else None

    async def _pass_time(self) -> None:
        """What follows from nothing having changed."""
        while True:
            due = self.channels.due
            self._seen = anyio.Event()
            with anyio.move_on_after(None if due is None else max(0.0, due - self._clock())):
                await self._seen.wait()
                continue
            self.channels.pass_time(self._clock())

    async def _follow_cost(self) -> None:
        while True:
            await self._written.wait()
            self._written = anyio.Event()
            spending = self._spending
            answers = await anyio.to_thread.run_sync(spending.poll) if spending is not None else ()
            if spending is None or not answers:
                continue
            self._answers |= {one.key: one for one in answers if one.at >= self._since}
            self.cost, state = _cost_of(self._answers.values()), self.session.state
            if self._lookout.estimated is not None:
                self._lookout.estimated((Found(state.key, spending.path.stem, state.created_at, answers),))
            self._changed()


def _only_told(before: Usage, after: Usage) -> Usage:
    """The usage after what was over before, or is counted already: only what the CLI tells is new."""
    return replace(
        after,
        turns=before.turns,
        tokens=before.tokens,
        api_s=before.api_s,
        wall_s=before.wall_s,
        tokens_per_s=before.tokens_per_s,
    )


def _cost_of(answers: Iterable[Priced]) -> Cost:
    usd, unpriced = 0.0, dict[str, None]()
    for answer in answers:
        usd += answer.usd or 0.0
        if answer.usd is None:
            unpriced[answer.model] = None
    return Cost(usd, unpriced=tuple(unpriced))
