"""Where something is mentioned: every sentence that does, in all passages and not only in those closest to a question.

Which documents speak of a thing, and in how many of them it is, no ranking answers that reads ten passages. The index knows
which passages hold a word; their sentences are looked through.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any, Literal, NamedTuple

from pipeline.base.arrow.columns import whole
from pipeline.base.store import Rows
from pipeline.query.lookups.meant_documents import parted_name
from pipeline.retrieval.chunk_search import Finder
from pipeline.text.dates import days_in
from pipeline.text.keys import content_keys, keys_in_order, keys_of
from pipeline.text.metadata import date_of
from pipeline.text.question.question import Question
from pipeline.text.question.scope.whole import concerns
from pipeline.text.scripts import is_unspaced
from pipeline.text.sentences import QUESTION, split
from pipeline.text.tokenizer import words

LOOKED_AT = 5000
"""Passages that are looked through, in the order of the index."""
OTHERS = 2
"""Sentences of a document beside the first that are shown, where those that concern a matter are asked for."""
RECENT = 256
"""Names whose words are kept in order."""
LENGTH = (5, 45)
"""Fewest and most words of a sentence that is shown where a document has one of that length."""


_ITEM = re.compile(r"(?m)^(?:TOP\s*)?\d{1,2}[.):]?\s+([^\n.!?]{2,60})$")
"""A line with a number and few words, which heads what is below it in minutes: "2. Revolve", "TOP 3 Windräder"."""


class Mentioning(NamedTuple):
    """A document that mentions a thing, in so many sentences, and the one that says most of what the question asks, the first
    of equals; ``title`` is the document's, of an only document that of the part."""

    title: str
    source: str
    """The path of its file."""
    n_sentences: int
    document_id: str
    chunk_id: str
    sentence: str
    others: tuple[tuple[str, str], ...] = ()
    """More of its sentences, each with the id of its chunk, where those that concern a matter are asked for."""


class MentionsFound(NamedTuple):
    """What mentions a thing, in the order of dates and names, of how many documents (of an only document, passages) in all;
    ``whole`` is false where more passages hold its words than are looked through."""

    found: list[Mentioning]
    total: int
    unit: Literal["documents", "passages"]
    whole: bool
    close: bool
    """Whether they have its words one after the other."""


class _Sentence(NamedTuple):
    document_id: str
    start: int
    chunk_id: str
    text: str
    anchor: str
    close: bool
    """Whether it has the words one after the other."""


def find_mentions(question: Question, tables: Mapping[str, Rows], finder: Finder) -> MentionsFound:
    """Return what mentions that which a question looks for, under any name of its entity.

    Where sentences have its words one after the other, others that have all of them elsewhere do not count. Where the
    question asks what went wrong with it, or the like, only sentences that say so count, also those below its name.
    """
    n_documents, n_chunks = tables["documents"].num_rows, tables["chunks"].num_rows
    names = _names(question)
    kept = _documents_called(question, tables["documents"])
    holding = {id: None for name in names for id in finder.holding_forms(_searched(name, question.language))}
    ids = list(holding)[:LOOKED_AT]
    rows = tables["chunks"].by_id(ids, ["document_id", "start", "anchor", "text"])
    sentences = [one for id in ids for one in _sentences(id, rows[id], names, question)]
    close = [one for one in sentences if one.close]
    if kept:
        close, sentences = ([one for one in some if one.document_id in kept] for some in (close, sentences))
        n_documents = len(kept)
    sentences = list({(one.document_id, one.start): one for one in close or sentences}.values())
    about = tables["documents"].by_id({one.document_id for one in sentences}, ["title", "source", "metadata"])
    several = n_documents > 1

    def order(one: _Sentence) -> tuple[str, str, int]:
        document = about[one.document_id]
        date = date_of(document["metadata"])
        return (days_in(date) or (date,))[0], document["source"], one.start

    found = []
    for _, group in groupby(
        sorted(sentences, key=order), lambda one: (one.document_id, "" if several else one.chunk_id)
    ):
        some = list(group)
        best = max(some, key=lambda one: (_is_shown(one.text), question.share(question.met_by(one.text))))
        document = about[best.document_id]
        title = document["title"] if several else best.anchor
        others = tuple((one.chunk_id, one.text) for one in some if one is not best)[:OTHERS] if question.matter else ()
        found.append(
            Mentioning(title, document["source"], len(some), best.document_id, best.chunk_id, best.text, others)
        )
    return MentionsFound(
        found,
        n_documents if several else n_chunks,
        "documents" if several else "passages",
        len(ids) == len(holding),
        bool(close),
    )


