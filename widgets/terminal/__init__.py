"""How a terminal's screen is drawn and what is typed at it; the widget is `widgets.terminal_view`."""
