"""How many calls and tokens a question costs by each search method, answered by readers that never say they are done.

Every request is answered without a model and counted as one to a model, so the figures of ``local`` are what it asks at most:
a model that finds the answer stops earlier. Asked is the sample corpus.

    python benchmarks/reading.py [--methods local,global,drift]
"""

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from pipeline.base.settings import parse_settings
from pipeline.base.tokens import Estimate
from pipeline.language.backends.offline import OfflineBackend
from pipeline.language.ledger import Ledger
from pipeline.language.service import LanguageService
from pipeline.language.tasks.registry import TASKS
from pipeline.query.index import Index
from pipeline.runner.project import Project
from pipeline.runner.run import run_index
from tests.scripted_backend import NEUTRAL, ScriptedBackend

QUESTIONS = (
    ("Did Joan of Arc lose any battles?", "Paris"),
    ("Who crowned Charles VII?", "Regnault de Chartres"),
    ("How old was Joan of Arc when she died?", "nineteen"),
    ("Who founded the University of Caen?", "Henry VI"),
    ("What office did the man hold who laid out the camp at Castillon?", "Treasurer of France"),
    ("Who was the wife of Charles VII and who was her brother?", "René of Anjou"),
    ("What is the weather in Spain?", ""),
)
"""Questions, and what an answer must hold."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--methods", default="local")
    methods = parser.parse_args().methods.split(",")
    tokens = Estimate()
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "input", Path(folder) / "input")
        project = Project(Path(folder), parse_settings({}))
        run_index(project)
        index = Index.open(project.store.folder)
        print(f"{'method':8} {'calls':>5} {'tokens in':>9}  holds  question")
        for method in methods:
            total = []
            for question, said in QUESTIONS:
                backend = ScriptedBackend({})
                service = LanguageService(OfflineBackend(), Ledger(), backend)
                answer = index.ask(question, method, language=service)
                texts = [" ".join(TASKS[name].render(asked, common=NEUTRAL)) for name, asked in backend.asked]
                total.append((len(texts), sum(tokens.counts(texts)), said in answer.text))
                calls, n, right = total[-1]
                print(f"{method:8} {calls:5} {n:9,}  {'yes' if right else 'no':5}  {question}")
            calls, n = (sum(row[column] for row in total) / len(total) for column in (0, 1))
            print(f"{method:8} {calls:5.1f} {n:9,.0f}  {sum(row[2] for row in total)}/{len(total)}    mean")


if __name__ == "__main__":
    main()
