"""Agents on other machines: the same keepers, reached by the person's own ssh."""
