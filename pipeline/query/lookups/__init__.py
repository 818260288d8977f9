"""What is found by looking through all that there is of a kind, and not by ranking passages: mentions, and rows of tables."""
