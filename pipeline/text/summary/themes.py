"""What some sentences are about besides the names in them: the common nouns that come back."""

from collections.abc import Collection, Sequence
from typing import Final

from pipeline.text.lexicon.lexicon import lexicon_of
from pipeline.text.names.names import scan
from pipeline.text.names.tally import NameCue

MOST_SENTENCES: Final = 24
"""Sentences that are looked at."""
_SHORTEST: Final = 4
"""Letters of a theme."""


def themes(sentences: Sequence[str], language: str, taken: Collection[str], most: int) -> list[str]:
    """Return up to ``most`` nouns that several sentences have, the most frequent first, ties by the alphabet.

    ``taken`` are words in lower case that are said already.
    """
    lexicon = lexicon_of((language,))
    found = scan("\n\n".join(sentences[:MOST_SENTENCES]), "")
    counts = {
        word: determined + heads
        for word, (total, determined, heads, verbal) in found.words.items()
        if determined and total > 1 and verbal * 3 < total
    }
    if language == "de":  # where nouns have capital letters
        determined = {name: cues[NameCue.DETERMINED] for name, cues in found.names.items() if " " not in name}
        counts = {name: n for name, n in determined.items() if n > 1}
    left_out = lexicon.no_names | lexicon.everyday
    nouns = [word for word in counts if len(word) >= _SHORTEST and word.lower() not in left_out]
    return sorted((word for word in nouns if word.lower() not in taken), key=lambda word: (-counts[word], word))[:most]
