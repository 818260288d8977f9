"""Questions whose answer a corpus does not hold, made without a model: a name exchanged, or something nobody wrote of."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from pipeline.base.store import Generation
from pipeline.query.evaluation.eval_questions import Example
from pipeline.query.evaluation.making.statements import NamedThing, question_words, spread
from pipeline.text.keys import content_keys, keys_of, share_met
from pipeline.text.scripts import language_of

if TYPE_CHECKING:
    from pipeline.query.evaluation.making.counted_questions import MadeQuestion

_NEAR = 0.5
"""Share of a question's words beside a name from which on a chunk with that name may answer it."""
_TRIED = 12
"""Names that are tried in the place of one."""
_LARGEST = 200
"""Best-connected entities whose names are put into questions."""
_SAMPLE = 20
"""Chunks by whose text the language of the corpus is chosen."""


def unanswerable_questions(
    generation: Generation, made: "Sequence[MadeQuestion]", count: int, seed: int
) -> list[Example]:
    """Return at most ``count`` questions that no passage answers, half of each kind where there are enough.

    ``exchanged``: a name of a question that is answered gave place to another of its type, and no chunk that names this
    one has half of the question's other words. ``absent``: something is asked of an entity whose words are nowhere in
    the corpus.
    """
    exchanged, absent = _exchanged(generation, made, seed), _absent(generation, seed)
    found = list(islice(exchanged, count - count // 2))
    found += islice(absent, count - len(found))
    return [*found, *islice(exchanged, count - len(found))]


def _exchanged(generation: Generation, made: "Sequence[MadeQuestion]", seed: int) -> Iterator[Example]:
    entities = _largest(generation)
    for one in made:
        names = [name for name in one.statement.names if one.answer and name.title != one.answer.title]
        for name in names[-1:]:
            other = _other(generation, one, name, entities, seed)
            written = one.statement.text[name.start : name.end]
            if other and one.question.count(written) == 1:
                yield Example(0, one.question.replace(written, other), answerable=False, kind="exchanged")


def _other(
    generation: Generation, one: "MadeQuestion", name: NamedThing, entities: Sequence[dict[str, Any]], seed: int
) -> str | None:
    """Return the title of another entity of the same type of which the corpus does not say what is asked."""
    there = {named.title for named in one.statement.names}
    same = [row for row in entities if row["type"] == name.type and row["title"] not in there]
    language = one.statement.language
    rest = one.question.replace(one.statement.text[name.start : name.end], " ")
    wanted = content_keys(rest, language)
    for row in spread(same, lambda row: row["title"], seed)[:_TRIED] if wanted else ():
        chunks = generation.rows("chunks").by_id(row["chunk_ids"], ["text"])
        if all(share_met(wanted, chunk["text"], language) < _NEAR for chunk in chunks.values()):
            return str(row["title"])
    return None


def _absent(generation: Generation, seed: int) -> Iterator[Example]:
    texts = generation.table("chunks", ["text"]).slice(0, _SAMPLE)["text"].to_pylist()
    language = language_of(" ".join(texts))
    forms = question_words().get(language, {"person": {}, "thing": {}})
    terms = set(generation.table("retrieval_terms", ["terms"])["terms"].to_pylist())
    known = {key for term in terms for key in keys_of(term, language)}
    entities = _largest(generation)
    drawn = spread(entities, lambda row: row["type"], seed)
    for place, row in enumerate(drawn):
        questions = forms["person" if row["type"] == "PERSON" else "thing"]
        free = [one for one, words in questions.items() if not known & keys_of(words, language)]
        if free:
            yield Example(0, free[place % len(free)].format(row["title"]), answerable=False, kind="absent")


def _largest(generation: Generation) -> list[dict[str, Any]]:
    rows = generation.table("entities", ["title", "type", "degree", "chunk_ids"]).to_pylist()
    rows = [row for row in rows if row["type"] not in ("", "CONCEPT") and row["chunk_ids"]]
    return sorted(rows, key=lambda row: (-row["degree"], row["title"]))[:_LARGEST]
