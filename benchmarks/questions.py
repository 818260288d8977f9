"""Asks the questions of corpora that people might have, without a model, and counts right, wrong and false answers.

    python benchmarks/questions.py [FOLDER ...] [--methods basic,auto] [--work DIR]

Each FOLDER is a corpus with a file questions.jsonl: a line {"question", "answers": [accepted strings], "kind", "file", "need"} for
each question, without answers where the corpus holds none. Left out, the FOLDERs are those of benchmarks/corpora: mails, a
manual, case files, papers of an excavation and of a mill, a firm's wiki, a tale, a chronicle, in six languages.

For each corpus, and over all of them, it prints

- ``right``: share of the answerable questions that are answered by a text that holds what is accepted,
- ``shown``: the same with the sources' quotes and the closest passages, whether or not it is an answer,
- ``precision``: share of the answers that are right,
- ``false``: share of the questions without an answer that are answered,
- ``closest``: share of the answerable questions that get passages in place of an answer,
- ``words``: mean length of an answer.

The last line is one JSON object with the figures over all corpora.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.answers import OWN, corpora_here, holds
from graphstrata import Answer, Index, build


class Asked(NamedTuple):
    """A question of a corpus, and its answer by one method."""

    question: dict[str, object]
    answer: Answer

    @property
    def is_answerable(self) -> bool:
        """Whether the corpus holds an answer."""
        return bool(self.question["answers"])

    @property
    def is_answered(self) -> bool:
        """Whether it was answered, and not by the closest passages."""
        return self.answer.outcome == "answered"

    @property
    def is_right(self) -> bool:
        """Whether the answer's text holds what is accepted."""
        return self.is_answered and self._is_in(self.answer.text)

    @property
    def is_shown(self) -> bool:
        """Whether anything that the reader is shown does."""
        told = [self.answer.text] if self.is_answered else []
        told += [one.quote for one in (*self.answer.sources, *self.answer.closest)]
        return self._is_in("\n".join(told))

    def _is_in(self, text: str) -> bool:
        accepted, need = self.question["answers"], self.question.get("need", 1)
        assert isinstance(accepted, list) and isinstance(need, int)
        return holds(text, accepted, need)


def opened(folder: Path, work: Path) -> Index:
    """Return the index of a corpus, made where there is none."""
    root = work / folder.name
    if not (root / "output").exists():
        for path in sorted(path for path in folder.rglob("*") if path.is_file() and path.name not in OWN):
            copy = root / "input" / path.relative_to(folder)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
        build(root / "input", root=root)
    return Index.open(root)


def asked(folder: Path, work: Path, methods: Iterable[str]) -> list[Asked]:
    """Return the questions of a corpus with their answers by each method."""
    index = opened(folder, work)
    lines = (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    questions = [json.loads(line) for line in lines if line.strip()]
    return [Asked(one, index.ask(one["question"], method)) for one in questions for method in methods]


def figures(every: Iterable[Asked]) -> dict[str, float]:
    """Return the shares; 0 where there is nothing to take one of."""
    every = list(every)
    able, answers = [one for one in every if one.is_answerable], [one for one in every if one.is_answered]
    parts = {
        "right": [one.is_right for one in able],
        "shown": [one.is_shown for one in able],
        "precision": [one.is_right for one in answers],
        "false": [one.is_answered for one in every if not one.is_answerable],
        "closest": [one.answer.outcome == "closest" for one in able],
        "words": [len(one.answer.text.split()) for one in answers],
    }
    return {name: round(sum(values) / len(values), 3) if values else 0.0 for name, values in parts.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--methods", default="basic,auto")
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "graphstrata-questions")
    options = parser.parse_args()
    folders = options.folders or corpora_here()
    every = {folder.name: asked(folder, options.work, options.methods.split(",")) for folder in folders}
    for name, some in every.items():
        print(f"{name:24}", figures(some))
    together = [one for some in every.values() for one in some]
    print(json.dumps(figures(together) | {"asked": len(together), "corpora": len(every)}))


if __name__ == "__main__":
    main()
