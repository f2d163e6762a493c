"""`quarterdeck usage`: what was used and what it cost, by day, week, project, model or session."""

import os
import time
from collections.abc import Sequence
from datetime import datetime, tzinfo
from typing import get_args

from msgspec import Struct

from core.history.catalogue import Catalogue
from core.history.reports import NO_MODEL, By, Report, Row
from core.settings import settings_file
from dashboard.command_line import Parser
from dashboard.reports.ground import (
    answered,
    as_json,
    bring_up_to_date,
    check_sound,
    day_of,
    home,
    known_before,
    open_catalogue,
    zone_of,
)
from dashboard.reports.sessions import SHORT_ID, cost_text, model_text
from dashboard.reports.table import Column, table, terminal_width
from widgets.format import path, tokens

_HEADS: dict[By, str] = {
    "day": "day",
    "week": "week from",
    "project": "directory",
    "model": "model",
    "session": "session",
}


class Told(Struct, frozen=True):
    """A report as `--json` tells it. `estimate` is False where every cost is the CLI's own."""

    by: By
    zone: str
    today: str
    estimate: bool
    partial: bool
    unpriced: tuple[str, ...]
    total: Row
    rows: tuple[Row, ...]


def run(arguments: Sequence[str]) -> int:
    """Print the report; the exit code."""
    options = _parser().parse_args(arguments)
    zone, now = zone_of(options.zone), time.time()
    since = day_of(options.since, zone, now) if options.since else 0.0
    catalogue = open_catalogue(os.environ)
    if not (bring_up_to_date(catalogue, texts=False) or known_before(catalogue)):
        return 2
    report = answered(catalogue, lambda: catalogue.report(options.by, zone, since), texts=False)
    check_sound(catalogue)
    if options.json:
        print(as_json(_told(report, zone, now)))
    else:
        print(_as_text(report, _titles(catalogue, options.by), zone, now))
    return 0


def _parser() -> Parser:
    parser = Parser(prog="quarterdeck usage", description="Tell what was used, and what it cost.")
    parser.add_argument("--json", action="store_true", help="an object with a list of rows")
    when = "from this day on: 2026-03-01, 2026-03, 30d, 2w, 3m, today"
    parser.add_argument("--since", metavar="DAY", default="", help=when)
    parser.add_argument("--by", choices=get_args(By), default="day", help="what to add up by (else day)")
    parser.add_argument(
        "--zone", metavar="TZ", default="", help="whose days: Europe/Berlin, UTC … (else local)"
    )
    return parser


def _titles(catalogue: Catalogue, by: By) -> dict[str, str]:
    if by != "session":
        return {}
    return {one.card.session_id: one.card.title for one in catalogue.listed()}


def _as_text(report: Report, titles: dict[str, str], zone: tzinfo | None, now: float) -> str:
    if not report.rows:
        return "Nothing was used."
    last = Column("title" if report.by == "session" else "models", most=80, goes=6)
    columns = (
        Column(_HEADS[report.by], most=48, least=16, ends=True),
        Column("answers", right=True, goes=1),
        Column("input", right=True, goes=2),
        Column("output", right=True, goes=2),
        Column("cache read", right=True, goes=3),
        Column("5m writes", right=True, goes=4),
        Column("1h writes", right=True, goes=5),
        Column("cost", right=True),
        last,
    )
    rows = [_cells(report.by, row, titles) for row in report.rows]
    total = [*_cells("day", report.total, {})[:-1], ""]
    lines = [table(columns, [*rows, total], terminal_width()), "", *_notes(report, zone, now)]
    return "\n".join(lines)


def _cells(by: By, row: Row, titles: dict[str, str]) -> list[str]:
    used = row.tokens
    return [
        _key(by, row.key),
        f"{row.answers:,}",
        tokens(used.input),
        tokens(used.output),
        tokens(used.cache_read),
        tokens(used.cache_write_5m),
        tokens(used.cache_write_1h),
        cost_text(row.cost),
        titles.get(row.key, "") if by == "session" else "" if by == "model" else _models(row),
    ]


def _key(by: By, key: str) -> str:
    match by:
        case "project":
            return path(key, 48, home()) or "?"
        case "session":
            return key[:SHORT_ID]
        case "model":
            return key or NO_MODEL
    return key


def _models(row: Row) -> str:
    return ", ".join(dict.fromkeys(model_text(model) for model in row.models))


def _notes(report: Report, zone: tzinfo | None, now: float) -> list[str]:
    """What a reader must know to take the numbers for what they are."""
    notes = ["Costs are an estimate from list prices."]
    if report.by == "session":
        notes = ["Costs are an estimate from list prices, but where the CLI left its own total (=)."]
    if report.by in ("day", "week"):
        today = datetime.fromtimestamp(now, zone).astimezone(zone)
        notes.append(f"Days are those of {report.zone}; today is {today:%Y-%m-%d}, since 00:00 {today:%Z}.")
    if unpriced := report.total.cost.unpriced:
        notes.append(
            f"The total is not all: no price is known of {', '.join(unpriced)}. "
            f'Give one in {settings_file(os.environ)}: [prices."NAME"] input = …, output = …'
        )
    return notes


def _told(report: Report, zone: tzinfo | None, now: float) -> Told:
    cost = report.total.cost
    return Told(
        by=report.by,
        zone=report.zone,
        today=datetime.fromtimestamp(now, zone).date().isoformat(),
        estimate=not cost.told,
        partial=cost.partial,
        unpriced=cost.unpriced,
        total=report.total,
        rows=report.rows,
    )
