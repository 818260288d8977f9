"""How alike two names are by themselves: a kind of likeness with a score, or a reason why they cannot be one."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from pipeline.resolution.shapes import NameShape, latin
from pipeline.text.lexicon.lexicon import CONCEPT, EVENT, ORGANIZATION, PERSON
from pipeline.text.lexicon.words import listed, sections
from pipeline.text.names.aliases import MARRIED, RANKS, SERVICE, PersonName, fits
from pipeline.text.names.name_types import HEAD_ENDS

DESIGNATORS: Final = listed(sections("other_names")["designators"])
"""Words that say what a name's bearer is and that it may be called without."""
SHORT: Final = "short"
"""Kind of an organisation's first word: what it is called after its full name, or the house of which the other is a part."""
SAME_KIND: Final = "event"
"""Kind of two events that are called by one noun: only company that they share makes them worth a question."""
LONG: Final = 5
"""Letters from which on a word may be misspelt in one."""


class Likeness(NamedTuple):
    """``kind``: spelling, inflection, words, short, initials, event or person. ``score``: how sure it is by the names alone, 0 to 1.
    ``short``: 0 or 1, which of the two is short for, or a misspelling of, the other; -1 where neither is."""

    kind: str
    score: float
    short: int
    reason: str


def compare(one: NameShape, other: NameShape) -> Likeness | None:
    """Return how alike two names are; None where nothing says that they may be one."""
    if contradict(one, other):
        return None
    if one.is_latin != other.is_latin:
        return _transliterated(one, other)
    if one.plain == other.plain or one.german == other.german:
        return Likeness("spelling", 0.97, -1, "the same letters, but for accents, marks and spaces")
    found = _acronym(one, other) or _acronym_inside(one, other) or _person(one, other)
    found = found or _inflected(one, other) or _designated(one, other) or _misspelt(one, other) or _reworded(one, other)
    return found or _same_kind(one, other)


def _transliterated(one: NameShape, other: NameShape) -> Likeness | None:
    """Names in two scripts that sound alike; many names of one script may, so their occurrences must agree."""
    if one.sound == other.sound and len(one.sound) > 1:
        return Likeness("spelling", 0.82, -1, "the same sounds in another script")
    return None


def contradict(one: NameShape, other: NameShape) -> bool:
    """Return whether two names cannot be of one entity: other numbers, kinds or genders, two people named in full."""
    if one.type != other.type and PERSON in (one.type, other.type) and CONCEPT not in (one.type, other.type):
        return True
    differ = one.numbers != other.numbers and sorted(one.numbers) != sorted(other.numbers)
    topic = one.type == other.type == EVENT and not (one.ordinals or other.ordinals or (one.numbers and other.numbers))
    if differ and not (one.acronym or other.acronym or topic):
        return True
    a, b = one.person, other.person
    if a is None or b is None or one.is_latin != other.is_latin:
        return False
    return not fits(a, b) or (PERSON in (one.type, other.type) and _two_people(a, b))


def _two_people(a: PersonName, b: PersonName) -> bool:
    """Whether both have a given name or both a surname, and these differ by more than a slip or an initial."""
    if min(len(a.core), len(b.core)) < 2:
        return False
    if sorted(a.core) == sorted(b.core):
        return False
    return not (_alike(a.core[0], b.core[0]) and _alike(a.core[-1], b.core[-1]))


def _alike(one: str, other: str) -> bool:
    initial = min(len(one), len(other)) == 1 and one[:1] == other[:1]
    return one == other or initial or _near(one, other) > 0


def _acronym(one: NameShape, other: NameShape) -> Likeness | None:
    for short, (a, b) in enumerate(((one, other), (other, one))):
        if a.acronym and a.acronym in b.initials:
            score = 0.8 if len(a.acronym) > 2 else 0.62
            return Likeness("initials", score, short, "the initials of the other's words")
        if len(a.acronym) > 2 and a.acronym in b.letters:
            return Likeness("initials", 0.8, short, "the initials of the other's words, acronyms among them whole")
    return None


def _acronym_inside(one: NameShape, other: NameShape) -> Likeness | None:
    """Names of the same words, but for an acronym in one where the other has its words: AI, Artificial Intelligence."""
    for short, (a, b) in enumerate(((one, other), (other, one))):
        extra = len(b.tokens) - len(a.tokens)
        if extra < 1 or len(a.tokens) < 2:
            continue
        for at, token in enumerate(a.tokens):
            if len(token) != extra + 1:
                continue
            run = b.tokens[at : at + extra + 1]
            same = a.tokens[:at] == b.tokens[:at] and a.tokens[at + 1 :] == b.tokens[at + extra + 1 :]
            if same and token == "".join(word[0] for word in run):
                return Likeness("initials", 0.93, short, f"the same words, {token.upper()} written out")
    return None


