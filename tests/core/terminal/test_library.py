import sys

import pytest

from core.errors import TerminalMissing
from core.terminal import library


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyghostty._ffi", None)
    with pytest.raises(TerminalMissing, match=r"quarterdeck\[terminal\]"):
        library.load.__wrapped__()
