"""Finds the names of a vocabulary in a text: longest first, never overlapping, in time linear in the text."""

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Final, Protocol

from pipeline.base.recent import FoundOnce
from pipeline.text.inflection import plural
from pipeline.text.lexicon.lexicon import PERSON
from pipeline.text.scripts import KATAKANA, TokenSpans, fold, token_spans
from pipeline.text.spans import Match

_KATAKANA: Final = re.compile(f"[{KATAKANA}]")
_ARABIC_PREFIX: Final = re.compile("(?:[وفبكل]?ال|لل|[وفبكل])(?=[\u0621-\u064a]{3})")
_KOREAN_ENDING: Final = re.compile("(?:은|는|이|가|을|를|의|에|에서|에게|로|으로|와|과|도|만|까지|부터)$")
_SKIPPED: Final = frozenset(".·・")  # may be inside a written form without belonging to it
_LONGEST: Final = 16  # tokens of a form
SHARED: Final = "shared"
"""Kind of a name that several people bear: found only where it shows in the text or its document who is meant."""


class NameWithForms(Protocol):
    """What the matcher needs to know of a name (``vocabulary.Name`` has it)."""

    @property
    def title(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def forms(self) -> tuple[str, ...]: ...
    @property
    def type(self) -> str: ...


class _Node:
    """A state of the trie: where the next folded token leads, and the names whose form ends here."""

    __slots__ = ("acronym", "after", "ends", "free", "n_lower", "strict")

    def __init__(self) -> None:
        self.after: dict[str, _Node] = {}
        self.ends = False
        """Whether a form ends here."""
        self.strict: tuple[str, str] | None = None
        """(title, type) of a name that counts only with its capital letters."""
        self.n_lower = 0
        """Tokens in lower case that the strict form itself has."""
        self.acronym = False
        """Whether the strict form counts in capitals throughout only: WHO is not Who."""
        self.free: tuple[str, str] | None = None
        """(title, type) of a name or phrase that counts in any case."""


class Matcher:
    """A vocabulary made ready for matching; building it is linear in the forms. Of pairs of names that are ``apart`` the
    first is never read as short for the second."""

    def __init__(self, names: Iterable[NameWithForms], apart: Iterable[tuple[str, str]] = ()) -> None:
        self._apart = {(fold(name), fold(other)) for name, other in apart}
        self._root = _Node()
        self._key = FoundOnce(_key_of)
        self._opening = FoundOnce(partial(_opened, self._root))  # not of the Matcher: its nodes go when it does
        self._parts: dict[str, list[str]] = {}
        self._types: dict[str, str] = {}
        self._shared: set[str] = set()
        for name in sorted(names, key=lambda name: name.title):
            self._types[name.title] = name.type
            for form in name.forms:
                self._add(form, name)
            if name.kind == SHARED:
                self._shared.add(name.title)
            elif name.type == PERSON and name.kind != "phrase":
                self._add_parts(name.title)

    def find(self, text: str) -> list[Match]:
        """Names in a text, in order. A name of one word or of ordinary words counts only with its capital letters (or in
        capitals throughout); a phrase and any other name of several words in any case.

        A first or last name that several people bear goes to the one of them who is named in full in the same text.
        """
        return self.find_in_order([text])[0][0]

    def find_in_order(self, texts: Sequence[str]) -> tuple[list[list[Match]], int]:
        """Names in texts that follow each other in a document, as ``find`` gives them, and how many mentions are nobody's.

        A name that several people bear and none who is named in full beside it goes to the only one of them who is named in
        full in the document at all, where he was so at most as many texts before as there are that name him in full.
        """
        found = [list(self._found(text)) for text in texts]
        people = [self._in_full(matches, text) for matches, text in zip(found, texts, strict=True)]
        named = Counter(chain.from_iterable(people))
        last: dict[str, int] = {}
        left = 0
        for place, (full, text) in enumerate(zip(people, texts, strict=True)):
            last.update(dict.fromkeys(full, place))
            kept = []
            for match in self._in_one(found[place], full, text):
                if match.title in self._shared:
                    bearers = self._bearers(text[match.start : match.end], named)
                    if len(bearers) != 1 or place - last.get(bearers[0], -len(texts)) > named[bearers[0]]:
                        left += 1
                        continue
                    match = self._borne_by(match, bearers)
                kept.append(match)
            found[place] = kept
        return found, left

    def _add(self, form: str, name: NameWithForms) -> None:
        written = token_spans(form).words
        tokens = [_key_of(token) for token in written if token not in _SKIPPED]
        if not tokens or len(tokens) > _LONGEST:
            return
        strict = name.kind == "title" or (name.kind in ("name", SHARED) and len(tokens) == 1 and form[:1].isupper())
        n_lower = sum(token[0].islower() for token in written)
        self._insert(tokens, name, strict, n_lower, acronym=form.isupper() and len(form) < 7)
        if name.kind == "phrase" and tokens[-1].isascii() and tokens[-1].replace("-", "").isalpha():
            self._insert([*tokens[:-1], plural(tokens[-1])], name, strict=False, n_lower=0)

    def _insert(
        self, tokens: Sequence[str], name: NameWithForms, strict: bool, n_lower: int, acronym: bool = False
    ) -> None:
        node = self._root
        for token in tokens:
            following = node.after.get(token)
            if following is None:
                following = node.after[token] = _Node()
            node = following
        node.ends = True
        if not strict:
            node.free = node.free or (name.title, name.type)
        elif node.strict is None:
            node.strict = (name.title, name.type)
            node.n_lower = n_lower
            node.acronym = acronym
        elif node.strict[0] == name.title:  # NOAH and Noah
            node.n_lower = max(node.n_lower, n_lower)
            node.acronym = node.acronym and acronym

    def _add_parts(self, title: str) -> None:
        tokens = title.split()
        if len(tokens) > 1:
            for part in {fold(tokens[0]), fold(tokens[-1])}:
                self._parts.setdefault(part, []).append(title)

    def _found(self, text: str) -> Iterator[Match]:
        """Yield the longest form that begins at each token behind the one before."""
        words, starts, ends = tokens = token_spans(text)
        keys, end, n = self._key, 0, len(words)
        for position, opened in enumerate(map(self._opening.__getitem__, words)):
            if opened is None or position < end:
                continue
            node, shift = opened
            best, ahead = None, position + 1
            while True:
                if node.ends:
                    capital = node.strict and _has_capitals(node, words[position:ahead])
                    found = node.strict if capital else node.free
                    if found and _is_bounded(tokens, position, ahead - 1):
                        best, end = found, ahead
                if ahead >= n:
                    break
                word = words[ahead]
                if word in _SKIPPED and ahead + 1 < n:
                    ahead += 1
                    word = words[ahead]
                following = node.after.get(keys[word])
                if following is None and not word.isascii():
                    following = node.after.get(_KOREAN_ENDING.sub("", keys[word]))
                if following is None:
                    break
                node, ahead = following, ahead + 1
            if best:
                yield Match(starts[position] + shift, _without_possessive(words[end - 1], ends[end - 1]), *best)

    def _in_full(self, matches: Sequence[Match], text: str) -> set[str]:
        """The people whom a text names in full."""
        return {match.title for match in matches if match.type == PERSON and " " in text[match.start : match.end]}

    def _in_one(self, matches: list[Match], full: set[str], text: str) -> list[Match]:
        """Matches of a text, first and last names as those of the one bearer who is named in full in it."""
        if not full:
            return matches
        return [
            match
            if " " in (written := text[match.start : match.end])
            or (match.title in full and match.title not in self._shared)
            else self._borne_by(match, self._bearers(written, full))
            for match in matches
        ]

    def _bearers(self, written: str, people: Container[str]) -> list[str]:
        """Who of some people has a first or last name."""
        part = fold(written)
        return [
            title for title in self._parts.get(part, ()) if title in people and (part, fold(title)) not in self._apart
        ]

    def _borne_by(self, match: Match, bearers: Sequence[str]) -> Match:
        return match._replace(title=bearers[0], type=self._types[bearers[0]]) if len(bearers) == 1 else match


def _opened(root: _Node, token: str) -> tuple[_Node, int] | None:
    """The state after a word that opens a form, and the letters of it that are left out: the prefix of an Arabic word."""
    key = _key_of(token)
    node, shift = root.after.get(key), 0
    if node is None and not token.isascii():
        if prefix := _ARABIC_PREFIX.match(key):
            node, shift = root.after.get(key[prefix.end() :]), prefix.end()
        elif ending := _KOREAN_ENDING.search(key):
            node = root.after.get(key[: ending.start()])
    return None if node is None else (node, shift)


def _has_capitals(node: _Node, words: Sequence[str]) -> bool:
    n_lower = sum(word[0].islower() for word in words)
    return n_lower <= node.n_lower and (not node.acronym or words[-1].removesuffix("s").isupper())


def _key_of(token: str) -> str:
    key = fold(token)
    return key or token


def _without_possessive(word: str, end: int) -> int:
    """Where a name ends whose last token is given."""
    return end - 2 if len(word) > 2 and word.endswith(("'s", "’s")) else end


def _is_bounded(tokens: TokenSpans, first: int, last: int) -> bool:
    """Whether a form does not cut a word of katakana in two (the only unspaced script whose words show their bounds)."""
    words, starts, ends = tokens
    if words[first] < "\u3000":
        return True
    before = first > 0 and ends[first - 1] == starts[first] and _KATAKANA.match(words[first - 1])
    after = last + 1 < len(words) and starts[last + 1] == ends[last] and _KATAKANA.match(words[last + 1])
    return not (before and _KATAKANA.match(words[first])) and not (after and _KATAKANA.match(words[last]))
