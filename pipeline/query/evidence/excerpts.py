"""The answer that a search gives without a model: excerpts of the passages it found, word for word, each under its id."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise

import pyarrow.compute as pc

from pipeline.base.arrow.build import scalar
from pipeline.base.recent import Recent
from pipeline.base.store import Rows
from pipeline.base.task import NOT_SAID
from pipeline.documents.chunk_documents import with_documents
from pipeline.documents.places import PLACE_COLUMNS, column_labels
from pipeline.documents.table_rows import as_shown, parted
from pipeline.query.evidence.citations import FENCES, guarded
from pipeline.query.evidence.cited_context import Chunk, ChunkSpan, Offered, read_chunks
from pipeline.retrieval.chunk_search import Finder
from pipeline.text.answering.blocks import RULE, columns_above, units
from pipeline.text.answering.excerpt_selection import Selection, select
from pipeline.text.answering.kind_evidence import defines, says_what, subjects
from pipeline.text.answering.passage_units import Excerpt, PassageText, unquoted
from pipeline.text.dates import days_said, find_dates, is_day
from pipeline.text.keys import keys_of
from pipeline.text.metadata import CSV_HEADER, date_of, labels, mail_header, read_metadata, written_by
from pipeline.text.question.names import WORD
from pipeline.text.question.question import Question
from pipeline.text.question.scope.document_questions import as_of_mail, asked_header, asks_latest, without_latest
from pipeline.text.scripts import UNSPACED, is_unspaced
from pipeline.text.sentences import CELLS, split

DEFINES = 0.8
"""How surely a sentence says what something is for its chunk to be read for that."""
MOST_READ, DEFINING = 300, 4
"""Chunks that hold a name which are looked through for what it is, and those taken."""
RECENT = 16
"""Selections that are kept."""
SURE = 1.0
"""How surely a sentence must say what a name is to be printed beside an answer."""
ONWARD = 5
"""Chunks that are looked through for what a first excerpt leaves open."""
ASKS_FOR_PEOPLE = frozenset({"person", "definition"})


class Excerpts:
    """Chooses excerpts for one question; ``tables`` holds at least chunks, documents and entities by name. Entities say
    which names are persons; documents where reading put names of columns into a text."""

    def __init__(self, question: Question, tables: Mapping[str, Rows], finder: Finder) -> None:
        self._question, self._tables, self._finder = question, tables, finder
        self._entities = tables["entities"]

    def draft(
        self,
        passages: Sequence[PassageText],
        id_of: Callable[[PassageText], str],
        about: Sequence[str] = (),
        id_at: "IdAt | None" = None,
    ) -> str:
        """Return the answer from some passages, best first: excerpts, each with the id under which its passage is offered, and by
        ``id_at`` its span where the passage has its words elsewhere as well, or that the corpus does not say. A passage that was found on the way is offered like the others. With ``about`` the
        answer is taken from what speaks of these names, and behind it is what the passages say that each of them is.
        """
        selection = self.select(passages, about)
        if not selection.answered:
            return NOT_SAID
        every = [*passages, *selection.added]
        excerpts = [*selection.excerpts, *self._about(about, selection.excerpts, every)]
        ids = {place: id_of(every[place]) for place in sorted({one.passage for one in excerpts})}
        answer = written(excerpts, every, ids, self._labels, self._header, id_at)
        header = self._mail_header(every[excerpts[0].passage])
        return f"{guarded(header)}\n\n{answer}" if header else answer

    def _mail_header(self, passage: PassageText) -> str:
        """Return the line of a mail that answers a question on who sent it or when; empty where it asks for something else."""
        asked = asked_header(self._question)
        return mail_header(self._stored([passage]).get(passage.id), asked) if asked else ""

    def _stored(self, passages: Sequence[PassageText]) -> dict[str, str | None]:
        """Return the metadata of the documents of passages, by the passages' ids; of those that are of the corpus."""
        ids = [passage.id for passage in passages]
        rows = with_documents(ids, self._tables["chunks"], self._tables["documents"], (), ["metadata"])
        return {id: document["metadata"] for id, (_, document) in rows.items()}

    def _about(
        self, names: Sequence[str], printed: Sequence[Excerpt], passages: Sequence[PassageText]
    ) -> list[Excerpt]:
        """Return for each name the sentence that says best who or what it is, where none that is printed says it."""
        language = self._question.language
        found: list[Excerpt] = []
        for name in names:
            said = [passages[e.passage].text[e.start : e.end] for e in (*printed, *found)]
            if any(says_what(text, [name], language) >= SURE for text in said):
                continue
            sure = [
                Excerpt(number, *unit)
                for number, passage in enumerate(passages)
                for unit in units(passage.text)
                if unit.kind == "prose" and says_what(passage.text[unit.start : unit.end], [name], language) >= SURE
            ]
            found += sure[:1]
        return found

    def _labels(self, passage: PassageText, start: int, end: int) -> list[tuple[int, int]]:
        rows = with_documents([passage.id], self._tables["chunks"], self._tables["documents"], ["start"], PLACE_COLUMNS)
        if passage.id not in rows:  # a page from outside the corpus
            return []
        chunk, document = rows[passage.id]
        return column_labels(document, passage.text[start:end], chunk["start"] + start)

    def _header(self, passage: PassageText) -> str:
        return str(read_metadata(self._stored([passage]).get(passage.id)).get(CSV_HEADER, ""))

    def draft_from_chunks(
        self, chunks: Iterable[Chunk], offered: Offered, letter: str = "c", about: Sequence[str] = ()
    ) -> str:
        """Return the answer from some chunks, best first, which are offered under ids of a letter; see ``draft``."""
        passages = _passages(chunks)
        return self.draft(passages, lambda one: offered.chunk(one.id, one.text, letter), about, _offering(offered))

    def n_rows(self, chunks: Iterable[Chunk]) -> int:
        """Return how many rows of tables the excerpts of some chunks have among them, 0 where the likeliest is no row; the head of a table
        beside its rows is none."""
        passages = _passages(chunks)
        selection = self.select(passages)
        if selection.first != "row":
            return 0
        texts = [one.text for one in (*passages, *selection.added)]
        rows = [one for one in selection.excerpts if one.kind == "row"]
        heads = [one for one in rows if RULE.match(texts[one.passage][one.end :].lstrip("\n").partition("\n")[0])]
        return len(rows) - len(heads) or len(rows)

    def gives_cell(self, chunks: Iterable[Chunk]) -> bool:
        """Return whether what a question counts is a column of the table whose row is the likeliest, and this is the only one of its rows
        that says another word of the question: "how many watts has the kettle" in a table with a column of watts."""
        passages = _passages(chunks)
        selection = self.select(passages)
        texts = [one.text for one in (*passages, *selection.added)]
        counted = {self._question.terms[place].key for place in self._question.asked_for}
        if selection.first != "row" or not counted:
            return False
        passage, start, _ = selection.likely[0]
        text, language = texts[passage], self._question.language
        columns = columns_above(text, start)
        if not counted <= keys_of(columns, language):
            return False
        others = self._question.keys - counted
        every = units(text)
        block = next(one.block for one in every if one.start == start)
        rows = [one for one in every if one.block == block and columns_above(text, one.start) == columns]
        saying = [one.start for one in rows if others & keys_of(text[one.start : one.end], language)]
        return saying == [start]

    def draft_of_units(self, places: Sequence[ChunkSpan], offered: Offered) -> str:
        """Return rows of tables and other units, given by their chunks and spans, rows below the heads of their columns; of a span of
        more than that its first sentence, of one that is less the rest of its sentence."""
        chunks = list(dict.fromkeys(chunk for chunk, _, _ in places))
        excerpts: dict[Excerpt, None] = {}
        for chunk, start, end in places:
            number = chunks.index(chunk)
            every = [unit for unit in units(chunk.text) if unit.kind != "mark"]
            inside = [unit for unit in every if start <= unit.start and unit.end <= end]
            inside = inside or [unit._replace(start=start) for unit in every if unit.start < start < unit.end == end]
            said = [unit for unit in inside if unit.kind != "heading"][:1] or inside[:1]
            is_below = said and columns_above(chunk.text, said[0].start)
            head = (
                [unit for unit in every if unit.kind == "row" and unit.block == said[0].block][:1] if is_below else []
            )
            excerpts |= dict.fromkeys(Excerpt(number, *unit) for unit in (*head, *said))
        ids = {number: offered.chunk(chunk.id, chunk.text) for number, chunk in enumerate(chunks)}
        return written(list(excerpts), _passages(chunks), ids, self._labels, self._header, _offering(offered))

    def defining(self, read: Sequence[Chunk]) -> list[Chunk]:
        """Return chunks besides those read that say who or what the question's name or noun is, the surest first."""
        return read_chunks(self.chunks_that_define([one.id for one in read]), self._tables)

    def chunks_that_define(self, ids: Sequence[str]) -> list[str]:
        """Return chunks besides those that say who or what the question's name or noun is, the surest first; none where it asks
        for something else. A name that a long text holds everywhere is explained in few places, as is a word of a contract.
        """
        asked = self._question
        if "definition" not in asked.kinds:
            return []
        said = {word for subject in subjects(asked) for word in WORD.findall(subject) if not is_unspaced(word)}
        names = [term.word for term in asked.terms if term.name and term.word in said]
        found = (
            self._finder.holding(names, MOST_READ) if names else self._finder.holding_forms(sorted(said))[:MOST_READ]
        )
        others = [id for id in found if id not in ids]
        rows = self._tables["chunks"].by_id(others, ["text"])
        sure = {id: _surest(rows[id]["text"], asked) for id in others}
        return sorted((id for id in others if sure[id] >= DEFINES), key=lambda id: (-sure[id], others.index(id)))[
            :DEFINING
        ]

    def select(self, passages: Sequence[PassageText], about: Sequence[str] = ()) -> Selection:
        """Return the excerpts of some passages that answer the question best; of what speaks of ``about`` where it is given."""
        selections = self._entities.derived(_selections)
        key = self._question, tuple(passages), tuple(about)
        found = selections.get(key)
        if found is None:
            found = self._selected(passages, about)
            selections.put(key, found)
        return found

    def _selected(self, passages: Sequence[PassageText], about: Sequence[str]) -> Selection:
        people = self._entities.derived(_people) if ASKS_FOR_PEOPLE.intersection(self._question.kinds) else frozenset()
        given = self._described(passages)
        is_of_mail = bool(given) and bool(self._mail_header(given[0]))
        question = as_of_mail(self._question) if is_of_mail else self._question
        if asks_latest(question) and len({one.date for one in given if one.date}) > 1:
            question = without_latest(question)
        forms = {form for one in self._question.entities if one.written in about for form in (one.title, *one.aliases)}
        known = self._entities.derived(_unmarked)
        return select(question, given, people, known=known, onward=self._onward, about=forms.union(about))

    def spans(self, passages: Sequence[PassageText]) -> dict[str, tuple[int, int]]:
        """Return the passages in which something speaks of the question, the closest first: by id, the span that does, of a table the
        row that says most of it."""
        selection = self.select(passages)
        every = [*passages, *selection.added]
        found: dict[str, list[Excerpt]] = {}
        for one in selection.excerpts:
            found.setdefault(every[one.passage].id, []).append(one)
        texts = {one.id: one.text for one in every}

        closest = {id: self._closest(texts[id], own) for id, own in found.items()}
        return {id: (one.start, one.end) for id, one in closest.items()}

    def likely(self, passages: Sequence[PassageText]) -> dict[str, dict[int, float]]:
        """Return how likely each unit of some passages answers the question, as a share of all: by the passage's id, then by where the
        unit starts in it."""
        found: dict[str, dict[int, float]] = {one.id: {} for one in passages}
        for number, start, share in self.select(passages).likely:
            found[passages[number].id][start] = share
        return found

    def _closest(self, text: str, excerpts: Sequence[Excerpt]) -> Excerpt:
        """Return the first of some excerpts of a text, or, where that is a row, the row that meets most of the question."""
        rows = [one for one in excerpts if one.kind == "row"] if excerpts[0].kind == "row" else excerpts[:1]
        return max(rows, key=lambda one: self._question.share(self._question.met_by(text[one.start : one.end])))

    def _onward(self, words: Sequence[str]) -> list[PassageText]:
        ids = [hit.chunk_id for hit in self._finder.find([" ".join(words)], ONWARD)[0]]
        return self._described(_passages(read_chunks(ids, self._tables)))

    def _described(self, passages: Sequence[PassageText]) -> list[PassageText]:
        """Return passages with what their documents' metadata say in their titles, a customer, a status, and with who wrote them."""
        stored = self._stored(passages)
        asked = days_said(self._question.text)
        described = []
        for one in passages:
            given = stored.get(one.id)
            days = [said for said in asked if is_day(said, date_of(given))]
            title = " ".join(filter(None, (one.title, labels(given), *days)))
            date = _day(one.title, given) if asks_latest(self._question) else ""
            described.append(one._replace(title=title, by=written_by(given), date=date))
        return described


