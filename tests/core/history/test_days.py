"""Days and weeks by zone: every quarter hour is in the day that the zone itself says."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from core.history.days import DAY_S, Days, week_of
from core.history.usage import QUARTER_S

ZONES = (
    ("Europe/Berlin", "2026-03-28", 3),
    ("Europe/Berlin", "2025-10-25", 3),
    ("Asia/Kolkata", "2026-01-31", 2),
    ("Asia/Kathmandu", "2026-02-28", 2),
    ("Australia/Lord_Howe", "2026-04-03", 3),  # half an hour
    ("America/Santiago", "2025-09-06", 2),  # there is no midnight
    ("America/Havana", "2025-11-01", 2),
    ("America/St_Johns", "2009-10-31", 3),  # a minute past midnight, back into the day before
    ("Pacific/Apia", "2011-12-28", 4),  # a day that was left out
    ("Pacific/Kiritimati", "2026-06-01", 1),
    ("UTC", "1970-01-01", 1),
)


@pytest.mark.parametrize(("zone", "first", "count"), ZONES)
def test_each_quarter_hour_is_in_the_day_the_zone_says(zone: str, first: str, count: int) -> None:
    there = ZoneInfo(zone)
    begin = int(datetime.fromisoformat(first).replace(tzinfo=UTC).timestamp())
    days = Days(there)
    for at in range(begin, begin + count * DAY_S, QUARTER_S):
        assert days.day(at) == datetime.fromtimestamp(at, there).date().isoformat()


def test_the_days_of_the_system() -> None:
    days = Days(None)
    for at in range(1_760_000_400, 1_790_000_000, DAY_S * 2 + QUARTER_S):
        assert days.day(at) == datetime.fromtimestamp(at).date().isoformat()


def test_weeks_begin_on_monday() -> None:
    assert [week_of(day) for day in ("2026-03-08", "2026-03-09")] == ["2026-03-02", "2026-03-09"]
    sunday = int(datetime(2026, 3, 8, 23, 45, tzinfo=UTC).timestamp())
    days = Days(ZoneInfo("UTC"))
    assert [days.week(sunday), days.week(sunday + QUARTER_S)] == ["2026-03-02", "2026-03-09"]
