"""What is proposed for a corpus, from what was counted in a sample of it: every proposal with its reason."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.base.store import Generation
from pipeline.text.lexicon.words import listed
from pipeline.text.scripts import fold

UNKNOWN = "CONCEPT"
"""The type of what shows no kind."""
_RARE = 3
"""Chunks up to which a phrase of common nouns is no term of its corpus, and a name of no kind may be an accident."""
_FEW = 0.05
"""Share of the chunks from which on a name is not rare, in however few it is: it may be what one of the texts is about."""
_SERIES = 3
"""Names that differ in a number alone, from which on they are a series."""
_COPIES, _COPIED_SHARE = 3, 0.1
"""Chunks from which on, and share of all of them, a sentence that is written the same is boilerplate."""
_EVERYWHERE = 0.8
"""Share of the chunks from which on a name in repeated sentences that nothing is related to is boilerplate, whatever its type."""
_MOST_STOPS = 400
_NOUNS_IN_CAPITALS = ("de", "lb")
"""Languages that write every noun with a capital."""
_WORD = re.compile(r"[^\W\d_]+")
_RUNNING = re.compile(r"[^\W\d_]*[a-zß-ÿа-я]\S* \(?$")
"""What is before a name inside a sentence: a word in lower case and a blank."""
_BEFORE = 30
"""Characters before a name that are looked at."""
_NUMBER = re.compile(r"\d+[\w.:-]*|[ivxl]+")
_ORDINALS = listed("one two three four five six seven eight nine ten eleven twelve first second third fourth fifth")
"""Numbers as headings write them."""
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
    entities = tables.table("entities", ["title", "type", "aliases", "frequency", "degree"]).to_pylist()
    kinds = dict(_columns(tables, "vocabulary", "title", "kind"))
    types = Counter(row["type"] for row in entities)
    documents = tables.table("documents", ["title"])["title"].to_pylist()
    headings = frozenset(fold(title.rpartition(" ")[0]) for title in documents)  # behind it is the sample's number
    named = [row for row in entities if headings.isdisjoint(map(fold, (row["title"], *row["aliases"])))]
    stops = _stop_phrases(named, kinds, _sentences(tables), _Writing(tables))
    kept = [row for row in entities if row["title"] not in stops]
    return Proposal(
        domain=_domain(kept),
        entity_types=_types(Counter(row["type"] for row in kept)),
        claims=_claims(Counter(tables.table("claims", ["type"])["type"].to_pylist())),
        stop_phrases=_with_series(stops, kept, headings),
        language=_language(tables),
        examples=_examples(tables, {row["title"]: row["type"] for row in kept}),
        counts=dict(sorted(types.items())),
    )


def _stop_phrases(
    entities: Sequence[dict[str, Any]],
    kinds: dict[str, str],
    sentences: Sequence[tuple[str, Sequence[str], str]],
    usage: "_Writing",
) -> dict[str, str]:
    """Return titles that are hardly wanted as entities, each with the reason."""
    copies: dict[str, set[str]] = {}
    for chunk, _, text in sentences:
        copies.setdefault(text, set()).add(chunk)
    n_chunks = len({chunk for chunk, _, _ in sentences})
    many = max(_COPIES, _COPIED_SHARE * n_chunks)
    seen, copied = Counter[str](), Counter[str]()
    for _, titles, text in sentences:
        seen.update(set(titles))
        copied.update(set(titles) if len(copies[text]) >= many else ())
    known_names = {fold(form) for row in entities for form in (row["title"], *row["aliases"])}
    stops = {}
    for row in sorted(entities, key=lambda row: (-row["frequency"], row["title"])):
        title, known = row["title"], row["type"] != UNKNOWN
        everywhere = row["frequency"] >= _EVERYWHERE * n_chunks and row["type"] != "PERSON" and row["degree"] == 0
        if copied[title] >= _COPIES and copied[title] >= 0.8 * seen[title] and (not known or everywhere):
            stops[title] = "almost only in sentences that are repeated"
        elif kinds.get(title) == "phrase" and row["frequency"] <= _RARE and is_common(title, known_names):
            stops[title] = f"a phrase that {row['frequency']} places use"
        elif known or row["degree"] or row["frequency"] > _RARE:
            continue
        elif usage.is_measured(title):
            stops[title] = "rare, a word with a number that opens sentences"
        elif not _is_compound_name(title) and (row["frequency"] < _FEW * n_chunks or not usage.is_name(title)):
            stops[title] = "rare, of no known kind, and related to nothing"
    return dict(list(stops.items())[:_MOST_STOPS])


class _Writing:
    """How names and ordinary words are written in the sample; of languages that write nouns with a capital nothing is known."""

    def __init__(self, tables: Generation) -> None:
        texts = dict(_columns(tables, "chunks", "id", "text"))
        self._ordinary = {word for text in texts.values() for word in _WORD.findall(text) if word.islower()}
        self._inside: set[str] = set()
        self._seen: set[str] = set()
        columns = ("chunk_id", "start", "language", "titles", "starts")
        for chunk, start, language, titles, starts in _columns(tables, "sentences", *columns):
            if language in _NOUNS_IN_CAPITALS:
                continue
            self._seen |= set(titles)
            for title, at in zip(titles, starts, strict=True):
                if _RUNNING.search(texts[chunk][max(start, at - _BEFORE) : at]):
                    self._inside.add(title)

    def is_name(self, title: str) -> bool:
        """Whether a title has its capitals inside a sentence, where ordinary words have none, and is no such word elsewhere."""
        return title in self._inside and title.lower() not in self._ordinary

    def is_measured(self, title: str) -> bool:
        """Whether a title is a word and a number that only open sentences and lines: what was measured, or a step."""
        words = title.split()
        opens = title in self._seen and title not in self._inside
        return opens and len(words) > 1 and words[0].isalpha() and _is_number(fold(words[1]))


def is_common(phrase: str, names: Collection[str]) -> bool:
    """Whether a phrase is of common nouns, or says of a name what it is ("NASA astronaut") that is an entity by itself."""
    words = phrase.split()
    named = [place for place, word in enumerate(words) if not word.islower()]
    return not named or fold(" ".join(words[: named[-1] + 1])) in names


def _is_compound_name(title: str) -> bool:
    """Whether a name has two words with a capital or a digit, as names of things have and words at a sentence's start do not."""
    return sum(word[:1].isupper() or any(map(str.isdigit, word)) for word in title.split()) > 1


