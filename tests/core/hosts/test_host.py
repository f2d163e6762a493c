"""The ssh command line."""

import os
from pathlib import Path

import pytest

from core.errors import KeeperError
from core.hosts.host import Host, bridge_argv, command_argv, find, sockets_of

FAR = Host(name="far", destination="ann@far", command="~/bin/qd", options=("-p", "22"))


def test_nothing_is_ever_asked_unless_a_person_can_answer(tmp_path: Path) -> None:
    argv = bridge_argv(FAR, tmp_path)
    assert argv[:3] == ("ssh", "-p", "22"), "ssh takes the first value: the person's come first"
    assert "BatchMode=yes" in argv
    assert argv[-3:] == ("--", "ann@far", "~/bin/qd keeper serve")
    asking = command_argv(FAR, tmp_path, "ls", may_ask=True)
    assert "BatchMode=yes" not in asking
    assert f"ControlPath={tmp_path}/%C" in asking


def test_sshs_sockets_are_ours_alone_and_their_path_is_short_enough(tmp_path: Path) -> None:
    for state in (tmp_path, tmp_path / ("d" * 60) / ("e" * 60)):
        folder = sockets_of(state)
        assert folder.stat().st_mode & 0o777 == 0o700
        assert len(os.fsencode(folder)) + 1 + 40 + 17 < 104


def test_an_unknown_machine_is_answered_with_those_there_are() -> None:
    with pytest.raises(KeeperError, match=r"no host `fra` in the settings \(far\)"):
        find({"far": FAR}, "fra")
