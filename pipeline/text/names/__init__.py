"""Names without a model: found in text, typed, joined where they are one, and matched again."""
