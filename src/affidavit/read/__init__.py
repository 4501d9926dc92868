"""Search, get and list."""
