"""The index as a graph database that answers Cypher: embedded, read-only, built from the published tables."""
