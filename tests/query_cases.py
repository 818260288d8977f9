"""What the tests of searches share: the index of the sample corpus, made once, and ways to ask it."""

import atexit
import html
import re
import shutil
import tempfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from pipeline.base.ids import content_id
from pipeline.base.settings import parse_settings
from pipeline.base.task import Failure, Request
from pipeline.language.backends.offline import OfflineBackend
from pipeline.language.ledger import Ledger
from pipeline.language.service import LanguageService
from pipeline.language.tasks.registry import TASKS
from pipeline.query.answer import Answer, Source
from pipeline.query.index import Index
from pipeline.runner.project import Project
from pipeline.runner.run import run_index
from tests.paths import ROOT
from tests.scripted_backend import Script, ScriptedBackend

AskFiles = Callable[[str, dict[str, str]], str]
"""Asks a question over some files."""

WEATHER = "What is the weather in Spain?"
BATTLES = "Did Joan of Arc lose any battles?"


@cache
def sample() -> Path:
    """Return the output folder of an index of the sample corpus, made once for all tests of a run."""
    folder = Path(tempfile.mkdtemp(prefix="graphstrata-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    shutil.copytree(ROOT / "input", folder / "input")
    project = Project(folder, parse_settings({}))
    run_index(project)
    return project.store.folder


@cache
def opened() -> Index:
    """Return the sample's index, opened once: what questions read of it stays in memory, as in a server."""
    return Index.open(sample(), parse_settings({}))


def ask(
    question: str, method: str, scripts: Mapping[str, Script] | None = None, **search: Any
) -> tuple[Answer, ScriptedBackend]:
    """Ask the sample's index with settings of the section search; return the answer and what was asked on the way.

    A model is asked to confirm the answer only where ``search`` says so: most tests are about how one is found.
    """
    backend = ScriptedBackend(dict(scripts or {}))
    index = opened().with_settings({"search": {"check_support": "words"} | search})
    return index.ask(question, method, language=LanguageService(OfflineBackend(), Ledger(), backend)), backend


def plainly(question: str, method: str, **search: Any) -> Answer:
    """Ask without any model."""
    index = opened().with_settings({"search": search})
    return index.ask(question, method, language=LanguageService(OfflineBackend(), Ledger()))


def faults(salt: str = "") -> dict[str, Script]:
    """Return scripts by which every task fails on a fifth of its requests, chosen by the hash of what is asked."""

    def script(name: str) -> Script:
        def fail(request: Request) -> Failure | None:
            hashed = content_id(salt, name, request.item, str(request))
            return Failure("the server was away", 3) if int(hashed, 16) % 5 == 0 else None

        return fail

    return {name: script(name) for name, task in TASKS.items() if task.prompt}


def check_answer(answer: Answer) -> None:
    """Assert what holds of every answer: numbers name listed sources, and every quote is where its source says."""
    cited = {int(number) for number in re.findall(r"\[(\d+)\]", answer.text)}
    assert cited == {source.number for source in answer.sources}
    assert not re.search(r"\[[a-z]\d", answer.text)
    for source in answer.sources:
        if source.document_id:
            assert reads_as(sample().parent / "input", source)
    assert 0 <= answer.coverage.share <= 1 and answer.coverage.description


def check_unanswered(answer: Answer) -> None:
    """Assert that an answer asserts nothing and shows the closest passages word for word, or names what the corpus does not have."""
    assert answer.outcome in ("closest", "nothing") and not answer.supported
    assert not answer.sources and not answer.unsupported_sentences
    if answer.outcome == "nothing":
        assert answer.text.startswith("No passage shares a word with this question.")
        assert not answer.closest and all(word in answer.text for word in answer.missing)
        return
    assert answer.text.endswith("No passage clearly answers this. Closest passages:") and 1 <= len(answer.closest) <= 5
    for source in answer.closest:
        assert reads_as(sample().parent / "input", source) and source.heading
        assert source.quote in str(answer)


def reads_as(folder: Path, source: Source) -> bool:
    """Whether the file under ``folder`` that a source names has its quote where it says."""
    return in_file(folder, vars(source), source.quote)


def in_file(folder: Path, about: Mapping[str, Any], quote: str) -> bool:
    """Whether the characters of the file are the quote, and the place is the line of the first.

    Of a page's markup the text is looked at, and white space and the signs that reading inserts are not.
    """
    text = (folder / about["file"]).read_bytes().decode("utf-8-sig")
    found = text[about["start"] : about["end"]]
    line = text.count("\n", 0, about["start"]) + 1
    placed = re.fullmatch(rf"lines? {line}(-\d+)?", about["place"]) is not None
    if about["file"].endswith(".html"):
        shown = html.unescape(re.sub(r"<[^>]*>", "", found))
        return placed and "".join(shown.split()) == "".join(re.sub(r"(?m)^(#+|-) ", "", quote).split())
    return placed and found == quote


LISTS_OF_BILLS = {
    "factures.csv": "facture,client,date,montant,statut\nF-1,Petit,2024-01-05,240,payée\n"
    "F-2,Duval,2024-05-09,1180,ouverte\nF-3,Petit,2024-05-11,95,ouverte\n",
    "pedidos.csv": "pedido,cliente,fecha,importe,estado\nP-1,Sol,2024-01-05,240,cerrado\n"
    "P-2,Luz,2024-05-09,1180,abierto\nP-3,Sol,2024-05-11,95,abierto\n",
    "ordini.csv": "ordine,cliente,data,importo,stato\nO-1,Sole,2024-01-05,240,chiuso\n"
    "O-2,Luce,2024-05-09,1180,aperto\nO-3,Sole,2024-05-11,95,aperto\n",
}
"""Lists of bills in French, Spanish and Italian, by the names of their files."""
