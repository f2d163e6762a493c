"""Widgets that show a session. They know core.session and never a process, a file or a socket."""
