"""An interactive program on a pty of ours: its process, its screen, what is typed at it."""
