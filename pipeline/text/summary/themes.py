"""What some sentences are about besides the names in them: the common nouns that come back."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache, partial
from typing import Final

from pipeline.base.recent import FoundOnce
from pipeline.text.inflection import base_form
from pipeline.text.lexicon.lexicon import PERSON, lexicon_of
from pipeline.text.names.chunk_scan import read_sentence
from pipeline.text.names.cjk_candidates import without_particle
from pipeline.text.names.tally import NameCue, Tally, without_possessive
from pipeline.text.names.token_kinds import CAPITAL, PLAIN, RUN, WORD, token_kinds
from pipeline.text.scripts import tokens_of

MOST_SENTENCES: Final = 24
"""Sentences that are looked at."""
REMEMBERED: Final = 1 << 15
"""Sentences whose words are remembered: the same ones come again in other reports and one level up."""
_SHORTEST: Final = 4
"""Letters of a theme."""


def themes(sentences: Sequence[str], language: str, taken: Iterable[str], most: int) -> list[str]:
    """Return up to ``most`` nouns that come back in sentences of one language, the most frequent first, ties by the alphabet.

    ``taken`` are words in lower case that are said already. What people are ("founder") is no theme.
    """
    read = [(sentence, *_words(sentence, language)) for sentence in sentences[:MOST_SENTENCES]]
    seen: set[str] = set()
    again: set[str] = set()
    for _, words, repeated in read:
        again |= seen & words
        again |= repeated
        seen |= words
    if not again:
        return []
    nouns = lexicon_of((language,)).nouns
    again = {word for word in again.difference(taken) if nouns.get(base_form(word)) != PERSON}
    counts: dict[str, list[int]] = {}
    for sentence, words, _ in read:
        if not again.isdisjoint(words):
            for word, found in _nouns(sentence, language).items():
                if word.lower() in again:
                    counts[word] = [one + other for one, other in zip(counts.get(word, _NONE), found, strict=True)]
    ranks = {
        word: determined + heads
        for word, (total, determined, heads, verbal) in counts.items()
        if determined and total > 1 and verbal * 3 < total
    }
    return sorted(ranks, key=lambda word: (-ranks[word], word))[:most]


_NONE: Final = (0, 0, 0, 0)


@lru_cache(maxsize=REMEMBERED)
def _words(sentence: str, language: str) -> tuple[frozenset[str], frozenset[str]]:
    """Words of a sentence that may be themes, in lower case and the form in which nouns are counted; and those of them that
    it has twice: what does not come back need not be looked at as a noun."""
    found = list(filter(None, map(_known(language).__getitem__, tokens_of(sentence))))
    words = frozenset(found)
    return words, frozenset([word for word in words if found.count(word) > 1] if len(words) < len(found) else ())


@cache
def _known(language: str) -> FoundOnce[str]:
    return FoundOnce(partial(_theme, language=language))


def _theme(token: str, language: str) -> str:
    """The word that a token may be a theme as, of the kinds that nouns are of in its language; empty for none."""
    kinds = (CAPITAL,) if language == "de" else (WORD, PLAIN, RUN)
    if len(token) < _SHORTEST or token_kinds([token], language)[0] not in kinds:
        return ""
    word = without_particle(without_possessive(token.lower()))
    lexicon = lexicon_of((language,))
    return "" if len(word) < _SHORTEST or word in lexicon.no_names or word in lexicon.everyday else word


@lru_cache(maxsize=REMEMBERED)
def _nouns(sentence: str, language: str) -> Mapping[str, Sequence[int]]:
    """Words of a sentence that may be nouns, with their counts as in ``Tally.words``."""
    tally = Tally(with_cues=language == "de")
    read_sentence(sentence, language, tally)
    if language != "de":
        return tally.words
    determined = {name: cues.count(NameCue.DETERMINED) for name, cues in tally.names.items() if " " not in name}
    return {name: (n, n, 0, 0) for name, n in determined.items()}  # where nouns have capital letters
