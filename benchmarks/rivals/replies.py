"""What the look-alike answers every product: of one chunk the same entities and relationships, in the form it asks for.

Entities are the names that are capitalised inside a sentence. The first reading of a chunk gets three of four, the
gleaning the fourth, so that a product that loses what gleaning found shows it. A name is related to the next of its
reading when that is near; a description is the words around the name, so that it differs from chunk to chunk.
"""

import re
from itertools import pairwise
from typing import Any, NamedTuple

from tests.lookalike.replies import schema_of, valid

NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]{2,}(?: [A-Z][a-z]+)*\b")
MATERIAL = re.compile(r"<material>\nTitle[^\n]*\n\n(.*)\n</material>", re.DOTALL)
TEXT = re.compile(r".*-Real Data-.*?\nText:(.*?)\n#{5}", re.DOTALL)
"""Where the chunk is in prompts that ask for a JSON object, and in those that ask for delimited tuples."""
RECORD_ID = re.compile(r"^\[([ercp]\d+)\]", re.MULTILINE)
AROUND = 60
"""Characters on both sides of a name that describe it."""
NEAR = 1300
"""Most characters between related names. About one name in twelve then hangs together with few others, apart from the
largest component; in an index of this book that a real model made, Microsoft GraphRAG's sample, it was 25 of 529."""


class Found(NamedTuple):
    """Names with their descriptions, and pairs of names with theirs."""

    entities: dict[str, str]
    relationships: dict[tuple[str, str], str]


def find(chunk: str, gleaning: bool) -> Found:
    """Return what one reading of a chunk finds."""
    text = " ".join(chunk.split())
    places: dict[str, int] = {}
    for match in NAME.finditer(text):
        places.setdefault(match[0], match.start())
    described = {name: _around(text, place, place + len(name)) for name, place in places.items()}
    names = list(places)
    given = [name for number, name in enumerate(names) if (number % 4 == 3) == gleaning]
    # A gleaned name is related to its neighbours, whichever reading gave them.
    pairs = [pair for pair in pairwise(names if gleaning else given) if not set(pair).isdisjoint(given)]
    related = {(one, other): described[one] for one, other in pairs if places[other] - places[one] <= NEAR}
    return Found({name: described[name] for name in given}, related)


def _around(text: str, start: int, end: int) -> str:
    """Return the words around a place, without the signs that prompts give a meaning."""
    return re.sub(r'[<>|#()"]', " ", text[max(0, start - AROUND) : end + AROUND])


class Replies:
    """The reply to a request of any product; ``given`` collects the names that were handed out."""

    def __init__(self) -> None:
        self.given: set[str] = set()

    def __call__(self, body: dict[str, Any]) -> Any:
        """Return an object, or the text itself."""
        said = [message["content"] for message in body["messages"]]
        asked = (schema_of(body) or {}).get("properties", {})
        if "relationships" in asked:
            return as_object(self._found(MATERIAL, said[-1], "\nFound so far:" in said[-1]))
        if "<|COMPLETE|>" in said[0]:
            return as_tuples(self._found(TEXT, said[0], len(said) > 1))
        if "findings" in asked or ("response_format" in body and not asked):
            return report(said[-1], "summary_citations" in asked)
        return valid(schema_of(body) or {"type": "string"}, said[-1][-40:])

    def _found(self, where: re.Pattern[str], prompt: str, gleaning: bool) -> Found:
        chunk = where.search(prompt)
        if chunk is None:
            raise ValueError(f"no chunk is in this prompt: {prompt[-200:]}")
        found = find(chunk[1], gleaning)
        self.given |= found.entities.keys()
        return found


def as_object(found: Found) -> dict[str, Any]:
    """Return the reply as graphstrata asks for it."""
    return {
        "entities": [{"title": name, "type": "PERSON", "description": text} for name, text in found.entities.items()],
        "relationships": [
            {"source": source, "target": target, "description": text, "weight": 5}
            for (source, target), text in found.relationships.items()
        ],
    }


def as_tuples(found: Found) -> str:
    """Return the reply as Microsoft GraphRAG and nano-graphrag ask for it: records apart by ##, then the mark of the end."""
    records = [f'("entity"<|>{name.upper()}<|>PERSON<|>{text})' for name, text in found.entities.items()]
    records += [
        f'("relationship"<|>{source.upper()}<|>{target.upper()}<|>{text}<|>5)'
        for (source, target), text in found.relationships.items()
    ]
    return "\n##\n".join(records) + "\n<|COMPLETE|>"


def report(prompt: str, citing: bool) -> dict[str, Any]:
    """Return a report with two findings; those that cite name the first records that the prompt shows."""
    cited = RECORD_ID.findall(prompt)[:3]
    written = "The records tell of people who met in London at the end of a year."
    finding: dict[str, Any] = {"summary": "They met in London.", "explanation": written}
    whole: dict[str, Any] = {"title": "People of the book", "summary": written}
    if citing:
        finding["citations"] = whole["summary_citations"] = cited
    return {
        **whole,
        "rating": 5.0,
        "rating_explanation": "Several people are in it.",
        "findings": [finding, {**finding, "summary": "It was the end of a year."}],
    }
