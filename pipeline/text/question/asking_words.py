"""The words by which questions ask: what answers a question does not repeat them, so that they rank no passage."""

import json
from functools import cache
from importlib.resources import files

from pipeline.text.scripts import language_of
from pipeline.text.tokenizer import fold_word, words


@cache
def asking_words(language: str) -> frozenset[str]:
    """Folded words by which questions ask in a language (ISO 639-1); empty for one without a list."""
    listed: dict[str, str] = json.loads(
        files("pipeline.text.question").joinpath("asking_words.json").read_text(encoding="utf-8")
    )
    return frozenset(fold_word(word) for word in listed.get(language, "").split())


def content_flags(question: str) -> list[bool]:
    """For each word of a question, as the tokenizer cuts it, whether it says something and does not merely ask.

    All do in a question of nothing but asking words. A question too short for its language to be known is read as English.
    """
    language = language_of(question)
    asking = asking_words("en" if language == "und" else language)
    content = [fold_word(word) not in asking for word in words(question)]
    return content if any(content) else [True] * len(content)
