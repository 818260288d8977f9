"""Makes documents of records, which are values under names: which name holds the text, the id, the date; metadata."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pipeline.base.files import Problem
from pipeline.documents.encoding import clean
from pipeline.documents.nested_values import in_words, unnested
from pipeline.documents.parsed import (
    EVERY,
    NOTE,
    FormatOptions,
    LeftOut,
    Parsed,
    Scalar,
    name_of,
    one_line,
    readable_name,
)
from pipeline.documents.places import MappedText, record_text
from pipeline.documents.tables import between, write_row
from pipeline.text.dates import DayOrder, days_in, in_order, is_of_order

_IDS = (
    *("id", "key", "ticket", "uuid", "guid", "number", "no", "nr"),
    *("ref", "reference", "case", "order", "invoice", "issue"),
)
_TITLES = ("title", "subject", "headline", "name")
_DATES = (
    *("date", "created", "created at", "created on", "timestamp", "sent", "published"),
    *("datum", "fecha", "data", "дата", "日期", "日付"),
)
"""Usual names of columns for ids, titles and dates; of several that are there the first is taken."""
_LONGEST_VALUE = 500
"""Characters of a value that is kept as metadata without being named in the settings."""
_MOST_SHAPES = 1_000
"""Sets of names that are remembered; files of records have a few."""
_ISO_DAY = re.compile(r"\d{4}-\d\d-\d\d")


class _Columns(NamedTuple):
    """What the names of a record are for; None where there is none."""

    text: str | None
    title: str | None
    id: str | None
    date: str | None
    metadata: tuple[tuple[str, str], ...]
    """The key of the metadata and the record's own name."""
    ignored: tuple[str, ...]


class RecordReader:
    """The records of one file, one after the other; ``order`` is which number is the day where its days are written as 03/04/2024, None
    where that is not known."""

    def __init__(self, source: str, options: FormatOptions, order: DayOrder | None = None) -> None:
        self.source, self.options, self._order = source, options, order
        self.left_out: Counter[str] = Counter()
        """Columns that are not kept, and in how many records."""
        self._has_texts = False
        """Whether a record of the file had a text: then one without is a fault, not a record of another kind."""
        self._ids: set[str] = set()
        self._columns: dict[tuple[str, ...], _Columns] = {}

    def columns(self, record: Mapping[str, Any]) -> _Columns:
        """What the names of ``record`` are for; looked up once for all records of the same names."""
        names = tuple(record)
        found = self._columns.get(names)
        if found is None:
            if len(self._columns) == _MOST_SHAPES:
                self._columns.clear()
            found = self._columns[names] = _assigned(names, self.options)
        return found

    def document(self, place: str, number: int, record: Mapping[str, Any], note: str = "") -> Parsed | Problem:
        """Make a document of record ``number``, which is at ``place`` in the file, or say why it is none.

        Its key is the value of its id column where that is new in the file, else its place.
        """
        columns = self.columns(record)
        apart = unnested(record, columns.text)
        if apart is not record:
            record, columns = apart, self.columns(apart)
        if columns.text is None:
            text = self._in_words(record)
            if not text or self._has_texts or self.options.text_column != FormatOptions.text_column:
                reason = f"no {self.options.text_column!r} among its keys: {_listed(record)}; set input.text_column"
                return Problem(self.source, place, reason)
            return self.with_text(place, number, record, text, columns, note)
        self._has_texts = True
        value = record[columns.text]
        if value is None:
            return Problem(self.source, place, f"its {columns.text!r} is null", "skipped")
        if isinstance(value, list | dict):
            kind = "a list" if isinstance(value, list) else "a group of values"
            return Problem(self.source, place, f"its {columns.text!r} is {kind}, not text")
        if not isinstance(value, str):
            kind = "a truth value" if isinstance(value, bool) else "a number"
            note = f"its {columns.text!r} was not text but {kind}"
        return self.with_text(place, number, record, value if isinstance(value, str) else name_of(value), columns, note)

    def with_text(
        self, place: str, number: int, record: Mapping[str, Any], value: str, columns: _Columns, note: str = ""
    ) -> Parsed:
        """Make a document of this text and the record's other values."""
        text, replaced = clean(value)
        key = self._key(place, record.get(columns.id) if columns.id is not None else None)
        title = record.get(columns.title) if columns.title is not None else None
        if replaced:
            note = "; ".join(filter(None, (note, f"{replaced} unusable characters replaced")))
        return Parsed(
            (one_line(name_of(title)) if isinstance(title, str | int | float) else "")
            or f"{readable_name(self.source)}, {key or place}".removesuffix(", "),
            text,
            self._metadata(record, columns, note),
            key,
            record_text(len(text), number, label(key, place, columns.text)),
        )

    def rest(self) -> list[LeftOut]:
        """What was left out of the records so far, if anything."""
        return [LeftOut(self.source, dict(self.left_out))] if self.left_out else []

    def _in_words(self, record: Mapping[str, Any]) -> str:
        """A record without a text as the names and values that it holds; what is nested too deep is counted as left out."""
        plain = {name: in_words(value) for name, value in record.items()}
        self.left_out.update(name for name, value in plain.items() if value is None and record[name] is not None)
        cells = ["" if value is None else name_of(value) for value in plain.values()]
        text = MappedText()
        write_row(text, [name_of(name) for name in plain], cells, lambda k: text.insert(cells[k]), between(cells))
        return text.text()

    def _metadata(self, record: Mapping[str, Any], columns: _Columns, note: str) -> dict[str, Scalar]:
        metadata: dict[str, Scalar] = {}
        for key, name in columns.metadata:
            value = record[name]
            plain = in_words(value)
            long = key == name and isinstance(plain, str) and len(plain) > _LONGEST_VALUE
            if (plain is None and value is not None) or (long and name not in self.options.metadata_columns):
                self.left_out[name] += 1
            elif value not in (None, "") or name in self.options.metadata_columns:
                metadata[key] = plain
        if columns.date is not None and isinstance(record[columns.date], str | int):
            metadata["date"] = _day(name_of(record[columns.date]), self._order)
        for name in columns.ignored:
            self.left_out[name] += 1
        if note:
            metadata[NOTE] = note
        return metadata

    def _key(self, place: str, value: Any) -> str:
        usable = isinstance(value, str | int) and not isinstance(value, bool)
        key = one_line(name_of(value)) if usable else ""
        if not key:
            return place
        if key in self._ids:
            return f"{key} ({place})"
        self._ids.add(key)
        return key


