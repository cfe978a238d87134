"""Documents to index versions."""
