"""Which session the answers of a copy are counted in: a fork begins with what it was made from (FACTS §7.1).

This module must not know what anything cost.
"""

import sqlite3
from functools import partial

import msgspec

from core.history.tally import Counts

_SHARED = (
    "SELECT DISTINCT a.session, b.session, b.counts FROM kin "
    "JOIN files a ON a.id = kin.file JOIN files b ON b.id = kin.other "
    "WHERE a.session <> b.session AND a.agent = '' AND b.agent = ''"
)

_decode = partial(msgspec.msgpack.decode, type=Counts)


def origins(db: sqlite3.Connection) -> dict[str, str]:
    """For each session that shares answers, the one of those it shares them with that began first."""
    found: dict[str, tuple[float, str]] = {}
    for session, other, counts in db.execute(_SHARED):
        began = (_decode(counts).first_at, other)
        found[session] = min(began, found.get(session, began))
    return {session: other for session, (_, other) in found.items()}
