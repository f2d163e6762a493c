"""Where events come from, one module a source."""
