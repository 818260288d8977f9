"""What every search returns: an outcome, text, numbered sources down to characters of a file, steps, and coverage."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, NamedTuple

from pipeline.base.task import NOT_SAID
from pipeline.query.messages import message
from pipeline.text.answering.support import Verdict
from pipeline.text.question.asking_words import question_language
from pipeline.text.quotes import shorten, without_line_marks
from pipeline.text.tokenizer import fold_word, words

QUOTE = 240
"""Characters of a quote that the text of an answer's sources shows."""
FIRST_WORDS = 80
"""Characters of a passage that a list of passages shows, one a line, where nothing else says what it is."""
Outcome = Literal["answered", "closest", "nothing"]
"""``answered``; ``closest``: no passage clearly answers, and the closest ones are shown; ``nothing``: no passage has
anything to do with the question."""


@dataclass(frozen=True)
class Source:
    """A passage that a sentence of the answer rests on, and where a reader finds it in the file."""

    number: int
    """The answer's text refers to it as [number]."""
    chunk_id: str
    document_id: str
    title: str
    file: str
    """Path relative to the input folder."""
    start: int
    end: int
    """Characters, from 0 on, of the decoded file, or of the text of what ``within`` names and what follows it."""
    quote: str
    heading: str = ""
    """What the passage is under: the document's title and the headings above it."""
    place: str = ""
    """Where in the file, for people: "line 41", "page 3", "paragraph 12", "record T-10003"; empty where it is not known."""
    page: int | None = None
    record: int | None = None
    """The number of a record of JSON, or its line in JSON Lines."""
    within: str = ""
    """What ``start`` and ``end`` count in, where that is not the file: "page 3", "paragraph 12", "table 1, row 2"."""
    index: str = ""
    """The name of its index, where several were asked."""
    by: str = ""
    """Who sent the mail that it is from, and when: "Jane Hill, 2024-03-04"; empty for what is no mail."""
    nearest: str = ""
    """Of a passage that stands for an answer, the sentence or row of it that is closest to the question; empty elsewhere."""

    @property
    def location(self) -> str:
        """The file and where in it, for people; of a mail with who sent it, and when."""
        file = f"{self.index}: {self.file}" if self.index else self.file
        place = f"{file}, {self.place}" if self.place else f"{file} {self.start}-{self.end}"
        return f"{place} ({self.by})" if self.by else place

    @property
    def as_read(self) -> str:
        """The quote on one line, without the marks of lines that a mail quotes."""
        flat = " ".join(self.quote.split())
        return without_line_marks(flat, self.quote) if self.by else flat

    @property
    def with_nearest(self) -> str:
        """The passage, below what is closest to the question in it, where it says more than that."""
        said = " ".join(self.nearest.split())
        return f"\u2192 {said}\n\n{self.quote}" if said and said != " ".join(self.quote.split()) else self.quote

    @property
    def called(self) -> str:
        """Where it is, and what it is under, unless the name of the file says that."""
        return ": ".join(filter(None, (self.location, self._under)))

    @property
    def in_a_line(self) -> str:
        """Where it is, and what it is under; its first words where the name of the file says that."""
        return f"{self.location}: {self._under or shorten(self.quote, FIRST_WORDS)}"

    @property
    def _under(self) -> str:
        name = self.heading or self.title
        return "" if _folded(name) in _folded(self.file) else name


@dataclass(frozen=True)
class Place:
    """A span of a chunk, or of a page from outside the corpus, whose address is then in ``chunk_id``."""

    chunk_id: str
    start: int
    end: int


class Ground(NamedTuple):
    """A note or point that a sentence was written from, the ids of the chunks behind it, and passages that it rests on."""

    text: str
    chunk_ids: tuple[str, ...]
    passages: tuple[Place, ...] = ()


Grounds = tuple[Ground, ...]
"""All that a sentence was written from."""
Carry = Callable[[str, Sequence[Place], Grounds], tuple[list[Place], float]]
"""From a sentence, what it cites, and what it was written from, to the spans that carry it, and how well they do, 0 to 1."""


