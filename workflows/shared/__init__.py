"""What several stages do in the same way."""
