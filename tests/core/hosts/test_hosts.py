"""All machines of the settings at once."""

from pathlib import Path

from core.hosts.host import Host
from core.hosts.hosts import visit
from tests.fakes.sshd import machine, needs_sshd


@needs_sshd
async def test_each_is_reached_or_says_why_not(tmp_path: Path) -> None:
    async with machine(tmp_path / "machine") as far:
        gone = Host(name="gone", destination="127.0.0.1", options=("-p", "1", *far.options))
        env = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
        found = await visit([far.host(), gone], tmp_path / "near", env)
        assert found == {"far": "", "gone": "gone cannot be reached: Connection refused."}
