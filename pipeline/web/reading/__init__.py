"""Reading an index for many readers: a few rows of a table at a time, looked up by value."""
