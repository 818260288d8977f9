"""Resolves a pronoun to the only name near it that it fits, and leaves alone those for which anybody else may be meant.

Another name, a "bishop" or a "stranger" in the same sentence or the one before competes, and so does a name of unknown kind.
Nothing is resolved inside quoted speech, nor across it, since it may speak of others.
Salience decides, after Lappin and Leass (1994, "An algorithm for pronominal anaphora resolution"): subjects before other
mentions, recent before older ones, within the sentence and the two before it. Gender comes from the text itself
(honorifics, "the daughter of", who is called she) and only then from common first names. English pronouns are resolved
wherever they are; those of other languages where they open a sentence, which is where a fact would lose its subject.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple, Protocol, TypeVar

from pipeline.text.extraction.speech import Speech
from pipeline.text.lexicon.genders import PERSON_NOUNS, genders, governed, is_name, noun_kind
from pipeline.text.lexicon.sentences.sentence_words import SENTENCES
from pipeline.text.scripts import language_of, words_of
from pipeline.text.sentences import split
from pipeline.text.spans import Match

WINDOW = 2
"""How many sentences before its own a pronoun may look back."""

MARGIN = 0.75
"""By how much the best candidate must beat the second, in points of salience; below it nothing is replaced."""

LEAST = 2.0
"""Points of salience below which nothing is replaced: a subject, or a name whose gender is known."""

KNOWN = 1.75
"""Points for a gender that the text shows, against one that is not known."""


class _Placed(Protocol):
    @property
    def start(self) -> int: ...


PlacedT = TypeVar("PlacedT", bound=_Placed)


_OF_PERSONS = ("m", "f")


class Pronoun(NamedTuple):
    """A pronoun of the third person at ``text[start:end]``."""

    start: int
    end: int
    kind: str  # m, f, thing or plural
    role: str  # subject, object or possessive


class _Mention(NamedTuple):
    title: str  # begins with a question mark where a noun such as "the bishop" is meant and no name
    kind: str  # m, f, person (gender unknown), thing or plural
    start: int
    subject: bool
    speech: int  # pieces of quoted speech before it
    unsure: bool = False  # whether it may be a person, and competes with those who are


_ENGLISH_PRONOUN = re.compile(
    r"[HITShits](?=[ehitm])(?<!\w.)(?:(?<=[Hh])(?:er?|is)|(?<=[Ss])he|(?<=[Ii])ts?|(?<=[Tt])he(?:y|ir)|(?<=h)im)\b(?!['’]s\b)"
)
"""Begins with a set of letters, by which the characters of a text are passed over twice as fast as by tries at each."""
_WORD = re.compile(r"[^\W_]+")
_NOT_ONE = re.compile(r"[们們らた人]")
_ARTICLE_BEFORE = re.compile(
    r"(?<!\bas )(?<!\bwas )(?<!\bis )(?<!\bbecame )(?<!\bbeen )\b(?:the|a|an|another|his|her|this|that|one)\s$"
)
_DESCRIBING = re.compile(
    r"(?:\b(?:is|was|are|were|be|been|become|became|as|named|called)\s|,\s|\()(?:[\w'’-]+\s){0,3}$"
)
_LOWER_WORD = re.compile(r"(?<![\w'’-])[^\W\d_A-Z]+(?![\w'’-])")
_LETTERS_OF_NOUNS = re.compile(f"[{''.join(sorted(set().union(*PERSON_NOUNS)))}]+")
"""Finds all of those words that are nouns for persons, and parts of others, in half of the time."""
_PREDICATE = re.compile(r"\b(?:is|was|are|were|become|becomes|became|as)\s(?:the\s|an?\s)?$")
_OPENERS = "\"'“‘«„([-–—*• "
_QUOTES = "\"“«„‘'"
_AFTER = re.compile(r"\s([^\W\d]\w*)")


def resolve(
    text: str,
    matches: Sequence[Match],
    anchor: str = "",
    sentences: Sequence[tuple[int, int]] | None = None,
    language: str | None = None,
) -> list[Match]:
    """Return the pronouns of ``text`` for which one name fits clearly better than any other, in reading order, with a role.

    ``anchor`` is the title or heading above the text: where a match bears that name, it counts as spoken of before the
    first sentence. ``sentences`` and ``language`` are found by ``split`` and ``language_of`` unless given.
    """
    spans = split(text) if sentences is None else sentences
    tongue = language_of(text) if language is None else language
    if tongue != "en" and tongue not in SENTENCES.by_language("third_persons_opening"):
        return []
    pronouns = [
        [
            one
            for one in find_pronouns(text, start, end, tongue)
            if one.kind in _OF_PERSONS or _is_first(text, start, one)
        ]
        for start, end in spans
    ]
    near = {at - back for at, asked in enumerate(pronouns) if asked for back in range(_reach(asked) + 1)}
    if not near:
        return []
    speech = Speech(text)
    grouped = by_sentence(spans, sorted(matches))
    kinds = genders(text, grouped, [[(item.start, item.kind) for item in asked] for asked in pronouns])
    found: list[Match] = []
    types = {match.title: match.type for match in matches}
    recent: list[list[_Mention]] = [_from_anchor(anchor, matches, kinds)]
    for at, ((start, end), names, asked) in enumerate(zip(spans, grouped, pronouns, strict=True)):
        if at not in near:
            recent.append([])
            continue
        said = [match for match in names if not speech.holds(match.start)]
        mentions = _mentions(text, start, end, said, kinds, speech)
        for pronoun in asked:
            if speech.holds(pronoun.start):
                continue
            title = (
                ""
                if _impersonal(text, pronoun, end)
                else _best(pronoun, speech.before(pronoun.start), mentions, recent[-WINDOW:])
            )
            if not title and pronoun.kind in _OF_PERSONS and pronoun.role == "subject":  # somebody, and not known who
                before = speech.before(pronoun.start)
                mentions.append(_Mention("?" + pronoun.kind, pronoun.kind, pronoun.start, True, before))
            if title:
                found.append(Match(pronoun.start, pronoun.end, title, types[title], pronoun.role))
                subject = pronoun.role != "object"
                mentions.append(_Mention(title, pronoun.kind, pronoun.start, subject, speech.before(pronoun.start)))
        recent.append(sorted(mentions, key=lambda mention: mention.start)[:12])
    return found


def _reach(asked: Sequence[Pronoun]) -> int:
    """How many sentences back one of some pronouns may look: those for persons farther than others."""
    return WINDOW if any(one.kind in _OF_PERSONS for one in asked) else 1


def by_sentence(spans: Sequence[tuple[int, int]], items: Sequence[PlacedT]) -> list[list[PlacedT]]:
    """Group ``items``, ordered by start, by the span in which each starts; what starts in no span is left out."""
    starts = [item.start for item in items]
    return [[*items[bisect_left(starts, start) : bisect_left(starts, end)]] for start, end in spans]


def written_out(text: str, start: int, end: int, mentions: Sequence[Match], language: str) -> str:
    """Return ``text[start:end]`` on one line, with names for pronouns: each name once, and only where it is not near.

    ``mentions`` are the names and resolved pronouns that lie within the span, in order. A pronoun stays where its name
    comes before it in the span, and, unless it opens the span, where its name follows.
    """
    pronouns = [item for item in mentions if item.role]
    if not pronouns:  # as in most
        return " ".join(text[start:end].split())
    first = {match.title: match.start for match in reversed(mentions) if not match.role}
    parts: list[str] = []
    at = start
    for item in pronouns:
        named = first.get(item.title)
        if at <= item.start and (named is None or (named > item.start and _is_first(text, start, item))):
            parts += [text[at : item.start], in_words(item, language)]
            at = item.end
            first[item.title] = item.start
    parts.append(text[at:end])
    return " ".join("".join(parts).split())


def in_words(pronoun: Match, language: str) -> str:
    """Return what to write for a resolved pronoun: the name, with the ending of a possessive."""
    if pronoun.role != "possessive" or language != "en":
        return pronoun.title
    return pronoun.title + ("'" if pronoun.title.endswith(("s", "S")) else "'s")


def find_pronouns(text: str, start: int, end: int, language: str) -> list[Pronoun]:
    """Return the pronouns of one sentence; outside English only the one that opens it."""
    if language != "en":
        return _opening_pronoun(text, start, end, language)
    found = []
    english = _english()
    for match in _ENGLISH_PRONOUN.finditer(text, start, end):
        kind, role = english[match[0].lower()]
        if match[0] == "her":
            after = _AFTER.match(text, match.end(), end)
            role = "possessive" if after and after[1].lower() not in _after_object() else "object"
        if role != "possessive" or not _honour().match(text, match.end(), end):
            found.append(Pronoun(match.start(), match.end(), kind, role))
    return found


def _is_first(text: str, start: int, one: _Placed) -> bool:
    """Whether a pronoun opens the sentence at ``start``. One for a thing or for several is resolved only there: elsewhere any
    common noun before it may be meant."""
    return not text[start : one.start].strip(_OPENERS)


def _opening_pronoun(text: str, start: int, end: int, language: str) -> list[Pronoun]:
    """The pronoun that opens the sentence, where it can only be a third person singular."""
    words = _opening(language)
    if language in ("zh", "ja"):
        word = next((word for word in words if text.startswith(word, start)), "")
        if not word or _NOT_ONE.match(text, start + len(word)):
            return []
        return [Pronoun(start, start + len(word), words[word], "subject")]
    first = _WORD.search(text, start, end)
    if not first or first[0].lower() not in words:
        return []
    after = _WORD.search(text, first.end(), end)
    if (
        language == "de"
        and first[0].lower() == "sie"
        and after
        and after[0].endswith("n")
        and after[0] not in SENTENCES.of_all("singular_in_n")
    ):
        return []
    return [Pronoun(first.start(), first.end(), words[first[0].lower()], "subject")]


def _impersonal(text: str, pronoun: Pronoun, end: int) -> bool:
    return (
        pronoun.role == "subject"
        and text[pronoun.start] in "iI"
        and bool(_impersonal_verb().match(text, pronoun.end, end))
    )


def _from_anchor(anchor: str, matches: Sequence[Match], kinds: Mapping[str, str]) -> list[_Mention]:
    folded = anchor.casefold()
    named = sorted({match.title for match in matches if match.title.casefold() in folded}, key=lambda t: (-len(t), t))
    return [_Mention(title, kinds[title], -1, title == named[0], 0) for title in named if title in kinds]


def _mentions(
    text: str, start: int, end: int, names: Sequence[Match], kinds: Mapping[str, str], speech: Speech
) -> list[_Mention]:
    """Who and what a sentence speaks of; its subject is the first name that no preposition governs."""
    mentions: list[_Mention] = []
    if names and names[0].start == start and text[names[0].end : names[0].end + 1] == ":":
        names = names[1:]  # who speaks is not who is spoken of
    subject = next((match for match in names if not governed(text, start, match.start)), None)
    noun = _definite().match(text, start, end)
    if noun and not (names and names[0].start < noun.start(1)) and not (subject and subject.start < noun.end()):
        mentions.append(_Mention("?", noun_kind(noun[1]), start, True, speech.before(start)))
        subject = None
    mentions += _person_nouns(text, start, end, names, speech)
    joined = -1
    for match in names:
        clear = match is subject and (kinds[match.title] not in ("thing", "group") or _opens(text, start, match))
        is_subject = clear or (joined >= 0 and text[joined : match.start] in _joints())
        joined = match.end if is_subject else -1
        if is_name(match.title) and match.title.lower() not in PERSON_NOUNS:  # "the Spirit" is now this one, now that
            before = text[max(0, match.start - 12) : match.start]
            kind = "thing" if before[-1:] in _QUOTES and before else kinds[match.title]
            placed = kind in ("thing", "person") and bool(_placed().search(before))
            kind = "thing" if placed else kind
            unsure = kind == "thing" and match.type == "CONCEPT" and match is subject and not placed
            if match is not subject and _PREDICATE.search(before):
                continue  # "became Marshal of France" speaks of whom it describes
            mentions.append(_Mention(match.title, kind, match.start, is_subject, speech.before(match.start), unsure))
        elif _ARTICLE_BEFORE.search(text[max(start, match.start - 16) : match.start]):
            kind = noun_kind(match.title)
            mentions.append(_Mention("?" + match.title, kind, match.start, is_subject, speech.before(match.start)))
    return mentions


def _person_nouns(text: str, start: int, end: int, names: Sequence[Match], speech: Speech) -> Iterator[_Mention]:
    """Persons of whom a sentence speaks by a noun ("an old stranger"); what describes a name ("was a girl") is none."""
    if PERSON_NOUNS.isdisjoint(_LETTERS_OF_NOUNS.findall(text, start, end)):
        return
    for found in _LOWER_WORD.finditer(text, start, end):
        word = found[0]
        if word not in PERSON_NOUNS or speech.holds(found.start()):
            continue
        if any(match.start <= found.start() < match.end for match in names):
            continue
        if not _DESCRIBING.search(text[max(start, found.start() - 40) : found.start()]):
            yield _Mention("?" + word, noun_kind(word), found.start(), False, speech.before(found.start()))


def _opens(text: str, start: int, match: Match) -> bool:
    """Whether the name of a thing surely is the subject: near the start of a sentence that is not speech, before a small word."""
    before, after = text[start : match.start], _AFTER.match(text, match.end)
    return len(before) <= 40 and not any(mark in before for mark in "\"“”'!?:") and bool(after and after[1].islower())


SAME_CLAUSE = 60
"""Characters from a subject to an object that are taken for one clause: its subject is not its object ("he saw him")."""


def _best(pronoun: Pronoun, speech: int, own: Sequence[_Mention], window: Sequence[Sequence[_Mention]]) -> str:
    """The one name near the pronoun that fits, or an empty string; ``speech`` is how often somebody spoke before it."""
    window = [[mention for mention in mentions if mention.speech == speech] for mentions in window]
    before = [
        mention
        for mention in own
        if mention.start < pronoun.start
        and mention.speech == speech
        and not (pronoun.role == "object" and mention.subject and pronoun.start - mention.start < SAME_CLAUSE)
    ]
    near = {mention.title for mention in (*before, *(window[-1] if window else ())) if _competes(pronoun, mention)}
    if len(near) > 1:
        return ""
    scores: dict[str, float] = defaultdict(float)
    looked_at = window if pronoun.kind in _OF_PERSONS else window[-1:]
    for mentions, subject, other in ((before, 5.0, 2.0), *_weighted(looked_at)):
        best: dict[str, float] = {}
        for mention in mentions:
            if _fits(pronoun, mention):
                value = (subject if mention.subject else other) + (KNOWN if mention.kind == pronoun.kind else 0.0)
                best[mention.title] = max(best.get(mention.title, 0.0), value)
        for title, value in best.items():
            scores[title] += value
    ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    if not ranked or ranked[0][0].startswith("?") or ranked[0][1] < LEAST or not near <= {ranked[0][0]}:
        return ""
    return ranked[0][0] if len(ranked) == 1 or ranked[0][1] - ranked[1][1] >= MARGIN else ""


def _weighted(window: Sequence[Sequence[_Mention]]) -> list[tuple[Sequence[_Mention], float, float]]:
    weights = ((2.5, 1.0), (1.2, 0.5))
    return [(mentions, *weights[min(age, 1)]) for age, mentions in enumerate(reversed(window))]


def _competes(pronoun: Pronoun, mention: _Mention) -> bool:
    return _fits(pronoun, mention) or (mention.unsure and pronoun.kind in _OF_PERSONS)


def _fits(pronoun: Pronoun, mention: _Mention) -> bool:
    if pronoun.kind in _OF_PERSONS:
        return mention.kind in (pronoun.kind, "person")
    if not mention.subject:
        return False
    return mention.kind == "group" if pronoun.kind == "plural" else mention.kind in ("thing", "group")


@cache
def _english() -> Mapping[str, tuple[str, str]]:
    """Return the kind and the role of English pronouns of the third person."""
    lines = map(str.split, SENTENCES.of_all("third_persons"))
    return {word: (kind, role) for word, kind, role in lines}


@cache
def _opening(language: str) -> Mapping[str, str]:
    """Return the third persons that open a sentence: genders of persons, which in languages but English things share."""
    lines = (line.partition(": ") for line in SENTENCES.by_language("third_persons_opening")[language])
    return {word: kind for kind, _, words in lines for word in words.split()}


@cache
def _after_object() -> frozenset[str]:
    """Return the function words before which "her" is an object; before the others it may be a possessive."""
    return words_of("en").function - SENTENCES.set_of("after_possessives")


@cache
def _honour() -> re.Pattern[str]:
    return re.compile(rf"\s{SENTENCES.one_of('honours')}\b")


@cache
def _impersonal_verb() -> re.Pattern[str]:
    states, clauses = SENTENCES.one_of("of_a_thing"), SENTENCES.one_of("impersonal_clauses")
    announced = rf"{SENTENCES.one_of('impersonal_is')}\s+(?!{states})[^.;:]{{0,60}}\b{clauses}\b"
    return re.compile(rf"\W*(?:{SENTENCES.one_of('impersonal_verbs')}|{announced})")


@cache
def _placed() -> re.Pattern[str]:
    return re.compile(rf"\b{SENTENCES.one_of('placed_after')}\s$", re.IGNORECASE)


@cache
def _joints() -> frozenset[str]:
    return frozenset(f" {word} " for word in SENTENCES.of_all("and"))


@cache
def _definite() -> re.Pattern[str]:
    """Return the pattern of an article that opens a sentence, and of the noun behind it."""
    return re.compile(rf"\W*{SENTENCES.one_of('definite_openers')}\b\s?((?:[^\W\d_]+[\s'’-]?){{1,4}})")
