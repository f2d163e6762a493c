"""All agents together."""