def _passages(chunks: Iterable[Chunk]) -> list[PassageText]:
    return [PassageText(chunk.id, chunk.anchor, chunk.text) for chunk in chunks]


def _day(title: str, metadata: str | None) -> str:
    """Return the day of a document by its metadata, else by its title; empty where neither has one."""
    return date_of(metadata) or next((one.first for one in find_dates(title) if one.first == one.last), "")


def _selections(entities: Rows) -> Recent[tuple[Question, tuple[PassageText, ...], tuple[str, ...]], Selection]:
    """Return what keeps the excerpts that were chosen last: an answer, and the closest passages in its place, choose from the
    same."""
    return Recent(RECENT)


def _unmarked(entities: Rows) -> frozenset[str]:
    """The names of the index in scripts that do not mark names."""
    titles = entities.column("title")
    unspaced = pc.match_substring_regex(titles, f"^[{UNSPACED}].")
    return frozenset(titles.filter(unspaced).to_pylist())


def _people(entities: Rows) -> frozenset[str]:
    table = entities.table(["title", "type"])
    return frozenset(table.filter(pc.equal(table["type"], scalar("PERSON")))["title"].to_pylist())


def _surest(text: str, asked: Question) -> float:
    """Return how surely a chunk says what is asked about: a sentence of it, or what is below its name."""
    every = units(text)
    for above, below in pairwise(every):
        is_section = above.kind == "heading" and below.kind not in ("heading", "mark")
        if is_section and asked.is_named_by(text[above.start : above.end]):
            return 1.0
    return max((defines(text[start:end], asked) for start, end in split(text)), default=0.0)