def _person(one: NameShape, other: NameShape) -> Likeness | None:
    a, b = one.person, other.person
    if a is None or b is None or PERSON not in (one.type, other.type):
        return None
    if bool(a.numeral) != bool(b.numeral):  # a son may be called as his father
        same = len(a.core) > 1 and a.core == b.core
        return Likeness("person", 0.3, int(bool(a.numeral)), "the same but for Jr. or the like") if same else None
    if len(a.core) > 1 and sorted(a.core) == sorted(b.core):
        differs = "an honorific" if a.core == b.core else "the order of its words"
        return Likeness("person", 0.93 if a.core == b.core else 0.86, -1, f"the same name but for {differs}")
    if len(a.core) == 1 and a.core == b.core and bool(a.title) != bool(b.title):
        return Likeness(SHORT, 0.6, int(not b.title), "the same name with and without a title")
    if min(len(a.core), len(b.core)) == 1:
        return _single(a, b)
    if a.core[-1] == b.core[-1] and a.core[0][0] == b.core[0][0]:
        if a.core[0] == b.core[0]:
            middle = [name.core[1:-1] for name in (a, b)]
            if not middle[0] or not middle[1] or middle[0][0][0] == middle[1][0][0]:
                return Likeness("person", 0.88, int(len(b.core) < len(a.core)), "the same first and last name")
            return None
        if len(a.core) == len(b.core) > 2 and min(len(a.core[0]), len(b.core[0])) == 1:
            same = all(x[0] == y[0] for x, y in zip(a.core, b.core, strict=True))
            return Likeness("person", 0.88, int(len(b.core[0]) == 1), "its initials and last name") if same else None
        if min(len(a.core[0]), len(b.core[0])) == 1:
            return Likeness("person", 0.7, int(len(b.core[0]) == 1), "an initial and the same last name")
    last = a.core[-1], b.core[-1]
    if a.core[:-1] == b.core[:-1] and len(a.core) == 2 and min(map(len, last)) == 1 and _alike(*last):
        return Likeness("person", 0.75, int(len(last[1]) == 1), "the first name and the initial of the last")
    near = [_near(x, y) for x, y in zip(a.core, b.core, strict=False)]
    if len(a.core) == len(b.core) and all(near) and sum(n < 1 for n in near) == 1:
        genitive = sorted((a.core[-1], b.core[-1]), key=len)
        if len(a.core) == 1:
            ending = genitive[1] == genitive[0] + "s"
            return Likeness("person", 0.72 if ending else 0.5, -1, "the same name but for a letter")
        return Likeness("person", 0.68, -1, "the same name but for a letter or two")
    return None


def _single(a: PersonName, b: PersonName) -> Likeness | None:
    for short, (single, full) in enumerate(((a, b), (b, a))):
        if len(single.core) == 1 < len(full.core) and single.core[0] in (full.core[0], full.core[-1]):
            if single.numeral:
                return Likeness("person", 0.83, short, "the same name and number")
            if single.title in RANKS and not full.title:
                return Likeness("person", 0.3, short, "the first name alone, after a rank")
            if single.title in MARRIED | SERVICE and full.gender == "f" and not full.title:
                return Likeness("person", 0.3, short, "the last name alone, of a wife or an officer")
            which = "first" if single.core[0] == full.core[0] else "last"
            return Likeness("person", 0.6, short, f"the {which} name alone")
    return None


def _inflected(one: NameShape, other: NameShape) -> Likeness | None:
    """A common noun in singular and plural; names are not inflected, since the Times are not the time."""
    if one.bases != other.bases or not one.words or not other.words:
        return None
    if not (one.words[-1].islower() and other.words[-1].islower()):
        return None
    return Likeness("inflection", 0.95, int(one.tokens == one.bases), "singular and plural")


def _designated(one: NameShape, other: NameShape) -> Likeness | None:
    """Names of the same words, but for what says what their bearer is: company, project."""
    if DESIGNATORS.isdisjoint(one.tokens) and DESIGNATORS.isdisjoint(other.tokens):
        return None  # as of most
    bare = [tuple(token for token in shape.tokens if token not in DESIGNATORS) for shape in (one, other)]
    if bare[0] != bare[1] or not bare[0] or one.tokens == other.tokens:
        return None
    if len(bare[0]) == 1 and one.type != other.type:
        return None
    return Likeness("words", 0.75, int(len(other.tokens) < len(one.tokens)), "the same but for what it says it is")


