"""Makes a store of transcripts like those a year of work leaves: many sessions, long tool results, copies.

The words are the standard library's own sources and its topics in prose, so that a vocabulary is as large
as a real one. The same arguments give the same store.
"""

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from pydoc_data.topics import topics
from sysconfig import get_path
from typing import Any
from uuid import UUID

import msgspec
from msgspec import Struct

MODELS = ("claude-sonnet-4-5-20250929", "claude-opus-4-5-20251101", "claude-haiku-4-5-20251001")
START = datetime(2025, 10, 1, 8, tzinfo=UTC)
PROJECTS = 40
CODE_CHARS = 24_000_000
Line = dict[str, Any]


class Words(Struct, frozen=True):
    """What is quoted: pieces of code and of prose."""

    code: str
    prose: str

    def some_code(self, rng: random.Random) -> str:
        """A stretch of a source file; most are short, a few long."""
        return _piece(self.code, rng, int(min(60_000, rng.lognormvariate(7.3, 1.1))))

    def some_prose(self, rng: random.Random) -> str:
        """A few sentences."""
        return _piece(self.prose, rng, int(min(8_000, rng.lognormvariate(5.6, 0.9))))


def _piece(text: str, rng: random.Random, length: int) -> str:
    start = rng.randrange(max(1, len(text) - length))
    return text[start : start + length]


def words() -> Words:
    """Read the texts to quote from, in an order that is always the same."""
    found, size = list[str](), 0
    for file in sorted(Path(get_path("stdlib")).rglob("*.py")):
        text = file.read_text(encoding="utf-8", errors="replace")
        found.append(text)
        size += len(text)
        if size > CODE_CHARS:
            break
    return Words("".join(found), "\n".join(topics.values()))


def make_store(config: Path, sessions: int, total_bytes: int, seed: int = 7) -> int:
    """Write `sessions` sessions of about `total_bytes` together under `config`; how many bytes they have."""
    rng, quoted = random.Random(seed), words()
    mean = total_bytes / sessions
    written = 0
    for number in range(sessions):
        size = min(mean * 12, mean * rng.lognormvariate(-0.72, 1.2))
        written += _Session(config, number, rng, quoted).write(max(4_000, size))
    return written


def make_session(config: Path, number: int, size: int, seed: int = 7) -> Path:
    """Write one session of about `size` bytes; its file."""
    session = _Session(config, number, random.Random(seed), words())
    session.write(size)
    return session.path


