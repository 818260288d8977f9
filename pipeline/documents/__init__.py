"""Files into documents: encodings, formats, records, and what could not be read."""
