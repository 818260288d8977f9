"""The passages closest to a question: in place of an answer that was not found, and beside one that no model wrote."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from pipeline.base.store import Rows
from pipeline.documents.chunk_documents import with_documents
from pipeline.query.answer import Answer, Outcome, Place, Source
from pipeline.query.evidence.citations import Sources
from pipeline.query.evidence.excerpts import Excerpts
from pipeline.query.evidence.spelling import MissingWord, worth_naming
from pipeline.query.messages import message
from pipeline.retrieval.chunk_search import Finder
from pipeline.text.answering.passage_units import PassageText
from pipeline.text.answering.windows import LENGTH, closest_window, likeliest_window
from pipeline.text.keys import alike, keys_of
from pipeline.text.metadata import labels
from pipeline.text.question.question import Question
from pipeline.text.sentences import split

NAMED, WORD = 12, 60
"""Words that are named as those which no passage holds, at most, and characters of one."""
CLOSEST = 5
"""Passages in place of an answer, and beside one."""
LOOKED_AT = 10
"""Chunks among which they are chosen."""
WIDEST = 2.0
"""How much longer passages may be where fewer than CLOSEST speak of the question."""
PRINTED = 0.5
"""Share of a passage that an answer must quote for the passage to be left out beside it."""
FIRST = 0.3
"""What the first place among the chunks found is worth, against the share of the question that a passage meets."""


def not_found(
    language: str,
    has_closest: bool,
    missing: tuple[str, ...],
    near: tuple[str, ...],
    is_foreign: bool,
    has_words: bool = True,
) -> str:
    """Return what is said in place of an answer: which words the corpus does not have, what they may be misspelt for, and what follows
    instead; of a question that does not have words to look for only that."""
    if not has_words:
        return message("no_words", language)
    named = tuple(word if len(word) <= WORD else f"{word[:WORD]}…" for word in missing[:NAMED])
    named = (*named, "…") if len(missing) > NAMED else named
    about = [message("missing", language, named)] if named else []
    about += [message("suggestion", language, near)] if near else []
    about += [message("foreign", language)] if is_foreign else []
    return " ".join([*about, message("closest", language)] if has_closest else [message("nothing", language), *about])


class ClosestPassages:
    """Finds them in one index."""

    def __init__(self, finder: Finder, chunks: Rows, documents: Rows, entities: Rows) -> None:
        self._finder, self._chunks, self._documents = finder, chunks, documents
        self._tables = {"chunks": chunks, "documents": documents, "entities": entities}

    def in_place_of(self, answer: Answer, question: Question, words: Sequence[MissingWord]) -> Answer:
        """Return an answer that was not found with the passages closest to ``question``, in the question's language.

        ``words`` are those of the question that the corpus does not hold; beside passages only those are named that
        are worth it. The outcome is "nothing" only where no passage speaks of anything that the question does. Where a
        question is in another language than the texts, the answer says so: its words say nothing of what they hold.
        """
        language = question.answer_language
        closest = self._find(question, around=True)
        missing = tuple(worth_naming(words, question) if closest else (one.word for one in words))
        near = tuple(dict.fromkeys(one.near for one in words if one.near))
        is_foreign = question.is_foreign_to(self._finder.language)
        text = not_found(language, bool(closest), missing, near, is_foreign, bool(closest or question.terms))
        outcome: Outcome = "closest" if closest else "nothing"
        return replace(answer, text=text, sources=(), outcome=outcome, closest=closest, missing=missing, sentences=())

    def beside(self, answer: Answer, question: Question) -> Answer:
        """Return an answer with a few more passages, of which it quotes less than PRINTED: what is around a quote may say more."""
        quoted = {(source.chunk_id, source.quote) for source in answer.sources}
        found = []
        for one in self._find(question):
            printed = sum(len(quote) for chunk, quote in quoted if chunk == one.chunk_id and quote in one.quote)
            if printed < PRINTED * len(one.quote):
                found.append(one)
        return replace(answer, closest=tuple(replace(one, number=n) for n, one in enumerate(found, 1)))

    def _find(self, question: Question, around: bool = False) -> tuple[Source, ...]:
        """Return CLOSEST passages: of the chunks found the part that is closest to the question; those ``around`` what speaks
        of it first, where that was not printed, with as much beside it as may answer."""
        ids = [hit.chunk_id for hit in self._finder.find([question.text], LOOKED_AT)[0]]
        rows = with_documents(ids, self._chunks, self._documents, ["text", "anchor"], ["metadata"])
        given = [PassageText(id, rows[id][0]["anchor"], rows[id][0]["text"]) for id in ids]
        excerpts = Excerpts(question, self._tables, self._finder)
        spans, likely = (excerpts.spans(given), excerpts.likely(given)) if around else ({}, {})
        texts = {one.id: one.text for one in given}
        texts |= {id: row["text"] for id, row in self._chunks.by_id(set(spans) - set(ids), ["text"]).items()}

        def weight(text: str) -> float:
            return question.share(question.met_by(text))

        speaking = sum(weight(text) > 0 for text in texts.values())
        length = round(LENGTH * min(max(CLOSEST / max(speaking, 1), 1), WIDEST))
        first = [
            Place(id, *likeliest_window(texts[id], span, likely.get(id, {}), length)) for id, span in spans.items()
        ]
        first = [one for one in first if weight(texts[one.chunk_id][one.start : one.end])]
        others = []
        for rank, id in enumerate(ids):
            start, end, value = closest_window(texts[id], question, length)
            chunk, document = rows[id]
            value = max(value, weight(f"{chunk['anchor']} {labels(document['metadata'])}"))
            if value > 0 and id not in spans:
                others.append((-(value + FIRST / (rank + 1)), rank, Place(id, start, end)))
        sources = Sources(self._chunks, self._documents)
        shown: list[frozenset[str]] = []
        nearest: list[str] = []
        for place in [*first, *(place for *_, place in sorted(others))]:
            keys = keys_of(texts[place.chunk_id][place.start : place.end], question.language)
            if len(shown) < CLOSEST and not any(alike(keys, other) for other in shown):
                shown.append(keys)
                sources.number(place)
                text = texts[place.chunk_id]
                nearest.append(_nearest(text, place, spans.get(place.chunk_id), weight) if around else "")
        return tuple(replace(one, nearest=said) for one, said in zip(sources.listed(), nearest, strict=True))


def _nearest(text: str, place: Place, span: tuple[int, int] | None, weight: Callable[[str], float]) -> str:
    """Return what is closest to a question in a passage of a text: the span that speaks of it, where one is known, else the sentence
    that weighs most, the first of equals; empty where none weighs anything."""
    if span:
        return text[slice(*span)]
    passage = text[place.start : place.end]
    best = max((passage[start:end] for start, end in split(passage)), key=weight, default="")
    return best if weight(best) else ""
