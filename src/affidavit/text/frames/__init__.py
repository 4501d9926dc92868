"""Frames: what a speaker states, read by tables of words; no model, no guess. Pure."""
