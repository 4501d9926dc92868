"""Evidence: where a quote stands, how sentences bear on one another, and whether one says what it rests on. Pure."""
