"""Pure functions: chunking, prompting, marginalization, beam search. No files, no networks."""
