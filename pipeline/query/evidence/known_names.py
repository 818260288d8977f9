"""Names of a question or of evidence that are entities of the index: their other forms, and their types."""

from collections.abc import Iterable

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.base.arrow.build import array
from pipeline.base.store import Rows
from pipeline.text.near_words import words_in

LONGEST = 6
"""Words of a name."""


def known_names(question: str, entities: Rows) -> dict[str, tuple[str, ...]]:
    """Return the names of entities that a question holds, as it writes them, each with the entity's forms.

    Of names inside one another the longest counts. Where the question is written with capitals, so must be its names.
    """
    words = words_in(question)
    runs = [(i, j) for i in range(len(words)) for j in range(i + 1, min(i + LONGEST, len(words)) + 1)]
    written = {(i, j): question[words[i][0] : words[j - 1][1]] for i, j in runs}
    cased = any(char.isupper() for char in question[1:])
    wanted = sorted({text.lower() for text in written.values() if not cased or text[:1].isupper()})
    forms = _forms(wanted, entities)
    taken: set[int] = set()
    found = {}
    for i, j in sorted(runs, key=lambda run: (run[0] - run[1], run)):
        known = forms.get(written[i, j].lower())
        if known and (not cased or written[i, j][:1].isupper()) and taken.isdisjoint(range(i, j)):
            taken.update(range(i, j))
            found[written[i, j]] = known
    return found


def types_of(names: Iterable[str], entities: Rows) -> tuple[tuple[str, str], ...]:
    """Return the names that are titles of entities, each with its type, sorted."""
    table = entities.table(["title", "type"])
    wanted = array(sorted(set(names)), pa.string())
    found = table.filter(pc.is_in(table["title"], value_set=wanted)).to_pydict()
    return tuple(sorted(zip(found["title"], found["type"], strict=True)))


def _forms(wanted: list[str], entities: Rows) -> dict[str, tuple[str, ...]]:
    """Return the forms of the entities that have one of the wanted (lower case), of equals the most frequent entity's.

    A title without a capital is a common noun and no name.
    """
    table = entities.table(["title", "aliases", "frequency"]).combine_chunks()
    if not table.num_rows:
        return {}
    value_set = array(wanted, pa.string())
    aliases = table["aliases"].combine_chunks()
    by_alias = pc.list_parent_indices(aliases).filter(pc.is_in(pc.utf8_lower(aliases.flatten()), value_set=value_set))
    by_title = pc.indices_nonzero(pc.is_in(pc.utf8_lower(table["title"].combine_chunks()), value_set=value_set))
    rows = table.take(pc.unique(pa.concat_arrays([by_title.cast(pa.int64()), by_alias.cast(pa.int64())]))).to_pylist()
    found: dict[str, tuple[str, ...]] = {}
    for row in sorted(rows, key=lambda row: (-row["frequency"], row["title"])):
        if row["title"] != row["title"].lower():
            forms = (row["title"], *row["aliases"])
            for form in forms:
                if form.lower() in wanted:
                    found.setdefault(form.lower(), forms)
    return found
