"""Who hears what."""

from core.terminal.channels.channel import Channel


def test_by_type_and_everything() -> None:
    channel: Channel[int | str] = Channel()
    numbers: list[int] = []
    everything: list[int | str] = []
    channel.hear(int, numbers.append)
    channel.hear_all(everything.append)
    for event in (1, "a", 2):
        channel.tell(event)
    assert numbers == [1, 2]
    assert everything == [1, "a", 2]
