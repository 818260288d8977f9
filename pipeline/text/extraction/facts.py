"""Atomic facts without a model: one sentence, one fact that can be read alone, with the key elements it rests on.

Pronouns are replaced by names where that is sure. Where the subject stays open, the fact carries the sentence before it, or
the title above the text; what people say of themselves carries the speaker. Greetings, headings, questions and fragments
are no facts. (Atomic facts and key elements after GraphReader, arXiv 2406.14550, section 3.2.)
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache, partial
from itertools import compress, islice
from typing import NamedTuple

from pipeline.base.recent import FoundOnce
from pipeline.text.extraction.annotate import AnnotatedSentence, Reading
from pipeline.text.extraction.pronouns import written_out
from pipeline.text.extraction.self_contained import CONJUNCTION, FIRST_PERSON, OPEN, WORD, capitalised, opens_bare
from pipeline.text.lexicon.genders import is_name
from pipeline.text.lexicon.words import Words
from pipeline.text.scripts import UNSPACED_CHARACTER, words_of
from pipeline.text.sentences import CLOSED, QUESTION

CONTEXT = 240
"""Characters; a longer sentence is cut when it is before a fact as its context."""

LONGEST_BLOCK = 1500
"""Characters of a sentence together with the list that it introduces, at most."""

_SHORTEST = 3
"""Characters of a word that carries meaning, at least."""

_SENTENCE_WORDS = 6
"""Words from which on a line without a full stop may be a sentence."""

_LETTERS = 3
"""Letters that stand for a speaker, at most."""
MOST_WORDS = 10
"""Common words that become key elements of one fact, at most."""


class Fact(NamedTuple):
    """A statement that stands alone; ``start`` and ``end`` span the sentence of the text it was made from, with the list
    or block that the sentence introduces."""

    text: str
    start: int
    end: int
    key_elements: tuple[str, ...]
    """As found: titles of names, dates, common words in lower case; ``key_elements.normalise`` joins what is one."""


class _Context(NamedTuple):
    """What the next sentence may lean on: a sentence, and the title it is about."""

    text: str = ""
    about: str = ""


_LABEL = re.compile(r"\W{0,3}([^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*){0,3})\s?:\s")
_MARK = re.compile(r"(?:[-*•–—·▪◦‣+>#|]+\s+|\(?\d{1,3}[.)]\s+|\[[^\[\]]{0,60}\]\s*)+")
_STAGE = re.compile(
    r"\s?[\[(](?:laughter|laughs?|laughing|music|applause|crosstalk|inaudible|pause)[.!]?[\])]\.?", re.IGNORECASE
)
_THIRD_PERSON = re.compile(r"\b(?:[Hh]e|[Ss]he|[Tt]hey)\b")
_EAST_ASIAN_NOUN = re.compile(r"[\u4e00-\u9fff々]{2,6}|[\u30a1-\u30fa\u30fc]{3,}")


def find_facts(text: str, reading: Reading, anchor: str) -> list[Fact]:
    """Return the facts of ``text`` in reading order, each once; ``reading`` is its annotation, ``anchor`` the title or
    heading above it, or empty."""
    vocabulary = words_of(reading.language)
    title = anchor.split(" > ")[0].strip()
    if title.lower() in vocabulary.person:
        title = ""  # the name of a file, "constable", which would read like one who speaks
    topic = _Context(title, _title_in(title, reading))
    facts: dict[str, Fact] = {}
    speaker, before = "", _Context()
    for place, sentence in enumerate(reading.sentences):
        end = _block_end(text, reading.sentences, place)
        sentence, said_by = _turn(text, sentence)
        if said_by:
            speaker, before = said_by, _Context()
        written = _cleaned(written_out(text, sentence.start, sentence.end, sentence.mentions, reading.language))
        words = _key_words(text, sentence, vocabulary, reading.language)
        if not _states(text, written, sentence, words):
            before = _Context(written if QUESTION.search(written) else "")
            continue
        context = _context(text, written, sentence, _Context() if speaker else topic, before, vocabulary)
        whole = f"{context.text} {written}".strip()
        if speaker and FIRST_PERSON.search(whole):
            whole, context = f"{speaker}: {whole}", _Context(about=speaker if len(speaker) > _LETTERS else "")
        elements = _key_elements(text, sentence, words, context.about)
        if end > sentence.end:
            whole = f"{whole} {' '.join(text[sentence.end : end].split())}"
        facts.setdefault(whole, Fact(whole, sentence.start, end, elements))
        before = _Context(written, _subject(sentence) or context.about)
    return list(facts.values())


def _title_in(anchor: str, reading: Reading) -> str:
    """The longest title that the anchor holds and the text names."""
    folded = anchor.casefold()
    named = {match.title for sentence in reading.sentences for match in sentence.mentions if not match.role}
    titles = {title for title in named if title.casefold() in folded}
    return min(titles, key=lambda title: (-len(title), title), default="")


def _turn(text: str, sentence: AnnotatedSentence) -> tuple[AnnotatedSentence, str]:
    """The sentence without the speaker's name before its colon, and that name; empty where nobody begins to speak."""
    if sentence.start and text[sentence.start - 1] not in "\r\n":
        return sentence, ""
    label = _LABEL.match(text, sentence.start, sentence.end)
    if not label or not label[1][0].isupper():
        return sentence, ""
    inside = [match for match in sentence.names if match.start < label.end(1)]
    speaker = next((match.title for match in inside if match.type == "PERSON"), "")
    # of letters that stand for nobody known, these: not who spoke before goes on
    if not speaker and label[1].isupper():
        speaker = label[1].title() if " " in label[1] else label[1] if len(label[1]) <= _LETTERS else ""
    if not speaker:
        return sentence, ""
    named = tuple(item for item in sentence.mentions if item.start >= label.end(1))
    return sentence._replace(start=label.end(), mentions=named), speaker


