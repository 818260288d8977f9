"""What a text says without a model: facts, claims, relations, key elements, with pronouns resolved."""
