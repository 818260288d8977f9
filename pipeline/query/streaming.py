"""An answer shown while it is written: words as they come, ids as the numbers of their sources once a sentence has ended."""

import re
from collections.abc import Collection, Iterable
from functools import cache

from pipeline.base.store import Rows
from pipeline.query.answer import Trace
from pipeline.query.evidence.citations import BRACKETED, Behind, Page, Resolve, Sources, cite, sentence_spans
from pipeline.text.scripts import UNSPACED
from pipeline.text.sentences import END_MARKS

_OPEN = re.compile(r"\s*(?:[\[【][^\]】]*)?\Z")
"""The end of a text that may still become a citation, with the space before it."""
_WORD = re.compile(rf"(?:(?![{UNSPACED}])\w)+\Z")
"""A last word that may not be whole yet: where a sentence ends depends on the word after it."""
_BRACKET = re.compile(r"\s*[\[【]")
_UNSURE = re.compile(rf"(?:(?<=[{END_MARKS}])|\n)\W*(?:(?![{UNSPACED}])\w)*\Z")
"""What is behind a mark or line break that may have ended the sentence, until a whole word shows whether it has."""


class Live:
    """Shows an answer under way to whoever listens to ``trace``; what is offered and how it is resolved is as in ``cite``.

    Of the sentence that is being written, words are shown up to its first bracket. When the next one has begun, the
    numbers of its sources follow. They are found from the text so far by what also makes the final answer; where the two should differ after all, the answer is shown again as a whole in the end.
    """

    def __init__(
        self,
        trace: Trace,
        offered: Collection[str],
        resolve: Resolve,
        chunks: Rows,
        documents: Rows,
        pages: Iterable[Page] = (),
        behind: Behind = lambda ids: (),
    ) -> None:
        self._trace, self._offered, self._resolve = trace, offered, cache(resolve)
        self._rows = (chunks, documents, tuple(pages), trace.carry, behind)
        self._raw = self._done = ""
        self._closed = 0
        """Where in the raw text the sentence begins that is being written; ``_done`` is what is before, as shown."""

    def __call__(self, piece: str, begins: bool) -> None:
        """Take the next piece of the raw text, as ``Language.write`` shows it."""
        if begins:
            self._raw, self._done, self._closed = "", "", 0
        self._raw = (self._raw + piece) if self._raw else piece.lstrip()
        self._close()
        self._trace.show(self._done + _plain(self._raw[self._closed :]))

    @property
    def heard(self) -> bool:
        """Whether anybody listens."""
        return self._trace.heard

    def _close(self) -> None:
        """Render the sentences that have ended."""
        tail = self._raw[self._closed :]
        whole = _OPEN.sub("", tail)
        last = _last_start(_WORD.sub("", tail) if whole == tail else whole)
        if last:
            self._closed += last
            self._done = cite(self._raw[: self._closed], self._offered, self._resolve, Sources(*self._rows)).text


def _last_start(text: str) -> int:
    """Return where the last sentence of a text begins, behind what the one before it cites; 0 when there is but one."""
    spans = sentence_spans(BRACKETED.sub("", text))
    if len(spans) < 2:
        return 0
    end, start = spans[-2][1], spans[-1][0]
    taken = 0
    for mark in BRACKETED.finditer(text):
        at = mark.start() - taken
        if at > start:
            break
        if at >= end and not text[: mark.start()].rpartition("\n")[2].strip("-*•># \t"):
            return mark.start()  # it opens a line, and so belongs to the sentence behind it
        taken += len(mark[0])
    return start + taken


def _plain(text: str) -> str:
    """Return a sentence that is being written as far as it is sure to be one: up to its first bracket, for a start."""
    if bracket := _BRACKET.search(text):
        text = text[: bracket.start()]
    return _UNSURE.sub("", text).rstrip()
