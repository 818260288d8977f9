"""Checks of places: every stretch of a document's text leads to a position, and where the file is at hand, to its words."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import get_args

import pyarrow as pa

from pipeline.base.arrow.columns import rows_of
from pipeline.base.errors import InputError
from pipeline.base.files import Problem
from pipeline.base.input_files import InputFiles
from pipeline.documents.formats import decoded
from pipeline.documents.places import PLACE_COLUMNS, PlaceMap, PlaceUnit, file_place, line_starts
from pipeline.exchange.verify.check import Check, listed
from pipeline.exchange.verify.tables import Tables

UNITS = get_args(PlaceUnit)
_ENCODED = re.compile("&|=[0-9A-Fa-f]{2}")
"""What a file has in place of a character: a reference of HTML, a byte of quoted-printable."""
IN_FILES = "places are those of the files"


def check_places(tables: Tables) -> Check:
    """Maps from texts to files are whole: stretches cover the text in order, units are in order and have their names."""
    documents = tables["documents"]
    wrong = [f"document {id}: {reason}" for id, text, places in _maps(documents) for reason in _faults(text, places)]
    return listed("places of documents are whole", documents.num_rows, wrong)


def check_files(tables: Tables, files: InputFiles, indexed: str) -> Check:
    """What the maps lead to is in the input files: the same characters, white space apart, and the lines that are said.

    ``indexed`` is the hash of the files that the index was made of; nothing is looked at where they are others now.
    """
    try:
        now = files.hash
    except InputError as error:
        return Check(IN_FILES, 0, 0, (), f"not checked: {error.found}")
    if now != indexed:
        return Check(IN_FILES, 0, 0, (), "not checked: the input files are others than those that were indexed")
    documents = tables["documents"]
    of_file: dict[str, list[tuple[str, str, PlaceMap]]] = {}
    for source, document in zip(documents["source"].to_pylist(), _maps(documents), strict=True):
        if document[2].unit in ("line", "row"):
            of_file.setdefault(source, []).append(document)
    looked_at = 0
    strangers = set(documents["source"].to_pylist())
    wrong: list[str] = []
    for file in files:
        strangers.discard(file.source)
        if isinstance(file, Problem) or file.source not in of_file:
            continue
        text = decoded(*file).text
        looked_at += len(of_file[file.source])
        wrong += [f"{file.source}: {reason}" for reason in _strays(text, of_file[file.source])]
    wrong += [f"{source}: no such file was indexed" for source in sorted(strangers)]
    return listed(IN_FILES, looked_at, wrong)


def _maps(documents: pa.Table) -> Iterator[tuple[str, str, PlaceMap]]:
    for id, text, *places in rows_of(documents, "id", "text", *PLACE_COLUMNS):
        yield id, text, PlaceMap(*places)


def _faults(text: str, places: PlaceMap) -> Iterator[str]:
    if places.unit not in UNITS:
        yield f"no unit of files is called {places.unit!r}"
    if not places.offsets and not places.unit:
        return
    if len(places.offsets) < 2 or (places.offsets[0], places.offsets[-1]) != (0, len(text)):
        yield f"its stretches do not cover its {len(text)} characters"
    elif len(places.starts) != len(places.offsets) or not _rises(places.offsets):
        yield "its stretches are out of order"
    elif min(places.starts) < -1 or not _rises([start for start in places.starts if start >= 0]):
        yield "its positions are out of order"
    if not _rises(places.breaks) or len(places.labels) not in (0, max(len(places.breaks), 1)):
        yield "its units are out of order, or have not their names"


def _rises(numbers: Sequence[int]) -> bool:
    return all(before <= after for before, after in pairwise(numbers))


def _strays(file: str, documents: Iterable[tuple[str, str, PlaceMap]]) -> Iterator[str]:
    """Stretches that the file does not have where they lead, one for each document."""
    lines = line_starts(file)
    for id, text, places in documents:
        if places.unit == "line" and list(places.breaks) != lines:
            yield f"document {id} has other lines than the file"
        for (offset, start), (end, following) in pairwise(zip(places.offsets, places.starts, strict=True)):
            length = end - offset
            exact = start >= 0 and length and (following < 0 or following >= start + length)
            written = file[start : start + length] if exact else ""
            if exact and _even(written) != _even(text[offset:end]) and not _ENCODED.match(file, start):
                place = file_place(dict(zip(PLACE_COLUMNS, places, strict=True)), offset, end)
                yield f"at {place.label} of document {id} the file has {written[:40]!r}, not {text[offset:end][:40]!r}"
                break


def _even(text: str) -> str:
    return "".join(text.split())
