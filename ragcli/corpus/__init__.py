"""Documents in: a registry of readers, one file a format."""
