"""Files: corpus readers, the passage store, FAISS files and index versions."""
