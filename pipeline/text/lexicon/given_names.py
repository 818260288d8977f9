"""Given names, some by gender, which show whether "he" or "she" may be meant, and that a word is a name."""

from pipeline.text.lexicon.words import listed, sections

MALE_NAMES = listed(sections("given_names")["male"])
"""Given names of men; lower case."""
FEMALE_NAMES = listed(sections("given_names")["female"])
"""Given names of women; lower case."""
GIVEN_NAMES = MALE_NAMES | FEMALE_NAMES | listed(sections("first_names")["any"])
"""Given names, those of either gender among them; lower case."""
BEFORE_SURNAME = listed(sections("first_names")["before_surname"])
"""Given names that are words as often, so that they are names only before a surname; lower case."""