def _cleaned(written: str) -> str:
    """Without list marks, stage directions and the conjunction that ties it to the sentence before."""
    written = _STAGE.sub("", written) if "(" in written or "[" in written else written
    written = written[mark.end() :] if (mark := _MARK.match(written)) else written
    tie = CONJUNCTION.match(written)
    return capitalised(written[tie.end() :]).strip() if tie else written.strip()


def _block_end(text: str, sentences: Sequence[AnnotatedSentence], place: int) -> int:
    """Where the list, or the block of code, ends that a sentence introduces by its colon; the end of the sentence itself
    where none follows."""
    end = sentences[place].end
    if text[end - 1 : end] != ":":
        return end
    for following in sentences[place + 1 :]:
        in_code = (
            text.startswith("```", following.start) or text.count("```", sentences[place].end, following.start) % 2
        )
        if following.end - sentences[place].start > LONGEST_BLOCK or not (
            in_code or _MARK.match(text, following.start)
        ):
            break
        end = following.end
    return end


def _states(text: str, written: str, sentence: AnnotatedSentence, words: Sequence[str]) -> bool:
    """Whether a sentence says something: no question, heading or fragment, and of things worth finding."""
    if QUESTION.search(written) or text.startswith("#", sentence.start):
        return False
    n_things = len({item.title for item in sentence.mentions}) + len(words) + bool(sentence.dates)
    if not written.isascii() and UNSPACED_CHARACTER.search(written):
        return len(written) >= 6 and (bool(CLOSED.search(written)) or n_things >= 2)
    n_words = len(list(islice(WORD.finditer(written), _SENTENCE_WORDS)))
    if n_things < 2 and not (n_things and sentence.names and n_words == _SENTENCE_WORDS):
        return False
    if n_words < 3:
        return False
    return bool(CLOSED.search(written)) or (n_words == _SENTENCE_WORDS and not _is_heading(written))


def _is_heading(written: str) -> bool:
    """Whether most of the longer words of a line without a full stop are capitalised."""
    words = [word for word in WORD.findall(written) if len(word) > 3]
    return 2 * len([word for word in words if word[0].isupper()]) > len(words)


def _context(
    text: str, written: str, sentence: AnnotatedSentence, topic: _Context, before: _Context, vocabulary: Words
) -> _Context:
    """What must be before the sentence so that its subject is clear; empty where it is clear."""
    if OPEN.match(written) or _has_open_pronoun(text, sentence):
        leans = before.text and not OPEN.match(before.text)
    elif opens_bare(written, vocabulary, _first_name(sentence)):
        leans = not topic.text
    else:
        return _Context()
    if topic.text and not leans:
        return _Context(f"{topic.text}:", topic.about)
    return _Context(_shortened(before.text), before.about)


def _has_open_pronoun(text: str, sentence: AnnotatedSentence) -> bool:
    """Whether he, she or they comes before any name and was not resolved."""
    first = next((item.start for item in sentence.mentions), sentence.end)
    return bool(_THIRD_PERSON.search(text, sentence.start, first))


