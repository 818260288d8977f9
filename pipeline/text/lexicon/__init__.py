"""Word lists by language, and what they say of a word: its kind, its gender, what it names."""