class _Session:
    """One session while it is written; every tenth begins with a copy of itself as a fork."""

    def __init__(self, config: Path, number: int, rng: random.Random, quoted: Words) -> None:
        self.rng, self.quoted, self.number = rng, quoted, number
        self.id = str(UUID(int=rng.getrandbits(128), version=4))
        self.cwd = f"/srv/work/project-{number % PROJECTS:02}"
        self.folder = config / "projects" / self.cwd.replace("/", "-")
        self.path = self.folder / f"{self.id}.jsonl"
        self.at = START + timedelta(minutes=number * 190)
        self.model = rng.choice(MODELS)
        self.last: str | None = None
        self.count = 0

    def write(self, size: float) -> int:
        """Write the session's files; how many bytes they have together."""
        self.folder.mkdir(parents=True, exist_ok=True)
        lines, length = list[bytes](), 0
        while length < size:
            for line in self._turn():
                lines.append(msgspec.json.encode(line))
                length += len(lines[-1]) + 1
        lines.append(msgspec.json.encode(self._title()))
        self.path.write_bytes(b"\n".join([*lines, b""]))
        return length + (self._agent() if self.number % 5 == 0 else 0) + self._fork(lines)

    def _agent(self) -> int:
        file = self.path.with_suffix("") / "subagents" / f"agent-a{self.number:06x}.jsonl"
        file.parent.mkdir(parents=True)
        lines = [
            msgspec.json.encode({**line, "isSidechain": True, "agentId": f"a{self.number:06x}"})
            for line in self._turn()
        ]
        return file.write_bytes(b"\n".join([*lines, b""]))

    def _fork(self, lines: list[bytes]) -> int:
        if self.number % 10 or len(lines) > 400:
            return 0
        other = str(UUID(int=self.rng.getrandbits(128), version=4))
        copied = b"\n".join([*lines, b""]).replace(self.id.encode(), other.encode())
        return self.path.with_name(f"{other}.jsonl").write_bytes(copied)

    def _line(self, kind: str, **more: Any) -> Line:
        self.count += 1
        self.at += timedelta(seconds=self.rng.uniform(0.5, 12))
        uuid = str(UUID(int=(self.number << 80) | (self.count << 40) | 0x8000_0000_0000_0000, version=4))
        line = {
            "parentUuid": self.last,
            "isSidechain": False,
            "userType": "external",
            "cwd": self.cwd,
            "sessionId": self.id,
            "version": "2.1.332",
            "gitBranch": "main",
            "type": kind,
            "uuid": uuid,
            "timestamp": self.at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            **more,
        }
        self.last = uuid
        return line

    def _title(self) -> Line:
        return {"type": "ai-title", "aiTitle": self._sentence(), "sessionId": self.id}

    def _sentence(self) -> str:
        return " ".join(self.quoted.some_prose(self.rng).split()[:8]) or "Work"

    def _turn(self) -> Iterator[Line]:
        prompt = self.quoted.some_prose(self.rng)
        yield self._line("user", message={"role": "user", "content": prompt}, permissionMode="default")
        yield {
            "type": "file-history-snapshot",
            "messageId": self.last,
            "snapshot": {"trackedFileBackups": {}},
        }
        for _ in range(self.rng.randint(1, 9)):
            yield from self._step()
        yield from self._answer([{"type": "text", "text": self.quoted.some_prose(self.rng)}], "end_turn")
        yield self._line("system", subtype="turn_duration", durationMs=self.rng.randint(1_000, 90_000))

    def _step(self) -> Iterator[Line]:
        call = f"toolu_{self.number:06}{self.count:08}"
        name = self.rng.choice(("Bash", "Read", "Read", "Edit", "Grep"))
        text = {"type": "text", "text": self._sentence()}
        use = {"type": "tool_use", "id": call, "name": name, "input": self._input(name)}
        blocks: list[Line] = [{"type": "thinking", "thinking": "", "signature": self._base64(400)}, text, use]
        yield from self._answer(blocks[self.rng.randint(0, 2) :], "tool_use")
        if self.rng.random() < 0.4:
            yield self._line("progress", data={"type": "hook_progress", "hookName": "PreToolUse"})
        yield self._result(call, name)

    def _input(self, name: str) -> Line:
        path = f"{self.cwd}/src/module_{self.rng.randrange(400)}.py"
        if name == "Bash":
            return {"command": f"cd {self.cwd} && pytest -q {path}", "description": self._sentence()}
        if name == "Edit":
            return {"file_path": path, "old_string": self._short(), "new_string": self._short()}
        return {"file_path": path} if name == "Read" else {"pattern": self._sentence(), "path": self.cwd}

    def _short(self) -> str:
        return self.quoted.some_code(self.rng)[:600]

    def _result(self, call: str, name: str) -> Line:
        text = self.quoted.some_code(self.rng)
        content: Any = text
        if self.rng.random() < 0.01:
            source = {"type": "base64", "media_type": "image/png", "data": self._base64(60_000)}
            content = [{"type": "image", "source": source}]
        block = {"tool_use_id": call, "type": "tool_result", "content": content}
        if self.rng.random() < 0.06:
            block["is_error"] = True
        told = (
            {"type": "text", "file": {"filePath": "x", "content": text}}
            if name == "Read"
            else {"stdout": text}
        )
        return self._line("user", message={"role": "user", "content": [block]}, toolUseResult=told)

    def _base64(self, length: int) -> str:
        return f"{self.rng.getrandbits(length * 4):x}"[:length].ljust(length, "A")

    def _answer(self, blocks: list[Line], reason: str) -> Iterator[Line]:
        request = f"{self.number:06}{self.count:08}"
        written = self.rng.choice((0, 0, self.rng.randint(200, 9_000)))
        long = self.rng.randint(0, written)
        usage = {
            "input_tokens": self.rng.randint(2, 900),
            "cache_creation_input_tokens": written,
            "cache_read_input_tokens": self.rng.randint(8_000, 150_000),
            "output_tokens": self.rng.randint(20, 3_000),
            "service_tier": "standard",
            "cache_creation": {
                "ephemeral_5m_input_tokens": written - long,
                "ephemeral_1h_input_tokens": long,
            },
        }
        for index, block in enumerate(blocks):
            last = index == len(blocks) - 1
            message = {
                "id": f"msg_{request}",
                "type": "message",
                "role": "assistant",
                "model": self.model,
                "content": [block],
                "stop_reason": reason if last else None,
                "stop_sequence": None,
                "usage": usage if last else {**usage, "output_tokens": 2},
            }
            yield self._line("assistant", message=message, requestId=f"req_{request}")
