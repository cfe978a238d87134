"""Questions in, answers with their evidence out."""
