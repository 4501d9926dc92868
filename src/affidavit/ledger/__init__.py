"""What is hashed and signed, and nothing else: entry bytes, Merkle tree, signed heads."""
