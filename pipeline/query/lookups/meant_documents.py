"""Which documents the words of a question mean: "the Leclerq contract" is an agreement whose title or beginning names Leclerq."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from pipeline.text.keys import content_keys, keys_of
from pipeline.text.lexicon.questions.question_words import QUESTIONS

BEGINNING = 600
"""Characters of a text in which it says what it is and whose, at most: up to its first number."""
_SHORT = 5
"""Letters below which a word is no part of another one: "act" is none of "contract"."""
_ANY = "any_document"
"""What every text is."""

_TO_PART = re.compile(r"[\W_]+|(?<=[^\W\d_])(?=\d)")
_NUMBERED = re.compile(r"^[ \t#*]*(?:\d|§)", re.MULTILINE)


def meant_documents(said: Sequence[str], documents: Mapping[str, Mapping[str, Any]], language: str) -> list[str]:
    """Return the documents, rows with ``title``, ``source`` and ``text``, that words of a question mean: those whose titles have all
    of them; else those whose titles or beginnings have the names among them, of the kind that the other words say where any is."""
    titles = {id: names_of(row) for id, row in documents.items()}
    wanted = content_keys(" ".join(said), language)
    if titled := [id for id, title in titles.items() if wanted <= keys_of(title, language)]:
        return titled
    kinds = {kind for word in said if (kind := document_kind(word)) and kind != _ANY}
    others = [word for word in said if not document_kind(word)]
    small = content_keys(" ".join(word for word in others if word.islower()), language)
    names = content_keys(" ".join(word for word in others if not word.islower()), language)
    named = [
        id
        for id, title in titles.items()
        if small <= keys_of(title, language)
        and names <= keys_of(f"{title} {_beginning(documents[id]['text'])}", language)
    ]
    heads = {id: f"{titles[id]} {_first_line(documents[id]['text'])}" for id in named}
    return [id for id, head in heads.items() if kinds & set(map(document_kind, head.split()))] or named


def names_of(document: Mapping[str, Any]) -> str:
    """Return the words of a document's title and of its file's path."""
    return parted_name(f"{document['title']} {document['source']}")


def parted_name(name: str) -> str:
    """Return the words of a title or path one by one, and the numbers behind them: "interview 1" of "interview1.txt"."""
    return _TO_PART.sub(" ", name)


def files_by_title(documents: Iterable[tuple[str, str]]) -> list[str]:
    """Return for each title and file the file where the same title is another's, too, which it tells apart; else nothing."""
    known = list(documents)
    return [
        source if any(title == other and source != file for other, file in known) else "" for title, source in known
    ]


def document_kind(word: str) -> str:
    """Return what kind of document a word means, also inflected or within another: "agreement" for "Mietvertrags"; empty where none."""
    plain = word.casefold()
    bases = _kinds()
    return bases.get(plain) or next((kind for base, kind in bases.items() if len(base) >= _SHORT and base in plain), "")


def _first_line(text: str) -> str:
    return text.lstrip().partition("\n")[0]


def _beginning(text: str) -> str:
    head = text[:BEGINNING]
    number = _NUMBERED.search(head)
    return head[: number.start()] if number else head


@cache
def _kinds() -> dict[str, str]:
    heads = ("document_agreement", "document_rules", "document_manual", "document_licence", _ANY)
    return {word: head for head in heads for word in QUESTIONS.of_all(head)}
