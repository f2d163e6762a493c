"""What a session is: pure data and pure folding. It must not know where events come from."""
