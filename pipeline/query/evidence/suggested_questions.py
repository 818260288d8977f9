"""Questions that a corpus can be asked: by what its largest themes are about, by what they leave open, and after an answer."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from pipeline.base.store import Rows
from pipeline.query.answer import Answer
from pipeline.query.evidence.entity_linker import link, proper_names
from pipeline.query.messages import suggested
from pipeline.text.question.asking_words import question_language
from pipeline.text.scripts import language_of

MOST = 6
_THEMES = 12
_SAMPLE = 20
"""Rows by whose text the language of the questions is chosen."""
_AFTER = 3


def questions_of_themes(
    language: str, themes: Iterable[Sequence[Mapping[str, Any]]], gaps: Sequence[tuple[str, str]] = (), most: int = MOST
) -> list[str]:
    """Return questions on the whole, on the best-connected entity of each theme, on two of them together, and on ``gaps``:
    pairs that nothing relates directly. A theme is given as its entities (title, type, degree)."""
    questions = [suggested("whole", language)]
    named: list[str] = []
    room = most - min(len(gaps), most // 3)
    for members in themes:
        if len(questions) >= room:
            break
        best = sorted(members, key=lambda one: (-one["degree"], one["title"]))[:2]
        fresh = [one["title"] for one in best if one["title"] not in named]
        if fresh and best[0]["title"] in fresh:
            person = best[0]["type"] == "PERSON"
            questions.append(suggested("person" if person else "thing", language, (best[0]["title"],)))
        if len(best) == 2 and len(fresh) == 2:
            questions.append(suggested("pair", language, (best[0]["title"], best[1]["title"])))
        named += fresh
    questions = [*questions[:room], *(suggested("pair", language, pair) for pair in gaps)]
    return list(dict.fromkeys(questions))[:most]


def corpus_questions(rows: Callable[[str], Rows], most: int = MOST) -> list[str]:
    """Return questions that an index can be asked, in the language of its texts; ``rows`` gives its tables by name."""
    known = rows("vocabulary").table(["title", "kind"]).to_pydict()
    phrases = {title for title, kind in zip(known["title"], known["kind"], strict=True) if kind == "phrase"}
    listed = rows("entities").table(["id", "title", "type", "degree"]).to_pylist()
    named = [row for row in listed if row["title"] not in phrases]
    entities = {row["id"]: row for row in named or listed}
    if not entities:
        return []
    texts = rows("chunks").table(["text"]).slice(0, _SAMPLE)["text"].to_pylist()
    communities = rows("communities").table(["community", "level", "size", "entity_ids"]).to_pylist()
    top = [row for row in communities if row["level"] == 0]
    top.sort(key=lambda row: (-row["size"], row["community"]))
    themes = [[entities[id] for id in row["entity_ids"] if id in entities] for row in top[: max(_THEMES, most)]]
    hubs = [max(theme, key=lambda one: (one["degree"], one["title"]))["title"] for theme in themes if theme]
    return questions_of_themes(language_of(" ".join(texts)), themes, _gaps(hubs, rows("relationships")), most)


def follow_ups(answer: Answer, entities: Rows, most: int = _AFTER) -> list[str]:
    """Return questions that may follow an answer: on what it names and the question did not, best first."""
    language = question_language(answer.question)
    asked = [one.title for one in proper_names(link(answer.question, entities))]
    named = [one.title for one in proper_names(link(answer.text, entities))]
    fresh = [title for title in dict.fromkeys(named) if title not in asked]
    if not answer.supported or not fresh:
        return []
    questions = [suggested("thing", language, (title,)) for title in fresh[: most - 1]]
    if asked:
        questions.append(suggested("pair", language, (asked[0], fresh[0])))
    return questions[:most]


def _gaps(hubs: Sequence[str], relationships: Rows) -> list[tuple[str, str]]:
    """Return pairs of hubs that share neighbours and are not related themselves, those that share most first."""
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
    return [(one, other) for _, one, other in sorted(pairs)[:2]]
