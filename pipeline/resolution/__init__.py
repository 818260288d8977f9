"""Entity resolution: which names are one entity, by hand, by rules and by a model."""
