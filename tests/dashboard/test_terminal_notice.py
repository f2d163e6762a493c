from dashboard.terminal_notice import osc9, osc777, through_tmux

EVIL = "a\x1b]0;owned\x07b\x9b2J\nc\x00"


def test_the_sequences_are_those_that_terminals_take() -> None:
    assert osc9("api needs you", "Bash: make") == "\x1b]9;api needs you: Bash: make\x07"
    assert osc777("a; b", "c; d") == "\x1b]777;notify;a, b;c; d\x07"


def test_nothing_inside_acts_on_the_terminal() -> None:
    for sequence in (osc9(EVIL, EVIL), osc777(EVIL, EVIL)):
        inside = sequence.removeprefix("\x1b]").removesuffix("\x07")
        assert not set(inside) & {"\x1b", "\x07", "\x9b", "\x00", "\n"}


def test_tmux_hands_it_on_with_its_escapes_doubled() -> None:
    assert through_tmux("\x1b]9;x\x07") == "\x1bPtmux;\x1b\x1b]9;x\x07\x1b\\"
