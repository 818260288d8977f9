"""The answer that a search gives without a model: excerpts of the passages it found, word for word, each under its id."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

import pyarrow.compute as pc

from pipeline.base.arrow.build import scalar
from pipeline.base.store import Rows
from pipeline.base.task import NOT_SAID
from pipeline.query.evidence.citations import guarded
from pipeline.query.evidence.cited_context import Chunk, Offered
from pipeline.query.evidence.known_names import known_names
from pipeline.query.evidence.question_entities import named_entities, proper
from pipeline.retrieval.chunk_search import Finder
from pipeline.text.answering.excerpt_selection import Excerpt, PassageText, Selection, defines, select
from pipeline.text.answering.question_profile import Profile, profile
from pipeline.text.scripts import is_unspaced, language_of
from pipeline.text.sentences import split

MOST_READ, DEFINING = 300, 4
"""Chunks that hold a name which are looked through for what it is, and those taken."""
ASKS_FOR_PEOPLE = frozenset({"person", "definition"})


class Excerpts:
    """Chooses excerpts for one question; ``entities`` tell its names, and which names are persons."""

    def __init__(self, question: str, entities: Rows, finder: Finder) -> None:
        self._question, self._entities, self._finder = question, entities, finder

    def draft(self, passages: Sequence[PassageText], id_of: Callable[[PassageText], str]) -> str:
        """Return the answer from some passages, best first: excerpts, each with the id under which its passage is offered,
        or that the corpus does not say.
        """
        selection = self.select(passages)
        if not selection.answered:
            return NOT_SAID
        used = {one.passage for one in selection.excerpts}
        ids = {place: id_of(passages[place]) for place in sorted(used)}
        return written(selection.excerpts, passages, ids)

    def draft_from_chunks(self, chunks: Iterable[Chunk], offered: Offered) -> str:
        """Return the answer from some chunks, best first."""
        passages = [PassageText(chunk.id, chunk.anchor, chunk.text) for chunk in chunks]
        return self.draft(passages, lambda passage: offered.chunk(passage.id, passage.text))

    def chunks_that_define(self, chunks: Rows, ids: Sequence[str]) -> list[str]:
        """Return chunks besides those that say who or what the question's name is, the surest first; none where it asks
        for something else. A name that a long text holds everywhere is explained in few places.
        """
        asked = self.profile("und")
        names = [term.word for term in asked.terms if term.name and not is_unspaced(term.word)]
        if "definition" not in asked.kinds or not names:
            return []
        others = [id for id in self._finder.holding(names, MOST_READ) if id not in ids]
        rows = chunks.by_id(others, ["text"])
        sure = {id: _surest(rows[id]["text"], asked) for id in others}
        return sorted((id for id in others if sure[id] >= 1), key=lambda id: (-sure[id], others.index(id)))[:DEFINING]

    def select(self, passages: Sequence[PassageText]) -> Selection:
        """Return the excerpts of some passages that answer the question best."""
        asked = self.profile(language_of(passages[0].text) if passages else "und")
        return select(asked, passages, self._people if ASKS_FOR_PEOPLE.intersection(asked.kinds) else frozenset())

    def profile(self, corpus_language: str) -> Profile:
        """Return the question as its sentences are measured by it."""
        known: Mapping[str, Sequence[str]] = known_names(self._question, self._entities)
        named = [one for one in named_entities(self._question, self._entities) if proper(one.title)]
        known = {**known, **{one.written: (one.title,) for one in named if is_unspaced(one.written)}}
        return profile(self._question, known, self._finder.rarity, corpus_language)

    @cached_property
    def _people(self) -> frozenset[str]:
        table = self._entities.table(["title", "type"])
        return frozenset(table.filter(pc.equal(table["type"], scalar("PERSON")))["title"].to_pylist())


def _surest(text: str, asked: Profile) -> float:
    return max((defines(text[start:end], asked) for start, end in split(text)), default=0.0)


def written(excerpts: Sequence[Excerpt], passages: Sequence[PassageText], ids: Mapping[int, str]) -> str:
    """Return excerpts one after the other, each with the id of its passage: sentences of a paragraph in one line, items,
    rows and code in lines of their own."""
    parts: list[str] = []
    before: Excerpt | None = None
    for one in excerpts:
        text = passages[one.passage].text[one.start : one.end]
        beside = (
            before is not None and (one.passage, one.block) == (before.passage, before.block) and one.kind == "prose"
        )
        parts.append("" if before is None else " " if beside else "\n")
        if one.kind == "code":
            parts.append(f"{guarded(text)}\n[{ids[one.passage]}]")
        else:
            parts.append(f"{guarded(' '.join(text.split()))} [{ids[one.passage]}]")
        before = one
    return "".join(parts)
