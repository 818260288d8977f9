"""Language without a model: sentences, names, vocabulary, facts, claims, ranking. Pure functions over strings."""
