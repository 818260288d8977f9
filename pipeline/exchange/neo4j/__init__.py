"""The index in Neo4j: files for import and a loader."""