@dataclass(frozen=True)
class Sentence:
    """A sentence of an answer: ``answer.text[start:end]``, a block of code among them, and the numbers of its sources."""

    start: int
    end: int
    sources: tuple[int, ...]
    asserts: bool = True
    """False for headings, lead-ins that end in a colon and questions, which need no source."""
    support: float | None = None
    """How well the words of its sources carry it, from 0 to 1; None where that is not checked (search.check_support)."""
    verdict: Verdict | None = None
    """Whether its sources support it, by a model or by ``support``; None where it asserts nothing, or is not checked."""
    note: str = ""
    """What is shown beside a heading and is no text of the corpus: in how many documents a theme recurs, and with what."""

    @property
    def is_unsupported(self) -> bool:
        """Whether it asserts something that no source carries."""
        return self.asserts and (not self.sources or self.verdict == "not supported")


@dataclass(frozen=True)
class Step:
    """One thing a search did, for those who watch or ask why."""

    name: str
    detail: str
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Piece:
    """Some of an answer's text, in the order of reading, its citations numbered as in the answer.

    Those from the last that ``begins`` on make up the answer's text. What was before it broke off and counts no longer.
    """

    text: str
    begins: bool = False


_PARTIAL = "partial: "


@dataclass(frozen=True)
class Coverage:
    """What share of the material that should have been looked at was, from 0 to 1, and in words."""

    share: float
    description: str

    def but(self, why: str, share: float = 1.0) -> "Coverage":
        """Return it as that of a partial answer, with ``why`` it is one, and ``share`` of its share."""
        return Coverage(self.share * share, f"{_PARTIAL}{self.description.removeprefix(_PARTIAL)}; {why}")

    def without_answer(self) -> "Coverage":
        """Return it as that of a search that found no answer, which rests on nothing."""
        return replace(self, description=self.description.replace("rests on ", "looked at ", 1))


def outcome_of(text: str, sources: Sequence[Source]) -> Outcome:
    """Return whether a text answers a question: not where it rests on no source, or says that the corpus does not say."""
    return "answered" if sources and not text.startswith(NOT_SAID) else "nothing"


@dataclass(frozen=True)
class Answer:
    """An answer. ``usage`` counts calls, tokens and cost.

    A search method sets ``outcome`` to "answered", or to "nothing" where it found no answer; ``Index.ask`` then looks
    for the closest passages, so that the contract is the same for every method.
    """

    question: str
    method: str
    text: str
    sources: tuple[Source, ...]
    steps: tuple[Step, ...]
    coverage: Coverage
    outcome: Outcome = "answered"
    closest: tuple[Source, ...] = ()
    """The passages closest to the question, best first: in place of an answer, or a few more beside one without a model."""
    missing: tuple[str, ...] = ()
    """Words and names of the question that the corpus does not hold anywhere; looked up where it was not answered."""
    suggestions: tuple[str, ...] = ()
    """Names of the corpus that one of them may be a misspelling of."""
    sentences: tuple[Sentence, ...] = ()
    removed_citations: int = 0
    usage: dict[str, float] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    """Where a condition chose the documents: how many it leaves out because they have no such metadata, a sentence each."""
    language: str = ""
    """The language of the notes and headings beside the text, ISO 639-1: that of the question, else that of the texts."""

    @property
    def heading_language(self) -> str:
        """The same, as the question alone shows it where no search has set it."""
        return self.language or question_language(self.question)

    @property
    def supported(self) -> bool:
        """Whether the corpus answers the question."""
        return self.outcome == "answered"

    @property
    def unsupported_sentences(self) -> tuple[str, ...]:
        """The sentences that assert something and have no source, or none that supports it."""
        bare = (self.text[s.start : s.end] for s in self.sentences if s.is_unsupported)
        return tuple(" ".join(sentence.split()) for sentence in bare)

    @property
    def text_with_notes(self) -> str:
        """The text with what is noted beside its headings, and without the marks of lines that a mail quotes, as people
        read it."""
        quotes = {source.number: source.quote for source in self.sources if source.by}
        parts: list[str] = []
        at = 0
        for one in self.sentences:
            said = self.text[at : one.end]
            for number in one.sources:
                said = without_line_marks(said, quotes.get(number, ""))
            parts.append(f"{said} ({one.note})" if one.note else said)
            at = one.end
        return "".join([*parts, self.text[at:]])

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        plain = asdict(self) | {"supported": self.supported, "text_with_notes": self.text_with_notes}
        return plain | {"unsupported_sentences": self.unsupported_sentences}

    def __str__(self) -> str:
        sources = self.sources_text()
        return f"{self.text_with_notes}\n\n{sources}" if sources else self.text_with_notes

    def __repr__(self) -> str:
        return f"<Answer by {self.method}: {self.outcome}, {len(self.sources)} sources, {shorten(self.text, FIRST_WORDS)!r}>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Print what IPython shows on a terminal."""
        printer.text(str(self))

    def sources_text(self, passages: bool = False) -> str:
        """Return what belongs below the text: the sources, one a line, and the closest passages, in full where they stand for
        an answer or where ``passages`` asks for it."""
        whole = passages or not self.sources
        closest = [
            f"{s.number}. " + (f"{s.called}\n{s.with_nearest}\n" if whole else s.in_a_line) for s in self.closest
        ]
        shown = "\n".join(closest).removesuffix("\n")
        if not self.sources:
            return shown
        language = self.heading_language
        lines = [
            message("sources", language),
            *(f"[{s.number}] {s.location}: {shorten(s.as_read, QUOTE)}" for s in self.sources),
        ]
        if shown:
            lines += ["", message("more", language), *([""] if whole else []), shown]
        return "\n".join(lines)

    def to_markdown(self) -> str:
        """Return the question, the answer and its sources as Markdown; no quote of a source is markup in it."""
        from pipeline.query.display.answer_markup import to_markdown

        return to_markdown(self)

    def _repr_html_(self) -> str:
        from pipeline.query.display.answer_markup import to_html

        return to_html(self)


