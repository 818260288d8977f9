"""The reading agent (GraphReader, arXiv 2406.14550): facts, chunks and neighbours, with a plan and a notebook."""
