"""Documents that are copies of others, or share much of their text with one."""
