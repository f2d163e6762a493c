"""The `system` records, by subtype."""

import json

import pytest

from core.wire import records, system
from core.wire.codec import decode
from tests.fakes.lines import recorded

NEEDED = {"session_state_changed": {"state": "idle"}}


@pytest.mark.parametrize("subtype", sorted(system.BY_SUBTYPE))
def test_each_subtype_reads_with_only_what_it_must_have(subtype: str) -> None:
    bare: dict[str, object] = {"type": "system", "subtype": subtype, "zz": [1]}
    if subtype.startswith("task_"):
        bare["task_id"] = "t"
    bare.update(NEEDED.get(subtype, {}))
    assert type(decode(json.dumps(bare).encode())) is system.BY_SUBTYPE[subtype]


def test_a_new_subtype_is_unknown() -> None:
    record = decode(b'{"type":"system","subtype":"zz"}')
    assert isinstance(record, records.Unknown)
    assert record.why == "unknown system record `zz`"


def test_a_known_subtype_of_a_wrong_shape_is_unknown() -> None:
    record = decode(b'{"type":"system","subtype":"task_started","task_id":7}')
    assert isinstance(record, records.Unknown)
    assert "task_id" in record.why


def test_the_facts_of_a_session() -> None:
    init = next(record for record in map(decode, recorded("ctl")) if isinstance(record, system.Init))
    assert (init.model, init.mode, init.version) == ("claude-haiku-4-5", "plan", "2.1.332")
    assert init.mcp_servers == (system.InitServer("broken", "disabled"), system.InitServer("web", "failed"))


def test_a_task_from_start_to_end() -> None:
    told = [
        record
        for record in map(decode, recorded("agent"))
        if "task_id" in getattr(record, "__struct_fields__", ())
    ]
    assert [type(record).__name__ for record in told] == [
        "TaskStartedRecord",
        "TaskProgressRecord",
        "TaskUpdatedRecord",
        "TaskNotificationRecord",
    ]
    assert len({getattr(record, "task_id", "") for record in told}) == 1
