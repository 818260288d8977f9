"""Settings and prompts fitted to a corpus: a sample is read, and what fits it better is proposed as a diff."""
