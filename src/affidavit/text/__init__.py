"""Everything about plain text. Pure."""
