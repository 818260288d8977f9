"""The citations in reports of Microsoft GraphRAG: [Data: Entities (1, 2); Relationships (3, +more)]."""

import re
from collections.abc import Iterator
from typing import NamedTuple

BRACKET = re.compile(r"\[(?:data|records):([^\[\]]{0,4000})\]", re.IGNORECASE)
_GROUP = re.compile(r"(\w+)\s*\(([^)]*)\)")
_NUMBER = re.compile(r"\d{1,18}")
KINDS = {
    "entity": "entities",
    "entities": "entities",
    "relationship": "relationships",
    "relationships": "relationships",
    "claim": "claims",
    "claims": "claims",
    "covariates": "claims",
    "report": "reports",
    "reports": "reports",
    "source": "sources",
    "sources": "sources",
}


class Citation(NamedTuple):
    """One number: ``kind`` is entities, relationships, claims, reports, sources, or the word as it was found."""

    kind: str
    number: int


def cited(content: str) -> Iterator[Citation]:
    """Yield every number that a text cites, in order, repeats included."""
    for bracket in BRACKET.finditer(content):
        for group in _GROUP.finditer(bracket.group(1)):
            word = group.group(1).lower()
            for number in _NUMBER.finditer(group.group(2)):
                yield Citation(KINDS.get(word, word), int(number.group()))


def n_cut(content: str) -> int:
    """Return how many lists of numbers in a text end in "+more": what they leave out cannot be followed."""
    return sum(bracket.group(1).lower().count("+more") for bracket in BRACKET.finditer(content))


def without_citations(content: str) -> str:
    """Return a text without its brackets, and without the blank before each."""
    parts = []
    at = 0
    for bracket in BRACKET.finditer(content):
        parts.append(content[at : bracket.start()].rstrip(" \t"))
        at = bracket.end()
    return "".join([*parts, content[at:]])


def bracket(numbers: dict[str, list[int]]) -> str:
    """Return the bracket that cites rows by number, "" for none; kinds and numbers as given."""
    groups = [f"{kind.capitalize()} ({', '.join(map(str, found))})" for kind, found in numbers.items() if found]
    return f"[Data: {'; '.join(groups)}]" if groups else ""
