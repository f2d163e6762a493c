"""`quarterdeck usage`."""

import json
import sqlite3
from pathlib import Path

import pytest

from core.history.store import FILE, LOCK
from dashboard.cli import main
from tests.fakes.histories import Histories


def test_days_say_whose_they_are(histories: Histories, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["usage", "--zone", "Asia/Tokyo"]) == 0
    out = capsys.readouterr().out
    head, first, *_ = out.split("\n")
    assert head.split()[:4] == ["day", "answers", "input", "output"]
    assert first.split()[:4] == ["2026-03-01", "6", "6.0k", "6.0k"]
    assert "Days are those of Asia/Tokyo; today is " in out
    assert "estimate" in out


def test_what_has_no_price_is_listed(histories: Histories, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["usage", "--by", "model"]) == 0
    out = capsys.readouterr().out
    rows = {
        line.split()[0]: line.split()[-1] for line in out.split("\n") if line.startswith(("claude", "glm"))
    }
    assert rows["glm-5.2"] == "?"
    assert rows["claude-sonnet-4-5-20250929"] == "$0.02"
    assert "no price is known of" in out
    assert "claude-sonnet-9-9-20991231" in out.split("no price is known of")[1]


def test_ones_own_prices_count(
    histories: Histories, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / ".config/quarterdeck/config.toml"
    file.parent.mkdir(parents=True)
    file.write_text('[prices."glm-5.2"]\ninput = 1000\noutput = 0\n')
    assert main(["usage", "--by", "model", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {row["key"]: row["cost"]["usd"] for row in told["rows"]}["glm-5.2"] == 1.0
    assert told["partial"] is True
    assert "glm-5.2" not in told["unpriced"]


def test_since_and_by(histories: Histories, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["usage", "--since", "2026-03-02", "--zone", "UTC", "--by", "session", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["total"]["answers"] == 1
    for day in ("3000-01-01", "9999-12-31", "today", "2w", "9m"):
        assert main(["usage", "--since", day]) == 0
    assert capsys.readouterr().out.startswith("Nothing was used.\nNothing was used.\n")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--zone", "Nowhere"], "no time zone"),
        (["--since", "someday"], "is no day"),
        (["--since", "2026-13-01"], "is no day"),
    ],
)
def test_what_is_wrong_is_one_message(
    histories: Histories, arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["usage", *arguments]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("table", ["spent", "files", "facts"])
def test_a_damaged_catalogue_is_made_anew_in_between(
    histories: Histories, tmp_path: Path, capsys: pytest.CaptureFixture[str], table: str
) -> None:
    assert main(["usage", "--zone", "UTC"]) == 0
    sound = capsys.readouterr().out
    (file,) = tmp_path.glob(f".cache/quarterdeck/history/*/{FILE}")
    db = sqlite3.connect(file)
    db.execute(f"DROP TABLE {table}")
    db.close()
    assert main(["usage", "--zone", "UTC"]) == 0
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == (sound, "")


def test_where_no_catalogue_can_be_kept_the_last_one_is_told(
    histories: Histories, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["usage", "--zone", "UTC"]) == 0
    sound = capsys.readouterr().out
    (file,) = tmp_path.glob(f".cache/quarterdeck/history/*/{FILE}")
    file.with_name(LOCK).unlink()
    file.with_name(LOCK).mkdir()
    assert main(["usage", "--zone", "UTC"]) == 0
    shown = capsys.readouterr()
    assert shown.out == sound
    assert "set XDG_CACHE_HOME to another folder" in shown.err
    assert "what was known the last time" in shown.err
    file.unlink()
    assert main(["usage", "--zone", "UTC"]) == 2
    assert "known the last time" not in capsys.readouterr().err
