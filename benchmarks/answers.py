"""Fits how units of passages are ranked and when excerpts are an answer, and says how that does on corpora left out.

    python benchmarks/answers.py [FOLDER ...] [--work DIR]

Each FOLDER is a corpus with a file questions.jsonl: a line {"question", "answers": [accepted strings], "need"} for each
question, without answers where the corpus holds none; those of benchmarks/corpora where no FOLDER is given. Every question is
asked by ``basic`` without a model; each that has
answers also of the passages without those sentences that hold them, and of those passages alone that hold none, where nothing
must be answered. Twice two small models are fitted, on all corpora, and on all but the one that is asked:

- the worths of ``Measures``, so that a unit that holds an accepted string is likelier than the others (a softmax over the units
  of a question);
- the worths of ``AnswerSigns``, for whether the excerpts printed hold what is accepted (logistic; questions without an answer count
  UNANSWERABLE, those whose answer was taken away TAKEN_AWAY).

Printed are the worths of all corpora, to be entered in unit_score.py and decision.py, and for each corpus left out ``right``
(share of answerable questions answered with what is accepted), ``precision`` (share of answers that hold it) and ``false``
(share of unanswerable questions that are answered). The last line is one JSON object.
"""

import argparse
import json
import re
import sys
import tempfile
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import numpy as np

from graphstrata import Index, build
from pipeline.query.evidence import excerpts
from pipeline.text.answering import decision, excerpt_selection, unit_score
from pipeline.text.answering.blocks import units
from pipeline.text.answering.passage_units import PassageText, PassageUnits
from pipeline.text.question.analysis_words import without_analysis

UNANSWERABLE, TAKEN_AWAY = 3.0, 0.15
RIDGE, PULL = 2.0, 3.0
OWN = {"questions.jsonl", "README.md"}


def corpora_here() -> list[Path]:
    """The folders of benchmarks/corpora."""
    return sorted(path.parent for path in (ROOT / "benchmarks" / "corpora").glob("*/questions.jsonl"))


@dataclass
class Case:
    """A question as the search reads it, what it is answered from, and what was measured of its answer."""

    corpus: str
    accepted: list[str]
    need: int
    given: dict[str, Any]
    """Arguments of ``select``."""
    passages: list[PassageText]
    whole: bool = True
    """Whether nothing was taken away."""
    measured: Any = None
    holding: Any = None
    signs: tuple[float, ...] = ()
    refused: bool = False
    right: bool = False
    likely: float = field(default=0.0)

    @property
    def worth(self) -> float:
        return TAKEN_AWAY if not self.whole else 1.0 if self.accepted else UNANSWERABLE


def even(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split()).casefold()


def holds(text: str, accepted: Sequence[str], need: int = 1) -> bool:
    """Whether a text holds so many of the accepted strings, each between the bounds of words."""
    said = even(text)
    wanted = [re.escape(even(one)) for one in accepted]
    marks = [rf"(?<![^\W_\u2e80-\uffff]){one}(?![^\W_\u2e80-\uffff])" for one in wanted]
    return sum(bool(re.search(mark, said)) for mark in marks) >= need and bool(accepted)


def cases_of(folder: Path, work: Path) -> list[Case]:
    """The questions of a corpus, with what ``basic`` gives to the choice of excerpts."""
    root = work / folder.name
    if not (root / "output").exists():
        texts = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.name not in OWN]
        for path in texts:
            copy = root / "input" / path.relative_to(folder)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
        build(root / "input", root=root)
    opened = Index.open(root)
    found = []
    for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        if line.strip():
            asked = json.loads(line)
            with mock.patch.object(excerpts, "select", wraps=excerpt_selection.select) as select:
                opened.ask(asked["question"], "basic")
            if select.call_args_list:
                question, passages, people = select.call_args_list[0].args
                given = {"question": question, "people": people, "known": select.call_args_list[0].kwargs["known"]}
                found.append(Case(folder.name, asked["answers"], asked.get("need", 1), given, list(passages)))
    return found


def without(passage: PassageText, accepted: Sequence[str]) -> PassageText:
    """A passage without the units that hold an accepted string."""
    kept = [u for u in units(passage.text) if not holds(passage.text[u.start : u.end], accepted)]
    return passage._replace(text="\n\n".join(passage.text[u.start : u.end] for u in kept))


def taken_away(case: Case) -> list[Case]:
    """A question asked of its passages without what answers it."""
    cut = [without(one, case.accepted) for one in case.passages]
    rest = [one for one in case.passages if not holds(one.text, case.accepted)]
    kept = [[one for one in passages if one.text.strip()] for passages in (cut, rest)]
    return [Case(case.corpus, case.accepted, case.need, case.given, one, whole=False) for one in kept if one]


