"""Tests of the simulator: it is run as a real child over pipes, without pauses."""
