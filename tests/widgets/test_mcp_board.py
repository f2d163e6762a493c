from textual import on
from textual.message import Message

from core.session.state import McpServer, McpTool
from tests.widgets.screen import BRACKETS, CONTROLS, Stage, assert_harmless, assert_literal, visible
from widgets.mcp_board import McpBoard

SERVERS = (
    McpServer(
        "github", "connected", transport="http", scope="user", tools=(McpTool("search", "Find [things]"),)
    ),
    McpServer("broken", "failed", "connection refused", "stdio"),
    McpServer("off", "disabled"),
)


class Desk(Stage):
    def __init__(self) -> None:
        self.board = McpBoard("api", SERVERS)
        super().__init__(self.board)
        self.posted: list[Message] = []

    @on(McpBoard.ReconnectRequested)
    @on(McpBoard.ToggleRequested)
    def keep(self, message: Message) -> None:
        self.posted.append(message)


async def test_state_error_and_tools() -> None:
    desk = Desk()
    async with desk.run_test(size=(80, 20)) as pilot:
        desk.board.focus()
        await pilot.press("enter")
        await pilot.pause()
        shown = visible(desk)
        for text in ("✓ github", "connected", "http · user · 1 tool", "search  Find [things]", "✗ broken"):
            assert text in shown
        assert "connection refused" in shown
        await pilot.press("enter")
        await pilot.pause()
        assert "Find [things]" not in visible(desk)


async def test_reconnect_and_toggle_ask_and_wait() -> None:
    desk = Desk()
    async with desk.run_test(size=(80, 20)) as pilot:
        desk.board.focus()
        await pilot.press("down", "r")
        (asked,) = desk.posted
        assert isinstance(asked, McpBoard.ReconnectRequested)
        assert (asked.key, asked.server) == ("api", "broken")
        assert "reconnecting" in visible(desk)
        desk.board.show((SERVERS[0], McpServer("broken", "connected"), SERVERS[2]))
        await pilot.pause()
        assert "reconnecting" not in visible(desk)
        await pilot.press("down", "t")
        toggled = desk.posted[-1]
        assert isinstance(toggled, McpBoard.ToggleRequested)
        assert (toggled.server, toggled.enabled) == ("off", True)
        desk.board.settle("off")
        await pilot.pause()
        assert "disabled" in visible(desk)


async def test_no_servers_says_so() -> None:
    desk = Desk()
    async with desk.run_test(size=(80, 20)) as pilot:
        desk.board.show(())
        desk.board.focus()
        await pilot.press("enter", "r", "t")
        assert "no MCP servers" in visible(desk)
        assert desk.posted == []


async def test_outside_text_is_literal_and_harmless() -> None:
    desk = Desk()
    async with desk.run_test(size=(120, 20)) as pilot:
        for text in [*BRACKETS, CONTROLS]:
            desk.board.show((McpServer(text, text, text, text, text, text, (McpTool(text, text),)),))
            desk.board.action_select()
            await pilot.pause()
            assert_harmless(desk, "red" if text == CONTROLS else "")
            if text != CONTROLS:
                assert_literal(desk, text)
