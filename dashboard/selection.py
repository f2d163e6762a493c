"""Which past sessions are listed, and in what order, on the deck and in a report.

It must not know how one is shown: the reports come without Textual.
"""

from collections.abc import Iterable, Mapping

from core.history.catalogue import Listed


def searched(one: Listed) -> str:
    """What the filter looks in."""
    card = one.card
    return " ".join((card.title, one.project, card.branch, card.session_id, *card.models)).casefold()


def filtered(found: Iterable[Listed], words: str, texts: Mapping[str, str]) -> list[Listed]:
    """Those that hold every one of the words, in any order; `texts` is what is looked in, by id."""
    parts = words.casefold().split()
    return [one for one in found if all(part in texts[one.card.session_id] for part in parts)]


SORTS = {
    "age": lambda one: -one.recent,
    "cost": lambda one: -one.cost.usd,
    "size": lambda one: -one.card.size,
    "turns": lambda one: -(one.turns or 0),
    "title": lambda one: one.card.title.casefold(),
}
"""By what the list is sorted."""
