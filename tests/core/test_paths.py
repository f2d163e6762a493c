from pathlib import Path

import pytest

from core.paths import Folders, folders, home

HOME = {"HOME": "/home/ann"}


def test_without_xdg_variables_all_is_below_home() -> None:
    assert folders(HOME) == Folders(
        config=Path("/home/ann/.config/quarterdeck"),
        data=Path("/home/ann/.local/share/quarterdeck"),
        state=Path("/home/ann/.local/state/quarterdeck"),
        cache=Path("/home/ann/.cache/quarterdeck"),
        runtime=Path("/home/ann/.local/state/quarterdeck/run"),
    )


def test_each_variable_moves_its_folder() -> None:
    names = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR")
    found = folders(HOME | {name: f"/x/{name}" for name in names})
    assert [found.config, found.data, found.state, found.cache, found.runtime] == [
        Path(f"/x/{name}/quarterdeck") for name in names
    ]


@pytest.mark.parametrize("value", ["", "relative/path"])
def test_an_empty_or_relative_value_counts_as_not_set(value: str) -> None:
    assert folders(HOME | {"XDG_CONFIG_HOME": value, "XDG_RUNTIME_DIR": value}) == folders(HOME)


def test_without_home_the_user_list_is_asked() -> None:
    assert home({}).is_absolute()
