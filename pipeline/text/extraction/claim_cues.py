"""Words and phrases that show what kind a claim is, whether it is denied, and whether it is only supposed."""

import re
from collections.abc import Callable, Mapping
from functools import cache

from pipeline.text.lexicon.sentences.sentence_words import KINDS, SENTENCES
from pipeline.text.lexicon.words import Words

OTHER = "OTHER"
"""Kind of a claim that no word shows."""

_NEAR = 40  # characters behind a verb in which its object is
_FEW = 4  # words in which it is
_CONTRAST = re.compile(r",? but\b|;")
_LAST_WORD = re.compile(r"([^\W\d_]+) $")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


def is_verb(word: str, vocabulary: Words) -> bool:
    """Return whether a word in lower case is likely a finite verb or auxiliary."""
    if word in _verbs() or word in vocabulary.verbs:
        return True
    return len(word) > 4 and word.endswith("ed")


def kind_of(text: str, start: int, end: int, of_subject: Callable[[int, str], bool] | None = None) -> str:
    """Return the kind that the first of these words in a predicate shows, before any "but"; OTHER where there is none.

    ``of_subject`` says of where a verb in the past begins, and of the verb, whether it is the subject's that the claim is of:
    what is behind the first that is another's is said of that one."""
    contrast = _CONTRAST.search(text, start, end)
    won, kinds = SENTENCES.set_of("won"), _kinds()
    for word in _WORD.finditer(text, start, contrast.start() if contrast else end):
        lower = word[0].lower()
        kind = _what_was_won(text, word.end(), end) if lower in won else kinds.get(lower, "")
        if kind == "CREATION" and (instead := _instead_of_creation(text, lower, word.end(), end)) is not None:
            kind = instead
        if kind and word[0] == lower and not _is_no_verb(text, word.start(), lower):
            is_anothers = of_subject is not None and _is_past(lower) and not of_subject(word.start(), lower)
            return OTHER if is_anothers else kind
    return next((kind for pattern, kind in _kinds_anywhere() if pattern.search(text, start, end)), OTHER)


def is_deed_of(text: str, subject: tuple[int, int], deed: tuple[int, str], ends: Mapping[int, bool]) -> bool:
    """Return whether a verb, given with where it begins, is that of the subject that ends and whose first verb begins where
    ``subject`` says: none but auxiliaries and adverbs is between, or what is before those joins it to the first, or is the subject again.
    ``ends`` are where mentions end, with whether they are of the subject. Who kills is not who dies."""
    at, word = deed
    passives, aiming = SENTENCES.set_of("in_passives"), SENTENCES.set_of("before_infinitives")
    is_passive = aims = False
    last = at
    for before in reversed(list(_WORD.finditer(text, subject[0], at))):
        lower = before[0].lower()
        apart = text[before.end() : last]
        if "," in apart or lower in SENTENCES.set_of("and"):
            break
        if before.end() in ends:
            if not ends[before.end()]:
                return False
            break
        is_passive = is_passive or lower in passives
        aims = aims or lower in aiming
        if lower not in _passing() and not lower.endswith("ly"):
            if not aims or before.start() != subject[1]:
                return False
            break
        last = before.start()
    return is_passive or word not in SENTENCES.set_of("done_to_others")


@cache
def _passing() -> frozenset[str]:
    """Words that may be between a subject and its verb."""
    own = SENTENCES.set_of("before_verbs") - SENTENCES.set_of("subordinate")
    return own.union(*map(SENTENCES.set_of, ("auxiliaries", "in_passives", "before_infinitives")))


def _is_past(word: str) -> bool:
    return word.endswith("ed") or word == "born" or word in SENTENCES.set_of("irregular_verbs")


