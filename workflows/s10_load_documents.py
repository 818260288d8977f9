"""Stage 10: the files of the input folder become documents; what cannot be read becomes a row in failures."""

from collections.abc import Iterable, Iterator, Sequence

from pipeline.base.files import Problem
from pipeline.base.ids import content_id, dump
from pipeline.base.input_files import InputFile
from pipeline.base.schema import DOCUMENTS
from pipeline.base.settings import InputSettings
from pipeline.base.tokens import Tokenizer
from pipeline.base.workflow import Notes, Parts
from pipeline.documents.formats import FormatOptions, LeftOut, Parsed, parse
from pipeline.documents.parsed import SAME_TEXT

PART_CHARACTERS = 16_000_000
"""Characters of text in memory before a part is written."""


def run(files: Iterable[InputFile | Problem], settings: InputSettings, tokenizer: Tokenizer, notes: Notes) -> Parts:
    """Read every file, in the order of paths.

    A file whose text is that of an earlier one is skipped and logged; records are documents whatever their texts.
    """
    seen: dict[str, str] = {}
    rows: list[tuple[str, Parsed]] = []
    characters = 0
    for source, found in _documents(files, settings, notes):
        if not found.key:
            first = seen.setdefault(content_id(found.text), source)
            if first != source:
                notes.problem(source, f"{SAME_TEXT}{first}", "skipped")
                continue
        rows.append((source, found))
        characters += len(found.text)
        if characters >= PART_CHARACTERS:
            yield DOCUMENTS, DOCUMENTS.rows(_rows(rows, tokenizer))
            rows, characters = [], 0
    yield DOCUMENTS, DOCUMENTS.rows(_rows(rows, tokenizer))


def _documents(
    files: Iterable[InputFile | Problem], settings: InputSettings, notes: Notes
) -> Iterator[tuple[str, Parsed]]:
    """Yield the documents of all files; log what was left out, and enter what could not be read."""
    options = FormatOptions(
        settings.text_column,
        settings.title_column,
        settings.metadata_columns,
        settings.id_column,
        settings.date_column,
        settings.web_pages,
    )
    for file in files:
        for found in (file,) if isinstance(file, Problem) else parse(file.source, file.data, options):
            if isinstance(found, Parsed):
                yield file.source, found
            elif isinstance(found, LeftOut):
                columns = ", ".join(f"{name} ({count:,})" for name, count in sorted(found.columns.items()))
                notes.report(f"{file.source}: values that are not kept as metadata, by column: {columns}")
            else:
                place = f"{file.source}#{found.key}" if found.key else file.source
                notes.problem(place, found.reason, found.kind)


def _rows(documents: Sequence[tuple[str, Parsed]], tokenizer: Tokenizer) -> Iterator[tuple[object, ...]]:
    counts = tokenizer.counts([found.text for _, found in documents])
    for (source, found), n_tokens in zip(documents, counts, strict=True):
        id = content_id(source, found.key, found.text)
        metadata = {"record": found.key, **found.metadata} if found.key else found.metadata
        yield id, found.title, source, found.text, n_tokens, dump(metadata), *found.places