def _first_name(sentence: AnnotatedSentence) -> int | None:
    """Where the first name that is no common noun begins, counted from the start of the sentence."""
    first = next((match.start for match in sentence.names if is_name(match.title)), None)
    return None if first is None else first - sentence.start


def _shortened(context: str) -> str:
    if len(context) > CONTEXT:
        return context[:CONTEXT].rsplit(" ", 1)[0].rstrip(",;:–— ") + " …"
    return context if not context or CLOSED.search(context) or QUESTION.search(context) else context + "."


def _subject(sentence: AnnotatedSentence) -> str:
    return next((item.title for item in sentence.mentions if is_name(item.title)), "")


def _key_words(text: str, sentence: AnnotatedSentence, vocabulary: Words, language: str) -> list[str]:
    """Common words that carry meaning, in lower case: what no name, date or closed word class covers."""
    found: dict[str, None] = {}
    carries = _known(language)
    for piece in _uncovered(text, sentence):
        if language in ("ja", "zh"):
            words = _EAST_ASIAN_NOUN.findall(piece)
            found.update(dict.fromkeys(word for word in words if language == "ja" or "\u30a0" <= word[0] < "\u3100"))
            continue
        piece = piece.replace("’", "'")
        piece = _ROLE.sub(" ", piece) if ":`" in piece else piece
        words = WORD.findall(_ELIDED.sub(" ", piece) if language in _ELIDING else piece)
        known = list(map(carries.__getitem__, words))
        for place, when in compress(enumerate(known), known):
            if when == _ALWAYS or (place and (when == _INSIDE or _is_determiner(words[place - 1], vocabulary))):
                found[words[place].lower()] = None
    return list(found)[:MOST_WORDS]


def _is_determiner(word: str, vocabulary: Words) -> bool:
    lower = word.lower()
    return lower != "that" and lower in vocabulary.determiners


def _uncovered(text: str, sentence: AnnotatedSentence) -> Iterator[str]:
    """The pieces of a sentence between its names, pronouns that were resolved, and dates."""
    at = sentence.start
    spans = [(item.start, item.end) for item in sentence.mentions] + [(date.start, date.end) for date in sentence.dates]
    for start, end in sorted(spans):
        if start > at:
            yield text[at:start]
        at = max(at, end)
    if at < sentence.end:
        yield text[at : sentence.end]


_ROLE = re.compile(r":\w+:(?=`)")
"""The role of a word in reStructuredText, which names a kind of link and is no word of the text: :meth:`send`."""
_ELIDING = ("ca", "fr", "it")
_ELIDED = re.compile(
    r"(?<!\w)(?:[cdjlmnst]|(?:jus|lors|puis|quoi|presqu|quelqu)?qu|(?:d|n|s)?[ae]ll|sull|coll|un|quest|quell|com|dov|cos)'(?=\w)",
    re.IGNORECASE,
)
"""Articles, pronouns and prepositions before a vowel: l'employeur, qu'elle, dell'assemblea."""

_NEVER, _ALWAYS, _DETERMINED, _INSIDE = range(4)
"""When a word carries meaning: never, which is false, wherever it is, after a determiner, and anywhere but at the beginning."""


@cache
def _known(language: str) -> FoundOnce[int]:
    return FoundOnce(partial(_carries, vocabulary=words_of(language), language=language))


def _carries(word: str, vocabulary: Words, language: str) -> int:
    lower = word.lower()
    if len(lower) < _SHORTEST or lower in vocabulary.function or lower in vocabulary.generic:
        return _NEVER
    if language == "de":
        return _INSIDE if word[0].isupper() else _NEVER
    if lower in vocabulary.verbs or lower in vocabulary.adjectives or word[0].isupper() or word[0].isdigit():
        return _NEVER
    if language != "en" or not lower.endswith(("ly", "ing", "ed")):
        return _ALWAYS
    return _NEVER if lower.endswith("ly") else _DETERMINED


def _key_elements(text: str, sentence: AnnotatedSentence, words: Sequence[str], about: str) -> tuple[str, ...]:
    """Names, then dates as written and their years, then common words; each once."""
    titles = [item.title for item in sentence.mentions]
    dates = []
    for date in sentence.dates:
        dates.append(" ".join(text[date.start : date.end].split()))
        if date.first[:4] == date.last[:4]:
            dates.append(date.first[:4].lstrip("0"))
    return tuple(dict.fromkeys([*titles, *([about] if about else []), *dates, *words]))
