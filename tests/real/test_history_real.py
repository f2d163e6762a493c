"""Transcripts that the real CLI writes: read back, they say what the person saw."""

import pytest

from core.fleet.fleet import Fleet
from core.history.card import read_card
from core.history.locate import config_folder, sessions_of
from core.history.read import open_session
from core.session.entries import PromptEntry, SpeechEntry, ToolEntry
from core.session.session import Session
from tests.fakes.agents import until, until_turn
from tests.real.real_cli import RealCli

pytestmark = pytest.mark.real


def told(session: Session, parent: str = "") -> list[tuple[str, str]]:
    """What is said and called, without what only one of the sources can know."""
    rows: list[tuple[str, str]] = []
    for entry in session.conversation.entries(parent):
        match entry:
            case PromptEntry(text=text, meta=False):
                rows.append(("prompt", text))
            case SpeechEntry():
                rows.append(("thinking" if entry.thinking else "text", entry.text))
            case ToolEntry():
                rows.append((f"{entry.tool} {entry.title} {entry.state}", entry.result))
                rows += told(session, entry.call_id)
    return rows


PROMPTS = (
    "hello",
    "do:think",
    "do:bash echo hi",
    "do:pair",
    "do:write b.txt",
    "do:fail 400",
    "/compact",
    "and on",
)


async def test_a_transcript_reads_as_the_live_session_did(cli: RealCli, fleet: Fleet) -> None:
    spec = cli.spec(permission_mode="acceptEdits", allowed_tools=("Bash", "Write"))
    key = await fleet.launch(spec, PROMPTS[0])
    for number, prompt in enumerate(PROMPTS[1:], 1):
        await until_turn(fleet, key, number)
        fleet.agent(key).send_prompt(prompt)
    await until_turn(fleet, key, len(PROMPTS))
    live = fleet.sessions[key]
    await fleet.agent(key).stop()
    await until(fleet, key, lambda state: state.exit)

    (stored,) = sessions_of(config_folder(cli.env), cli.directory)
    past = await open_session(stored.path, "past")
    await past.load_all()
    # A command is a note in the transcript, and an API error ends its turn there.
    assert told(past.session) == [
        row for row in told(live) if not row[1].startswith(("/compact", "API Error"))
    ]
    assert [row for row in told(past.session) if row[1] == "and on"]
    state = past.session.state
    assert state.unknown_count == 0
    assert (state.directory, state.model.value) == (str(cli.directory), live.state.model.value)
    assert state.usage.cost_usd == pytest.approx(live.state.usage.cost_usd, abs=1e-6)
    card = read_card(stored.name)
    assert (card.session_id, card.directory) == (live.state.session_id, str(cli.directory))
    assert (card.title, card.cost_usd) == (PROMPTS[-1], state.usage.cost_usd)
