"""Which pairs of names are worth a look: those that share a key, so that work grows with the names and not with their pairs."""

from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from itertools import combinations
from typing import Any, Final

import numpy as np

from pipeline.resolution.shapes import NameShape

MOST_SHARED: Final = 24
"""Names that share a key, above which it says too little: a given name that fifty people have."""
SHORTEST: Final = 6
"""Letters from which on spellings with one letter missing are compared."""
LONGEST: Final = 24
MOST_WORDS: Final = 2
"""Words of a name that is looked for with one letter missing; longer names share a word with their misspellings."""
_PRIME: Final = np.uint64(0x9E3779B97F4A7C15)


def candidate_pairs(shapes: Sequence[NameShape]) -> list[tuple[int, int]]:
    """Return pairs of places (first below second) that share a key, in ascending order; linear in the names."""
    acronyms = {shape.acronym for shape in shapes}
    scripts = {shape.is_latin for shape in shapes}
    blocks: dict[str, int | list[int]] = {}
    """Places by key; a single one, as of most keys, without a list around it."""
    for place, shape in enumerate(shapes):
        for key in set(_keys(shape, acronyms, mixed=len(scripts) > 1)):
            before = blocks.setdefault(key, place)
            if isinstance(before, list):
                before.append(place)
            elif before != place:
                blocks[key] = [before, place]
    pairs = set(_one_letter_less(shapes))
    for key, places in blocks.items():
        if isinstance(places, list) and len(places) <= (MOST_SHARED if key[0] == "w" else 2 * MOST_SHARED):
            pairs.update(_worth_comparing(key[0], places, shapes))
    return sorted(pairs)


def _worth_comparing(kind: str, places: Sequence[int], shapes: Sequence[NameShape]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of places for which a shared key of this kind says something: initials where one of the two is
    an acronym, sounds where they are in two scripts."""
    if kind == "i":
        marked = [bool(shapes[place].acronym) for place in places]
        yield from ((a, b) for (a, x), (b, y) in combinations(zip(places, marked, strict=True), 2) if x or y)
    elif kind == "s":
        marked = [shapes[place].is_latin for place in places]
        yield from ((a, b) for (a, x), (b, y) in combinations(zip(places, marked, strict=True), 2) if x != y)
    else:
        yield from combinations(places, 2)


def _keys(shape: NameShape, acronyms: Set[str], mixed: bool) -> Iterator[str]:
    """Yield keys, the first letter of which says of what kind they are. Initials that are no acronym's are not worth a
    comparison, nor are sounds unless scripts are mixed."""
    plain, tokens = shape.plain, shape.tokens
    if not plain:
        return
    yield f"p{plain}"
    if shape.german != plain:
        yield f"p{shape.german}"
    if mixed:
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


def _one_letter_less(shapes: Sequence[NameShape]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of places whose letters are the same when each lacks at most one, for names that may be misspelt."""
    lengths: dict[int, list[int]] = defaultdict(list)
    for place, shape in enumerate(shapes):
        plain = shape.plain
        if SHORTEST <= len(plain) <= LONGEST and len(shape.tokens) <= MOST_WORDS and not plain.isdigit():
            lengths[len(plain)].append(place)
    hashes, owners = [], []
    for length, places in lengths.items():
        text = "".join(shapes[place].plain for place in places)
        letters = np.frombuffer(text.encode("utf-32-le"), np.uint32).reshape(len(places), length).astype(np.uint64)
        without = [letters, *(np.delete(letters, at, axis=1) for at in range(length))]
        hashes += [_hashes(some) for some in without]
        owners += [np.array(places)] * len(without)
    if not hashes:
        return
    keys, owner = np.concatenate(hashes), np.concatenate(owners)
    order = np.lexsort((owner, keys))
    keys, owner = keys[order], owner[order]
    kept = np.concatenate(([True], (keys[1:] != keys[:-1]) | (owner[1:] != owner[:-1])))
    keys, owner = keys[kept], owner[kept]
    starts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    sizes = np.diff(np.append(starts, len(keys)))
    several = (sizes > 1) & (sizes <= MOST_SHARED)
    for start, size in zip(starts[several].tolist(), sizes[several].tolist(), strict=True):
        yield from combinations(owner[start : start + size].tolist(), 2)


def _hashes(letters: Any) -> Any:
    """Return a number for each row of letters; rows that differ have the same one by a chance of 1 in 2^64."""
    found = np.full(len(letters), letters.shape[1], np.uint64)
    for column in letters.T:
        found = (found ^ column) * _PRIME
        found ^= found >> np.uint64(29)
    return found
