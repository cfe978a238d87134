"""Query encoder and generator learn."""
