"""Documents: what of them is seen, and the pieces they are cut into. Pure."""
