"""What passes the door: an index is verified, brought in from Microsoft GraphRAG, and carried out to other programs."""
