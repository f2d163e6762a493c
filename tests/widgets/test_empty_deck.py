from tests.widgets.screen import Stage, visible
from widgets.empty_deck import EmptyDeck


async def test_one_sentence_and_the_keys() -> None:
    deck = EmptyDeck((("n", "new agent"), ("h", "past [sessions]")))
    async with Stage(deck).run_test(size=(80, 24)):
        shown = visible(deck.app)
        assert "No agents yet" in shown
        assert "n  new agent" in shown
        assert "h  past [sessions]" in shown
        assert "quarterdeck demo" in shown
