"""The commands of the scriptable twin: each reaches one kept agent (or all), says one thing, and ends.

It must not know the command line. Each prints what became of it, as words or (`as_json`) as one JSON object.
"""

import os
import stat
import sys
from collections.abc import Awaitable, Callable, Mapping

import anyio
import anyio.to_thread
import msgspec
from msgspec import Struct

from core.errors import KeeperError
from core.fleet.budget import dollars
from core.keeper import messages as to
from core.keeper.folder import Card, Folder, cards
from core.keeper.journal import parts_of
from core.keeper.messages import Said
from core.keeper.reach import SHORT_ID, Attached, attached, find, find_ask, living
from core.keeper.replay import lines_of
from core.session.answers import Allow, Answer, Deny, Reply
from core.session.state import Ask, Prompt, SessionState
from core.session.tools import title_of
from dashboard.reports.table import Column, table, terminal_width
from dashboard.twin.words import transcript
from widgets.format import age, count, money, one_line, path
from widgets.summary import limited_text


class Wanted(Struct, frozen=True, kw_only=True):
    """What a command line asks for; `words` is what follows the agent."""

    agent: str = ""
    words: tuple[str, ...] = ()
    ask: str = ""
    as_json: bool = False
    lines: int = 0
    new_id: Callable[[], str]
    clock: Callable[[], float]


class Line(Struct, frozen=True):
    """An agent as `ls --json` tells it."""

    id: str
    name: str
    status: str
    directory: str
    model: str
    mode: str
    doing: str
    since: float
    cost_usd: float
    turns: int
    asks: tuple[Ask, ...]
    prompts: tuple[Prompt, ...]
    limited_by: str = ""


_COLUMNS = (
    Column("id"),
    Column("name", most=24),
    Column("state"),
    Column("since", right=True),
    Column("cost", right=True),
    Column("directory", most=40),
    Column("doing", most=100),
)


async def ls(folder: Folder, wanted: Wanted) -> None:
    """All agents that run, and what each waits for."""
    states: dict[str, SessionState] = {}

    async def look(card: Card) -> None:
        try:
            async with attached(folder, card) as found:
                states[card.key] = found.state
        except KeeperError:
            return  # it ended just now

    running = await anyio.to_thread.run_sync(living, folder)
    async with anyio.create_task_group() as tasks:
        for card in running:
            tasks.start_soon(look, card)
    lines = [_line(states[card.key], wanted.clock()) for card in running if card.key in states]
    if wanted.as_json:
        _print(msgspec.json.encode(lines).decode())
        return
    rows = [_row(line, wanted.clock()) for line in lines]
    _print(table(_COLUMNS, rows, terminal_width()) if rows else "No agent runs.")
    if waiting := sum(ask.state == "open" for line in lines for ask in line.asks):
        _print(f"{count(waiting, 'request')} waiting for you")


def _line(state: SessionState, now: float) -> Line:
    return Line(
        state.key,
        state.name,
        state.status,
        state.directory,
        state.model.value,
        state.mode.value,
        state.doing,
        state.since,
        state.usage.cost_usd,
        state.usage.turns,
        state.asks,
        state.prompts,
        limited_text(state, now) if state.status == "limited" else "",
    )


def _row(line: Line, now: float) -> tuple[str, ...]:
    asked = "; ".join(f"{ask.tool}: {title_of(ask.tool, ask.input_json)}" for ask in line.asks)
    return (
        line.id[:SHORT_ID],
        line.name,
        line.status,
        age(max(0.0, now - line.since)),
        money(line.cost_usd),
        path(line.directory),
        asked or line.limited_by or line.doing,
    )


async def watch(folder: Folder, wanted: Wanted) -> None:
    """Events as they come, of one agent or all that run, until interrupted or all are gone."""
    running = await anyio.to_thread.run_sync(living, folder)
    chosen = [find(running, wanted.agent)] if wanted.agent else running
    if not chosen and not wanted.as_json:
        _print("No agent runs.")
    async with anyio.create_task_group() as readers:
        readers.start_soon(_end_with_reader, readers.cancel_scope)
        async with anyio.create_task_group() as tasks:
            for card in chosen:
                tasks.start_soon(_watch_one, folder, card, wanted.as_json)
        readers.cancel_scope.cancel()


async def _end_with_reader(scope: anyio.CancelScope) -> None:
    """End what is printed once nobody reads it: `| head -1` would wait for the next event otherwise.

    Only a pipe tells: a terminal can be read as soon as somebody types, a file always.
    """
    out = sys.stdout.fileno()
    if stat.S_ISFIFO(os.fstat(out).st_mode):
        await anyio.wait_readable(out)
        scope.cancel()


async def _watch_one(folder: Folder, card: Card, as_json: bool) -> None:
    async with attached(folder, card) as found, anyio.create_task_group() as tasks:
        tasks.start_soon(_pour, found, card, as_json)
        await found.client.lost.wait()
        tasks.cancel_scope.cancel()


