"""The command line: parse, call one pipeline function, render."""
