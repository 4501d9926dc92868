"""The SQL of every store: reads, rows of changes, heads, commits. What one database alone needs has its own room."""
