"""A keeper follows the settings file by itself."""

import os
from pathlib import Path

from core.keeper.wishes import Wishes


def test_rules_are_followed_and_a_broken_file_changes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    wishes = Wishes(file)
    before = wishes.policy().rules
    file.write_text('[policy]\nallow = ["Bash(ls)"]\n')
    rules = wishes.policy().rules
    assert rules != before
    file.write_text("[policy\n")
    os.utime(file, (1, 1))
    assert wishes.policy().rules == rules
    assert wishes.hooks() == Wishes(None).hooks()
    assert wishes.tools() == Wishes(None).tools()