def above_names(source: str, place: str, rows: Sequence[Sequence[str]]) -> Problem:
    """Say that rows above the one that names the columns are no records, and what they hold."""
    said = "; ".join(filter(None, (" ".join(" ".join(cells).split()) for cells in rows)))
    return Problem(source, place, f"above the names of the columns, so no record: {said[:200]}", "skipped")


def label(key: str, place: str, text_column: str | None) -> str:
    """What a record is called where an answer names its source: "record T-10003, column note"."""
    called = f"record {key}" if key != place else place or "record 1"
    return f"{called}, column {text_column}" if text_column not in (None, "text", "Text") else called


def values_of(record: Mapping[str, Any]) -> dict[str, Scalar]:
    """All values of a record as metadata, those of groups under their own names; what is nested too deep is left out and noted."""
    apart = unnested(record, None)
    values = {name: in_words(value) for name, value in apart.items()}
    left_out = [name for name, value in values.items() if value is None and apart[name] is not None]
    metadata = {name: value for name, value in values.items() if name not in left_out}
    return metadata | ({NOTE: f"values nested too deep left out: {', '.join(left_out)}"} if left_out else {})


def _assigned(names: tuple[str, ...], options: FormatOptions) -> _Columns:
    by_name: dict[str, str] = {}
    for name in names:
        by_name.setdefault(_folded(name), name)

    def one_of(setting: str, usual: tuple[str, ...]) -> str | None:
        wished = (setting,) if setting else usual
        return next((by_name[_folded(name)] for name in wished if _folded(name) in by_name), None)

    text = one_of(options.text_column, ())
    title = one_of(options.title_column, ()) or one_of("", _TITLES)
    id = one_of(options.id_column, _IDS)
    if id is None and not options.id_column and _folded(names[0] if names else "").endswith((" id", " key", " number")):
        id = names[0]  # "customer id" further on is not the record's own
    date = one_of(options.date_column, _DATES)
    every = EVERY in options.metadata_columns
    wished = [name for name in options.metadata_columns if name != EVERY]
    own = {by_name[_folded(name)]: name for name in wished if _folded(name) in by_name}
    used = {text, title, id, None}
    metadata = [(own.get(name, name_of(name)), name) for name in names if name in own or (every and name not in used)]
    ignored = [name for name in names if not every and name not in own and name not in used and name != date]
    return _Columns(text, title, id, date, tuple(metadata), tuple(ignored))


def _folded(name: Any) -> str:
    """A name without regard to case, and to what parts its words: "created_at", "CreatedAt" and "Created at" are one."""
    return " ".join(re.sub(r"(?<=[a-z])(?=[A-Z])|[\W_]+", " ", str(name)).casefold().split())


def _day(value: str, order: DayOrder | None) -> str:
    """A date as its ISO day where it is known which, else as it is; 03/04/2024 in the order of its file."""
    if order and is_of_order(value):
        return in_order(value, order).strip()[:10]
    days = None if _ISO_DAY.match(value) else days_in(value[:200])
    return days[0] if days and days[0] == days[1] else value


def _listed(record: Mapping[str, Any]) -> str:
    names = [one_line(name_of(name))[:40] for name in list(record)[:12]]
    return ", ".join(names) + (", ..." if len(record) > 12 else "") if names else "it has none"
