"""Screenshots of the real program, and the script that takes them."""
