"""Erasure: rows, blinds, bytes, and a receipt."""
