"""Over what a question is to be answered: the whole of the texts, all that mentions a thing, the way between two, documents by sender and date."""
