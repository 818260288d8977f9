"""Microsoft GraphRAG's output folder, read and written."""
