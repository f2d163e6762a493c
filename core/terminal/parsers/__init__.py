"""What the CLI's interactive screen says, read off a `Screen`: pure, one thing a module.

What a screen looked like is in `tests/data/screens/`. Nothing in here raises, whatever stands on a screen,
and nothing in here types: a parser tells the keys, somebody else (`core.terminal.answering`) presses them.
"""
