"""A session of the real CLI as if days had passed: what it asks about when such a one is resumed.

2.1.332 asks how to resume (read off its program, then seen) if three feature flags are on, the newest message
is 70 minutes old or more (`CLAUDE_CODE_RESUME_THRESHOLD_MINUTES`), the conversation has 100,000 tokens or more
(`CLAUDE_CODE_RESUME_TOKEN_THRESHOLD`), "Don't ask again" was never chosen, and a summary that it made while the
session ran lies beside the transcript, not older than a week. Without the network the flags come from
`.claude.json`, if `CLAUDE_CODE_GB_DISK_CACHE_WHEN_TELEMETRY_OFF` is set.
"""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

from tests.real.real_cli import RealCli

FLAGS = ("tengu_gleaming_fair_reuse", "tengu_amber_packet", "tengu_sepia_moth")
ENV = {"CLAUDE_CODE_GB_DISK_CACHE_WHEN_TELEMETRY_OFF": "1"}
"""What the CLI that resumes it needs in its environment."""

AGE = timedelta(days=3, hours=4)
TOKENS = 150_000


def age_session(cli: RealCli) -> str:
    """Make the one session there is old and long; its id. The CLI must not be running."""
    folder = cli.home / ".claude"
    [transcript] = (folder / "projects").glob("*/*.jsonl")
    lines = [_aged(json.loads(line)) for line in transcript.read_text().splitlines()]
    transcript.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    last = [line for line in lines if line.get("type") in ("user", "assistant")][-1]
    _summarize(transcript.with_suffix(""), last)
    told = json.loads((folder / ".claude.json").read_text())
    (folder / ".claude.json").write_text(
        json.dumps(told | {"cachedFeatureFlags": dict.fromkeys(FLAGS, True)})
    )
    return transcript.stem


def _aged(line: dict[str, object]) -> dict[str, object]:
    match line:
        case {"timestamp": str(at)}:
            line["timestamp"] = (datetime.fromisoformat(at) - AGE).isoformat()
    match line:
        case {"type": "assistant", "message": {"usage": dict(usage)}}:
            usage["input_tokens"] = TOKENS
    return line


def _summarize(folder: Path, last: dict[str, object]) -> None:
    """The summary up to the line `last`, as the CLI writes it (version 7)."""
    message = {"role": "user", "content": "They said one."}
    at = (datetime.now(UTC) - AGE).isoformat()
    summary = {
        "type": "user",
        "uuid": str(uuid4()),
        "timestamp": at,
        "isCompactSummary": True,
        "message": message,
    }
    told: dict[str, object] = {
        "version": 7,
        "sessionId": folder.name,
        "agentKey": "main",
        "model": "",
        "cliVersion": "",
        "createdAt": at,
        "precomputedAtUuid": last["uuid"],
        "preCompactTokens": TOKENS,
        "readyDurationMs": 1,
        "summaryText": message["content"],
        "summaryMessages": [summary],
        "preserveUuids": [],
        "attempt": 1,
        "groupsPreserved": 0,
        "totalGroups": 1,
        "forkAssistantMessageCount": 0,
        "totalUsage": {},
    }
    folder.mkdir(exist_ok=True)
    (folder / "precompact.json").write_text(json.dumps(told))
