"""Orchestration, one verb a file: build_index, retrieve, ask, score."""
