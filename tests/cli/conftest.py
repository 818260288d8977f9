"""What the tests of the command share: a project with an index of the small corpus."""

from pathlib import Path

import pytest

from pipeline.runner.run import run_index
from tests.corpora import project


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a project that is indexed, made once for each module."""
    folder = tmp_path_factory.mktemp("indexed")
    (folder / "settings.yaml").write_text("chunks:\n  size: 60\n  overlap: 10\n")
    run_index(project(folder))
    return folder
