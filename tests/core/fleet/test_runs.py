from core.fleet.runs import Run, is_driven, joined

HISTORY = (Run(100.0, driven=False), Run(200.0, driven=True), Run(300.0, driven=False))


def test_an_answer_belongs_to_the_process_that_was_started_last_before_it() -> None:
    assert [is_driven(HISTORY, at) for at in (50.0, 150.0, 200.0, 299.0, 300.0)] == [
        False,
        False,
        True,
        True,
        False,
    ]
    assert not is_driven((), 10.0)


def test_who_drives_a_process_knows_it_others_do_not() -> None:
    mine, theirs = (Run(200.0, driven=True),), (Run(300.0, driven=False), Run(200.0, driven=False))
    assert joined(mine, theirs) == joined(theirs, mine) == HISTORY[1:]
