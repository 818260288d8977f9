"""The sentences that a report may quote: taken from its evidence, each once, with the rows that say it and the names it holds."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Literal, NamedTuple

from pipeline.text.extraction.claim_cues import is_hedged
from pipeline.text.extraction.self_contained import stands_alone
from pipeline.text.lexicon.genders import is_name
from pipeline.text.scripts import UNSPACED_CHARACTER
from pipeline.text.sentences import CLOSED, split

MOST_CITED = 5
"""Rows that one sentence cites, at most; the same sentence often describes several."""

MOST_SENTENCES = 400
"""Sentences kept; of more, those of the rows of highest rank."""


class Evidence(NamedTuple):
    """A row that a report may rest on: an entity, relationship, claim, or the report on a sub-community."""

    id: str
    kind: Literal["entity", "relationship", "claim", "report"]
    title: str
    """Name of the entity; of other rows any line that says what they are about."""
    text: str
    """Description, or the report's text (Markdown headings in it are passed over)."""
    rank: float
    """Importance, higher first; degree for entities, combined degree for relationships."""


_Keyed = tuple[str, str]
"""A sentence behind its letters and digits, which are the same where two sentences are."""
_Said = tuple[str, str, bool]
"""The same, and whether the sentence can stand alone."""


class Line(NamedTuple):
    """One sentence of the evidence."""

    text: str
    ids: tuple[str, ...]
    names: tuple[str, ...]  # titles of entities that it names, the longest first


_ASCII_SEPARATORS = bytes(code for code in range(128) if not chr(code).isalnum())
_DOUBT = re.compile(r'\s\((denied|left open): "(.*)"\)$')
_HEADING = re.compile(r"\s{0,3}(?:#{1,6}\s|[-*]\s|\[[^\[\]]*\]\s*$)")
_RECORDS = re.compile(r"\s?\[(?:Data|Records?)?:?[^\[\]]{0,200}\](?=[.\s]|$)")
_LISTED = re.compile(r"\s*(?:, | and | und | et | y | и |、)\s*")
REMEMBERED = 1 << 15
"""Texts whose sentences are remembered: the same ones describe many pairs, and come again one level up."""
_LONGEST = 420  # characters of a sentence that one still likes to read
_MOST_NAMES = 60


def name_weights(rows: Sequence[Evidence]) -> dict[str, float]:
    """Return the names that rows bear, which come in order of rank, and their weights: rank, common nouns far below names."""
    first: dict[str, Evidence] = {}
    top = rank_of(rows[0]) or 1.0
    for row in rows:
        for name in names_of(row.kind, row.title):
            first.setdefault(name, row)
    weights = [(name, (1.0 if is_name(name) else 0.2) * (1.0 + rank_of(row) / top)) for name, row in first.items()]
    return dict(sorted(weights, key=itemgetter(1), reverse=True)[:_MOST_NAMES])


def rank_of(row: Evidence) -> float:
    """Return the rank of a row, 0 where it is negative or no number."""
    return row.rank if 0.0 < row.rank < math.inf else 0.0


@lru_cache(maxsize=REMEMBERED)
def names_of(kind: str, title: str) -> Sequence[str]:
    """Return the names in the title of a row of that kind."""
    title = " ".join(title.split())
    if kind == "entity":
        return (title,) if title else ()
    if kind == "report":
        return [part for part in _LISTED.split(title) if 1 < len(part) <= 60]
    return title.split(" - ") if title else ()


def lines_of(rows: Sequence[Evidence], weights: Mapping[str, float], whole: bool = False) -> list[Line]:
    """Return sentences that can stand alone, each once with all its ids; where there is none, whatever is said of each name.
    ``whole``: of each row, where it has no such sentence, whatever it says."""
    for taken in (_all_of,) if whole else (_self_contained, _named, _anything):
        found: dict[str, tuple[str, dict[str, None]]] = {}
        for row in rows:
            for key, sentence in taken(row):
                if key in found:
                    found[key][1][row.id] = None
                elif key and len(found) < MOST_SENTENCES:
                    found[key] = sentence, {row.id: None}
        if found:
            names = sorted(sorted(weights), key=len, reverse=True)
            return [Line(text, tuple(ids)[:MOST_CITED], _named_in(text, names)) for text, ids in found.values()]
    return []


def _bare(sentence: str) -> str:
    """Letters and digits alone: what makes two sentences the same one."""
    folded = sentence.casefold()
    if folded.isascii():
        return folded.encode().translate(None, _ASCII_SEPARATORS).decode()
    return "".join(filter(str.isalnum, folded))


def _sentences(text: str, is_claim: bool) -> Sequence[_Said]:
    """Sentences of a row on one line each, headings, list marks and references to data left out."""
    if is_claim:
        said = _claimed(text)
        return [(_bare(said), said, _stands_alone(said))]
    return [said for line in text.splitlines() for said in _cut(line)]