def _misspelt(one: NameShape, other: NameShape) -> Likeness | None:
    """Names that differ in a letter of one capitalised word; weak by itself."""
    if len(one.tokens) != len(other.tokens) or one.type != other.type:
        return None
    differing = [at for at, (a, b) in enumerate(zip(one.tokens, other.tokens, strict=True)) if a != b]
    if len(differing) != 1:
        return None
    a, b = one.tokens[differing[0]], other.tokens[differing[0]]
    proper = all(_proper(shape, token) for shape, token in ((one, a), (other, b)))
    if not proper or min(len(a), len(b)) < LONG + (len(one.tokens) == 1) or _near(a, b) < 0.9:
        return None
    return Likeness("spelling", 0.6 if len(one.tokens) > 1 else 0.5, -1, "one letter differs")


def _reworded(one: NameShape, other: NameShape) -> Likeness | None:
    """Names of several words of which one has more, or one word is another: never sure by themselves."""
    if one.type != other.type or one.type == PERSON:
        return None
    short = int(len(other.tokens) < len(one.tokens))
    a, b = (other, one) if short else (one, other)
    if len(a.tokens) < 2:
        leads = one.type == ORGANIZATION and a.tokens == b.tokens[:1] != b.tokens
        return Likeness(SHORT, 0.55, short, "its first word alone") if leads else None
    longer = len(a.tokens) < len(b.tokens)
    if one.type == EVENT and longer and _words_behind(b.text, a.text)[0] in HEAD_ENDS:
        return Likeness("words", 0.62, short, "the same, and where it was")
    if longer and set(a.tokens) <= set(b.tokens):
        return Likeness("words", 0.45, short, "the same words and more")
    if not longer and sorted(a.tokens) == sorted(b.tokens):
        return Likeness("words", 0.45, -1, "the same words in another order")
    if _written_out(a, b) or _written_out(b, a):
        return Likeness("words", 0.45, -1, "the same words and more, where what one abbreviates is written out")
    differing = sum(x != y for x, y in zip(a.tokens, b.tokens, strict=False))
    if not longer and len(a.tokens) > 2 and differing == 1:
        return Likeness("words", 0.4, -1, "the same words but one")
    return None


def _words_behind(text: str, opening: str) -> list[str]:
    """The words of a name, without another one where it begins with that."""
    return text.casefold().removeprefix(f"{opening.casefold()} ").split()


def _written_out(a: NameShape, b: NameShape) -> bool:
    """Whether a name abbreviates what the other writes out, and the rest of one is in the rest of the other: the AI Laboratory of
    MIT, the Artificial Intelligence Laboratory."""
    for token in {latin(word) for word in a.words if word.isupper() and len(word) > 1}:
        for at in range(len(b.tokens) - len(token) + 1):
            run = b.tokens[at : at + len(token)]
            rests = set(a.tokens) - {token}, {*b.tokens[:at], *b.tokens[at + len(token) :]}
            if token == "".join(word[0] for word in run) and all(rests):
                return rests[0] <= rests[1] or rests[1] <= rests[0]
    return False


def _same_kind(one: NameShape, other: NameShape) -> Likeness | None:
    """Events of one kind of which one is called by what it was about and the other by where or with whom: the GPT-4 dinner, the
    dinner at Ada's. The siege of Orléans and the siege of Rouen are two, and so are a first and a second ball."""
    if not one.type == other.type == EVENT:
        return None
    (head, before, after), (same, others_before, others_after) = one.kind, other.kind
    slots = before or others_after, after or others_before  # one of them is filled, by both names or by one
    if head != same or not head or all(slots) or not any(slots):
        return None
    return Likeness(SAME_KIND, 0.35, -1, "events that are called by the same noun")


def _proper(shape: NameShape, token: str) -> bool:
    return any(word[:1].isupper() for word in shape.words if word.lower().startswith(token[:2]))


def _near(one: str, other: str) -> float:
    """Return 1 for equal words, 0.9 for one letter other, more or swapped, 0.7 for two more at the end, else 0."""
    if one == other:
        return 1.0
    short, long = sorted((one, other), key=len)
    if len(short) < LONG:
        return 0.0
    if within_one(short, long):
        return 0.9
    return 0.7 if long.startswith(short) and len(long) - len(short) == 2 else 0.0


def within_one(short: str, long: str) -> bool:
    """Return whether two words differ by one letter that is other, missing, or swapped with its neighbour."""
    if len(long) - len(short) > 1:
        return False
    at = next((i for i, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if len(long) > len(short):
        return short[at:] == long[at + 1 :]
    swapped = short[at : at + 2] == long[at : at + 2][::-1] and short[at + 2 :] == long[at + 2 :]
    return swapped or short[at + 1 :] == long[at + 1 :]


def fullest(shapes: Sequence[NameShape]) -> int:
    """Return which of some names says most: no acronym, most words, most letters; the first of equals."""
    return max(
        range(len(shapes)), key=lambda i: (not shapes[i].acronym, len(shapes[i].tokens), len(shapes[i].plain), -i)
    )
