"""The agents of the demo."""

import subprocess
from pathlib import Path

from core.simulator.demo import demo_agents
from core.simulator.flags import VERSION
from dashboard.launches import demo_environment, demo_launches, simulated_cli


def test_each_demo_agent_has_a_folder_with_its_branch(tmp_path: Path) -> None:
    launches = demo_launches(demo_agents(), tmp_path)
    assert len(launches) >= 4
    for launch, agent in zip(launches, demo_agents(), strict=True):
        assert agent.branch in Path(launch.spec.directory, ".git/HEAD").read_text()
        assert launch.command is not None
        assert "--output-format" in launch.command
        assert launch.prompt


def test_agents_started_by_hand_in_the_demo_are_simulated_too(tmp_path: Path) -> None:
    cli = simulated_cli(demo_agents()[0].script_path, tmp_path)
    env = demo_environment({"PATH": "/usr/bin:/bin"})
    said = subprocess.run(
        (str(cli), "--version"), env=env, cwd="/", capture_output=True, text=True, check=True
    )
    assert VERSION in said.stdout
