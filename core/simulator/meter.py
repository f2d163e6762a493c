"""Tokens and money of a simulated session, added up the way the real CLI reports them; no I/O.

Texts are priced at four characters a token, with the prices in the models' own descriptions. `total_cost_usd`
and `modelUsage` are cumulative over the process; `usage` of a result is of its turn only.
"""

from core.simulator.verbs import Json

CHARACTERS_PER_TOKEN = 4
# name: dollars per million tokens in and out, context window, most output tokens
MODELS: dict[str, tuple[float, float, int, int]] = {
    "claude-opus-5-5": (4.0, 20.0, 1_000_000, 128_000),
    "claude-fable-5-2": (8.0, 40.0, 1_000_000, 128_000),
    "claude-sonnet-5-5": (2.0, 10.0, 1_000_000, 128_000),
    "claude-haiku-5-5": (0.1, 0.5, 200_000, 64_000),
}
UNKNOWN_MODEL = (4.0, 20.0, 200_000, 32_000)
ALIASES = {
    "default": "claude-opus-5-5",
    "opus": "claude-opus-5-5",
    "fable": "claude-fable-5-2",
    "sonnet": "claude-sonnet-5-5",
    "haiku": "claude-haiku-5-5",
}
CACHE_READ, CACHE_WRITE = 0.1, 1.25  # of the input price
_KINDS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")


def resolve(model: str) -> str:
    """The full name of a model; an unknown name is its own (the CLI accepts any)."""
    return ALIASES.get(model, model)


def tokens(text: str) -> int:
    """About how many tokens a text is; at least one."""
    return max(1, len(text) // CHARACTERS_PER_TOKEN)


class Meter:
    """Counts what a session uses."""

    def __init__(self, context_tokens: int, cost_usd: float) -> None:
        """Start with a context of that many tokens, already cached, and a cost from before."""
        self.context_tokens = context_tokens
        self.cost_usd = cost_usd
        self.models: dict[str, dict[str, float]] = {}
        self._turn = dict.fromkeys(_KINDS, 0)
        self._before: dict[str, dict[str, float]] = {}
        self._cached = context_tokens

    def start_turn(self) -> None:
        """Begin to count a turn."""
        self._turn = dict.fromkeys(_KINDS, 0)
        self._before = {name: dict(counts) for name, counts in self.models.items()}

    def add_context(self, text: str) -> None:
        """The context grows by a prompt, an answer or a tool result."""
        self.context_tokens += tokens(text)

    def request(self, model: str) -> Json:
        """Count one API request's input; returns the `usage` of its message_start."""
        fresh = max(3, self.context_tokens - self._cached)
        usage = {
            "input_tokens": 3,
            "cache_creation_input_tokens": fresh,
            "cache_read_input_tokens": self._cached,
            "output_tokens": 1,
        }
        self._cached = self.context_tokens
        self._count(model, {**usage, "output_tokens": 0})
        return dict(usage)

    def answer(self, model: str, output_tokens: int) -> None:
        """Count one API request's output."""
        self._count(model, {"output_tokens": output_tokens})

    def compact(self, context_tokens: int) -> None:
        """The conversation was compacted to that many tokens."""
        self.context_tokens = self._cached = context_tokens

    def turn_usage(self) -> Json:
        """The `usage` of the turn so far."""
        return dict(self._turn)

    def model_usage(self) -> Json:
        """The `modelUsage` of the process so far."""
        return {name: _usage_of(name, counts) for name, counts in self.models.items()}

    def model_usage_of_turn(self) -> Json:
        """The `model_usage_since_last_result`."""
        fresh: Json = {}
        for name, counts in self.models.items():
            before = self._before.get(name, {})
            part = {kind: count - before.get(kind, 0) for kind, count in counts.items()}
            if any(part.values()):
                fresh[name] = _usage_of(name, part)
        return fresh

    def fill(self, model: str) -> tuple[int, int]:
        """Tokens in the context, and the window of that model."""
        return self.context_tokens, MODELS.get(model, UNKNOWN_MODEL)[2]

    def _count(self, model: str, usage: dict[str, int]) -> None:
        counts = self.models.setdefault(model, dict.fromkeys((*_KINDS, "cost"), 0.0))
        price_in, price_out, _, _ = MODELS.get(model, UNKNOWN_MODEL)
        prices = dict(
            zip(_KINDS, (price_in, price_in * CACHE_WRITE, price_in * CACHE_READ, price_out), strict=True)
        )
        cost = sum(prices[kind] * count for kind, count in usage.items()) / 1e6
        for kind, count in usage.items():
            counts[kind] += count
            self._turn[kind] += count
        counts["cost"] += cost
        self.cost_usd += cost


def _usage_of(model: str, counts: dict[str, float]) -> Json:
    _, _, window, most = MODELS.get(model, UNKNOWN_MODEL)
    return {
        "inputTokens": int(counts["input_tokens"]),
        "outputTokens": int(counts["output_tokens"]),
        "cacheReadInputTokens": int(counts["cache_read_input_tokens"]),
        "cacheCreationInputTokens": int(counts["cache_creation_input_tokens"]),
        "webSearchRequests": 0,
        "costUSD": round(counts["cost"], 6),
        "contextWindow": window,
        "maxOutputTokens": most,
        "thinkingTokens": 0,
        "cacheCreationEphemeral5mInputTokens": 0,
        "cacheCreationEphemeral1hInputTokens": 0,
        "canonicalModel": model,
        "provider": "firstParty",
        "costBasis": "list",
    }
