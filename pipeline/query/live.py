"""An answer shown while it is written: words as they come, ids as the numbers of their sources once a sentence has ended."""

import re
from collections.abc import Collection, Iterable
from functools import cache

from pipeline.base.store import Rows
from pipeline.query.answer import Trace
from pipeline.query.citations import CITATION, Page, Resolve, Sources, check_support, cite
from pipeline.text.scripts import UNSPACED
from pipeline.text.sentences import split

_OPEN = re.compile(r"\s*(?:[\[【][^\]】]*)?\Z")
"""The end of a text that may still become a citation, with the space before it."""
_WORD = re.compile(rf"(?:(?![{UNSPACED}])\w)+\Z")
"""A last word that may not be whole yet: where a sentence ends depends on the word after it."""
_BRACKET = re.compile(r"\s*[\[【]")


class Live:
    """Shows an answer under way to whoever listens to ``trace``; what is offered and how it is resolved is as in ``cite``.

    Of the sentence that is being written, words are shown up to its first bracket. When the next one has begun, it is
    shown with the numbers of its sources, or marked when it has none. Both are found from the text so far by what also
    makes the final answer; where the two should differ after all, the answer is shown again as a whole in the end.
    """

    def __init__(
        self,
        trace: Trace,
        offered: Collection[str],
        resolve: Resolve,
        chunks: Rows,
        documents: Rows,
        pages: Iterable[Page] = (),
    ) -> None:
        self._trace, self._offered, self._resolve = trace, offered, cache(resolve)
        self._rows = (chunks, documents, tuple(pages))
        self._begin()

    def __call__(self, piece: str, begins: bool) -> None:
        """Take the next piece of the raw text, as ``Desk.write`` shows it."""
        if begins:
            self._begin()
        self._raw = (self._raw + piece) if self._raw else piece.lstrip()
        self._close()
        self._trace.show(self._done + _plain(self._raw[self._closed :]))

    def _begin(self) -> None:
        self._raw = self._done = ""
        self._closed = 0
        """Where in the raw text the sentence begins that is being written; ``_done`` is what stands before, as shown."""

    def _close(self) -> None:
        """Render the sentences that have ended."""
        text = self._raw[self._closed :]
        text = text[: _OPEN.search(text).start()]  # type: ignore[union-attr] # it matches at the end of any text
        last = _last_start(_WORD.sub("", text) if text == self._raw[self._closed :] else text)
        if last:
            self._closed += last
            numbered, _ = cite(self._raw[: self._closed], self._offered, self._resolve, Sources(*self._rows))
            self._done, _ = check_support(numbered)


def _last_start(text: str) -> int:
    """Return where the last sentence of a text begins, behind what the one before it cites; 0 when there is but one."""
    marks = list(CITATION.finditer(text))
    bare = CITATION.sub("", text)
    spans = split(bare)
    if len(spans) < 2:
        return 0
    start = spans[-1][0]
    for mark in marks:
        # A citation that opens a line belongs to the sentence behind it.
        opens = not text[: mark.start()].rpartition("\n")[2].strip("-*•># \t")
        if mark.start() < start or (mark.start() == start and not opens):
            start += len(mark[0])
    return start


def _plain(text: str) -> str:
    """Return a sentence that is being written as far as it is sure: up to its first bracket, without space at the end."""
    bracket = _BRACKET.search(text)
    return text[: bracket.start()] if bracket else text.rstrip()
