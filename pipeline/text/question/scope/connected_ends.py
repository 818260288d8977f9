"""What a question asks the connection of: things that it names, and one that it calls by a common noun."""

from typing import NamedTuple

from pipeline.text.keys import TOKEN, keys_of
from pipeline.text.lexicon.questions.question_words import QUESTIONS
from pipeline.text.question.kinds import asks_connection
from pipeline.text.question.question import Question

MOST_WORDS = 3
"""Words of a thing without a name, at most: a question with more of them asks for more than how two things are connected."""


class CommonThing(NamedTuple):
    """A thing that a question names by common nouns: its words as the question has them, and their keys."""

    words: str
    keys: frozenset[str]


def common_thing(question: Question) -> CommonThing | None:
    """Return the thing without a name of the index that a question connects the one with a name to: "the recall" in "How is Daniel
    Voss connected to the recall?"; None where it asks for something else, or no passage has its words."""
    named = [one for one in question.entities if one.written]
    if len(named) != 1 or not asks_connection(question.text, question.language):
        return None
    name = keys_of(named[0].written, question.language)
    connecting = QUESTIONS.by_language("connecting").get(question.language, ())
    said = {key for word in connecting for key in keys_of(word, question.language)}
    terms = [term for term in question.terms if term.key not in name | said]
    if not connecting or not 0 < len(terms) <= MOST_WORDS or not all(term.known for term in terms):
        return None
    written = {word.casefold(): word for word in TOKEN.findall(question.text)}
    words = " ".join(written.get(term.word.casefold(), term.word) for term in terms)
    return CommonThing(words, frozenset(term.key for term in terms))


def asks_in_common(question: Question) -> bool:
    """Return whether a question asks what things have in common."""
    return bool(QUESTIONS.pattern("in_common", question.language).search(question.text))
