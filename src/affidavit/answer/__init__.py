"""Answers to questions, and whether an action may be taken: what may be said or done for certain."""
