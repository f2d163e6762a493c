"""Everything that goes wrong on purpose: API errors, limits, crashes, garbage, floods, deafness.

Each player here breaks one thing the dashboard must survive; a turn that goes well needs none.
"""

import json
import sys
import time
from collections.abc import Callable

from core.simulator import speak, verbs
from core.simulator.act import Act, ApiFailureError
from core.simulator.stage import Leave, Pause, Scene
from core.simulator.verbs import Json

ERRORS = {
    400: ("invalid_request_error", "API Error: 400 The request was not valid."),
    401: (
        "authentication_error",
        "ApiFailureError to authenticate. API Error: 401 Invalid authentication credentials",
    ),
    403: (
        "permission_error",
        "ApiFailureError to authenticate. API Error: 403 Your account has no access to this model.",
    ),
    429: (
        "rate_limit_error",
        "API Error: Request rejected (429) · This request would exceed your rate limit.",
    ),
    500: ("api_error", "API Error: 500 Internal server error"),
    529: (
        "overloaded_error",
        "API Error: Repeated 529 Overloaded errors. The API is at capacity — this is usually temporary."
        " Try again in a moment.",
    ),
}
RETRY_WORDS = {429: "rate_limit", 529: "overloaded"}
CHUNK = 2000  # lines written at once in a flood


def api_error(act: Act, step: verbs.ApiError) -> Scene:
    """End the turn with an API error."""
    yield Pause(0)
    raise ApiFailureError(step.api_error, act.fill(step.message) or error_words(step.api_error)[1])


def error_words(status: int) -> tuple[str, str]:
    """The type and the words of an API error."""
    return ERRORS.get(status, ("api_error", f"API Error: {status}"))


def retry(act: Act, step: verbs.Retry) -> Scene:
    """Tell retries, each after its delay; the next is twice as long."""
    act.speech.request()
    for attempt in range(1, step.attempts + 1):
        delay = step.delay * 2 ** (attempt - 1)
        fields: Json = {"attempt": attempt, "max_retries": 10, "retry_delay_ms": int(delay * 1000)}
        fields |= {"error_status": step.retry, "error": RETRY_WORDS.get(step.retry, "server_error")}
        act.stage.write(speak.system("api_retry", **fields))
        yield Pause(delay)


def rate_limit(act: Act, step: verbs.RateLimit) -> Scene:
    """Tell the account's limit."""
    info: Json = {"status": step.rate_limit, "resetsAt": int(time.time() + step.resets_in)}
    info |= {"rateLimitType": step.kind, "utilization": step.utilization, "isUsingOverage": False}
    act.stage.write({"type": "rate_limit_event", "rate_limit_info": info})
    yield Pause(0)


def raw(act: Act, step: verbs.Raw) -> Scene:
    """Write any record."""
    act.stage.write(step.raw)
    yield Pause(0)


def leave(act: Act, step: verbs.Exit) -> Scene:
    """Leave at once."""
    yield Pause(0)
    sys.stderr.write(step.last_words)
    raise Leave(step.exit)


def crash(act: Act, step: verbs.Crash) -> Scene:
    """Leave in the middle of a line."""
    yield Pause(0)
    act.stage.write_raw(b'{"type":"assistant","message":{"id":"msg_cut","role":"assist')
    sys.stderr.write(step.last_words)
    raise Leave(step.crash)


def garbage(act: Act, step: verbs.Garbage) -> Scene:
    """Write lines that are no records."""
    act.stage.write_raw("".join(f"{line}\n" for line in step.garbage).encode())
    yield Pause(0)


def half_line(act: Act, step: verbs.HalfLine) -> Scene:
    """Write a piece of a line; what comes next is glued to it."""
    act.stage.write_raw(step.half_line.encode())
    yield Pause(0)


def flood(act: Act, step: verbs.Flood) -> Scene:
    """Write many lines as fast as they are read."""
    deltas = step.kind == "deltas"
    if deltas:
        act.speech.open_flood()
    for start in range(0, step.flood, CHUNK):
        count = min(CHUNK, step.flood - start)
        line = act.speech.flood(count) if deltas else _line(step.kind, act.stage.session_id) * count
        act.stage.write_raw(line)
        yield Pause(0)
    if deltas:
        act.speech.end_flood()


def _line(kind: str, session_id: str) -> bytes:
    if kind == "garbage":
        return b"[debug] sending request {\n"
    return json.dumps({"type": "zz_flood", "session_id": session_id}).encode() + b"\n"


def stderr(act: Act, step: verbs.Stderr) -> Scene:
    """Write on stderr."""
    sys.stderr.write(step.stderr * step.repeat)
    sys.stderr.flush()
    yield Pause(0)


def ignore(act: Act, step: verbs.Ignore) -> Scene:
    """Ignore some of what the host says or does."""
    act.stage.ignore(step.ignore)
    yield Pause(0)


PLAYERS: dict[type, Callable[..., Scene]] = {
    verbs.ApiError: api_error,
    verbs.Retry: retry,
    verbs.RateLimit: rate_limit,
    verbs.Raw: raw,
    verbs.Exit: leave,
    verbs.Crash: crash,
    verbs.Garbage: garbage,
    verbs.HalfLine: half_line,
    verbs.Flood: flood,
    verbs.Stderr: stderr,
    verbs.Ignore: ignore,
}
