"""Questions made from the texts of an index, each with the passage that answers it."""
