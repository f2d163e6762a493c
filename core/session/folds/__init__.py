"""One small function an event, by subject; `core.session.reduce` puts the tables together."""