IdAt = Callable[[PassageText, int, int], str]
"""From a span of a passage to the id under which it is offered by itself."""


def _offering(offered: Offered) -> IdAt:
    return lambda passage, start, end: offered.strip(passage.id, start, passage.text[start:end])


def written(
    excerpts: Sequence[Excerpt],
    passages: Sequence[PassageText],
    ids: Mapping[int, str],
    labels: Callable[[PassageText, int, int], Sequence[tuple[int, int]]] = lambda passage, start, end: (),
    header: Callable[[PassageText], str] = lambda passage: "",
    id_at: IdAt | None = None,
) -> str:
    """Return excerpts one after the other, each with the id of its passage: sentences of a paragraph in one line, items,
    rows and code in lines of their own. Each sentence of an item has the id: it is cited by itself. What a passage says in the same
    words at another place, "Default: no.", has by ``id_at`` the id of its span.

    ``labels`` gives the stretches of a span that are names of columns which reading put before the cells of a row. They are
    printed as a row of their own, above the first row that has them. ``header`` is the first row of the passage's file, where it
    has one.
    """
    parts: list[str] = []
    before: Excerpt | None = None
    above = ""
    for one in excerpts:
        text, id = passages[one.passage].text[one.start : one.end], ids[one.passage]
        block = (one.passage, one.block)
        same = before is not None and (before.passage, before.block) == block
        parts.append("" if before is None else " " if same and one.kind == "prose" else "\n")
        names, text = parted(text, labels(passages[one.passage], one.start, one.end))
        if names and one.kind == "row":
            head, text = as_shown(header(passages[one.passage]), names, text)
            parts.append("" if same or head == above else f"{guarded(head)} [{id}]\n")
            above = head
        else:
            above = ""
        is_code = one.kind == "code"
        text = text if is_code else unquoted(text)
        shown = text if is_code else CELLS.join(" ".join(cell.split()) for cell in text.split(CELLS))
        said = [shown[start:end] for start, end in split(shown)] if one.kind == "item" else [shown]
        if id_at and any(passages[one.passage].text.count(part) > 1 for part in said):
            id = id_at(passages[one.passage], one.start, one.end)
        parts.append(
            " ".join(f"{guarded(part, is_code)}{chr(10) if part.endswith(FENCES) else ' '}[{id}]" for part in said)
        )
        before = one
    return "".join(parts)
