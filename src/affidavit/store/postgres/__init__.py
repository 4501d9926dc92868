"""The store in a PostgreSQL database, for who outgrows a file."""
