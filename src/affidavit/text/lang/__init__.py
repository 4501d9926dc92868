"""Tables of words, a file for each language or matter, and how they are read. Pure."""