def documents_without(mentions: MentionsFound, tables: Mapping[str, Rows]) -> list[Mapping[str, Any]]:
    """Return the ``id``, ``title`` and ``source`` of the documents that do not mention a thing, in the order of their files; of a
    thing that some mention in one piece, else it is not clear that it is one: "the crane or the pump"."""
    if not (mentions.whole and mentions.close):
        return []
    holding = {one.document_id for one in mentions.found}
    rows = tables["documents"].table(["id", "title", "source"]).to_pylist()
    return sorted((row for row in rows if row["id"] not in holding), key=lambda row: row["source"])


def _documents_called(question: Question, documents: Rows) -> frozenset[str]:
    """Return the documents of the files that a question names, "tickets" those of tickets.csv, where it names some and not all."""
    asked = content_keys(question.text.replace(question.mention, " "), question.language)
    table = documents.table(["id", "source"])
    coded = whole(table["source"]).dictionary_encode()
    is_called = [bool(asked & keys_of(parted_name(one), question.language)) for one in coded.dictionary.to_pylist()]
    if not any(is_called) or all(is_called):
        return frozenset()
    ids, of = table["id"].to_pylist(), coded.indices.to_pylist()
    return frozenset(id for id, place in zip(ids, of, strict=True) if is_called[place])


def _names(question: Question) -> list[str]:
    """Return what is looked for, and the other names of the entity that it is."""
    sought = content_keys(question.mention, question.language)
    others = [
        name
        for one in question.entities
        if content_keys(one.written, question.language) == sought
        for name in (one.title, *one.aliases)
    ]
    return list(dict.fromkeys((question.mention, *others)))


def _searched(name: str, language: str) -> list[str]:
    content = content_keys(name, language)
    return [word for word in words(name) if is_unspaced(word) or content_keys(word, language) & content]


def _sentences(id: str, row: Mapping[str, Any], names: Sequence[str], question: Question) -> list[_Sentence]:
    """Return the sentences of a chunk that mention one of some names; of those that concern a matter where the question asks for
    that, and all of these where what is above the chunk has the name."""
    text, found, language = row["text"], [], question.language
    matter = question.matter
    headed = above = bool(matter) and _names_any(row["anchor"], names, language)
    for start, end in split(text):
        if matter and (item := _ITEM.search(text[start:end])):
            above = headed or _names_any(item[1], names, language)
        if matter and not (_states(text[start:end]) and concerns(text[start:end], matter, language)):
            continue
        close = [is_close for name in names if (is_close := _holds(text[start:end], name, language)) is not None]
        close += [True] if above else []
        if close:
            at = row["start"] + start
            found.append(_Sentence(row["document_id"], at, id, text[start:end], row["anchor"], any(close)))
    return found


def _names_any(text: str, names: Sequence[str], language: str) -> bool:
    """Return whether a heading has all words of one of some names, in any order."""
    return any(_holds(text, name, language) is not None for name in names)


def _holds(sentence: str, name: str, language: str) -> bool | None:
    """Return whether a sentence has the words of a name one after the other; None where it does not have all of them."""
    if is_unspaced(name):
        return True if name in sentence else None
    own = _inner(name, language)
    if not own or not keys_of(sentence, language) >= content_keys(name, language):
        return None
    keys = keys_in_order(sentence, language)
    return any(keys[place : place + len(own)] == own for place in range(len(keys) - len(own) + 1))


@lru_cache(maxsize=RECENT)
def _inner(name: str, language: str) -> list[str]:
    """Return the keys of the words of a name from the first to the last that says something: "the war in Iraq" without "the"."""
    content, keys = content_keys(name, language), keys_in_order(name, language)
    places = [place for place, key in enumerate(keys) if key in content]
    return keys[places[0] : places[-1] + 1] if places else []


def _states(text: str) -> bool:
    """Return whether a sentence may be shown and is no heading and no question."""
    return _is_shown(text) and not text.startswith("#") and not QUESTION.search(text.rstrip())


def _is_shown(text: str) -> bool:
    return is_unspaced(text) or LENGTH[0] <= len(text.split()) <= LENGTH[1]
