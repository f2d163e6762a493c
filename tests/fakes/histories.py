"""A Claude Code folder for tests: transcripts where the CLI would put them, and a catalogue of them."""

from pathlib import Path
from zoneinfo import ZoneInfo

from core.history.catalogue import Catalogue
from core.history.counting import count
from core.history.prices import Price, PriceTable, Rates
from core.history.reports import By, Report, report
from core.history.usage import Used, spent
from tests.fakes.transcripts import CASES, SESSION, Written

FOLDER = "-srv-demo"
NOW = 1_780_000_000.0

MADE_UP = PriceTable({"claude-sonnet-4-5": (Price(Rates(3, 15, 0.3, 3.75, 6)),)})
"""The table of prices that all cases of usage are meant for."""


def session_id(number: int) -> str:
    return f"5e551011-0000-4000-8000-{number:012d}"


def used(name: str) -> list[Used]:
    """What a case used, as of one session `s`."""
    return [Used("s", list(spent(count(f"{CASES}/{name}.jsonl").answers)))]


def report_of(name: str, by: By = "model", zone: str = "UTC") -> Report:
    """What a case used, at the made-up prices."""
    return report(used(name), by, MADE_UP, ZoneInfo(zone))


class Histories:
    """Puts transcripts where they belong; `catalogue` is of them."""

    def __init__(self, tmp_path: Path) -> None:
        self.config = tmp_path / "claude"
        self.folder = self.config / "projects" / FOLDER
        self.folder.mkdir(parents=True)
        self.cache = tmp_path / "cache"
        self.catalogue = self.new_catalogue()

    def new_catalogue(self) -> Catalogue:
        return Catalogue(self.config, self.cache, lambda: MADE_UP, lambda: NOW)

    def put(self, data: bytes, session: str = SESSION) -> Path:
        path = self.folder / f"{session}.jsonl"
        path.write_bytes(data)
        return path

    def case(self, name: str, session: str = SESSION) -> Path:
        return self.put((CASES / f"{name}.jsonl").read_bytes(), session)

    def agent(self, data: bytes, name: str, session: str = "") -> Path:
        """A subagent's file: in its session's folder, or beside the sessions."""
        folder = self.folder / session / "subagents" if session else self.folder
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"agent-{name}.jsonl"
        path.write_bytes(data)
        return path

    def said(self, *prompts: str, session: str = SESSION) -> Path:
        """A session in which these prompts were made."""
        written = Written(session)
        for prompt in prompts:
            written.prompt(prompt)
        return self.put(written.data, session)

    def found(self, query: str) -> list[str]:
        """The passages of the hits, after a sync."""
        self.catalogue.sync()
        return [hit.passage for hit in self.catalogue.search(query).hits]