def _is_no_verb(text: str, start: int, word: str) -> bool:
    """Return whether a word opens an item of a list, or is a participle behind an article: "asked for a written promise"."""
    if text[max(0, start - 2) : start] == "- ":
        return True
    before = _LAST_WORD.search(text, max(0, start - _NEAR), start)
    participle = word.endswith(("ed", "en")) or word in SENTENCES.set_of("irregular_verbs")
    return participle and before is not None and before[1].lower() in SENTENCES.set_of("before_participles")


def _what_was_won(text: str, start: int, end: int) -> str:
    """Whether a battle or a prize was won or lost."""
    return next((kind for pattern, kind in _kinds_of_what_is_won() if pattern.search(text, start, end)), "")


def _instead_of_creation(text: str, verb: str, start: int, end: int) -> str | None:
    """The kind of a claim whose verb makes nothing here, "" for none: wrote to Lisbon, opened the clock; None where it does."""
    if verb in SENTENCES.set_of("wrote"):
        words = [word.lower() for word in _WORD.findall(text[start : min(end, start + _NEAR)])[: _FEW + 1]]
        to_somebody = words[:1] and words[0] in SENTENCES.set_of("written_to")
        return "STATEMENT" if to_somebody or not SENTENCES.set_of("what_was_written").isdisjoint(words) else None
    if verb in SENTENCES.set_of("opened"):
        words = _WORD.findall(text[start : min(end, start + _NEAR)].lower())
        is_begun = bool(words) and words[0] in SENTENCES.set_of("opened_with")
        return None if SENTENCES.set_of("only_opened").isdisjoint(words[:_FEW]) and not is_begun else ""
    return None


def is_hedged(clause: str) -> bool:
    """Return whether a clause reports, supposes or doubts what it says."""
    if clause.isascii() and SENTENCES.set_of("in_hedges").isdisjoint(_WORD.findall(clause.lower())):
        return False
    return bool(SENTENCES.pattern("hedges").search(clause))


def is_denied(text: str, start: int, verb: int, end: int) -> bool:
    """Return whether a predicate is negated: between ``start`` and shortly after ``verb``, before any clause inside it."""
    near = min(end, verb + _NEAR)
    inner = _inner().search(text, verb, near)
    return bool(SENTENCES.pattern("denials").search(text, start, inner.start() if inner else near))


def is_taken_back(sentence: str) -> bool:
    """Return whether a sentence takes back what it says: "no, that is wrong"."""
    return SENTENCES.pattern("taken_back").search(sentence) is not None


def is_called_false(sentence: str) -> bool:
    """Return whether a sentence says that all the rest of it is false: "It is untrue that ..."."""
    return _called_false().search(sentence) is not None


@cache
def _kinds() -> Mapping[str, str]:
    """Return the words that show the kind of a claim, with the most telling kind that each shows."""
    kinds: dict[str, str] = {}
    for kind in KINDS:
        for word in SENTENCES.of_all(kind):
            kinds.setdefault(word, _named(kind))
    return kinds


@cache
def _kinds_anywhere() -> tuple[tuple[re.Pattern[str], str], ...]:
    heads = ((kind, f"{kind}_anywhere") for kind in KINDS)
    return tuple((re.compile(SENTENCES.one_of(head)), _named(kind)) for kind, head in heads if head in SENTENCES.words)


def _named(head: str) -> str:
    return head.replace("_", " ").upper()


@cache
def _kinds_of_what_is_won() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple(
        (re.compile(rf"\b{SENTENCES.one_of(head)}", re.IGNORECASE), kind)
        for head, kind in (("battles", "MILITARY ACTION"), ("prizes", "AWARD"))
    )


@cache
def _verbs() -> frozenset[str]:
    return frozenset((*SENTENCES.of_all("auxiliaries"), *SENTENCES.of_all("irregular_verbs"), *_kinds()))


@cache
def _called_false() -> re.Pattern[str]:
    return re.compile(rf"^\W*{SENTENCES.one_of('called_false')}\b", re.IGNORECASE)


@cache
def _inner() -> re.Pattern[str]:
    return re.compile(rf",|\b{SENTENCES.one_of('clause_openers')}\b")
