"""Relates the names that a sentence mentions together, which itself describes the relationship, and who wrote to whom."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from pipeline.text.extraction.annotate import AnnotatedSentence, Reading
from pipeline.text.extraction.claim_cues import is_verb
from pipeline.text.extraction.correspondents import kin_of_writer, letters, mails
from pipeline.text.extraction.mention_rank import is_letter_head
from pipeline.text.extraction.name_lists import is_name_list, is_relation_line, label_of
from pipeline.text.lexicon.lexicon import PERSON, lexicon_of
from pipeline.text.lexicon.sentences.sentence_words import SENTENCES
from pipeline.text.scripts import words_of
from pipeline.text.sentences import CELLS, QUESTION
from pipeline.text.spans import Match

ENDS: Final = tuple(".!?。！？؟।…")
"""What ends a sentence that describes something, rather than a heading or a line of a form."""
_CLOSERS: Final = "\"'”’»)"
NEAREST: Final = 5
"""In a sentence that names more than this, each name is related to its so many nearest followers only."""

_QUOTED: Final = re.compile(r"([^\"“„«]+)[\"“„«].*[\"”“»]\Z", re.DOTALL)
"""What is before a quotation with which a sentence ends."""
LOOSE: Final = 0.25
"""What all sentences of a text that state nothing weigh together: lists of who was there, heads of letters, questions. What weighs
less than one statement describes a relationship only where nothing else does."""


class Relation(NamedTuple):
    """Two names that one or more sentences of a text mention together."""

    source: str
    target: str
    """Titles; ``source < target``, so that a pair has one row."""
    description: str
    """The first sentence that mentions both, white space squeezed: one that says what one is or does to the other, else a whole one that
    states something, where there is one."""
    weight: float
    """Number of sentences of the text that mention both and of letters from one to the other; LOOSE for those that state nothing."""


def relate(text: str, reading: Reading, correspondents: Sequence[tuple[str, str]] = ()) -> list[Relation]:
    """Pairs of different names that one sentence of ``text`` holds, and of who wrote to whom, sorted by pair; ``correspondents`` are
    such pairs that the text does not name, but the headers of the mail that it begins, or pairs of who wrote it with himself.

    Pronouns relate nobody. The number of pairs is linear in the number of names.
    """
    found: dict[tuple[str, str], tuple[int, str]] = {}
    stated: dict[tuple[str, str], float] = {}
    said = [one for sentence in reading.sentences for one in _said(text, sentence, reading.language)]
    written = (*letters(text, reading), *mails(text, reading, correspondents))
    said += _headed(text, reading)
    said += [({_ordered(pair) for pair in letter.pairs}, letter.description, _LINE) for letter in written]
    writers = {writer for letter in written for writer, _ in letter.pairs} | {writer for writer, _ in correspondents}
    kin = kin_of_writer(text, reading, writers)
    said += [({_ordered(pair) for pair in one.pairs}, one.description, _TIE) for one in kin]
    for pairs, sentence, rank in said:
        for pair in pairs:
            if pair not in found or rank < found[pair][0]:
                found[pair] = (rank, sentence)
            stated[pair] = stated.get(pair, 0.0) + (rank < _STATES_NOTHING)
    return [Relation(*pair, found[pair][1], stated[pair] or LOOSE) for pair in sorted(found)]


_TIE, _STATEMENT, _LINE, _STATES_NOTHING = range(4)
"""How well a sentence describes two names: it says what one is or does to the other, states something, is a line of a form, or
states nothing."""
_LONGEST_TIE: Final = 80
"""Characters between two names of whom one is or does something to the other."""
_APART: Final = re.compile(r"[.;:!?()\[\]\"“”„«»\n]|[,–—] ?(?:and|und|et|y|e)\b")
_TIE_WORD: Final = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")


def states_nothing(sentence: str) -> bool:
    """Return whether a sentence says of no two names in it what they have to do with each other: it asks, only lists who was there,
    or is a line of the head of a letter."""
    return _asks(sentence) or (is_letter_head(sentence) and CELLS not in sentence) or is_name_list(sentence)


def _asks(sentence: str) -> bool:
    """Return whether a sentence is a question, perhaps behind its speaker; one that says who asked is none: 'Ann asked Ben: "When?"'"""
    if not QUESTION.search(sentence.rstrip()):
        return False
    said = _QUOTED.match(sentence.rstrip())
    return said is None or not any(word[0].islower() for word in said[1].split())


def _said(text: str, sentence: AnnotatedSentence, language: str) -> Iterator[tuple[set[tuple[str, str]], str, int]]:
    """Yield the pairs of names of a sentence that holds at least two, with it, white space squeezed, and how well it describes them."""
    if len(sentence.mentions) < 2 or len(titles := list(dict.fromkeys(name.title for name in sentence.names))) < 2:
        return
    as_written = text[sentence.start : sentence.end]
    flat = " ".join(as_written.split())
    pairs = _pairs(titles)
    if not states_nothing(as_written):
        is_closed = flat.rstrip(_CLOSERS).endswith(ENDS)
        tied = {_ordered(pair) for pair in _tied(text, sentence.names, language)} if is_closed else set()
        if tied:
            yield tied, flat, _TIE
        if pairs != tied:
            yield pairs - tied, flat, _STATEMENT if is_closed else _LINE
        return
    # A label that is a name says whose the names behind it are, "Lindley Company: Ada Thorne, Ben Okar", and two of a kind each
    # are somebody and where that is: "Author: Ada Thorne, Lindley Company".
    behind = sentence.start + len(label_of(as_written)) if is_name_list(as_written) else 0
    heads = {name.title for name in sentence.names if name.end <= behind}
    if not _asks(as_written) and len(titles) == 2 and len({name.type for name in sentence.names}) > 1:
        heads.update(titles)
    labelled = {pair for pair in pairs if not heads.isdisjoint(pair)}
    yield labelled, flat, _LINE
    yield pairs - labelled, flat, _STATES_NOTHING


def _headed(text: str, reading: Reading) -> Iterator[tuple[set[tuple[str, str]], str, int]]:
    """Yield the pairs of what a text is on, as the name that opens it shows, and a name in a line below whose label says what the two
    have to do with each other: "# ADR 7: Tariffs" above "Supersedes: ADR 5"."""
    first = next((name for sentence in reading.sentences[:1] for name in sentence.names), None)
    if first is None or text[: first.start].strip("#*_= \n"):
        return
    for sentence in reading.sentences:
        for name in sentence.names:
            start = text.rfind("\n", 0, name.start) + 1
            if start > first.end and name.title != first.title and is_relation_line(text[start : name.start]):
                end = text.find("\n", name.end)
                line = text[start : end if end > 0 else len(text)]
                yield {_ordered((first.title, name.title))}, " ".join(line.split()), _LINE


def _tied(text: str, names: Sequence[Match], language: str) -> Iterator[tuple[str, str]]:
    """Yield the pairs of names, one after the other, between which is what one is or does to the other."""
    for one, other in pairwise(names):
        is_near = one.title != other.title and other.start - one.end <= _LONGEST_TIE
        if is_near and is_tie(text[one.end : other.start], language):
            yield one.title, other.title


def is_tie(between: str, language: str) -> bool:
    """Return whether the words between two names say what one is or does to the other: a noun of kin or an office, "is a cousin of", or
    the verb whose ends they are, "taught", as the first word."""
    if len(between) > _LONGEST_TIE or _APART.search(between):
        return False
    words = [word.lower() for word in _TIE_WORD.findall(between)]
    nouns = lexicon_of((language,)).nouns
    if not SENTENCES.set_of("kin").isdisjoint(words) or any(nouns.get(word) == PERSON for word in words):
        return True
    vocabulary = words_of(language)
    deeds = [word for word in words if word not in SENTENCES.set_of("before_verbs")][:1]
    is_deed = bool(deeds) and deeds[0] not in vocabulary.function and is_verb(deeds[0], vocabulary)
    return is_deed and "," not in between


def _pairs(titles: Sequence[str]) -> set[tuple[str, str]]:
    reach = len(titles) if len(titles) <= NEAREST + 1 else NEAREST
    return {
        _ordered((one, other)) for place, one in enumerate(titles) for other in titles[place + 1 : place + 1 + reach]
    }


def _ordered(pair: tuple[str, str]) -> tuple[str, str]:
    one, other = pair
    return pair if one < other else (other, one)
