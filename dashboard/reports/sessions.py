"""`quarterdeck sessions`: all sessions, or those with some words, in an order of the person's choice."""

import os
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct

from core.history.catalogue import Listed
from core.history.locate import config_folder
from core.history.prices import normal_name
from core.history.reports import NO_MODEL, Cost
from core.history.running import Running, running
from core.history.usage import Tokens
from dashboard.command_line import Parser, whole
from dashboard.reports.ground import answered, as_json, bring_up_to_date, home, open_catalogue
from dashboard.reports.table import Column, table, terminal_width
from dashboard.selection import SORTS, filtered, searched
from widgets.format import COPIED, ago, money, path, size

SHOWN = 40
SHORT_ID = 8

_COLUMNS = (
    Column("age", right=True),
    Column("id"),
    Column("state"),
    Column("turns", right=True, goes=2),
    Column("size", right=True, goes=4),
    Column("cost", right=True),
    Column("model", most=24, least=10, goes=3),
    Column("directory", most=40, least=16, goes=1, ends=True),
    Column("branch", most=20, least=10, goes=5),
    Column("title", most=100),
)


class Session(Struct, frozen=True):
    """A session as `--json` tells it; times are seconds since the epoch, `status` "" if it does not run.

    `counted_in` is the session a copy was made from, if all its answers count there.
    """

    session_id: str
    title: str
    title_kind: str
    project: str
    directories: tuple[str, ...]
    branch: str
    first_at: float
    last_at: float
    size: int
    turns: int | None
    models: tuple[str, ...]
    tokens: Tokens
    cost: Cost
    counted_in: str
    agents: int
    running: bool
    status: str
    path: Path


def run(arguments: Sequence[str]) -> int:
    """Print the list; the exit code."""
    parser = Parser(prog="quarterdeck sessions", description="List sessions, the newest first.")
    where = "only those with these in title, directory, branch, id or model"
    parser.add_argument("words", nargs="*", metavar="WORDS", help=where)
    parser.add_argument("--sort", choices=tuple(SORTS), default="age", help="the most, or newest, first")
    parser.add_argument("--json", action="store_true", help="a list of objects, all sessions")
    parser.add_argument("--project", metavar="DIR", help="only those of this directory")
    parser.add_argument("--limit", metavar="N", type=whole, help=f"only so many (else {SHOWN} on a terminal)")
    options = parser.parse_args(arguments)
    catalogue = open_catalogue(os.environ)
    directory = Path(options.project).expanduser() if options.project else None
    known = bring_up_to_date(catalogue, texts=False)
    ask = partial(catalogue.listed if known else catalogue.glance, directory)
    found = answered(catalogue, ask, texts=False)
    texts = {one.card.session_id: searched(one) for one in found}
    chosen = sorted(filtered(found, " ".join(options.words), texts), key=SORTS[options.sort])
    limit = options.limit if options.limit is not None or options.json else SHOWN
    alive = {one.session_id: one for one in running(config_folder(os.environ))}
    shown = chosen[:limit]
    if options.json:
        print(as_json([_told(one, alive.get(one.card.session_id)) for one in shown]))
        return 0
    print(_as_text(shown, alive, len(chosen)) if found else _none(options.project))
    return 0


def _none(project: str | None) -> str:
    return f"There are no sessions of {project}." if project else "There are no sessions yet."


def _as_text(shown: Sequence[Listed], alive: dict[str, Running], count: int) -> str:
    if not shown:
        return "No session has all these words. `quarterdeck search` looks into what was said."
    now = time.time()
    rows = [_row(one, alive.get(one.card.session_id), now) for one in shown]
    lines = [table(_COLUMNS, rows, terminal_width()), ""]
    if count > len(shown):
        lines.append(f"{len(shown)} of {count:,} sessions; --limit shows more.")
    lines.append("Costs are an estimate from list prices, but where the CLI left its own total (=).")
    if any(_cost(one) == COPIED for one in shown):
        lines.append(f"{COPIED}: a copy, whose answers are counted in the session it was made from.")
    return "\n".join(lines)


def _row(one: Listed, runs: Running | None, now: float) -> tuple[str, ...]:
    card = one.card
    return (
        ago(now - one.recent),
        card.session_id[:SHORT_ID],
        (runs.status or "runs") if runs is not None else "",
        "" if one.turns is None else str(one.turns),
        size(card.size),
        _cost(one),
        _models(card.models),
        path(one.project, 40, home()),
        card.branch,
        card.title or "(no title)",
    )


def _models(models: tuple[str, ...]) -> str:
    if not models:
        return ""
    last = model_text(models[-1])
    return last if len(models) == 1 else f"{last} +{len(models) - 1}"


def model_text(model: str) -> str:
    """A model's name without what every other has: maker, date, region."""
    return normal_name(model).removeprefix("claude-") or NO_MODEL


def _cost(one: Listed) -> str:
    if not one.counted:
        return ""
    return COPIED if one.counted_in and not one.cost.told else cost_text(one.cost)


def cost_text(cost: Cost) -> str:
    """Money, with `=` if the CLI told it itself, and with `?` for what has no price."""
    if cost.told:
        return f"={money(cost.usd)}"
    if not cost.partial:
        return money(cost.usd)
    return f"{money(cost.usd)}+?" if cost.usd else "?"


def _told(one: Listed, runs: Running | None) -> Session:
    card = one.card
    return Session(
        session_id=card.session_id,
        title=card.title,
        title_kind=card.title_kind,
        project=one.project,
        directories=card.directories,
        branch=card.branch,
        first_at=card.first_at,
        last_at=one.recent,
        size=card.size,
        turns=one.turns,
        models=card.models,
        tokens=one.tokens,
        cost=one.cost,
        counted_in=one.counted_in,
        agents=one.agents,
        running=runs is not None,
        status=runs.status if runs is not None else "",
        path=card.path,
    )
