"""Which day and which week of a time zone a moment is in. It must not know what is counted by them."""

from datetime import UTC, date, datetime, timedelta, tzinfo

from core.history.usage import QUARTER_S

DAY_S = 86_400

_EPOCH = date(1970, 1, 1).toordinal()


_Span = tuple[int, str]
"""Before which moment it is which day."""


class Days:
    """The days and weeks of a zone, ISO, of quarter hours by their beginning (in seconds since the epoch).

    A zone is asked once for a day of UTC, not for each quarter hour, but for days within which it changes.
    """

    def __init__(self, zone: tzinfo | None) -> None:
        """None is the system's zone."""
        self._zone = zone
        self._spans: dict[int, list[_Span]] = {}
        self._weeks: dict[str, str] = {}

    def day(self, at: int) -> str:
        """The day."""
        number = at // DAY_S
        spans = self._spans.get(number)
        if spans is None:
            spans = self._spans[number] = self._spans_of(number * DAY_S)
        for end, name in spans:  # noqa: B007 - the last one looked at is the one
            if at < end:
                break
        return name

    def week(self, at: int) -> str:
        """The Monday of the week."""
        day = self.day(at)
        if day not in self._weeks:
            self._weeks[day] = week_of(day)
        return self._weeks[day]

    def _spans_of(self, begin: int) -> list[_Span]:
        """The days of the zone within a day of UTC."""
        end = begin + DAY_S
        ahead = self._ahead(begin)
        if ahead == self._ahead(end - QUARTER_S):
            midnight = end - (end + ahead) % DAY_S
            return [(midnight, _name(midnight + ahead - 1)), (end, _name(midnight + ahead))]
        return [(at + QUARTER_S, _name(at + self._ahead(at))) for at in range(begin, end, QUARTER_S)]

    def _ahead(self, at: int) -> int:
        """How far the zone is ahead of UTC, in seconds."""
        ahead = datetime.fromtimestamp(at, UTC).astimezone(self._zone).utcoffset()
        return 0 if ahead is None else int(ahead.total_seconds())


def _name(seconds: int) -> str:
    """The day of a zone's own time, counted in seconds since its epoch."""
    return date.fromordinal(_EPOCH + seconds // DAY_S).isoformat()


def week_of(day: str) -> str:
    """The Monday of a day's week, ISO."""
    monday = date.fromisoformat(day)
    return (monday - timedelta(days=monday.weekday())).isoformat()
