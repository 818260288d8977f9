"""Words and phrases of questions, and of the sentences that answer them: a data file for each language."""
