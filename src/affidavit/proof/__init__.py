"""Keys, seals and verification."""
