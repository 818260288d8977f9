"""How well support separates questions that a corpus answers from others: what UPPER and LOWER rest on.

For every question the chunks found for it are measured as fusion search measures documents before it grades them, and the
best one counts. Answerable questions should lie above LOWER, unanswerable ones below, and above UPPER nearly only
answerable ones. Asked are the sample corpus, by the questions below, and a part of 2WikiMultiHopQA, by its own
questions and by those of the sample corpus; of its questions the sample corpus should answer none. Near misses name
persons and places of the sample corpus and ask what it does not say: statistics of words cannot know that, and the
figure is there to show it.

    python benchmarks/grades.py [--data ../shared/data] [--passages 1200]
"""

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from pipeline.base.settings import parse_settings
from pipeline.language.tasks.search.grade_documents import LOWER, UPPER
from pipeline.query.evidence.cited_context import read_chunks
from pipeline.query.evidence.entity_linker import read
from pipeline.retrieval.chunk_search import FINDER_READS, Finder
from pipeline.runner.project import Project
from pipeline.runner.run import run_index
from pipeline.text.answering.document_support import document_support
from pipeline.text.answering.passage_units import PassageText

FOUND = 10
ANSWERABLE = """
Did Joan of Arc lose any battles? | Where was Joan of Arc captured? | When was Joan of Arc captured at Compiègne?
Who presided over the trial of Joan of Arc at Rouen? | Who was the father of Joan of Arc?
What happened at the siege of Orléans? | Who led the defence of Orléans? | What did the Treaty of Troyes decide?
Who held La Charité-sur-Loire against Joan of Arc? | When did the battle of Castillon take place?
Why did the assault on Paris fail? | Who directed The Passion of Joan of Arc? | What was the battle of the Herrings?
Who opened the rehabilitation trial? | What sword did Joan of Arc carry? | When was Charles VII crowned?
Who wounded Joan of Arc at the walls of Paris? | What is the Order of the Golden Fleece?
How did the Hundred Years' War end? | Who was Perrinet Gressart? | What role did Philip the Good play?
Who was killed at Montereau? | Which towns submitted on the march to Reims? | Who was John of Lancaster, Duke of Bedford?
How did Henry V win at Agincourt? | What voices did Joan of Arc hear? | Who was the wife of the Duke of Bedford?
What was the Praguerie? | Who commanded the artillery of Charles VII? | What happened at Patay?
Who were the companions of Joan of Arc? | What weapons were used in the Hundred Years' War?
Who paid the ransom for Joan of Arc? | How many witnesses were heard in the rehabilitation trial?
Did any of the cities where Joan of Arc lost battles later open their gates to Charles VII? | who was la hire
what did gilles de rais do | In which year was Joan of Arc burned? | Where did Joan of Arc first meet Charles VII?
Which notary kept the record of the trial?
"""
UNANSWERABLE = """
What is the weather in Spain? | How do I bake sourdough bread? | What is the capital of Australia?
Who won the 2018 football world cup? | What are the symptoms of diabetes? | How does a quantum computer work?
What is the price of gold today? | Who wrote Pride and Prejudice? | When did the first astronaut land on the moon?
How do vaccines protect against influenza? | What is the population of Tokyo?
Which programming language is best for web development? | Who is the president of the United States?
How tall is Mount Everest? | What is photosynthesis? | Which company makes the iPhone? | What is the plot of Hamlet?
How many players are on a basketball team? | What causes inflation? | Where do penguins live?
"""
NEAR_MISSES = """
What did Joan of Arc eat for breakfast? | How many children did Joan of Arc have?
What was the favourite colour of Charles VII? | What is the population of Orléans today?
When did Joan of Arc visit Japan? | Which university did La Hire attend?
How much did the castle of Rouen cost to build? | What did Henry V write about astronomy?
Who painted the ceiling of Reims cathedral? | What football team plays in Paris? | Which airline flies to Rouen?
What was Napoleon's opinion of Philip the Good?
"""


def questions(lines: str) -> list[str]:
    """The questions of a block."""
    return [one.strip() for line in lines.splitlines() for one in line.split("|") if one.strip()]


def supports(project: Project, asked: Sequence[str]) -> list[float]:
    """Support of the best chunk for each question."""
    generation = project.store.open()
    finder = Finder({table.name: generation.rows(table.name) for table in FINDER_READS})
    tables = {name: generation.rows(name) for name in ("chunks", "documents", "entities")}
    best = []
    for text, hits in zip(asked, finder.find(asked, FOUND), strict=True):
        question = read(text, tables["entities"], finder)
        found = read_chunks([hit.chunk_id for hit in hits], tables)
        supports = (document_support(question, [PassageText(c.id, c.anchor, c.text)]) for c in found)
        best.append(max(supports, default=0.0))
    return best


def shares(values: Sequence[float]) -> dict[str, float]:
    """Share of questions graded correct by their best document, and of those graded correct or ambiguous."""
    n = len(values)
    at_least = {"correct": UPPER, "not_incorrect": LOWER}
    return {name: round(sum(value >= least for value in values) / n, 3) for name, least in at_least.items()}


def sample(folder: Path) -> Project:
    """The sample corpus, indexed."""
    shutil.copytree(ROOT / "input", folder / "input")
    project = Project(folder, parse_settings({}))
    run_index(project)
    return project


def wiki(folder: Path, data: Path, n: int) -> tuple[Project, list[str]]:
    """The first ``n`` passages of 2WikiMultiHopQA, indexed, and its questions whose gold passages are all among them."""
    (folder / "input").mkdir(parents=True)
    lines = (data / "2wiki" / "passages.jsonl").read_text(encoding="utf-8").splitlines()[:n]
    (folder / "input" / "passages.jsonl").write_text("\n".join(lines), encoding="utf-8")
    project = Project(folder, parse_settings({"reports": {"context_tokens": 500}}))
    run_index(project)
    asked = [json.loads(line) for line in (data / "2wiki" / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
    return project, [str(one["question"]) for one in asked if max(one["gold"]) < n]


def main() -> None:
    """Print a line for each set, and the figures as JSON."""
    options = argparse.ArgumentParser()
    options.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    options.add_argument("--passages", type=int, default=1200)
    given = options.parse_args()
    figures: dict[str, Any] = {"upper": UPPER, "lower": LOWER}
    with tempfile.TemporaryDirectory() as folder:
        own = sample(Path(folder) / "sample")
        sets = {"answerable": ANSWERABLE, "unanswerable": UNANSWERABLE, "near_misses": NEAR_MISSES}
        measured = {f"sample_{name}": supports(own, questions(lines)) for name, lines in sets.items()}
        if (given.data / "2wiki").exists():
            other, asked = wiki(Path(folder) / "wiki", given.data, given.passages)
            measured["sample_2wiki"] = supports(own, asked)
            measured["2wiki_own"] = supports(other, asked)
            measured["2wiki_sample"] = supports(other, questions(ANSWERABLE))
    for name, values in measured.items():
        deciles = sorted(values)[:: max(len(values) // 10, 1)]
        print(f"{name:20} {len(values):4} questions; deciles {' '.join(f'{value:.2f}' for value in deciles)}")
        figures[name] = shares(values)
    figures["cpu_seconds"] = round(time.process_time(), 1)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
