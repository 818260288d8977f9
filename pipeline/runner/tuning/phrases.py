"""How a sample writes phrases of common nouns: as terms of their own, of words that it joins freely, or before what a verb takes."""

import re
from collections import Counter
from collections.abc import Collection, Iterable

from pipeline.runner.tuning.sample_texts import SampleTexts
from pipeline.text.inflection import singular
from pipeline.text.scripts import fold, words_of

_BOUND = 0.1
"""Share of the places of its first or of its last word that a term of a corpus has at least."""
_WORD = re.compile(r"[^\W\d_](?:[\w-]*\w)?")
_NEXT = re.compile(r" ([^\W\d_]+)")


class Phrases:
    """Phrases of two words and more, and in how many places the sample writes them, their words, and a determiner behind them."""

    def __init__(self, sample: SampleTexts, phrases: Iterable[str]) -> None:
        asked = {_words(phrase) for phrase in phrases}
        lengths = sorted({len(words) for words in asked if len(words) > 1})
        self._words, self._phrases = Counter[str](), Counter[tuple[str, ...]]()
        for text in sample.chunks.values():
            words = _words(text)
            self._words.update(words)
            for length in lengths:
                runs = zip(*(words[place:] for place in range(length)), strict=False)
                self._phrases.update(run for run in runs if run in asked)
        self._seen, self._before_determiners = Counter[str](), Counter[str]()
        for place in sample.places():
            if place.is_title:
                behind = _NEXT.match(place.text, place.end)
                self._seen[place.title] += 1
                determiners = words_of(place.sentence.language).determiners
                self._before_determiners[place.title] += behind is not None and behind[1].lower() in determiners

    def is_loose(self, phrase: str) -> bool:
        """Whether the first and the last word of a phrase stand mostly elsewhere: "configuration file", not "peer dependency"."""
        words = _words(phrase)
        places = self._phrases[words]
        ends = min(self._words[words[0]], self._words[words[-1]]) if words else 0
        return len(words) > 1 and 0 < places <= _BOUND * ends

    def is_clause(self, phrase: str) -> bool:
        """Whether a determiner is behind a phrase half of the time, so that it ends in a verb: "string specifying the"."""
        return 0 < self._seen[phrase] <= 2 * self._before_determiners[phrase]


def is_common(phrase: str, names: Collection[str]) -> bool:
    """Whether a phrase is of common nouns, says of a name what it is ("NASA astronaut") that is an entity by itself, or names
    things of a kind after one ("French cookbooks"), unless that is written as no word is ("HeLa cells")."""
    words = phrase.split()
    named = [place for place, word in enumerate(words) if not word.islower()]
    if not named or fold(" ".join(words[: named[-1] + 1])) in names:
        return True
    plain = all(word.istitle() or word.isupper() for word in words[: named[-1] + 1] if word.isalpha())
    return plain and words[-1].islower() and singular(words[-1]) != words[-1]


def _words(text: str) -> tuple[str, ...]:
    return tuple(singular(word.lower()) for word in _WORD.findall(text))
