"""Questions over a few files, each set of which is indexed once for the tests of a module."""

import pytest

from pipeline.query.index import Index
from pipeline.runner.run import run_index
from tests.corpora import project
from tests.query_cases import AskFiles


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory) -> AskFiles:
    """Returns the answer to a question over some files, with its notes; nothing where there is none."""
    opened: dict[str, Index] = {}

    def ask(question: str, files: dict[str, str]) -> str:
        if str(files) not in opened:
            made = project(tmp_path_factory.mktemp("files"), files, input={"patterns": ["*.csv", "*.md"]})
            run_index(made)
            opened[str(files)] = Index.open(made.store.folder)
        answer = opened[str(files)].ask(question, "basic")
        return answer.text_with_notes if answer.supported else ""

    return ask
