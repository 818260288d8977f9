"""Answers without a model: the sentences that answer a question, and measures of answers."""
