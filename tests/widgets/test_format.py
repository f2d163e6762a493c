import pytest
from rich.cells import cell_len

from tests.widgets.screen import BRACKETS, CONTROLS
from widgets import format as fmt


def test_control_bytes_go_and_the_words_stay() -> None:
    shown = fmt.one_line(CONTROLS)
    assert all(c >= " " and not "\x7f" <= c <= "\x9f" for c in shown)
    assert "red" in shown
    assert shown.endswith("end")


@pytest.mark.parametrize("text", BRACKETS)
def test_brackets_are_text(text: str) -> None:
    assert fmt.one_line(text) == " ".join(text.split())


def test_lines_become_one_and_blanks_too() -> None:
    assert fmt.one_line(" a\r\nb\tc \u2028 d ") == "a b c d"
    assert fmt.plain("a\r\nb\rc") == "a\nb\nc"


@pytest.mark.parametrize(
    ("text", "width", "short"),
    [
        ("docs", 4, "docs"),
        ("documents", 5, "docu…"),
        ("日本語の名前", 5, "日本…"),
        ("x", 0, ""),
        ("xyz", 1, "…"),
        ("", 3, ""),
    ],
)
def test_names_shorten_by_cells(text: str, width: int, short: str) -> None:
    assert fmt.shorten(text, width) == short
    assert cell_len(fmt.pad(text, width)) == width
    assert cell_len(fmt.pad_left(text, width)) == width


def test_the_middle_gives_way() -> None:
    short = fmt.shorten_middle("feature/very-long-branch-name-42", 14)
    assert cell_len(short) <= 14
    assert short.startswith("feat")
    assert short.endswith("-42")


@pytest.mark.parametrize(
    ("path", "width", "shown"),
    [
        ("/home/me/src/app", 0, "~/src/app"),
        ("/home/me", 0, "~"),
        ("/home/meow/src", 0, "/home/meow/src"),
        ("/home/me/src/app/services/auth", 16, "~/…/auth"),
        ("/home/me/src/app/services/auth", 18, "~/…/services/auth"),
        ("/home/me/src/app/services/auth", 7, "…/auth"),
        ("/home/me/src/application.py", 10, "app…ion.py"),
        ("", 10, ""),
    ],
)
def test_paths_keep_their_end(path: str, width: int, shown: str) -> None:
    assert fmt.path(path, width, home="/home/me") == shown


@pytest.mark.parametrize(
    ("usd", "shown"), [(0, "$0.00"), (0.914, "$0.91"), (123.4, "$123.40"), (12345.6, "$12,346")]
)
def test_money(usd: float, shown: str) -> None:
    assert fmt.money(usd) == shown


@pytest.mark.parametrize(
    ("count", "shown"),
    [(0, "0"), (999, "999"), (1200, "1.2k"), (9_960, "10k"), (123_456, "123k"), (999_700, "1.0M")],
)
def test_tokens(count: int, shown: str) -> None:
    assert fmt.tokens(count) == shown
    assert len(shown) <= 5


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(-3, "0:00"), (42.9, "0:42"), (880, "14:40"), (7500, "2h05"), (90_000, "1d01"), (1e9, "11574d")],
)
def test_age(seconds: float, shown: str) -> None:
    assert fmt.age(seconds) == shown


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0.1, "0.1s"), (3.14, "3.1s"), (9.97, "10s"), (42, "42s"), (252, "4m 12s"), (3720, "1h 02m")],
)
def test_duration(seconds: float, shown: str) -> None:
    assert fmt.duration(seconds) == shown


def test_numbers_that_change_keep_their_width() -> None:
    assert {len(fmt.share(f)) for f in (None, 0.0, 0.05, 0.31, 1.0)} == {5}
    assert {len(fmt.rate(r)) for r in (0, 1, 61, 250.7, 5000)} == {9}
    assert {len(fmt.bar(f, 10)) for f in (None, 0.0, 0.001, 0.5, 1.0, 2.0)} == {10}
    assert fmt.bar(0.001, 10).startswith("▓░")


def test_counts_agree_with_their_noun() -> None:
    assert fmt.count(1, "turn") == "1 turn"
    assert fmt.count(1200, "entry", "entries") == "1,200 entries"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("claude-opus-5-5", "opus 5.5"),
        ("claude-sonnet-4-5-20250929", "sonnet 4.5"),
        ("claude-sonnet-4-5-20250929[1m]", "sonnet 4.5 1m"),
        ("claude-opus-4-20250514", "opus 4"),
        ("claude-3-5-haiku-20241022", "haiku 3.5"),
        ("opus", "opus"),
        ("us.anthropic.claude-opus-4-v1:0", "us.anthropic.claude-opus-4-v1:0"),
        ("<synthetic>", "<synthetic>"),
        ("claude-\x1b[2Jx", "claude-x"),
    ],
)
def test_models_have_short_names(name: str, shown: str) -> None:
    assert fmt.model(name) == shown


@pytest.mark.parametrize(
    ("name", "shown"),
    [("five_hour", "5h"), ("seven_day", "7d"), ("seven_day_opus", "7d opus"), ("overage", "overage")],
)
def test_windows_have_short_names(name: str, shown: str) -> None:
    assert fmt.window(name) == shown


HERE = fmt.Here("/home/me/api", "/home/me")


@pytest.mark.parametrize(
    ("path", "width", "shown"),
    [
        ("/home/me/api/src/auth/refresh.py", 0, "src/auth/refresh.py"),
        ("/home/me/api", 0, "."),
        ("/home/me/api2/x.py", 0, "~/api2/x.py"),
        ("/etc/hosts", 0, "/etc/hosts"),
        ("/srv/data/import/rows.csv", 20, "…/import/rows.csv"),
        ("/home/me/api/src/auth/refresh.py", 14, "…/refresh.py"),
        ("/home/me/api/a_very_long_name_of_a_file.py", 16, "a_ver…_a_file.py"),
    ],
)
def test_paths_are_told_from_here(path: str, width: int, shown: str) -> None:
    assert fmt.path(path, width, HERE.home, HERE.directory) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Edit /home/me/api/src/auth.py", "Edit src/auth.py"),
        ("Grep x in /home/me/api", "Grep x"),
        ("Grep x in /home/me/api in *.py", "Grep x in *.py"),
        ("Glob **/*.tf in /home/me/api/infra", "Glob **/*.tf in infra"),
        ("cat '/home/me/api/a' /home/me/b /srv/home/me/c", "cat 'a' ~/b /srv/home/me/c"),
        ("cd /home/me/api && make", "cd . && make"),
        ("ls /home/me/api-old /home/me", "ls ~/api-old ~"),
    ],
)
def test_sentences_have_short_paths(text: str, shown: str) -> None:
    assert fmt.with_paths(text, HERE) == shown
    assert fmt.with_paths(text, fmt.Here()) == text


@pytest.mark.parametrize("at", [1e13, 1e300, -1e300, float("inf"), float("nan")])
def test_a_time_that_cannot_be_is_a_dash(at: float) -> None:
    assert fmt.clock(at) == fmt.clock_seconds(at) == fmt.weekday_clock(at) == "–"
