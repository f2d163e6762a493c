"""The house itself: what may import what, and that tests stand where a reader looks for them."""

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGES = ("core", "widgets", "dashboard")

LIST_CORE = """
import importlib, pkgutil, sys
import core
for module in pkgutil.walk_packages(core.__path__, "core."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
print(sorted({name.partition(".")[0] for name in sys.modules} & {"textual", "rich"}))
"""


def test_the_core_needs_no_user_interface() -> None:
    """Every module of the core is imported in a process of its own: neither textual nor rich comes along."""
    result = subprocess.run(
        [sys.executable, "-c", LIST_CORE], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    assert result.stdout.strip() == "[]"


def test_every_test_file_mirrors_a_module() -> None:
    for package in PACKAGES:
        for test in sorted((ROOT / "tests" / package).rglob("test_*.py")):
            place = test.relative_to(ROOT / "tests")
            name = place.name.removeprefix("test_")
            module = ROOT / place.with_name(name)
            folder = ROOT / place.with_name(name.removesuffix(".py"))
            assert module.exists() or folder.is_dir(), f"{place} tests no module: name it after one"


def test_every_module_says_what_it_is_for() -> None:
    for package in PACKAGES:
        for module in sorted((ROOT / package).rglob("*.py")):
            assert ast.get_docstring(ast.parse(module.read_text())), (
                f"{module.relative_to(ROOT)} has no docstring"
            )
