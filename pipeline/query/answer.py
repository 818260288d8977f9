"""What every search returns: text, numbered sources down to characters of a file, steps, and what it rests on."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from pipeline.base.task import NOT_SAID as NOT_SAID


@dataclass(frozen=True)
class Source:
    """A passage that a sentence of the answer rests on: ``document.text[start:end] == quote``."""

    number: int
    """The answer's text refers to it as [number]."""
    chunk_id: str
    document_id: str
    title: str
    file: str
    """Path relative to the input folder."""
    start: int
    end: int
    quote: str


@dataclass(frozen=True)
class Step:
    """One thing a search did, for those who watch or ask why."""

    name: str
    detail: str
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Piece:
    """Some of an answer's text, in the order of reading, its citations numbered as in the answer.

    Those from the last that ``begins`` on make up the answer's text. What stood before it broke off and counts no longer.
    """

    text: str
    begins: bool = False


@dataclass(frozen=True)
class Coverage:
    """What share of the material that should have been looked at was, from 0 to 1, and in words."""

    share: float
    told: str


@dataclass(frozen=True)
class Answer:
    """An answer. ``supported`` is False when the corpus does not say; ``usage`` counts calls, tokens and cost."""

    question: str
    method: str
    text: str
    sources: tuple[Source, ...]
    steps: tuple[Step, ...]
    coverage: Coverage
    supported: bool = True
    unsupported_sentences: tuple[str, ...] = ()
    removed_citations: int = 0
    usage: dict[str, float] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        sources = self.sources_text()
        return f"{self.text}\n\n{sources}" if sources else self.text

    def sources_text(self) -> str:
        """Return the sources, one a line under their heading; empty when there are none."""
        lines = [f"[{s.number}] {s.file} ({s.start}-{s.end}): {_shorten(s.quote)}" for s in self.sources]
        return "\n".join(["Sources", *lines]) if lines else ""

    def _repr_html_(self) -> str:
        from html import escape

        rows = "".join(
            f"<li value={s.number}><b>{escape(s.title)}</b> <code>{escape(s.file)} {s.start}-{s.end}</code> "
            f"<q>{escape(_shorten(s.quote))}</q></li>"
            for s in self.sources
        )
        paragraphs = "".join(f"<p>{escape(part)}</p>" for part in self.text.split("\n") if part.strip())
        return f"<div>{paragraphs}<ol>{rows}</ol><small>{escape(self.coverage.told)}</small></div>"


class Trace:
    """The steps of one search as they happen, and its answer as it is written.

    ``watch`` is called with each step, ``listen`` with each piece of the answer's text; without it none are made.
    """

    def __init__(
        self, watch: Callable[[Step], None] = lambda step: None, listen: Callable[[Piece], None] | None = None
    ) -> None:
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

        ``whole`` says that no more will come. Until then a text that was shown before and is repeated is waited for.
        """
        if self._listen is None or text == self.shown or (not whole and self.shown.startswith(text)):
            return
        goes_on = bool(self.shown) and text.startswith(self.shown)
        piece = Piece(text[len(self.shown) :] if goes_on else text, not goes_on)
        self.shown = text
        self._listen(piece)


def _shorten(quote: str, length: int = 240) -> str:
    flat = " ".join(quote.split())
    return flat if len(flat) <= length else flat[: length - 1].rstrip() + "…"
