"""One driven claude process."""
