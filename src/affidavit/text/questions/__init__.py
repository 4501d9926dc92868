"""Questions: what is asked for, and what of it a sentence says. Pure."""
