"""Past sessions for the screenshots: a small store of transcripts as the CLI writes them, none real."""

import json
import os
import random
import time
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from uuid import UUID

from core.history.locate import project_name

DAY_S = 86_400
SAID: tuple[tuple[str, str, str, str, tuple[tuple[str, str], ...]], ...] = (
    (
        "Token refresh loop",
        "api-auth",
        "auth-fix",
        "claude-opus-4-5",
        (
            (
                "Fix the token refresh, it loops on 401",
                "The retry refreshes the token, gets 401 again and starts over. It must try **once**:\n\n"
                "```python\nif resp.status == 401 and not retried:\n"
                "    return await self.send(request, retried=True)\n"
                "```\n\nI added the flag and a test that counts the calls.",
            ),
            (
                "And if the refresh token itself is expired?",
                "Then the endpoint answers 400 `invalid_grant`. I raise `LoginExpired` there, so that the "
                "caller can ask for a login instead of trying again.",
            ),
        ),
    ),
    (
        "",
        "docs",
        "guide-2",
        "claude-sonnet-4-5",
        (
            (
                "Update the guide for 2.0",
                "The guide still shows the old flag in three places. All three are rewritten.",
            ),
        ),
    ),
    (
        "",
        "infra",
        "main",
        "claude-opus-4-5",
        (
            (
                "Why does the nightly build take 40 minutes?",
                "31 of them are one cache that is never hit: its key holds the commit. "
                "With the lock file as key it takes 9.",
            ),
        ),
    ),
    (
        "Search without accents",
        "search",
        "accents",
        "claude-opus-4-5",
        (
            (
                "A search for resume does not find résumé",
                "The index kept the accents. It now folds them, in the index and in the query.",
            ),
        ),
    ),
    (
        "",
        "bench",
        "main",
        "claude-haiku-4-5",
        (("Compare the two parsers on the large file", "The new one needs 0.41 s instead of 1.92 s."),),
    ),
    (
        "",
        "api-auth",
        "main",
        "claude-sonnet-4-5",
        (
            (
                "Write tests for the session store",
                "14 tests; two of them found that a session outlived its logout.",
            ),
        ),
    ),
    (
        "Rate limits per customer",
        "gateway",
        "limits",
        "in-house-7b",
        (
            (
                "Add a rate limit per customer",
                "A token bucket per key, kept in memory, with a header that says the rest.",
            ),
        ),
    ),
)


def make_store(config: Path, home: Path) -> None:
    """Write the store below `config`; the sessions worked in folders of `home`. Blocking."""
    rng = random.Random(7)
    for number in range(28):
        title, folder, branch, model, said = SAID[number % len(SAID)]
        at = time.time() - 1500 - number * 0.6 * DAY_S * (1 + number / 9)
        session = str(UUID(int=rng.getrandbits(128), version=4))
        directory = home / folder
        directory.mkdir(exist_ok=True)
        rows = _rows(session, directory, branch, model, said, at, rng)
        if title and number < len(SAID):
            rows.append({"type": "custom-title", "customTitle": title, "sessionId": session})
        path = config / "projects" / project_name(directory) / f"{session}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
        if number == 2:
            _runs(config, session, directory)


def _runs(config: Path, session: str, directory: Path) -> None:
    (config / "sessions").mkdir()
    told = {"pid": os.getpid(), "sessionId": session, "cwd": str(directory), "kind": "interactive"}
    told |= {"name": "nightly build", "status": "idle", "updatedAt": (time.time() - 1500) * 1000}
    (config / "sessions" / f"{os.getpid()}.json").write_text(json.dumps(told))


def _rows(
    session: str,
    directory: Path,
    branch: str,
    model: str,
    said: tuple[tuple[str, str], ...],
    at: float,
    rng: random.Random,
) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    moments = count(int(at - 120 * len(said)), 40)
    always = {"sessionId": session, "cwd": str(directory), "gitBranch": branch, "version": "2.1.332"}

    def put(kind: str, **message: object) -> None:
        moment = datetime.fromtimestamp(next(moments), UTC).isoformat().replace("+00:00", "Z")
        parent = rows[-1]["uuid"] if rows else None
        rows.append(
            {
                "type": kind,
                "uuid": f"{session}-{len(rows)}",
                "parentUuid": parent,
                "timestamp": moment,
                "message": message,
                **always,
            }
        )

    def answer(block: dict[str, object]) -> None:
        usage = {
            "input_tokens": rng.randint(900, 9000),
            "output_tokens": rng.randint(300, 4000),
            "cache_read_input_tokens": rng.randint(20_000, 900_000),
        }
        put(
            "assistant",
            id=f"msg-{session}-{len(rows)}",
            role="assistant",
            model=model,
            content=[block],
            usage=usage,
        )

    for prompt, text in said:
        call = f"toolu-{session}-{len(rows)}"
        put("user", role="user", content=prompt)
        answer({"type": "tool_use", "id": call, "name": "Bash", "input": {"command": "pytest -q"}})
        put(
            "user",
            role="user",
            content=[{"type": "tool_result", "tool_use_id": call, "content": "14 passed in 3.1s"}],
        )
        answer({"type": "text", "text": text})
    return rows
