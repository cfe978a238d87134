"""Question files in: one reader, a table of formats."""
