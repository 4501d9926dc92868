"""Models and embedders."""
