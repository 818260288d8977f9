"""Questions that readers ask: what they would cost, who may still ask, and the events of an answer under way."""
