"""How much a sentence says of a name in it: what it is, what it does, or nothing beyond that it spoke or got a letter."""

import re
from functools import cache, lru_cache
from typing import Final

from pipeline.text.lexicon.words import either, listed, sections

OPENING: Final = 4
"""Characters before a name within which a sentence still opens with it: an article, a bracket, a quotation mark."""
_FEW: Final = 4
"""Words beside the name below which a sentence says nothing of it."""
_CHARACTERS: Final = 8
"""Characters that count as a word at least, for scripts without spaces."""
_QUESTION: Final = tuple("?？؟")
_SPEAKER: Final = re.compile(r"[^\W_][^:\n]{0,40}:")
_FILE: Final = re.compile(r"\w_\w|\d_ ")


class MentionRank:
    """From most to least; plain numbers, since they are read for each mention."""

    DEFINES: Final = 0
    """It opens with the name and says what it is."""
    OPENS: Final = 1
    """It opens with the name, or says elsewhere what it is."""
    MENTIONS: Final = 2
    FRAGMENT: Final = 3
    """A question, a heading, a line with the name of a file."""
    LABEL: Final = 4
    """A few words, the head of a letter, or the name is a speaker's before a colon."""


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    words = sections("other_names")
    verbs, articles, heads = (either(listed(words[head])) for head in ("is", "articles", "letter_heads"))
    return (
        re.compile(rf"[\"'”’»)]?(?: (?:{verbs})\b|, (?:{articles})\b|は|是)"),
        re.compile(rf"\W{{0,3}}(?:{heads}) ?:", re.IGNORECASE),
    )


def is_letter_head(sentence: str) -> bool:
    """Return whether a sentence is a line of the head of a letter: "To: Ann Thorne; Ben Cole"."""
    return _patterns()[1].match(sentence) is not None


def mention_rank(text: str, start: int, end: int, name_start: int, name_end: int) -> int:
    """Return how much the sentence ``text[start:end]`` says of the name ``text[name_start:name_end]``."""
    defines, head = _patterns()
    opens = name_start - start <= OPENING
    if (opens and text[name_end : name_end + 2].lstrip()[:1] in (":", "：")) or head.match(text, start):
        return MentionRank.LABEL
    n_words = max(text.count(" ", start, end), (end - start) // _CHARACTERS) - text.count(" ", name_start, name_end)
    if n_words < _FEW:
        return MentionRank.LABEL
    if text[end - 1 : end] in _QUESTION or (text.find("_", start, end) >= 0 and _FILE.search(text, start, end)):
        return MentionRank.FRAGMENT
    if defines.match(text, name_end):
        return MentionRank.DEFINES if opens else MentionRank.OPENS
    return MentionRank.OPENS if opens else MentionRank.MENTIONS


@lru_cache(maxsize=256)
def _parts(title: str) -> tuple[str, ...]:
    """Return a title and its words, the longest first, in lower case."""
    return tuple(part.lower() for part in (title, *sorted(title.split(), key=lambda word: (-len(word), word))))


def rank_of_mention(title: str, sentence: str) -> int:
    """Return how much a sentence says of ``title``, by the title in it or else by one of its words, whatever their case."""
    lowered = sentence.lower()
    for part in _parts(title):
        at = lowered.find(part)
        if at >= 0 and len(lowered) == len(sentence):
            label = _SPEAKER.match(sentence)
            end = label.end() - 1 if label and at < label.end() else at + len(part)
            return mention_rank(sentence, 0, len(sentence), min(at, OPENING) if label and at < end else at, end)
    return MentionRank.MENTIONS
