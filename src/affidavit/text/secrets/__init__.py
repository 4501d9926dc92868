"""Secrets: found and masked before anything else sees a text. Pure."""
