"""Stage 10: the files of the input folder become documents; what cannot be read becomes a row in failures."""

from collections.abc import Iterable, Iterator, Sequence

from pipeline.base.files import Problem
from pipeline.base.ids import content_id, dump
from pipeline.base.input_files import InputFile
from pipeline.base.schema import DOCUMENTS
from pipeline.base.settings import InputSettings
from pipeline.base.tokens import Tokenizer
from pipeline.base.workflow import FILES, Notes, Parts, workflow
from pipeline.documents.formats import FormatOptions, Parsed, parse

PART_CHARACTERS = 16_000_000
"""Characters of text held before a part is written."""


@workflow(reads=(FILES,), settings="input", writes=(DOCUMENTS,))
def load_documents(
    files: Iterable[InputFile | Problem], settings: InputSettings, tokenizer: Tokenizer, notes: Notes
) -> Parts:
    """Read every file, in the order of paths; a text that stood in an earlier one is skipped and told."""
    seen: dict[str, str] = {}
    rows: list[tuple[str, Parsed]] = []
    held = 0
    for source, found in _records(files, settings):
        if isinstance(found, Problem):
            notes.problem(_place(source, found.key), found.reason, found.kind)
            continue
        place = _place(source, found.key)
        first = seen.setdefault(content_id(found.text), place)
        if first != place:
            notes.problem(place, f"the same text as {first}", "skipped")
            continue
        rows.append((source, found))
        held += len(found.text)
        if held >= PART_CHARACTERS:
            yield DOCUMENTS, DOCUMENTS.rows(_rows(rows, tokenizer))
            rows, held = [], 0
    yield DOCUMENTS, DOCUMENTS.rows(_rows(rows, tokenizer))


def _records(files: Iterable[InputFile | Problem], settings: InputSettings) -> Iterator[tuple[str, Parsed | Problem]]:
    options = FormatOptions(settings.text_column, settings.title_column, settings.metadata_columns)
    for file in files:
        if isinstance(file, Problem):
            yield file.source, file
            continue
        for found in parse(file.source, file.data, options):
            yield file.source, found


def _place(source: str, key: str) -> str:
    return f"{source}#{key}" if key else source


def _rows(documents: Sequence[tuple[str, Parsed]], tokenizer: Tokenizer) -> Iterator[tuple[object, ...]]:
    counts = tokenizer.counts([found.text for _, found in documents])
    for (source, found), n_tokens in zip(documents, counts, strict=True):
        id = content_id(source, found.key, found.text)
        metadata = {"record": found.key, **found.metadata} if found.key else found.metadata
        yield id, found.title, source, found.text, n_tokens, dump(metadata)
