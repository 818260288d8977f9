"""Sentences of a corpus that questions can be made from: what is said of whom, when, and where it is."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from pipeline.base.ids import content_id
from pipeline.base.store import Generation
from pipeline.query.evaluation.eval_questions import ExpectedPassage
from pipeline.text.lexicon.words import read_json
from pipeline.text.scripts import words_of
from pipeline.text.tokenizer import words

CHUNKS_A_QUESTION = 40
"""Chunks that are looked at for each question wanted: about one statement in ten serves."""
SHORTEST, LONGEST = 5, 40
"""Words of a statement."""


class NamedThing(NamedTuple):
    """A name in a statement: its title, its type, and its characters."""

    title: str
    type: str
    start: int
    end: int


class Statement(NamedTuple):
    """A sentence of one line that is understood alone; ``passage`` says where it is."""

    text: str
    language: str
    names: tuple[NamedThing, ...]
    dates: tuple[tuple[int, int], ...]
    """Characters of its dates, in order."""
    chunk_id: str
    passage: ExpectedPassage

    def without_article(self, place: int) -> str:
        """Return the text before ``place`` without an article at its end."""
        before = self.text[:place].rstrip()
        head, _, last = before.rpartition(" ")
        return head if last.casefold() in words_of(self.language).determiners else before


def sampled_statements(generation: Generation, wanted: int, seed: int) -> list[Statement]:
    """Return statements of some chunks, the same for the same texts and seed, those of one document apart from each other.

    Chunks overlap: of a sentence that two of them hold, one is taken.
    """
    chunks = sampled_chunks(generation, wanted * CHUNKS_A_QUESTION, seed)
    by_chunk = {row["id"]: row for row in chunks}
    types = dict(generation.values("vocabulary", "title", "type"))
    files = document_names(generation)
    found: dict[tuple[str, int], Statement] = {}
    for sentence in _sentences_of(generation, by_chunk.keys()):
        chunk = by_chunk[sentence["chunk_id"]]
        statement = _statement(sentence, chunk, files[chunk["document_id"]], types)
        if statement:
            found.setdefault((chunk["document_id"], statement.passage.start), statement)
    return spread(list(found.values()), lambda one: one.passage.document, seed)


def sampled_chunks(generation: Generation, most: int, seed: int) -> list[dict[str, Any]]:
    """Return at most so many chunks (id, document_id, start, text), drawn from all documents in turn."""
    pairs = list(generation.values("chunks", "id", "document_id"))
    drawn = {id for id, _ in spread(pairs, lambda pair: pair[1], seed)[:most]}
    table = generation.rows("chunks").by_id(drawn, ["document_id", "start", "text"])
    return [table[id] for id, _ in pairs if id in drawn]


def spread(items: Iterable[Any], group: Any, seed: int) -> list[Any]:
    """Return items in an order that takes one of each group in turn and is otherwise drawn by ``seed``."""
    drawn = sorted(items, key=lambda item: content_id(seed, item))
    taken: dict[Any, int] = {}
    placed = []
    for item in drawn:
        rank = taken[group(item)] = taken.get(group(item), -1) + 1
        placed.append((rank, item))
    return [item for _, item in sorted(placed, key=lambda one: one[0])]


def document_names(generation: Generation) -> dict[str, str]:
    """Return what names each document in a question set, by its id: its file, or the id where a file holds several."""
    sources = dict(generation.values("documents", "id", "source"))
    counts: dict[str, int] = {}
    for source in sources.values():
        counts[source] = counts.get(source, 0) + 1
    return {id: source if counts[source] == 1 else id for id, source in sources.items()}


def question_words() -> dict[str, dict[str, Any]]:
    """Return what makes statements questions, by language."""
    return read_json(__package__, "question_words")


def _statement(
    sentence: dict[str, Any], chunk: dict[str, Any], document: str, types: dict[str, str]
) -> Statement | None:
    """Return a sentence as a statement; None where it is a heading, part of a list, quotes, asks, or points elsewhere."""
    start, end = sentence["start"], sentence["end"]
    text = chunk["text"][start:end]
    forms = question_words().get(sentence["language"])
    said = [word.casefold() for word in words(text)]
    if (
        forms is None
        or not text.endswith((".", "。"))
        or not text[:1].isalnum()
        or any(char in text for char in '\n"“„«')
    ):
        return None
    if not SHORTEST <= len(said) <= LONGEST or set(forms["pronouns"].split()) & set(said):
        return None
    mentions = zip(sentence["titles"], sentence["starts"], sentence["ends"], sentence["roles"], strict=True)
    names = tuple(
        NamedThing(title, types.get(title, ""), at - start, to - start) for title, at, to, role in mentions if not role
    )
    spans = zip(sentence["date_starts"], sentence["date_ends"], strict=True)
    dates = tuple((at - start, to - start) for at, to in spans)
    begin = chunk["start"] + start
    passage = ExpectedPassage(document, begin, begin + len(text), text)
    return Statement(text, sentence["language"], names, dates, chunk["id"], passage)


def _sentences_of(generation: Generation, chunk_ids: Iterable[str]) -> Iterator[dict[str, Any]]:
    wanted = set(chunk_ids)
    for batch in generation.rows("sentences").batches(rows=16_384):
        for row, id in enumerate(batch["chunk_id"].to_pylist()):
            if id in wanted:
                yield batch.slice(row, 1).to_pylist()[0]
