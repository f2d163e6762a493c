"""What can be said to running agents without a screen, on the same sockets. Nothing here needs Textual."""
