"""The statements that found chunks make, measured against a question: what an answer without a model is picked from."""

import re
from collections.abc import Callable, Mapping, Sequence

from pipeline.base.store import Rows
from pipeline.language.tasks.search.answer_from_passages import Statements, Told
from pipeline.query.evidence.entity_linker import types_of
from pipeline.query.reader.fact_graph import FactGraph
from pipeline.retrieval.chunk_search import Finder
from pipeline.text.answering.sentence_selection import ADDS, Statement, pick
from pipeline.text.extraction.self_contained import CLOSED, QUESTION
from pipeline.text.keys import key_of
from pipeline.text.lexicon.words import listed
from pipeline.text.question.names import names_in
from pipeline.text.question.question import Question

PER_CHUNK = 8
"""Sentences taken from a chunk of which no fact is kept."""
N_WORDS = 120
"""Words of the statements by which one chunk is measured."""
TOGETHER = 3
"""Statements by which one chunk is measured, at most."""
CLOSEST = 80
"""Statements among which an answer is picked: a search may read thousands, and picking weighs each against the others."""
LIGHT = 0.1
"""What a word of analysis weighs, as a share of its rarity: an answer to "what role did he play" holds neither word."""
_ANALYSIS = frozenset(
    key_of(word, "en")
    for word in listed(
        "role part change development develop evolve evolution fortune influence affect effect impact relation relationship",
        "connect connection compare comparison contrast differ difference similar reason cause consequence result matter",
        "significance significant importance important meaning view perceive account history background circumstance career",
        "figure feature aspect characteristic situation way",
    )
)
"""Words that say how an answer is to look at its subject, and that seldom are in it."""
_PART = re.compile(r"\b(?:role|part)\b.*\bplay(?:s|ed|ing)?\b|\bplay(?:s|ed|ing)?\b.*\b(?:role|part)\b", re.IGNORECASE)


def is_whole(text: str) -> bool:
    """Return whether a text on one line is a statement: no heading, fragment or question."""
    return bool(CLOSED.search(text)) and not QUESTION.search(text) and text[0] not in "#|" and not text[0].islower()


class Measured:
    """A question set against a corpus: its terms with their weights, and what chunks state of it.

    ``tables`` holds at least chunks, facts, key_elements and entities by name.
    """

    def __init__(self, question: Question, tables: Mapping[str, Rows], finder: Finder) -> None:
        self._finder, self._entities = finder, tables["entities"]
        self.graph = FactGraph(tables["facts"], tables["key_elements"], tables["chunks"])
        light = _ANALYSIS | {key_of("play", "en")} if _PART.search(question.text) else _ANALYSIS
        terms = (
            t._replace(weight=t.weight * LIGHT, held=True) if not t.name and t.key in light else t
            for t in question.terms
        )
        self.question = question._replace(terms=tuple(terms))
        self._close: dict[tuple[str, str], float] = {}

    def told(self, chunk_ids: Sequence[str], id_of: Callable[[str], str]) -> list[Told]:
        """Return what chunks state, each statement once, in the order of the chunks, under the ids ``id_of`` gives them."""
        found: dict[str, Told] = {}
        for chunk, some in self.told_by(chunk_ids).items():
            for one in some:
                found.setdefault(one.text, Told(id_of(chunk), one.text, one.title))
        return list(found.values())

    def told_by(self, chunk_ids: Sequence[str]) -> dict[str, list[Told]]:
        """Return what each chunk states, by chunk, under the chunk's own id.

        Facts can be read alone; of a chunk that has none the closest sentences are taken as they are.
        """
        found: dict[str, list[Told]] = {id: [] for id in chunk_ids}
        for fact in self.graph.facts_in(list(found)):
            text, title = self.graph.stated(fact)
            for id in fact.chunk_ids:
                if id in found:
                    found[id].append(Told(id, text, title or self.graph.title_of(id)))
        bare = [id for id, told in found.items() if not told]
        for passage in self._finder.passages(self.question.text, bare, PER_CHUNK * len(bare)) if bare else ():
            text = " ".join(passage.text.split())
            if is_whole(text):
                title = self.graph.title_of(passage.chunk_id)
                found[passage.chunk_id].append(Told(passage.chunk_id, text, title))
        return found

    def closest(self, told: Sequence[Told], k: int = CLOSEST) -> Statements:
        """Return the ``k`` statements closest to the question, in their order, with the types of their names."""
        order = sorted(range(len(told)), key=lambda place: (-self._closeness(told[place]), place))
        kept = tuple(told[place] for place in sorted(order[:k]))
        types = types_of((name for one in kept for name in names_in(one.text)), self._entities)
        return Statements(kept, self.question, types)

    def support(self, told: Sequence[Told]) -> float:
        """Return how far the best TOGETHER of some statements support an answer: the share of the question's weight that
        they meet, 0 to 1."""
        shown = [Statement(one.text, one.title, 1) for one in told]
        picked = pick(self.question, shown, {}, N_WORDS, TOGETHER)
        return round(self.question.share_of_one(picked.met), 6)

    def supports(self, told: Mapping[str, Sequence[Told]], least: float) -> dict[str, float]:
        """Return how far each document supports an answer, by its own statements or together with the best document's.

        The second half of an answer ("born in Mexico City") often shares no word with the question. Where the best
        document has ``least`` support, one that adds ADDS to it has at least ``least`` too.
        """
        own = {id: self.support(some) for id, some in told.items()}
        best = max(own, key=lambda id: own[id], default="")
        if not best or own[best] < least:
            return own
        joined = {id: self.support([*told[best], *some]) for id, some in told.items() if own[id] < least}
        return own | {id: least for id, share in joined.items() if share - own[best] >= ADDS}

    def _closeness(self, one: Told) -> float:
        key = (one.text, one.title)
        if key not in self._close:
            self._close[key] = self.question.closeness(one.text, one.title)
        return self._close[key]
