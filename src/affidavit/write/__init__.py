"""From raw input to episodes."""
