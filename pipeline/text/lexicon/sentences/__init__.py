"""Words and phrases that show what a sentence states, of whom, and whether it does: a data file for each language."""
