"""What is proposed for a corpus, from what was counted in a sample of it: every proposal with its reason."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.base.store import Generation
from pipeline.runner.tuning.stop_phrases import stop_phrases
from pipeline.text.extraction.stop_phrases import StopPhrases
from pipeline.text.lexicon.lexicon import CONCEPT
from pipeline.text.scripts import fold

_SHARE = 0.01
"""Share of the entities from which on a type is worth asking for."""


@dataclass(frozen=True)
class Proposal:
    """Settings that fit a corpus better than the defaults, and what shows it."""

    domain: str
    entity_types: tuple[str, ...]
    claims: str
    stop_phrases: dict[str, str]
    """Each with its reason."""
    language: str
    """ISO code of most sentences."""
    examples: tuple[str, ...]
    """Sentences of the texts with their entities and relationships, as a prompt shows them."""
    counts: dict[str, int]
    """Entities of the sample by type."""


def counted_proposal(tables: Generation) -> Proposal:
    """Return what counting proposes. Reads the tables up to claims."""
    entities = tables.table("entities", ["title", "type", "aliases", "chunk_ids", "frequency", "degree"]).to_pylist()
    types = Counter(row["type"] for row in entities)
    documents = tables.table("documents", ["title"])["title"].to_pylist()
    stops = stop_phrases(tables, entities, frozenset(map(fold, documents)))
    matcher = StopPhrases(list(stops))
    kept = [row for row in entities if not matcher.stops(row["title"])]
    return Proposal(
        domain=_domain(kept),
        entity_types=_types(Counter(row["type"] for row in kept)),
        claims=_claims(Counter(tables.table("claims", ["type"])["type"].to_pylist())),
        stop_phrases=stops,
        language=_language(tables),
        examples=_examples(tables, {row["title"]: row["type"] for row in kept}),
        counts=dict(sorted(types.items())),
    )


def _types(counts: Counter[str]) -> tuple[str, ...]:
    """Return the types that the sample shows often enough, most frequent first; CONCEPT last, for what shows no kind."""
    least = max(1, round(_SHARE * counts.total()))
    shown = [kind for kind, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])) if count >= least]
    return (*(kind for kind in shown if kind != CONCEPT), *([CONCEPT] if CONCEPT in shown else []))


def _domain(entities: Sequence[dict[str, Any]]) -> str:
    best = sorted(entities, key=lambda row: (-row["frequency"], row["title"]))[:8]
    return ", ".join(row["title"] for row in best)


def _claims(kinds: Counter[str]) -> str:
    shown = [kind.lower() for kind, count in kinds.most_common(6) if count >= 2 and kind != "OTHER"]
    return f"Assertions about an entity that could be checked, above all of {', '.join(sorted(shown))}" if shown else ""


def _language(tables: Generation) -> str:
    codes = Counter(code for code in tables.table("sentences", ["language"])["language"].to_pylist() if code)
    codes.pop("und", None)
    return min(codes, key=lambda code: (-codes[code], code)) if codes else ""


def _examples(tables: Generation, types: dict[str, str]) -> tuple[str, ...]:
    """Return two sentences that relate entities of known kinds, in the form of the examples of prompts."""
    related: dict[str, list[tuple[str, str]]] = {}
    for row in tables.table("relationship_mentions", ["source", "target", "description"]).to_pylist():
        ends = (row["source"], row["target"])
        if all(types.get(end, CONCEPT) != CONCEPT for end in ends) and 60 <= len(row["description"]) <= 240:
            related.setdefault(row["description"], []).append(ends)
    telling = (text for text, pairs in related.items() if _says_more(text, pairs))
    best = sorted(telling, key=lambda text: (-min(len(related[text]), 3), len(text), text))[:2]
    return tuple(
        shown_example(
            text,
            (f"{name} ({types[name]})" for name in sorted({name for ends in related[text] for name in ends})),
            (f"{source} - {target}" for source, target in sorted(set(related[text]))),
        )
        for text in best
    )


def shown_example(text: str, entities: Iterable[str], relationships: Iterable[str]) -> str:
    """Return an example in the form of those of prompts."""
    return f'Material: "{text}"\nEntities: {", ".join(entities)}.\nRelationships: {", ".join(relationships) or "none"}.'


def _says_more(text: str, pairs: Iterable[tuple[str, str]]) -> bool:
    """Whether a text says more than the names that it relates: a list of recipients is no example of a relationship."""
    names = {fold(word) for pair in pairs for name in pair for word in name.split()}
    words = [fold(word) for word in re.findall(r"[\w'’-]+", text)]
    return 2 * sum(word not in names for word in words) > len(words)
