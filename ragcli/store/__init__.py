"""Index versions on disk."""
