"""Which pairs of names are worth a look: those that share a key, so that work grows with the names and not with their pairs."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from pipeline.resolution.shapes import NameShape

MOST_SHARED: Final = 24
"""Names that share a key, above which it tells too little: a given name that fifty people have."""
SHORTEST: Final = 6
"""Letters from which on spellings with one letter missing are compared."""
LONGEST: Final = 24
MOST_WORDS: Final = 2
"""Words of a name that is looked for with one letter missing; longer names share a word with their misspellings."""


def candidate_pairs(shapes: Sequence[NameShape]) -> list[tuple[int, int]]:
    """Return pairs of places (first below second) that share a key, in ascending order; linear in the names."""
    blocks: dict[str, list[int]] = defaultdict(list)
    for place, shape in enumerate(shapes):
        for key in set(_keys(shape)):
            blocks[key].append(place)
    pairs: set[tuple[int, int]] = set()
    for key, places in blocks.items():
        if 1 < len(places) <= (MOST_SHARED if key[0] in "wd" else 2 * MOST_SHARED):
            pairs.update((a, b) for i, a in enumerate(places) for b in places[i + 1 :])
    return sorted(pairs)


def _keys(shape: NameShape) -> Iterator[str]:
    """Yield keys, the first letter of which says of what kind they are."""
    plain, tokens = shape.plain, shape.tokens
    if not plain:
        return
    yield f"p{plain}"
    if shape.german != plain:
        yield f"p{shape.german}"
    yield f"s{shape.sound}"
    for token in tokens:
        if len(token) > 2:
            yield f"w{token}"
    if len(tokens) > 1:
        yield f"f{tokens[0]} {tokens[-1][:4]}"
        yield f"f{tokens[0][:1]} {tokens[-1]}"
        if tokens[-1] != shape.bases[-1]:
            yield f"b{' '.join(shape.bases)}"
        else:
            yield f"b{' '.join(tokens)}"
    if shape.acronym:
        yield f"i{shape.acronym}"
    for initials in shape.initials:
        yield f"i{initials}"
    if SHORTEST <= len(plain) <= LONGEST and len(tokens) <= MOST_WORDS and not plain.isdigit():
        yield f"d{plain}"
        for at in range(len(plain)):
            yield f"d{plain[:at]}{plain[at + 1 :]}"
