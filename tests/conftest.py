"""What every test shares, and what is done once for all of them."""

import gc

import pytest
import textual.app
import textual.pilot
from hypothesis import HealthCheck, settings
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.css.types import CSSLocation

from tests.idle import until_idle

# A busy machine takes its time; that is no finding. Nor is a landing the place for one made by chance: the same
# examples each time. To look for others: `--hypothesis-profile=searching`.
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.register_profile("patient", PATIENT, derandomize=True)
settings.register_profile("searching", PATIENT, max_examples=2000)
settings.load_profile("patient")


LONG = 500
"""Characters of a case that make no name any more."""


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """A case of megabytes is not named by all of them: each worker would send that name, and escape it first."""
    return argname if isinstance(val, str | bytes) and len(val) > LONG else None


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


def pytest_collection_finish() -> None:
    """Thousands of collected tests stay: no collection of garbage need look at them again.

    An app leaves much of it, all at once: to look for it less often costs some memory, and a tenth less time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(5000, 20, 10)


@pytest.fixture(scope="session", autouse=True)
def _idle_is_who_has_nothing_left_to_do() -> None:
    textual.app.wait_for_idle = textual.pilot.wait_for_idle = until_idle  # type: ignore[attr-defined]


@pytest.fixture(scope="session", autouse=True)
def _equal_css_is_parsed_once() -> None:
    """Hundreds of apps have the same style sheets: equal text, place and variables make equal rules.

    A style sheet keeps its own parsed rules in the same way, and hands out the same ones. A rule's hash is its
    identity in Textual, too, but asked for in Python, some hundred thousand times a test.
    """
    RuleSet.__hash__ = object.__hash__  # type: ignore[method-assign]
    kept: dict[object, list[RuleSet]] = {}
    parse = Stylesheet._parse_rules

    def parse_rules(
        self: Stylesheet,
        css: str,
        read_from: CSSLocation,
        is_default_rules: bool = False,
        tie_breaker: int = 0,
        scope: str = "",
    ) -> list[RuleSet]:
        variables = frozenset(self._variables.items())
        key = (css, read_from, is_default_rules, tie_breaker, scope, variables)
        if key not in kept:
            kept[key] = parse(self, css, read_from, is_default_rules, tie_breaker, scope)
        return kept[key]

    Stylesheet._parse_rules = parse_rules  # type: ignore[method-assign]