def measure(case: Case) -> None:
    """Enter what is measured of each unit, and whether it holds what is accepted."""
    question = without_analysis(case.given["question"])
    rows, holding = [], []
    for number, passage in enumerate(case.passages):
        text = PassageUnits(number, passage, question)
        for place, unit in enumerate(text.units):
            if excerpt_selection.may_answer(text, place):
                rows.append(unit_score.measures(text, place, question, case.given["people"]))
                holding.append(holds(text.said(unit), case.accepted))
    case.measured, case.holding = np.array(rows, dtype=float), np.array(holding, dtype=bool)


def ranked(cases: Sequence[Case]) -> unit_score.Measures:
    """The worths by which units that hold what is accepted are likeliest."""
    kept = [case for case in cases if case.whole and case.holding.any()]

    def loss(worth: Any) -> tuple[float, Any]:
        total, slope = RIDGE / 2 * worth @ worth, RIDGE * worth
        for case in kept:
            score = case.measured @ worth
            likely = np.exp(score - score.max())
            right = likely * case.holding
            total += np.log(likely.sum()) - np.log(right.sum())
            slope = slope + case.measured.T @ (likely / likely.sum() - right / right.sum())
        return total, slope

    from scipy.optimize import minimize

    return unit_score.Measures(*minimize(loss, np.zeros(len(unit_score.WORTH)), jac=True).x)


def answer(case: Case, worth: unit_score.Measures) -> None:
    """Enter the signs of the excerpts that are chosen by some worths, and whether they hold what is accepted."""
    with mock.patch.object(unit_score, "WORTH", worth):
        found = excerpt_selection.select(passages=case.passages, **case.given)
    said = "\n".join(case.passages[one.passage].text[one.start : one.end] for one in found.excerpts)
    case.right = case.whole and holds(said, case.accepted, case.need)
    case.signs = found.signs or decision.AnswerSigns(*[0.0] * len(decision.WORTH))
    case.refused = not found.about


def decided(cases: Sequence[Case]) -> Any:
    """The worths of the signs, and the constant term: what these cases leave open is as it was fitted before."""
    before = np.array([*decision.WORTH, decision.ALWAYS])
    rows = np.array([[*case.signs, 1.0] for case in cases])
    right, weight = (np.array([float(getattr(case, name)) for case in cases]) for name in ("right", "worth"))

    def loss(worth: Any) -> tuple[float, Any]:
        score = rows @ worth
        value = (weight * (np.logaddexp(0, score) - right * score)).sum() + PULL / 2 * (worth - before) @ (
            worth - before
        )
        return value, rows.T @ (weight * (1 / (1 + np.exp(-score)) - right)) + PULL * (worth - before)

    from scipy.optimize import minimize

    return minimize(loss, before, jac=True).x


def figures(cases: Sequence[Case]) -> dict[str, float]:
    """Right answers, precision and false answers, in shares."""
    whole = [case for case in cases if case.whole]
    answered = [case.likely >= decision.LEAST and not case.refused for case in whole]
    right = [case.right and given for case, given in zip(whole, answered, strict=True)]
    able = [bool(case.accepted) for case in whole]
    parts = {
        "right": [one for one, can in zip(right, able, strict=True) if can],
        "precision": [one for one, given in zip(right, answered, strict=True) if given],
        "false": [given for given, can in zip(answered, able, strict=True) if not can],
    }
    return {name: round(float(np.mean(values)), 3) if values else 0.0 for name, values in parts.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "graphstrata-answers")
    options = parser.parse_args()
    folders = options.folders or corpora_here()
    cases = [case for folder in folders for case in cases_of(folder, options.work)]
    cases += [other for case in cases if case.accepted for other in taken_away(case)]
    for case in cases:
        measure(case)
    corpora = sorted({case.corpus for case in cases})
    everything = ranked(cases)
    worths = {corpus: ranked([case for case in cases if case.corpus != corpus]) for corpus in corpora}
    for case in cases:
        answer(case, worths[case.corpus])
    for corpus in corpora:
        left_out = decided([case for case in cases if case.corpus != corpus])
        for case in cases:
            if case.corpus == corpus:
                case.likely = 1 / (1 + np.exp(-np.array([*case.signs, 1.0]) @ left_out))
    print("Measures", {name: round(float(x), 2) for name, x in everything._asdict().items()})
    names = [*decision.AnswerSigns._fields, "always"]
    print("AnswerSigns", {name: round(float(x), 2) for name, x in zip(names, decided(cases), strict=True)})
    for corpus in corpora:
        print(f"{corpus:24}", figures([case for case in cases if case.corpus == corpus]))
    print(json.dumps(figures(cases) | {"questions": sum(case.whole for case in cases), "corpora": len(corpora)}))


if __name__ == "__main__":
    main()
