"""The files of a directory an agent works in, to be found by a few letters."""
