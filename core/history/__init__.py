"""Sessions on disk: where they are, what they say and cost. Claude Code owns those files: read only."""
