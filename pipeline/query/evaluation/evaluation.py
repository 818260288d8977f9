"""Evaluation: what retrieval finds of the gold documents, how answers measure against the right ones, what they claim."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

import pyarrow as pa

from pipeline.base.errors import BudgetError
from pipeline.base.table import Table, column, flag, real, text, texts, whole, wholes
from pipeline.language.service import LanguageService
from pipeline.query.answer import Answer
from pipeline.query.evaluation.eval_questions import Example, GoldDocuments
from pipeline.query.evaluation.judging import Judgement, WinRate, judge, win_rates
from pipeline.query.index import Index
from pipeline.query.method_names import Method
from pipeline.text.answering.answer_metrics import (
    CLUSTER_DISTANCES,
    claims_of,
    clusters,
    contains,
    exact,
    f1,
    recall_at,
    unique_claims,
    without_marks,
)

RECALL_AT = (2, 5, 10)
CHUNKS = 60
"""Chunks that are found for a question, so that they come from ten documents at least, even where documents are long."""

RETRIEVAL = Table(
    "retrieval",
    "What was found for each question that names gold documents.",
    (
        column("number", whole, "line of the question"),
        column("question", text, "the question"),
        column("n_gold", whole, "gold documents that the index holds"),
        column("lost", texts, "gold documents that the index does not hold; they count as not found"),
        column("found", texts, "ids of the documents found, best first, ten at most"),
        *(column(f"recall_{k}", real, f"share of the gold documents among the first {k}") for k in RECALL_AT),
    ),
    key=("number",),
)

ANSWERS = Table(
    "answers",
    "The answer of each method to each question, and its measures.",
    (
        column("number", whole, "line of the question"),
        column("method", text, "search method"),
        column("question", text, "the question"),
        column("text", text, "the answer"),
        column("supported", flag, "false where the corpus does not say"),
        column("coverage", real, "share of what should have been looked at that was"),
        column("exact", real, "1 where it is a right answer as SQuAD compares; null where none is known", null=True),
        column("f1", real, "of tokens, against the nearest right answer", null=True),
        column(
            "contains", real, "1 where a right answer stands in it word for word: for answers in sentences", null=True
        ),
        column("cited", real, "share of the gold documents among its sources; null where none is known", null=True),
        column("claims", whole, "sentences that assert something"),
        column("unique_claims", whole, "of them those that differ"),
        column("clusters", wholes, "clusters of them at the distances " + ", ".join(map(str, CLUSTER_DISTANCES))),
        column("calls", whole, "calls to models"),
        column("cached", whole, "replies from the cache"),
        column("tokens", whole, "tokens in and out"),
        column("cost", real, "in the currency of the prices; null where a price is not known", null=True),
    ),
    key=("number", "method"),
)

JUDGEMENTS = Table(
    "judgements",
    "What the judge said of each pair of answers, by criterion and order.",
    (
        column("number", whole, "line of the question"),
        column("criterion", text, "comprehensiveness, diversity, empowerment or directness"),
        column("method", text, "search method"),
        column("against", text, "the method it was compared with"),
        column("swapped", flag, "whether the answer of the other was shown first"),
        column("score", real, "1 where method won, 0.5 for a tie, else 0"),
        column("reason", text, "why"),
    ),
    key=("number", "criterion", "method", "against", "swapped"),
)

Told = Callable[[str, int, int], None]
"""Called with what is done, how many are, and how many there are."""


@dataclass
class Evaluation:
    """What was measured. ``stopped`` is the cap that ended it early; what was measured by then stands."""

    methods: tuple[Method, ...]
    retrieval: list[dict[str, Any]] = field(default_factory=list)
    answers: list[dict[str, Any]] = field(default_factory=list)
    judgements: list[Judgement] = field(default_factory=list)
    judge_failures: int = 0
    stopped: BudgetError | None = None

    def tables(self) -> dict[Table, pa.Table]:
        """Return the tables that have rows."""
        rows = {
            RETRIEVAL: [tuple(row.values()) for row in self.retrieval],
            ANSWERS: [tuple(row.values()) for row in self.answers],
            JUDGEMENTS: [tuple(row) for row in self.judgements],
        }
        return {table: table.rows(found) for table, found in rows.items() if found}

    def recall(self) -> dict[str, float]:
        """Return the mean recall at each k over the questions with gold documents; empty where there are none."""
        means = {
            f"recall@{k}": fmean(row[f"recall_{k}"] for row in self.retrieval) for k in RECALL_AT if self.retrieval
        }
        return {name: round(value, 6) for name, value in means.items()}

    def summary(self) -> list[dict[str, Any]]:
        """Return the means of each method over its questions; a measure that no question has is None."""
        return [_summary(method, [row for row in self.answers if row["method"] == method]) for method in self.methods]

    def win_rates(self) -> list[WinRate]:
        """Return how often each method won against each other."""
        return win_rates(self.judgements)


def evaluate(
    index: Index,
    examples: Sequence[Example],
    methods: Sequence[Method],
    language: LanguageService,
    judged: bool = False,
    told: Told = lambda what, done, total: None,
) -> Evaluation:
    """Measure retrieval over the examples with gold documents, and each method's answers to all of them.

    ``judged`` has a model compare the answers. A cap that is reached ends it, and is kept in ``stopped``; any other
    error is raised.
    """
    made = Evaluation(tuple(dict.fromkeys(methods)))
    gold = GoldDocuments(index.generation)
    made.retrieval = list(_retrieval(index, [one for one in examples if one.gold], gold))
    texts: dict[int, tuple[str, dict[str, str]]] = {one.number: (one.question, {}) for one in examples}
    try:
        for method in made.methods:
            for done, example in enumerate(examples, 1):
                answer = index.ask(example.question, method, language=language)
                made.answers.append(_measured(example, method, answer, gold))
                texts[example.number][1][method] = answer.text
                told(method, done, len(examples))
        if judged:
            judging = judge(texts, made.methods, language, lambda done, total: told("judge", done, total))
            made.judgements, made.judge_failures = judging
    except BudgetError as error:
        made.stopped = error
    return made


def _retrieval(index: Index, examples: Sequence[Example], gold: GoldDocuments) -> Iterator[dict[str, Any]]:
    if not examples:
        return
    hits = index.finder().find([one.question for one in examples], CHUNKS)
    found = {hit.chunk_id for some in hits for hit in some}
    of = {id: row["document_id"] for id, row in index.generation.rows("chunks").by_id(found, ["document_id"]).items()}
    for example, some in zip(examples, hits, strict=True):
        ranked = list(dict.fromkeys(of[hit.chunk_id] for hit in some))[: max(RECALL_AT)]
        wanted, lost = gold.find(example.gold)
        row = {
            "number": example.number,
            "question": example.question,
            "n_gold": len(wanted),
            "lost": lost,
            "found": ranked,
        }
        every = [*wanted, *(set[str]() for _ in lost)]
        yield row | {f"recall_{k}": recall_at(k, ranked, every) for k in RECALL_AT}


def _measured(example: Example, method: str, answer: Answer, gold: GoldDocuments) -> dict[str, Any]:
    said = without_marks(answer.text) if answer.supported else ""
    claims = claims_of(answer.text) if answer.supported else []
    unique = unique_claims(claims)
    wanted, lost = gold.find(example.gold)
    cited = [source.document_id for source in answer.sources]
    every = [*wanted, *(set[str]() for _ in lost)]
    return {
        "number": example.number,
        "method": method,
        "question": example.question,
        "text": answer.text,
        "supported": answer.supported,
        "coverage": answer.coverage.share,
        "exact": exact(said, example.answers) if example.answers else None,
        "f1": f1(said, example.answers) if example.answers else None,
        "contains": contains(said, example.answers) if example.answers else None,
        "cited": recall_at(len(cited), cited, every) if every else None,
        "claims": len(claims),
        "unique_claims": len(unique),
        "clusters": clusters(unique),
        "calls": int(answer.usage["calls"]),
        "cached": int(answer.usage["cached"]),
        "tokens": int(answer.usage["tokens_in"] + answer.usage["tokens_out"]),
        "cost": answer.usage.get("cost"),
    }


def _summary(method: str, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    def mean(name: str) -> float | None:
        values = [row[name] for row in rows if row[name] is not None]
        return round(fmean(values), 6) if values else None

    costs = [row["cost"] for row in rows]
    apart = {
        f"clusters@{distance}": round(fmean(row["clusters"][place] for row in rows), 6) if rows else None
        for place, distance in enumerate(CLUSTER_DISTANCES)
    }
    return {
        "method": method,
        "questions": len(rows),
        **{name: mean(name) for name in ("supported", "exact", "f1", "contains", "cited", "claims", "unique_claims")},
        **apart,
        "calls": sum(row["calls"] for row in rows),
        "tokens": sum(row["tokens"] for row in rows),
        "cost": None if None in costs else round(sum(costs), 9),
    }
