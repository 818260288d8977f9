"""Which pairs of names are worth a look: those that share a key, so that work grows with the names and not with their pairs."""

from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from itertools import count, takewhile
from typing import Any, Final

import numpy as np
import pyarrow.compute as pc

from pipeline.base.arrow.build import array, to_numpy
from pipeline.base.arrow.columns import BoolArray, IntArray, codes_of, run_starts
from pipeline.resolution.shapes import NameShape
from pipeline.text.lexicon.lexicon import CONCEPT, PERSON

MOST_SHARED: Final = 24
"""Names that share a key, above which it says too little: a given name that fifty people have."""
SHORTEST: Final = 6
"""Letters from which on spellings with one letter missing are compared."""
LONGEST: Final = 24
MOST_WORDS: Final = 2
"""Words of a name that is looked for with one letter missing; longer names share a word with their misspellings."""
_PRIME: Final = np.uint64(0x9E3779B97F4A7C15)


def candidate_pairs(shapes: Sequence[NameShape]) -> list[tuple[int, int]]:
    """Return pairs of places (first below second) that share a key and may be one name, in ascending order; linear in the
    names."""
    first, second = (np.concatenate(ends) for ends in zip(_sharing_keys(shapes), _one_letter_less(shapes), strict=True))
    first, second = np.divmod(np.unique(first * len(shapes) + second), max(len(shapes), 1))
    possible = ~_cannot_be_one(shapes, first, second)
    return list(zip(first[possible].tolist(), second[possible].tolist(), strict=True))


def _sharing_keys(shapes: Sequence[NameShape]) -> tuple[IntArray, IntArray]:
    """Return the pairs of places that share a key which says something: initials where one of the two is an acronym, sounds
    where they are in two scripts."""
    acronyms = {shape.acronym for shape in shapes}
    scripts = [[shape for shape in shapes if shape.is_latin is is_latin] for is_latin in (True, False)]
    sounds = {shape.opening_sound for shape in min(scripts, key=len)}
    keys = [list(set(_keys(shape, acronyms, sounds))) for shape in shapes]
    code, distinct = codes_of(array([key for own in keys for key in own]))
    owner = np.repeat(np.arange(len(keys)), [len(own) for own in keys])
    is_word, are_initials, is_sound = (to_numpy(pc.starts_with(distinct, pattern=kind))[code] for kind in "wis")
    n_sharing = np.bincount(code, minlength=len(distinct))[code]
    kept = np.flatnonzero((n_sharing > 1) & (n_sharing <= np.where(is_word, MOST_SHARED, 2 * MOST_SHARED)))
    kept = kept[np.argsort(code[kept], kind="stable")]
    rows, others = _pairs_within(code[kept])
    a, b, row = owner[kept][rows], owner[kept][others], kept[rows]
    is_acronym = np.array([bool(shape.acronym) for shape in shapes], bool)
    is_latin = np.array([shape.is_latin for shape in shapes], bool)
    said = ~(are_initials[row] & ~is_acronym[a] & ~is_acronym[b]) & ~(is_sound[row] & (is_latin[a] == is_latin[b]))
    return a[said], b[said]


def _cannot_be_one(shapes: Sequence[NameShape], first: IntArray, second: IntArray) -> BoolArray:
    """Return which pairs are refused at a glance: a person and what is neither one nor a concept, and two people in full of
    whose first names, or last ones, neither the first letters nor the last ones agree. Most pairs of people share but one."""
    is_person = np.array([shape.type == PERSON for shape in shapes], bool)
    is_other = np.array([shape.type not in (PERSON, CONCEPT) for shape in shapes], bool)
    words: dict[tuple[str, ...], int] = {}
    ends = np.array([_ends(shape, words) for shape in shapes], np.int64).reshape(-1, len(_NO_ENDS))
    differ = (ends[first] != ends[second]) & (ends[first] >= 0) & (ends[second] >= 0)
    people = differ[:, 0] & ((differ[:, 1] & differ[:, 2]) | (differ[:, 3] & differ[:, 4]))
    found: BoolArray = people | (is_person[first] & is_other[second]) | (is_other[first] & is_person[second])
    return found


