"""The statements that found chunks make, measured against a question: what an answer without a model is picked from."""

import re
from collections.abc import Callable, Mapping, Sequence

from pipeline.base.store import Rows
from pipeline.language.tasks.search.answer_from_passages import Statements, Told
from pipeline.query.evidence.known_names import known_names, types_of
from pipeline.query.reader.fact_graph import FactGraph
from pipeline.retrieval.chunk_search import Finder, Passage
from pipeline.text.answering.sentence_selection import ADDS, Statement, pick
from pipeline.text.extraction.self_contained import CLOSED, QUESTION
from pipeline.text.lexicon.words import listed
from pipeline.text.near_words import base
from pipeline.text.question.terms import Wanted, names_in, want, weighed

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
_WORD = re.compile(r"[^\W_]+")
_ANALYSIS = frozenset(
    base(word)
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

    def __init__(self, question: str, tables: Mapping[str, Rows], finder: Finder) -> None:
        self.question, self._finder, self._entities = question, finder, tables["entities"]
        self.graph = FactGraph(tables["facts"], tables["key_elements"], tables["chunks"])
        wanted = want(question, known_names(question, tables["entities"]))
        wanted = weighed(wanted, *self.graph.frequencies([term.base for term in wanted.terms]))
        light = _ANALYSIS | {base("play")} if _PART.search(question) else _ANALYSIS
        weights = zip(wanted.terms, wanted.weights, strict=True)
        lighter = tuple(round(w * LIGHT, 6) if not t.name and t.base in light else w for t, w in weights)
        self.wanted: Wanted = wanted._replace(weights=lighter)
        told = {term.base for term in wanted.terms if term.name or term.base not in light}
        self._close: dict[tuple[str, str], float] = {}
        self._core = " ".join(word for word in _WORD.findall(question) if base(word) in told) or question

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
        for passage in self._finder.passages(self.question, bare, PER_CHUNK * len(bare)) if bare else ():
            text = " ".join(passage.text.split())
            if is_whole(text):
                title = self.graph.title_of(passage.chunk_id)
                found[passage.chunk_id].append(Told(passage.chunk_id, text, title))
        return found

    def statements(self, told: Sequence[Told], n_words: int) -> Statements:
        """Return the CLOSEST statements with how strongly those that would be picked support an answer."""
        bare = self.unweighed(told, CLOSEST)
        picked = pick(self.wanted, [Statement(o.text, o.title, 1) for o in bare.told], dict(bare.types), n_words)
        return bare._replace(strength=self._strength([bare.told[place] for place in picked.places]))

    def unweighed(self, told: Sequence[Told], k: int) -> Statements:
        """Return the ``k`` statements closest to the question, in their order, with the types of their names: enough for
        an answer on the way, which need not say whether the question is answered.
        """
        order = sorted(range(len(told)), key=lambda place: (-self._closeness(told[place]), place))
        kept = tuple(told[place] for place in sorted(order[:k]))
        types = types_of((name for one in kept for name in names_in(one.text)), self._entities)
        return Statements(kept, self.wanted, 0.0, types)

    def support(self, told: Sequence[Told]) -> float:
        """Return how far the best TOGETHER of some statements support an answer, 0 to 1.

        It is the mean of two measures, as for a whole answer: the share of the question's weight that they meet by
        ``Wanted``, words of near sense included, and the share that they meet by ``Finder.strength``.
        """
        shown = [Statement(one.text, one.title, 1) for one in told]
        picked = pick(self.wanted, shown, {}, N_WORDS, TOGETHER)
        best = [told[place] for place in picked.places]
        return round((self.wanted.share(picked.met) + self._strength(best)) / 2, 6) if best else 0.0

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
            self._close[key] = self.wanted.closeness(one.text, one.title)
        return self._close[key]

    def _strength(self, told: Sequence[Told]) -> float:
        passages = [Passage(one.id, 0, len(one.text), one.text, 0.0) for one in told]
        return round(self._finder.strength(self._core, passages), 6)
