"""From texts to the arrays that retrieval looks up: words, names, postings, and what each passage is about."""
