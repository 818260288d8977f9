"""Questions that a corpus can be asked: by what its largest themes are about, by what they leave open, and after an answer."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Final, Literal

from pipeline.base.store import Rows
from pipeline.query.answer import Answer
from pipeline.query.evidence.connections import is_stated
from pipeline.query.evidence.entity_linker import link, proper_names
from pipeline.query.messages import suggested
from pipeline.text.lexicon.words import listed, sections
from pipeline.text.question.asking_words import question_language
from pipeline.text.scripts import language_of

MOST = 6
_THEMES = 12
_SAMPLE = 20
"""Rows by whose text the language of the questions is chosen."""
_AFTER = 3
_EVERYDAY: Final = listed(sections("name_words")["everyday_acronyms"])
"""What any text on computers speaks of, and nobody asks about."""
_TRIED = 3
"""Entities that are tried for one that the best of its theme, or an answer, is joined to: each takes a look through the
relationships."""


Joined = Callable[[str, str], bool]
"""Whether two entities, by title, have a relationship that the corpus states."""


def questions_of_themes(
    language: str,
    themes: Iterable[Sequence[Mapping[str, Any]]],
    joined: Joined,
    gaps: Sequence[tuple[str, str]] = (),
    most: int = MOST,
) -> list[str]:
    """Return questions on the whole, on the best-connected entity of each theme, on it with the best that it is ``joined`` to,
    and on ``gaps``: pairs that nothing relates directly. A theme is given as its entities (title, type, degree)."""
    questions = [suggested("whole", language)]
    named: list[str] = []
    room = most - min(len(gaps), most // 3)
    for members in themes:
        if len(questions) >= room:
            break
        ranked = sorted(members, key=lambda one: (-one["degree"], one["title"]))[: 1 + _TRIED]
        if not ranked or ranked[0]["title"] in named:
            continue
        title, *others = (one["title"] for one in ranked)
        questions.append(suggested("person" if ranked[0]["type"] == "PERSON" else "thing", language, (title,)))
        fresh = [other for other in others if other not in named]
        partner = next((other for other in fresh if len(questions) < room and joined(title, other)), None)
        named.append(title)
        if partner is not None:
            questions.append(suggested("pair", language, (title, partner)))
            named.append(partner)
    questions = [*questions[:room], *(suggested("pair", language, pair) for pair in gaps)]
    return list(dict.fromkeys(questions))[:most]


def joined_in(rows: Callable[[str], Rows], language: str) -> Joined:
    """Return a function that says whether two entities are joined in an index; ``rows`` gives its tables by name."""
    tables = {name: rows(name) for name in ("chunks", "entities", "relationships")}
    return lambda one, other: is_stated(one, other, tables, language)


def corpus_questions(rows: Callable[[str], Rows], most: int = MOST) -> list[str]:
    """Return questions that an index can be asked, in the language of its texts; ``rows`` gives its tables by name."""
    phrases = {title for title, kind in rows("vocabulary").values("title", "kind") if kind == "phrase"}
    listed = rows("entities").table(["id", "title", "type", "degree"]).to_pylist()
    named = [row for row in listed if row["title"] not in phrases and row["title"].lower() not in _EVERYDAY]
    entities = {row["id"]: row for row in named or listed}
    if not entities:
        return []
    texts = rows("chunks").table(["text"]).slice(0, _SAMPLE)["text"].to_pylist()
    communities = rows("communities").table(["community", "level", "size", "entity_ids"]).to_pylist()
    top = [row for row in communities if row["level"] == 0]
    top.sort(key=lambda row: (-row["size"], row["community"]))
    themes = [[entities[id] for id in row["entity_ids"] if id in entities] for row in top[: max(_THEMES, most)]]
    hubs = [max(theme, key=lambda one: (one["degree"], one["title"]))["title"] for theme in themes if theme]
    language = language_of(" ".join(texts))
    joined = joined_in(rows, language)
    return questions_of_themes(language, themes, joined, _gaps(hubs, rows("relationships"), joined), most)


def follow_ups(answer: Answer, rows: Callable[[str], Rows], most: int = _AFTER) -> list[str]:
    """Return questions that may follow an answer: on what it names and the question did not, best first."""
    language = question_language(answer.question)
    entities = rows("entities")
    asked = [one.title for one in proper_names(link(answer.question, entities))]
    types = {one.title: one.type for one in proper_names(link(answer.text, entities))}
    fresh = [title for title in types if title not in asked]
    if not answer.supported or not fresh:
        return []
    kinds: list[Literal["person", "thing"]] = ["person" if types[title] == "PERSON" else "thing" for title in fresh]
    questions = [suggested(kind, language, (title,)) for kind, title in zip(kinds, fresh, strict=True)][: most - 1]
    if asked:
        joined = joined_in(rows, language)
        partners = (title for title in fresh[:_TRIED] if joined(asked[0], title))
        questions += [suggested("pair", language, (asked[0], title)) for title in islice(partners, 1)]
    return questions[:most]


def _gaps(hubs: Sequence[str], relationships: Rows, joined: Joined) -> list[tuple[str, str]]:
    """Return two pairs of hubs that share neighbours, are joined by one, and are not related themselves, those that share most
    first, each hub once."""
    wanted = set(hubs)
    near: dict[str, set[str]] = {hub: set() for hub in hubs}
    table = relationships.table(["source", "target"])
    for source, target in zip(table["source"].to_pylist(), table["target"].to_pylist(), strict=True):
        if source in wanted:
            near[source].add(target)
        if target in wanted:
            near[target].add(source)
    pairs = [
        (-len(near[one] & near[other]), one, other)
        for place, one in enumerate(hubs)
        for other in hubs[place + 1 :]
        if other not in near[one] and near[one] & near[other]
    ]
    found: list[tuple[str, str]] = []
    tried = 0
    for _, one, other in sorted(pairs):
        if len(found) == 2 or tried == 2 * _TRIED:
            break
        if {one, other} & {hub for pair in found for hub in pair}:
            continue
        tried += 1
        if any(joined(one, by) and joined(by, other) for by in sorted(near[one] & near[other])[:_TRIED]):
            found.append((one, other))
    return found
