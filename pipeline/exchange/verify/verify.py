"""The command verify: looks at what is in a folder, our index or Microsoft GraphRAG's, and says what is wrong with it."""

from pathlib import Path

from pipeline.base.errors import StoreError
from pipeline.base.input_files import InputFiles
from pipeline.base.store import Store
from pipeline.base.workflow import Workflow
from pipeline.exchange.microsoft.folder import is_microsoft, read_microsoft
from pipeline.exchange.verify.check import Check
from pipeline.exchange.verify.checks import verify_own
from pipeline.exchange.verify.microsoft import verify_microsoft


def verify(folder: Path, files: InputFiles | None = None, retrieval: Workflow | None = None) -> tuple[str, list[Check]]:
    """Return whose index is in ``folder`` (graphstrata or microsoft), and the checks that were made of it.

    ``files`` are the input files of an index of ours, where they are at hand; ``retrieval`` is the stage that makes its
    tables of retrieval. Raises StoreError where there is neither.
    """
    if (folder / "manifest.json").exists():
        return "graphstrata", verify_own(Store(folder).open(), files, retrieval)
    if is_microsoft(folder):
        return "microsoft", verify_microsoft(read_microsoft(folder))
    raise StoreError(
        f"no index in {folder}",
        "verify reads an output folder of graphstrata, or one of Microsoft GraphRAG 2 or 3 (entities.parquet and so on)",
        "name such a folder, or run: graphstrata index",
    )