def noted(answer: Answer, notes: Mapping[tuple[str, str], str]) -> Answer:
    """Return an answer with notes beside its headings, each of a heading and the document or passage that is cited below it, which
    tells equal headings apart; without one, of that heading above anything else."""
    headings = {heading for heading, _ in notes}
    about = {source.number: (source.document_id, source.chunk_id) for source in answer.sources}
    below: Sequence[str] = ()
    said = []
    for one in reversed(answer.sentences):
        heading = answer.text[one.start : one.end].strip("*").replace("\u2060", "")
        if heading in headings:
            ids = [id for id in (*below, "") if (heading, id) in notes]
            one, below = replace(one, note=notes[heading, ids[0]] if ids else ""), ()
        elif one.sources:
            below = about[one.sources[0]]
        said.append(one)
    return replace(answer, sentences=tuple(reversed(said)))


def _folded(text: str) -> str:
    return " ".join(fold_word(word) for part in text.split("_") for word in words(part))


class Trace:
    """The steps of one search as they happen, and its answer as it is written.

    ``watch`` is called with each step, ``listen`` with each piece of the answer's text; without it none are made.
    """

    def __init__(
        self,
        watch: Callable[[Step], None] = lambda step: None,
        listen: Callable[[Piece], None] | None = None,
        carry: Carry | None = None,
    ) -> None:
        self.carry = carry
        """What chooses the spans that carry each sentence of the answer; None where that is not checked."""
        self.steps: list[Step] = []
        self.shown = ""
        """The answer's text as listeners have it so far."""
        self._watch, self._listen = watch, listen

    @property
    def heard(self) -> bool:
        """Whether anybody listens."""
        return self._listen is not None

    def step(self, name: str, detail: str, **data: Any) -> None:
        """Enter a step."""
        step = Step(name, detail, data)
        self.steps.append(step)
        self._watch(step)

    def show(self, text: str, whole: bool = False) -> None:
        """Show what the answer's text is so far: what is new of it, or all of it again where it no longer begins as it did.

        ``whole`` says that no more will come. Until then a text that was shown before and is repeated is waited for, and
        that the corpus does not say is not shown: the closest passages will be in its place.
        """
        if self._listen is None or text == self.shown or (not whole and self.shown.startswith(text)):
            return
        if not whole and (text.startswith(NOT_SAID) or NOT_SAID.startswith(text)):
            return
        goes_on = bool(self.shown) and text.startswith(self.shown)
        piece = Piece(text[len(self.shown) :] if goes_on else text, not goes_on)
        self.shown = text
        self._listen(piece)
