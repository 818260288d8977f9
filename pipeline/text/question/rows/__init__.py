"""What a question asks of the rows of a table: what it counts, adds up or compares, and within which bounds."""
