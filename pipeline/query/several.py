"""Several indexes asked at once: each answers from its own texts, and the answers become one whose sources say which."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.base.errors import QuestionError
from pipeline.query.answer import Answer, Coverage, Piece, Sentence, Source, Step
from pipeline.query.events import Emit, Event, events
from pipeline.query.evidence.closest_passages import not_found
from pipeline.query.index import Index
from pipeline.query.messages import message
from pipeline.query.method_names import DEFAULT_METHOD, Method
from pipeline.query.model_requests import or_without_model
from pipeline.text.answering.source_numbers import SOURCE_NUMBER
from pipeline.text.question.reading import read_question

if TYPE_CHECKING:
    from pipeline.language.service import LanguageService
    from pipeline.query.conversation import History


class Indexes:
    """Several indexes by name, to be asked as one."""

    def __init__(self, indexes: Mapping[str, Index]) -> None:
        if not indexes:
            raise QuestionError("no index is given", "there is nothing to ask", "give at least one")
        self.indexes = dict(indexes)

    @classmethod
    def open(cls, *paths: str | Path) -> "Indexes":
        """Open the indexes of projects or output folders, each named after its project's folder."""
        return cls(named_after_folders([Index.open(path) for path in paths]))

    def ask(
        self,
        question: str,
        method: Method = DEFAULT_METHOD,
        *,
        history: "History" = (),
        watch: Callable[[Step], None] = lambda step: None,
        listen: Callable[[Piece], None] | None = None,
        language: "Mapping[str, LanguageService] | None" = None,
        where: str | None = None,
    ) -> Answer:
        """Ask each index, and return one answer: a part under the name of each index that answers, its sources numbered
        through and naming their index. Where only one answers, its answer is the whole; where none does, the closest
        passages of all are shown.

        Options are those of ``Index.ask``; ``language`` holds a service for each index by name.
        """
        answers = {}
        for name, index in self.indexes.items():

            def named(step: Step, name: str = name) -> None:
                watch(replace(step, detail=f"{name}: {step.detail}"))

            service = language[name] if language else None
            answers[name] = index.ask(question, method, history=history, watch=named, language=service, where=where)
        answer = joined(question, answers)
        if listen is not None:
            listen(Piece(answer.text, begins=True))
        return answer

    def stream(
        self,
        question: str,
        method: Method = DEFAULT_METHOD,
        *,
        history: "History" = (),
        language: "Mapping[str, LanguageService] | None" = None,
        where: str | None = None,
    ) -> Iterator[Event]:
        """Yield the steps of all searches as they happen, the joined text, and the ``Answer``."""

        def ask(emit: Emit) -> Answer:
            return self.ask(question, method, history=history, watch=emit, listen=emit, language=language, where=where)

        return events(ask)

    def open_services(self, stack: ExitStack) -> "dict[str, LanguageService]":
        """Return the language service of each index by name; ``stack`` closes them."""
        with or_without_model():
            services = {name: index.open_service() for name, index in self.indexes.items()}
        for service in services.values():
            stack.callback(service.close)
        return services


def named_after_folders(indexes: Sequence[Index]) -> dict[str, Index]:
    """Return indexes by the names of their projects' folders, the second of a name with its number."""
    named: dict[str, Index] = {}
    for index in indexes:
        folder = index.root.resolve().name or "index"
        number = sum(name == folder or name.startswith(f"{folder} ") for name in named)
        named[f"{folder} {number + 1}" if number else folder] = index
    return named


def joined(question: str, answers: Mapping[str, Answer]) -> Answer:
    """Return the answers of several indexes, by name, as one."""
    found = {name: answer for name, answer in answers.items() if answer.supported}
    used = found or {name: answer for name, answer in answers.items() if answer.closest} or dict(answers)
    first = next(iter(used.values()))
    text, sentences, sources, closest = "", list[Sentence](), list[Source](), list[Source]()
    for name, answer in used.items():
        head = f"## {name}\n\n" if len(found) > 1 else ""
        if found:
            text += ("\n\n" if text else "") + head
            part, moved = _renumbered(answer, len(sources), len(text))
            text += part
            sentences += moved
        more, shown = len(sources), len(closest)
        sources += (replace(one, number=one.number + more, index=name) for one in answer.sources)
        closest += (replace(one, number=shown + place, index=name) for place, one in enumerate(answer.closest, 1))
    shares = [answer.coverage.share for answer in answers.values()]
    descriptions = "; ".join(f"{name}: {answer.coverage.description}" for name, answer in answers.items())
    missing = _in_all(answer.missing for answer in answers.values())
    near = tuple(dict.fromkeys(one for answer in answers.values() for one in answer.suggestions))
    if not found:  # each index speaks of its own texts: what one of them has is not missing
        language = read_question(question).answer_language
        near = near if missing or all(answer.suggestions for answer in answers.values()) else ()
        is_foreign = all(message("foreign", language) in answer.text for answer in answers.values())
        text = not_found(language, bool(closest), missing, near, is_foreign)
    usages = [answer.usage for answer in answers.values()]
    kinds = dict.fromkeys(kind for usage in usages for kind in usage)
    return replace(
        first,
        question=question,
        method=", ".join(dict.fromkeys(answer.method for answer in used.values())),
        text=text,
        sentences=tuple(sentences),
        sources=tuple(sources),
        closest=tuple(closest),
        steps=tuple(replace(s, detail=f"{name}: {s.detail}") for name, a in answers.items() for s in a.steps),
        coverage=Coverage(sum(shares) / len(shares), descriptions),
        missing=missing,
        suggestions=near,
        left_out=tuple(f"{name}: {note}" for name, answer in answers.items() for note in answer.left_out),
        removed_citations=sum(answer.removed_citations for answer in used.values()),
        usage={kind: sum(usage[kind] for usage in usages) for kind in kinds if all(kind in usage for usage in usages)},
    )


def _in_all(some: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    first, *others = some
    return tuple(one for one in first if all(one in other for other in others))


def _renumbered(answer: Answer, more: int, at: int) -> tuple[str, list[Sentence]]:
    """Return an answer's text with the numbers of its sources raised by ``more``, and its sentences where they are then,
    the text beginning at ``at`` of the whole."""
    known = {source.number for source in answer.sources}
    text, end = "", 0
    moves = [(0, at)]  # from which position of the answer's text on it is moved, and by how much
    for cited in SOURCE_NUMBER.finditer(answer.text):
        if int(cited[1]) in known:
            text += answer.text[end : cited.start()] + f"[{int(cited[1]) + more}]"
            end = cited.end()
            moves.append((end, at + len(text) - end))
    text += answer.text[end:]

    def moved(place: int) -> int:
        return place + next(by for start, by in reversed(moves) if start <= place)

    sentences = [
        replace(
            one,
            start=moved(one.start),
            end=moved(one.end),
            sources=tuple(number + more for number in one.sources),
        )
        for one in answer.sentences
    ]
    return text, sentences
