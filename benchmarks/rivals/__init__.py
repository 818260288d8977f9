"""What drives each product of the comparison by its own documented commands, and what the look-alike answers them all."""
