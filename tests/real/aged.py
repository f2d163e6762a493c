"""A session of the real CLI as if days had passed: what it asks about when such a one is resumed.

What 2.1.332 asks then was read off its program, and then seen. Without the network its feature flags come from
`.claude.json`, if `CLAUDE_CODE_GB_DISK_CACHE_WHEN_TELEMETRY_OFF` is set. It asks

- `how` to resume (from a summary or in full): the newest message is 70 minutes old or more
  (`CLAUDE_CODE_RESUME_THRESHOLD_MINUTES`), the conversation has 100,000 tokens or more
  (`CLAUDE_CODE_RESUME_TOKEN_THRESHOLD`), "Don't ask again" was never chosen, and a summary that it made while
  the session ran lies beside the transcript, not older than a week;
- `whether` to resume at all: of a subscription, whose 5-hour limit the conversation would use up by a share
  that follows from a table in a flag; the same of a session that has `rested` until its cache is gone;
- on which `model` to go on: the session's is older than the default of the same family, which costs no more,
  and two hours have passed.

The last three are for the API's own address only, which a variable says it has; a closed port stands for the
network, and a login that is none for the subscription.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal
from uuid import uuid4

from tests.real.real_cli import RealCli

Form = Literal["how", "whether", "model", "rested"]

OLDER_MODEL = "claude-opus-5"
TIER = "default_claude_max_5x"
RESTS_S = 300.0
"""So long a cache lasts at least, and so long 2.1.332 waits before it asks (`FORCE_PROMPT_CACHING_5M`)."""


def _credits(per_million: int) -> Mapping[str, object]:
    """What 100 credits in five hours are worth."""
    rates = dict.fromkeys((OLDER_MODEL, "claude-opus-5-5"), per_million)
    return {"tengu_amber_tally": {"fiveHourCredits": {TIER: 100}, "creditsPerMillionTokens": rates}}


FLAGS: Mapping[Form, Mapping[str, object]] = {
    "how": dict.fromkeys(("tengu_gleaming_fair_reuse", "tengu_amber_packet", "tengu_sepia_moth"), True),
    "whether": _credits(80),
    "rested": {**_credits(800), "tengu_drifting_nova": True},
    "model": {"tengu_hidden_volcano": {"enabled": True, "form": "dialog"}},
}
ENV = {"CLAUDE_CODE_GB_DISK_CACHE_WHEN_TELEMETRY_OFF": "1"}
"""What the CLI that resumes it needs in its environment, to be asked how."""

FIRST_PARTY = {
    **ENV,
    "_CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL": "1",
    "HTTPS_PROXY": "http://127.0.0.1:9",
    "NO_PROXY": "127.0.0.1",
}
ENVS: Mapping[Form, Mapping[str, str]] = {
    "how": ENV,
    "whether": {**FIRST_PARTY, "ANTHROPIC_API_KEY": ""},
    "rested": {**FIRST_PARTY, "ANTHROPIC_API_KEY": "", "FORCE_PROMPT_CACHING_5M": "1"},
    "model": FIRST_PARTY,
}
"""The same for each form."""

AGE = timedelta(days=3, hours=4)
TOKENS = 150_000


def age_session(cli: RealCli, form: Form = "how") -> str:
    """Make the one session there is old and long; its id. The CLI must not be running."""
    folder = cli.home / ".claude"
    [transcript] = (folder / "projects").glob("*/*.jsonl")
    lines = [_aged(json.loads(line), form) for line in transcript.read_text().splitlines()]
    transcript.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    if form == "how":
        last = [line for line in lines if line.get("type") in ("user", "assistant")][-1]
        _summarize(transcript.with_suffix(""), last)
    prepare(cli, form)
    return transcript.stem


def prepare(cli: RealCli, form: Form) -> None:
    """What the form needs besides an old session."""
    folder = cli.home / ".claude"
    if form in ("whether", "rested"):
        _log_in(folder)
    told = json.loads((folder / ".claude.json").read_text())
    (folder / ".claude.json").write_text(json.dumps(told | {"cachedFeatureFlags": FLAGS[form]}))


def _aged(line: dict[str, object], form: Form) -> dict[str, object]:
    match line:
        case {"timestamp": str(at)}:
            line["timestamp"] = (datetime.fromisoformat(at) - AGE).isoformat()
    match line:
        case {"type": "assistant", "message": {"usage": dict(usage), **rest}}:
            used = {**usage, "input_tokens": TOKENS}
            line["message"] = rest | {"usage": used} | ({"model": OLDER_MODEL} if form == "model" else {})
    return line


def _log_in(folder: Path) -> None:
    """A login that opens nothing."""
    login = {
        "accessToken": "none",
        "refreshToken": "none",
        "expiresAt": int((datetime.now(UTC) + AGE).timestamp() * 1000),
        "scopes": ["user:inference", "user:profile"],
        "subscriptionType": "max",
        "rateLimitTier": TIER,
    }
    (folder / ".credentials.json").write_text(json.dumps({"claudeAiOauth": login}))


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
