"""The transcripts of a session's subagents: where they are, and which call each belongs to.

Reads names and the CLI's own notes beside them, never a transcript. This module must not know sessions.
"""

import re
from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec import Struct

from core.history.locate import AGENT_PREFIX, agent_files
from core.wire.codec import BAD

_NAME = re.compile(r"[\w-]{1,100}")
"""What may be part of a file's name: an id comes from a line, which may hold anything."""


class AgentFile(Struct, frozen=True):
    """A subagent's transcript; `call_id` is "" where nothing beside the file names its call."""

    id: str
    path: Path
    call_id: str = ""


class _Note(Struct, frozen=True, rename="camel"):
    tool_use_id: str = ""


def agents_of(session: Path, known: Iterable[str] = ()) -> dict[str, AgentFile]:
    """A session's agents with a file of their own, by id.

    `known` are ids its lines name: in the older layout a file lies among the sessions, where nothing but
    those lines tells whose it is.
    """
    found = {agent.id: agent for agent in map(_agent, agent_files(session))}
    for agent_id in known:
        if agent_id in found or not _NAME.fullmatch(agent_id):
            continue
        beside = session.with_name(f"{AGENT_PREFIX}{agent_id}.jsonl")
        if beside.is_file():
            found[agent_id] = AgentFile(agent_id, beside)
    return found


def _agent(path: Path) -> AgentFile:
    return AgentFile(path.stem.removeprefix(AGENT_PREFIX), path, _call_id(path.with_suffix(".meta.json")))


def _call_id(note: Path) -> str:
    """The call that the CLI's note beside a file names (seen on 2.1.332)."""
    try:
        if not note.is_file():  # whoever opens a pipe waits for ever
            return ""
        return msgspec.json.decode(note.read_bytes(), type=_Note).tool_use_id
    except (OSError, *BAD):
        return ""