def _with_series(
    stops: dict[str, str], entities: Iterable[dict[str, Any]], headings: Collection[str]
) -> dict[str, str]:
    """Return stop phrases with a pattern for each series of names that differ in a number alone, as headings within documents
    do; but not for one after which documents are named: what a document is about is wanted."""
    series: dict[str, set[str]] = {}
    for title in [*stops, *(row["title"] for row in entities if row["type"] in (UNKNOWN, "WORK"))]:
        head, _, last = fold(title).rpartition(" ")
        if head and _is_number(last):
            series.setdefault(head, set()).add(title)
    own = {
        " ".join(words[:place])
        for words in map(str.split, headings)
        for place in range(1, len(words))
        if _is_number(words[place].strip(":.,"))
    }
    found = {head: titles for head, titles in series.items() if len(titles) >= _SERIES}
    within = {title for titles in found.values() for title in titles}
    patterns = {
        f"{head} *": f"{len(titles)} names that differ in a number alone"
        for head, titles in found.items()
        if head not in own
    }
    return patterns | {title: reason for title, reason in stops.items() if title not in within}


def _is_number(word: str) -> bool:
    return word in _ORDINALS or _NUMBER.fullmatch(word) is not None


def _types(counts: Counter[str]) -> tuple[str, ...]:
    """Return the types that the sample shows often enough, most frequent first; CONCEPT last, for what shows no kind."""
    least = max(1, round(_SHARE * counts.total()))
    shown = [kind for kind, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])) if count >= least]
    return (*(kind for kind in shown if kind != UNKNOWN), *([UNKNOWN] if UNKNOWN in shown else []))


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


def _sentences(tables: Generation) -> list[tuple[str, Sequence[str], str]]:
    """Return (chunk, titles of its names, its text without numbers) of each sentence."""
    texts = dict(_columns(tables, "chunks", "id", "text"))
    rows = tables.table("sentences").to_pylist()
    found = []
    for row in rows:
        text = texts[row["chunk_id"]][row["start"] : row["end"]]
        found.append((row["chunk_id"], row["titles"], re.sub(r"\d+", "0", " ".join(text.split()))))
    return found


def _examples(tables: Generation, types: dict[str, str]) -> tuple[str, ...]:
    """Return two sentences that relate entities of known kinds, in the form of the examples of prompts."""
    related: dict[str, list[tuple[str, str]]] = {}
    for row in tables.table("relationship_mentions", ["source", "target", "description"]).to_pylist():
        ends = (row["source"], row["target"])
        if all(types.get(end, UNKNOWN) != UNKNOWN for end in ends) and 60 <= len(row["description"]) <= 240:
            related.setdefault(row["description"], []).append(ends)
    telling = (text for text, pairs in related.items() if _says_more(text, pairs))
    best = sorted(telling, key=lambda text: (-min(len(related[text]), 3), len(text), text))[:2]
    lines = []
    for text in best:
        names = sorted({name for ends in related[text] for name in ends})
        listed = ", ".join(f"{name} ({types[name]})" for name in names)
        pairs = ", ".join(f"{source} - {target}" for source, target in sorted(set(related[text])))
        lines.append(f'Material: "{text}"\nEntities: {listed}.\nRelationships: {pairs}.')
    return tuple(lines)


def _says_more(text: str, pairs: Iterable[tuple[str, str]]) -> bool:
    """Whether a text says more than the names that it relates: a list of recipients is no example of a relationship."""
    names = {fold(word) for pair in pairs for name in pair for word in name.split()}
    words = [fold(word) for word in re.findall(r"[\w'’-]+", text)]
    return 2 * sum(word not in names for word in words) > len(words)


def _columns(tables: Generation, name: str, *columns: str) -> Iterable[tuple[Any, ...]]:
    table = tables.table(name, list(columns))
    return zip(*(table[column].to_pylist() for column in columns), strict=True)