async def _pour(found: Attached, card: Card, as_json: bool) -> None:
    """First the session as it stands, then what happens to it."""
    if as_json:
        _print(_event(card.key, "Attached", msgspec.json.encode(found.state)))
    else:
        _print(one_line(f"{card.name}  {found.state.status}  {found.state.doing}"))
    while True:
        if not found.news:
            found.changed = anyio.Event()
            await found.changed.wait()
        news, found.news = found.news, []
        for told in news:
            for name, fields in told.events:
                if as_json:
                    _print(_event(card.key, name, bytes(fields)))
                else:
                    _print(one_line(f"{card.name}  {name}  {bytes(fields).decode()}"))


def _event(key: str, name: str, fields: bytes) -> str:
    return f'{{"agent":"{key}","event":"{name}","fields":{fields.decode()}}}'


async def send(folder: Folder, wanted: Wanted) -> None:
    """A prompt; it is queued, sent and taken as one typed in the deck."""
    prompt = Prompt(wanted.new_id(), " ".join(wanted.words), at=wanted.clock())
    await _say(folder, wanted, lambda state: to.Send(prompt=prompt), f"queued as {prompt.id}")


async def allow(folder: Folder, wanted: Wanted) -> None:
    """Let what is asked for happen, as it is asked."""
    await _answer(folder, wanted, lambda ask: Allow())


async def deny(folder: Folder, wanted: Wanted) -> None:
    """Refuse what is asked for, with words where there are any."""
    words = " ".join(wanted.words)
    await _answer(folder, wanted, lambda ask: Deny(words) if words else Deny())


async def answer(folder: Folder, wanted: Wanted) -> None:
    """Answer the questions of a form, one word each in their order."""

    def reply(ask: Ask) -> Answer:
        if len(wanted.words) != len(ask.questions):
            asked = "\n".join(f"  {question.text}" for question in ask.questions)
            raise KeeperError(
                f"it asks {count(len(ask.questions), 'question')}, give an answer to each:\n{asked}"
            )
        texts = [question.text for question in ask.questions]
        return Reply(tuple(zip(texts, wanted.words, strict=True)))

    await _answer(folder, wanted, reply)


async def _answer(folder: Folder, wanted: Wanted, choose: Callable[[Ask], Answer]) -> None:
    def said(state: SessionState) -> Said:
        ask = find_ask(state, wanted.ask)
        return to.answering(0, ask.id, choose(ask))

    await _say(folder, wanted, said, "answered")


async def interrupt(folder: Folder, wanted: Wanted) -> None:
    """End the running turn, and only it."""
    await _say(folder, wanted, lambda state: to.Interrupt(), "interrupted")


async def model(folder: Folder, wanted: Wanted) -> None:
    """Change the model."""
    await _choose(folder, wanted, "model")


async def mode(folder: Folder, wanted: Wanted) -> None:
    """Change the permission mode."""
    await _choose(folder, wanted, "mode")


async def _choose(folder: Folder, wanted: Wanted, what: str) -> None:
    value = " ".join(wanted.words)
    await _say(folder, wanted, lambda state: to.Choose(what=what, value=value), f"{what} is {value}")


async def budget(folder: Folder, wanted: Wanted) -> None:
    """Limit what the agent may spend, in dollars; 0 lifts the limit."""
    limit_usd = dollars(wanted.words[0]) or 0.0
    done = f"may spend {money(limit_usd)}" if limit_usd else "may spend without limit"
    await _say(folder, wanted, lambda state: to.SetBudget(limit_usd=limit_usd), done)


async def pause(folder: Folder, wanted: Wanted) -> None:
    """End the turn and keep prompts queued."""
    await _say(folder, wanted, lambda state: to.Suspend(), "paused: prompts stay queued")


async def resume(folder: Folder, wanted: Wanted) -> None:
    """Let prompts go again, and have it take up what was interrupted."""
    await _say(folder, wanted, lambda state: to.Resume(), "goes on")


async def stop(folder: Folder, wanted: Wanted) -> None:
    """End the agent; its conversation can be resumed."""
    await _say(folder, wanted, lambda state: to.Stop(forget=True), "stopped")


async def _say(folder: Folder, wanted: Wanted, said: Callable[[SessionState], Said], done: str) -> None:
    card = find(await anyio.to_thread.run_sync(living, folder), wanted.agent)
    async with attached(folder, card) as found:
        await found.do(said(found.state))
    if wanted.as_json:
        _print(msgspec.json.encode({"agent": card.key, "name": card.name, "done": done}).decode())
    else:
        _print(f"{one_line(card.name)}: {one_line(done)}")


async def logs(folder: Folder, wanted: Wanted) -> None:
    """The journal (`--json`), or the conversation as text; also of an agent that died."""
    card = find(await anyio.to_thread.run_sync(cards, folder), wanted.agent)
    parts = parts_of(folder.journals, card.key)
    if wanted.as_json:
        for line in list(lines_of(parts))[-wanted.lines :]:
            sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
        return
    written = await anyio.to_thread.run_sync(transcript, parts)
    _print("\n".join(written[-wanted.lines :]))


def _print(text: str) -> None:
    print(text, flush=True)


Command = Callable[[Folder, Wanted], Awaitable[None]]

COMMANDS: Mapping[str, Command] = {
    call.__name__: call
    for call in (
        *(ls, watch, send, answer, allow, deny, interrupt, model, mode),
        *(budget, pause, resume, stop, logs),
    )
}