_NO_ENDS: Final = (-1, -1, -1, -1, -1)


def _ends(shape: NameShape, words: dict[tuple[str, ...], int]) -> tuple[int, ...]:
    """Return a number for the words of a person's name, in any order, and the letters at the ends of the first and the last
    of them; _NO_ENDS for what is not a person's name in full, in Latin letters."""
    core = shape.person.core if shape.type == PERSON and shape.is_latin and shape.person else ()
    if len(core) < 2 or not all(core):
        return _NO_ENDS
    letters = (core[0][0], core[0][-1], core[-1][0], core[-1][-1])
    return words.setdefault(tuple(sorted(core)), len(words)), *map(ord, letters)


def _keys(shape: NameShape, acronyms: Set[str], sounds: Set[str]) -> Iterator[str]:
    """Yield keys, the first letter of which says of what kind they are. Initials that are no acronym's are not worth a
    comparison, nor are sounds that open no name in the rarer script."""
    plain, tokens = shape.plain, shape.tokens
    if not plain:
        return
    yield f"p{plain}"
    if shape.german != plain:
        yield f"p{shape.german}"
    if sounds and shape.opening_sound in sounds:
        yield f"s{shape.sound}"
    for token in tokens:
        if len(token) > 2:
            yield f"w{token}"
    if len(tokens) > 1:
        yield f"f{tokens[0]} {tokens[-1][:4]}"
        yield f"f{tokens[0][:1]} {tokens[-1]}"
        yield f"b{' '.join(shape.bases)}"
    if shape.acronym:
        yield f"i{shape.acronym}"
    for initials in acronyms & (shape.initials | shape.letters):
        yield f"i{initials}"


def _one_letter_less(shapes: Sequence[NameShape]) -> tuple[IntArray, IntArray]:
    """Return the pairs of places whose letters are the same when each lacks at most one, for names that may be misspelt."""
    lengths: dict[int, list[int]] = defaultdict(list)
    for place, shape in enumerate(shapes):
        plain = shape.plain
        if SHORTEST <= len(plain) <= LONGEST and len(shape.tokens) <= MOST_WORDS and not plain.isdigit():
            lengths[len(plain)].append(place)
    hashes, owners = [np.zeros(0, np.uint64)], [np.zeros(0, np.int64)]
    for length, places in lengths.items():
        text = "".join(shapes[place].plain for place in places)
        letters = np.frombuffer(text.encode("utf-32-le"), np.uint32).reshape(len(places), length).astype(np.uint64)
        without = [letters, *(np.delete(letters, at, axis=1) for at in range(length))]
        hashes += [_hashes(some) for some in without]
        owners += [np.array(places)] * len(without)
    keys, owner = np.concatenate(hashes).view(np.int64), np.concatenate(owners)
    order = np.lexsort((owner, keys))
    keys, owner = keys[order], owner[order]
    kept = run_starts(keys) | run_starts(owner)
    keys, owner = keys[kept], owner[kept]
    sizes = np.diff(np.append(np.flatnonzero(run_starts(keys)), len(keys)))
    several = np.repeat((sizes > 1) & (sizes <= MOST_SHARED), sizes)
    rows, others = _pairs_within(keys[several])
    return owner[several][rows], owner[several][others]


def _hashes(letters: Any) -> Any:
    """Return a number for each row of letters; rows that differ have the same one by a chance of 1 in 2^64."""
    found = np.full(len(letters), letters.shape[1], np.uint64)
    for column in letters.T:
        found = (found ^ column) * _PRIME
        found ^= found >> np.uint64(29)
    return found


def _pairs_within(keys: IntArray) -> tuple[IntArray, IntArray]:
    """Return the rows of all pairs of one key, the former first; ``keys`` are sorted."""
    same = (np.flatnonzero(keys[step:] == keys[:-step]) for step in count(1))
    steps = list(takewhile(len, same))
    apart = np.repeat(np.arange(1, len(steps) + 1), [len(rows) for rows in steps])
    rows = np.concatenate([np.zeros(0, np.int64), *steps])
    return rows, rows + apart
