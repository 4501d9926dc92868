"""Answers to questions, and whether an action may be taken."""
