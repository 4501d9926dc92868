"""One space in memory, searchable. Pure."""