@lru_cache(maxsize=REMEMBERED)
def _cut(line: str) -> Sequence[_Said]:
    if not line.strip() or _HEADING.match(line):
        return ()
    line = _RECORDS.sub("", line) if "[" in line else line
    sentences = [" ".join(line[start:end].split()) for start, end in sentence_spans(line)]
    return [(_bare(said), said, _stands_alone(said)) for said in sentences]


sentence_spans = lru_cache(maxsize=REMEMBERED)(split)
"""The sentences of a description, which whoever sorts out what states nothing asks for as well."""
_stands_alone = lru_cache(maxsize=REMEMBERED)(stands_alone)


def _claimed(text: str) -> str:
    """A claim where its own words hedge it; else the words of the text that deny or hedge it, behind the claim where they
    cannot be read alone."""
    text = " ".join(text.split())
    doubt = _DOUBT.search(text)
    if not doubt:
        return text
    bare = text[: doubt.start()]
    if doubt[1] == "left open" and is_hedged(bare):
        return bare
    return doubt[2] if _stands_alone(doubt[2]) else f'{bare.rstrip(".")} ({doubt[1]}: "{doubt[2]}").'


def _all_of(row: Evidence) -> Iterator[_Keyed]:
    """All sentences of a row, behind what they are about where they cannot be read alone."""
    for key, said, alone in _sentences(row.text, row.kind == "claim"):
        if row.kind == "claim" or (alone and row.kind != "entity"):
            yield key, said
        else:
            yield _behind(_titled(row.kind, row.title), key, said, alone)


def _self_contained(row: Evidence) -> Sequence[_Keyed]:
    if row.kind == "entity":
        return _described_alone(row.text, row.title)
    return _standing_alone(row.text, row.kind == "claim")


@lru_cache(maxsize=REMEMBERED)
def _described_alone(text: str, name: str) -> Sequence[_Keyed]:
    """Sentences of a description that can stand alone; those that hold no word of what they describe ("Author of Dune.") behind
    its name."""
    title = _titled("entity", name)
    return [_behind(title, key, said, True) for key, said in _standing_alone(text, False)]


def _behind(title: str, key: str, said: str, alone: bool) -> _Keyed:
    """A sentence on an entity, or on what else bears a title where it cannot be read alone, behind the title that it does not name."""
    if not title or (alone and _has_word_of(title, said)):
        return key, said
    return _bare(title) + key, f"{title}: {said}"


def _has_word_of(title: str, said: str) -> bool:
    """Whether a sentence may name what it describes; in scripts without spaces it is not looked for."""
    if title in said:
        return True
    folded = said.casefold()
    words = [word for word in title.casefold().split() if len(word) > 2] or [title.casefold()]
    return any(word in folded for word in words) or bool(UNSPACED_CHARACTER.search(title))


@lru_cache(maxsize=REMEMBERED)
def _standing_alone(text: str, is_claim: bool) -> Sequence[_Keyed]:
    return [(key, said) for key, said, alone in _sentences(text, is_claim) if alone and len(said) <= _LONGEST]


def _named(row: Evidence) -> Iterator[_Keyed]:
    """Whole sentences, behind the name that they are about where they do not open with it."""
    is_claim = row.kind == "claim"
    title = "" if is_claim else _titled(row.kind, row.title)
    for _, said, _ in _sentences(row.text, is_claim):
        if CLOSED.search(said) and len(said) > 8:
            sentence = f"{title}: {said}" if title and not said.startswith(title) else said
            yield _bare(sentence), sentence


def _titled(kind: str, title: str) -> str:
    """What a row is about, as a sentence on it may follow."""
    return " / ".join(name[:1].upper() + name[1:] for name in names_of(kind, title)[:2])


def _anything(row: Evidence) -> Iterator[_Keyed]:
    said = " ".join([said for _, said, _ in _sentences(row.text, row.kind == "claim")])[:_LONGEST].rstrip(" .,;:")
    if said:
        sentence = f"{row.title.strip() or row.id}: {said}."
        yield _bare(sentence), sentence


def _named_in(text: str, names: Iterable[str]) -> tuple[str, ...]:
    """Names that a sentence holds; ``names`` are the longest first, and none is found inside another."""
    rest, found = text, []
    for name in [name for name in names if name in text]:
        at = rest.find(name)
        if at >= 0 and _is_whole(rest, at, at + len(name)):
            found.append(name)
            rest = rest.replace(name, "\n")
    return tuple(found)


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether no word goes on before or after a span; in scripts without spaces it always may."""
    if not text.isascii() and UNSPACED_CHARACTER.search(text, start, end):
        return True
    return not (start > 0 and text[start - 1].isalnum()) and not text[end : end + 1].isalnum()
