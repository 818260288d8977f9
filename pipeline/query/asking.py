"""Answering one question over the tables of an index: spelling, history, the search, and what is said beside its answer."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from pipeline.base.errors import QuestionError, meant
from pipeline.base.settings import Settings
from pipeline.base.store import Generation
from pipeline.language.ledger import Ledger
from pipeline.language.service import LanguageService
from pipeline.query.answer import Answer, Piece, Step, Trace
from pipeline.query.conversation import History, Standing, in_language_of_texts, stand_alone
from pipeline.query.evidence.carrier import Carrier
from pipeline.query.evidence.closest_passages import ClosestPassages
from pipeline.query.evidence.confirmation import Confirmation
from pipeline.query.evidence.entity_linker import read
from pipeline.query.evidence.spelling import corrected, missing_words
from pipeline.query.failed_items import with_failed_items
from pipeline.query.lookups.row_followups import RowFollowUps
from pipeline.query.method import Search, SearchCall
from pipeline.query.model_requests import Deadline
from pipeline.query.opened import OpenedTables
from pipeline.query.registry import SEARCHES


def chosen_search(question: str, method: str) -> Search:
    """Return the search called ``method``; QuestionError where there is none, or nothing is asked."""
    for name, given in (("question", question), ("method", method)):
        if not isinstance(given, str):
            raise QuestionError(
                f"the {name} is {given!r:.60}", "it must be a text", f"write the {name} in quotation marks"
            )
    if not question.strip():
        raise QuestionError("the question is empty", "there is nothing to look for", "write a question")
    if method not in SEARCHES:
        raise QuestionError(
            f"no search method {method!r}{meant(method.casefold(), SEARCHES, before=', ')}",
            f"the methods are {', '.join(SEARCHES)}",
            "name one of these",
        )
    return SEARCHES[method]


@dataclass(frozen=True)
class Asking:
    """What answers questions over one generation: its tables, the settings, and who listens."""

    generation: Generation
    opened: OpenedTables
    settings: Settings
    service: LanguageService
    watch: Callable[[Step], None] = lambda step: None
    listen: Callable[[Piece], None] | None = None
    left_out: tuple[str, ...] = ()
    """How many documents a condition leaves out because they have no such metadata, a sentence each."""

    def answer(self, question: str, method: str, history: History = ()) -> Answer:
        """Return the answer to a question that may follow others."""
        chosen = chosen_search(question, method)
        finder, service, spent = self.opened.finder, self.service, Ledger()
        if self.settings.language.embedding:
            finder = finder.entering(spent)
        rows = {name: self.opened.rows(name) for name in ("chunks", "documents", "entities")}
        carrier = (
            Carrier(rows["chunks"], rows["documents"], finder) if self.settings.search.check_support != "off" else None
        )
        trace = Trace(self.watch, self.listen, carrier)
        for note in self.left_out:
            trace.step("filter", note)
        before = service.ledger.mark()
        entities = self.opened.rows("entities")
        standing = Standing(question)
        if history:
            follow_ups = RowFollowUps(rows, finder, self.settings.search.chunks)
            standing = stand_alone(question, history, entities, service, trace, follow_ups)
        text = standing.text
        asked = read(text, entities, finder)
        words = missing_words(asked, finder, entities)
        near = {one.word: one.near for one in words if one.near}
        if near:
            asked = read(corrected(text, words), entities, finder)
            trace.step("spelling", f"asked as: {asked.text}", question=asked.text, replaced=near)
        if said := in_language_of_texts(asked, finder, service, trace):
            put, spoken = asked.text, asked.language
            asked = read(said, entities, finder)._replace(original=put, original_language=spoken)
            words = missing_words(asked, finder, entities)
        asked = asked._replace(follows=standing.follows)
        tables = {table.name: self.opened.rows(table.name) for table in chosen.tables}
        deadline = Deadline(self.settings.search.max_seconds)
        answer = chosen.run(SearchCall(asked, tables, finder, self.settings.search, service, trace))
        if carrier is not None:
            confirmation = Confirmation(
                carrier, rows["chunks"], rows["documents"], self.settings.search, service, trace
            )
            answer = confirmation.of(answer, deadline)
        usage = service.ledger.used(before)
        if not answer.supported:
            answer = ClosestPassages(finder, **rows).in_place_of(answer, asked, words)
        elif asked.is_mention_denied:
            pass  # the passages closest to the question mention it
        elif answer.sources and not answer.method.startswith("global") and not usage["calls"] and not usage["cached"]:
            answer = ClosestPassages(finder, **rows).beside(answer, asked)
        vectors = spent.used((0, 0))
        usage = {name: count + vectors[name] for name, count in usage.items() if name in vectors}
        spoken, suggestions = asked.answer_language, tuple(near.values())
        if answer.outcome != "answered":
            answer = replace(answer, coverage=answer.coverage.without_answer())
        answer = replace(
            answer,
            question=question,
            usage=usage,
            suggestions=suggestions,
            left_out=self.left_out,
            language=spoken,
        )
        answer = with_failed_items(answer, self.generation)
        trace.show(answer.text, whole=True)
        return answer
