"""The core: what a Claude Code session is and how one is driven. It must not know a user interface."""
