"""How people and programs reach the memory."""
