"""Values, trust and changes: what memory is made of. Pure."""
