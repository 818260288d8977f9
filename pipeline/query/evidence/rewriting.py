"""An answer some of whose sentences are left out, revised or cite other passages, with the numbers of its sources in order."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from pipeline.query.answer import Answer, Sentence, Source
from pipeline.text.answering.source_numbers import renumbered, without_numbers
from pipeline.text.answering.support import Verdict
from pipeline.text.keys import keys_of
from pipeline.text.scripts import language_of

ENOUGH, REPEATED = 8, 0.85
"""Words of a passage, at least, and share of them in another one of its file, from which on it is not shown beside that."""
_MARKER = re.compile(r"\s*(?:[-*•]|\d+[.)])\s+")
"""What a line of a list begins with."""


class Rewritten(NamedTuple):
    """What becomes of one sentence; what is None stays as it is."""

    verdict: Verdict | None = None
    sources: tuple[Source, ...] | None = None
    text: str | None = None
    support: float | None = None
    dropped: bool = False


def rewritten(answer: Answer, changes: Mapping[int, Rewritten]) -> Answer:
    """Return an answer with ``changes`` by the position of its sentences; headings and lead-ins that led only to sentences that
    are left out go with them. Sources are numbered in the order of the text, those that nothing cites are left out.
    """
    kept = _kept(answer.sentences, {at for at, change in changes.items() if change.dropped})
    cited = {source.number: source for source in answer.sources}
    numbers: dict[tuple[object, ...], int] = {}
    sources: list[Source] = []

    def number(source: Source) -> int:
        key = passage_key(source)
        if key not in numbers:
            numbers[key] = len(numbers) + 1
            sources.append(replace(source, number=numbers[key]))
        return numbers[key]

    text = answer.text[: answer.sentences[0].start] if answer.sentences else answer.text
    sentences: list[Sentence] = []
    for at, one in enumerate(answer.sentences):
        until = answer.sentences[at + 1].start if at + 1 < len(answer.sentences) else len(answer.text)
        said, gap = answer.text[one.start : one.end], answer.text[one.end : until]
        if not kept[at]:
            if text and "\n" in gap and not text.endswith("\n"):
                text = text.rstrip(" ") + gap[gap.index("\n") :]
            continue
        change = changes.get(at, Rewritten())
        own = [cited[n] for n in one.sources] if change.sources is None else change.sources
        new = tuple(dict.fromkeys(map(number, own)))
        start = len(text)
        if change.sources is None and change.text is None:
            now = dict(zip(one.sources, map(number, own), strict=True))
            said = said if "```" in said else renumbered(said, now)  # a[1] is no citation in code
            gap = renumbered(gap, now)
        else:
            said = without_numbers(said, one.sources)
            gap = without_numbers(gap, one.sources)
            if change.text is not None:
                marker = _MARKER.match(said)
                said = (marker[0] if marker else "") + change.text.removeprefix(
                    marker[0].strip() if marker else ""
                ).lstrip()
            gap = (" " if new else "") + "".join(f"[{n}]" for n in new) + gap
        text += said + gap
        sentences.append(
            replace(
                one,
                start=start,
                end=start + len(said),
                sources=new,
                verdict=change.verdict or one.verdict,
                support=one.support if change.support is None else change.support,
            )
        )
    return replace(answer, text=text.rstrip(), sources=tuple(sources), sentences=tuple(sentences))


def passage_key(source: Source) -> tuple[object, ...]:
    """Return what identifies a passage, whatever its number."""
    return source.chunk_id, source.file, source.page, source.record, source.start, source.end, source.quote


def distinct(sources: Iterable[Source]) -> dict[tuple[object, ...], Source]:
    """Return for each source, by its passage's key, the one that is shown for it: the longest of its file that holds it, or
    repeats most of its words as overlapping chunks do."""
    every = list({passage_key(source): source for source in sources}.values())
    shown: list[tuple[Source, frozenset[str]]] = []
    shown_for: dict[tuple[object, ...], Source] = {}
    for one in sorted(every, key=lambda one: -len(one.quote)):
        words = frozenset(keys_of(one.quote, language_of(one.quote)))
        repeating = (
            other
            for other, others in shown
            if other.file == one.file
            and (one.quote in other.quote or (len(words) >= ENOUGH and len(words & others) >= REPEATED * len(words)))
        )
        shown_for[passage_key(one)] = found = next(repeating, one)
        if found is one:
            shown.append((one, words))
    return {passage_key(one): shown_for[passage_key(one)] for one in every}


def _kept(sentences: Sequence[Sentence], dropped: set[int]) -> list[bool]:
    """Return which sentences stay: all that are not dropped, but for headings and lead-ins with nothing left to lead to."""
    kept = [at not in dropped for at in range(len(sentences))]
    led = lost = False
    for at in range(len(sentences) - 1, -1, -1):
        if sentences[at].asserts:
            led, lost = led or kept[at], lost or not kept[at]
        else:
            kept[at] = led or not lost
            led = lost = False
    return kept
