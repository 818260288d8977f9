"""The manifest of a generation: its tables with their hashes, what each stage did, and reading it with suspicion."""

import json
import re
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from pipeline.base.errors import StoreError

FORMAT = 1
"""The format of manifests that this program writes and reads."""


class Entry(BaseModel):
    """One table of a generation: its file under the output folder, rows, content hash, schema version and bytes."""

    model_config = ConfigDict(extra="forbid")
    file: str
    rows: int
    hash: str
    version: int
    size: int = -1
    """Bytes of the file; -1 where the manifest does not say."""


class Stage(BaseModel):
    """What one workflow did: the fingerprint of everything that shaped its tables, and how many items failed."""

    model_config = ConfigDict(extra="forbid")
    fingerprint: str
    settings: str = ""
    """Hash of the stage's own settings: when they change, nothing is taken over from the last generation."""
    failed: int = 0


class Manifest(BaseModel):
    """A published generation. ``status`` is complete or partial; ``tokenizer`` what counted its tokens."""

    model_config = ConfigDict(extra="forbid")
    format: int = FORMAT
    generation: int
    status: str
    tokenizer: str
    tables: dict[str, Entry]
    stages: dict[str, Stage]
    files: str = ""
    """Content hash of the input files that were read."""
    corrections: str = ""
    """Content hash of the corrections of names that were applied."""

    @property
    def rows(self) -> dict[str, int]:
        """How many rows each table has."""
        return {name: entry.rows for name, entry in self.tables.items()}


def read_manifest(path: Path) -> Manifest:
    """Return the manifest at ``path``; StoreError for a damaged one, another format, or a file that is not in its place."""
    try:
        content = json.loads(path.read_bytes())
        format = content.get("format", FORMAT) if isinstance(content, dict) else None
        if isinstance(format, int) and format != FORMAT:
            raise StoreError(
                f"{path} has format {format}, this program reads format {FORMAT}",
                "the index was made by another version of graphstrata",
                _ANEW,
            )
        manifest = Manifest.model_validate(content)
    except (ValueError, RecursionError, ValidationError) as error:
        raise StoreError(
            f"{path} is not a manifest that this program can read", "it names the tables of the published index", _ANEW
        ) from error
    if "documents" not in manifest.tables:
        raise StoreError(f"{path} names no table of documents", "every index has one", _ANEW)
    for name, entry in manifest.tables.items():
        if not _NAME.fullmatch(name) or entry.file != f"generations/{manifest.generation:06d}/{name}.parquet":
            raise StoreError(
                f"{path} names the file {entry.file!r} for the table {name!r}",
                "tables are stored in the folder of their generation, each under its own name",
                _ANEW,
            )
    return manifest


_NAME = re.compile(r"[a-z][a-z_]*")
_ANEW = "run: graphstrata index (makes the index anew; replies come from the cache), or: graphstrata rollback"
