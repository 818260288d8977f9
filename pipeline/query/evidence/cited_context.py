"""What a search offers under short ids, and the answer over it: every id that is cited becomes a numbered passage."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pipeline.base.settings import SearchSettings
from pipeline.base.store import Rows
from pipeline.base.task import NOT_SAID, Prose, RequestT, Task
from pipeline.base.tokens import that_fit
from pipeline.documents.chunk_documents import with_documents
from pipeline.language.tasks.search.answer_from_passages import PassageShown, PassagesToAnswer, answer_from_passages
from pipeline.query.answer import Answer, Coverage, Place, Source, outcome_of
from pipeline.query.evidence.citations import Cited, Page, Sources, cite, nearest_sentence, place_sentence
from pipeline.query.method import SearchCall
from pipeline.query.model_requests import WITHOUT, write
from pipeline.query.streaming import Live
from pipeline.text.inflection import in_number
from pipeline.text.metadata import full_title

WORDS_PER_TOKEN = 0.75
ANSWER_TOKENS = 800
"""Length of an answer where settings give none."""
Resolver = Callable[[str], Place | None]
"""From the sentence that cites something to the passage behind it."""


@dataclass
class Offered:
    """Everything that one search offered so far. The same thing offered again keeps its id."""

    pages: list[Page] = field(default_factory=list)
    _ids: dict[tuple[str, str], str] = field(default_factory=dict)
    _resolvers: dict[str, Resolver] = field(default_factory=dict)
    _counts: Counter[str] = field(default_factory=Counter)

    def offer(self, letter: str, key: str, resolver: Resolver) -> str:
        """Return the id of what ``key`` names: the letter and a number."""
        if (letter, key) not in self._ids:
            self._counts[letter] += 1
            id = f"{letter}{self._counts[letter]}"
            self._ids[letter, key], self._resolvers[id] = id, resolver
        return self._ids[letter, key]

    def chunk(self, chunk_id: str, text: str, letter: str = "c") -> str:
        """Offer a chunk: a sentence that cites it rests on the sentence of the chunk closest to it."""
        return self.offer(letter, chunk_id, lambda sentence: place_in(sentence, [(chunk_id, text)]))

    def strip(self, source_id: str, start: int, text: str) -> str:
        """Offer a piece of a chunk, or of a page by its address, that begins at ``start``."""

        def resolver(sentence: str) -> Place | None:
            found = place_in(sentence, [(source_id, text)])
            return found and Place(source_id, start + found.start, start + found.end)

        return self.offer("s", f"{source_id} {start} {start + len(text)}", resolver)

    def resolve(self, id: str, sentence: str) -> Place | None:
        """Return the passage that a sentence citing ``id`` rests on."""
        return self._resolvers[id](sentence)

    def __contains__(self, id: object) -> bool:
        return id in self._resolvers

    def __iter__(self) -> Iterator[str]:
        return iter(self._resolvers)

    def __len__(self) -> int:
        return len(self._resolvers)


def place_in(sentence: str, texts: Sequence[tuple[str, str]]) -> Place | None:
    """Return where texts (id, text) say a sentence: word for word, or closest to it, or else the first as a whole."""
    found = place_sentence(sentence, texts) or nearest_sentence(sentence, texts)
    return found or (Place(texts[0][0], 0, len(texts[0][1])) if texts else None)


@dataclass(frozen=True)
class Chunk:
    """A chunk as searches read it; ``title`` is its anchor with the date of its document, as prompts show it, and ``start``
    and ``end`` say where in its document it is."""

    id: str
    anchor: str
    title: str
    text: str
    n_tokens: int
    document_id: str
    start: int
    end: int


ChunkSpan = tuple[Chunk, int, int]
"""A unit of a chunk, and its span there."""


def read_chunks(ids: Iterable[str], tables: Mapping[str, Rows]) -> list[Chunk]:
    """Return those chunks, each once, in the order given."""
    order = list(dict.fromkeys(ids))
    columns = ["anchor", "text", "n_tokens", "start", "end"]
    rows = with_documents(order, tables["chunks"], tables["documents"], columns, ["metadata"])
    found = [rows[id] for id in order if id in rows]
    return [Chunk(title=full_title(row["anchor"], about["metadata"]), **row) for row, about in found]


def chunks_by_document(documents: Iterable[str], tables: Mapping[str, Rows]) -> dict[str, list[tuple[str, int, int]]]:
    """Return the chunks of documents with their spans, in the order of the text; a document without a text has none."""
    wanted = set(documents)
    found: dict[str, list[tuple[str, int, int]]] = {}
    for id, document, start, end in tables["chunks"].values("id", "document_id", "start", "end"):
        if document in wanted:
            found.setdefault(document, []).append((id, start, end))
    return found


def read_closest(call: SearchCall) -> list[Chunk]:
    """Return the chunks closest to the question of a search, as many as its settings say, the closest first."""
    hits = call.finder.find([call.question.text], call.settings.chunks)[0]
    return read_chunks([hit.chunk_id for hit in hits], call.tables)


def fit(chunks: Sequence[Chunk], budget: float) -> list[Chunk]:
    """Return the first chunks that fit a budget of tokens together, at least one."""
    return that_fit(chunks, (chunk.n_tokens for chunk in chunks), budget)


def show_chunks(chunks: Iterable[Chunk], offered: Offered) -> list[PassageShown]:
    """Offer chunks and return them as a prompt shows them: what two of them share is shown once, in the earlier one."""
    chunks = list(chunks)
    shown = []
    for chunk in chunks:
        before = [
            one.end for one in chunks if one.document_id == chunk.document_id and one.start < chunk.start < one.end
        ]
        text = chunk.text[max(before, default=chunk.start) - chunk.start :]
        shown.append(PassageShown(offered.chunk(chunk.id, chunk.text), chunk.title, text))
    return shown


def closest_chunks(n_read: int, n_all: int) -> Coverage:
    """Return what an answer covers that rests on the chunks closest to the question."""
    if not n_read:
        return Coverage(1.0, f"none of {in_number(n_all, 'chunk')} has to do with the question")
    return Coverage(1.0, f"rests on the {in_number(n_read, 'chunk')} closest to the question, of {n_all:,}")


def n_words(settings: SearchSettings) -> int:
    """Return about how many words an answer may have."""
    return words_in_tokens(settings.answer_tokens or ANSWER_TOKENS)


def words_in_tokens(n_tokens: int) -> int:
    """Return about how many words so many tokens are."""
    return int(n_tokens * WORDS_PER_TOKEN)


def answer_of(
    call: SearchCall, method: str, cited: Cited, sources: tuple[Source, ...], coverage: Coverage, removed: int = 0
) -> Answer:
    """Return what a search has written as its answer; ``removed`` counts citations removed before it was written."""
    return Answer(
        question=call.question.put,
        method=method,
        text=cited.text,
        sources=sources,
        steps=tuple(call.trace.steps),
        coverage=coverage,
        outcome=outcome_of(cited.text, sources),
        sentences=cited.sentences,
        removed_citations=removed + cited.removed,
    )


@dataclass(frozen=True)
class Writer:
    """Has the answer of one search written, and follows what it cites."""

    call: SearchCall
    method: str
    offered: Offered

    def write(self, task: Task[RequestT, Prose], request: RequestT, coverage: Coverage, removed: int = 0) -> Answer:
        """Return the answer to ``request`` with its sources; without asking anyone where nothing was offered.

        ``removed`` counts ids that were cited on the way though not offered; those of the answer itself are added.
        """
        tables, trace, offered = self.call.tables, self.call.trace, self.offered
        if not len(offered):
            trace.step("answer", "nothing was found, so nobody was asked")
            return self.finish(NOT_SAID, coverage, removed)
        live = Live(trace, offered, offered.resolve, tables["chunks"], tables["documents"], offered.pages)
        text, by = write(task, request, self.call.language, live)
        trace.step("answer", f"written by {by}")
        if by.startswith(WITHOUT):
            coverage = coverage.but(f"the answer was written by {by}")
        return self.finish(text, coverage, removed)

    def from_passages(
        self, passages: Iterable[PassageShown], draft: str, coverage: Coverage, removed: int = 0
    ) -> Answer:
        """Return the answer from some passages; see ``write``. Without a model it is the draft."""
        question, words = self.call.question.put, n_words(self.call.settings)
        request = PassagesToAnswer("answer", question, tuple(passages), words, draft)
        return self.write(answer_from_passages, request, coverage, removed)

    def finish(self, text: str, coverage: Coverage, removed: int = 0) -> Answer:
        """Return a text as an answer whose ids are numbered sources."""
        tables, offered = self.call.tables, self.offered
        sources = Sources(tables["chunks"], tables["documents"], offered.pages, self.call.trace.carry)
        cited = cite(text, offered, offered.resolve, sources)
        return answer_of(self.call, self.method, cited, sources.listed(), coverage, removed)
