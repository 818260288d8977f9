"""Evaluation: what retrieval finds of what is expected, how answers measure against the right ones, what they claim and cost."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any, NamedTuple

import pyarrow as pa

from pipeline.base.errors import BudgetError
from pipeline.base.table import Table
from pipeline.language.service import LanguageService
from pipeline.query.answer import Answer
from pipeline.query.evaluation.answer_metrics import (
    CLUSTER_DISTANCES,
    claims_of,
    clusters,
    contains,
    exact,
    f1,
    normalise,
    recall_at,
    unique_claims,
)
from pipeline.query.evaluation.eval_questions import Example
from pipeline.query.evaluation.eval_tables import ANSWERS, HIT_AT, JUDGEMENTS, RECALL_AT, RETRIEVAL
from pipeline.query.evaluation.expected import ExpectedPassages, GoldDocuments, Span, first_rank
from pipeline.query.evaluation.judging import Judgement, WinRate, judge, win_rates
from pipeline.query.index import Index
from pipeline.query.method_names import Method
from pipeline.query.opened import OpenedTables
from pipeline.text.answering.source_numbers import without_source_numbers

CHUNKS = 60
"""Chunks that are found for a question, so that they come from ten documents at least, even where documents are long."""

Report = Callable[[str, int, int], None]
"""Called with what is done, how many are, and how many there are."""


@dataclass(frozen=True)
class Variant:
    """An index under some settings, and who answers under them; ``settings`` says what was changed, empty for nothing."""

    settings: str
    index: Index
    language: LanguageService


class ComparedMethod(NamedTuple):
    """What is compared: a search method under some settings."""

    method: Method
    settings: str

    def __str__(self) -> str:
        return f"{self.method}, {self.settings}" if self.settings else self.method


@dataclass
class Evaluation:
    """What was measured. ``stopped`` is the cap that ended it early; what was measured by then is kept."""

    candidates: tuple[ComparedMethod, ...]
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

    def recall(self, settings: str = "") -> dict[str, float]:
        """Return under some settings the mean recall at each k over the questions with gold documents, and the share of
        those with an expected passage that a chunk among the first k holds; empty where there are none."""
        rows = [row for row in self.retrieval if row["settings"] == settings]
        means = {f"recall@{k}": fmean(row[f"recall_{k}"] for row in rows) for k in RECALL_AT if rows}
        ranks = [row["rank"] for row in rows if row["rank"] is not None]
        means |= {f"hit@{k}": fmean(0 < rank <= k for rank in ranks) for k in HIT_AT if ranks}
        return {name: round(value, 6) for name, value in means.items()}

    def summary(self) -> list[dict[str, Any]]:
        """Return the means of each candidate over its questions; a measure that no question has is None."""
        return [
            _summary(one, [row for row in self.answers if (row["method"], row["settings"]) == one])
            for one in self.candidates
        ]

    def n_lost(self) -> int:
        """Return how many gold documents the index does not hold."""
        return sum(len(row["lost"]) for row in self.retrieval if not row["settings"])

    def to_dict(self) -> dict[str, Any]:
        """Return summary, retrieval and win rates as plain values, for JSON; single questions are in the tables."""
        settings = dict.fromkeys(row["settings"] for row in self.retrieval)
        return {
            "methods": self.summary(),
            **self.recall(),
            "retrieval": {one: self.recall(one) for one in settings},
            "questions_with_gold": len({row["number"] for row in self.retrieval}),
            "gold_not_in_the_index": self.n_lost(),
            "win_rates": [rate._asdict() for rate in self.win_rates()],
            "judge_failures": self.judge_failures,
            "stopped": str(self.stopped) if self.stopped else None,
        }

    def win_rates(self) -> list[WinRate]:
        """Return how often each candidate won against each other."""
        return win_rates(self.judgements)


def evaluate(
    index: Index,
    examples: Sequence[Example],
    methods: Sequence[Method],
    language: LanguageService,
    judged: bool = False,
    report: Report = lambda what, done, total: None,
    variants: Sequence[Variant] = (),
) -> Evaluation:
    """Measure retrieval over the examples with gold documents, and each method's answers to all of them, under the settings
    of ``index`` and under those of each variant.

    ``judged`` has a model compare the answers. A cap that is reached ends it, and is kept in ``stopped``; any other
    error is raised.
    """
    compared = [Variant("", index, language), *variants]
    candidates = [ComparedMethod(method, one.settings) for method in dict.fromkeys(methods) for one in compared]
    made = Evaluation(tuple(candidates))
    gold = GoldDocuments(index.generation)
    expected = ExpectedPassages(gold, OpenedTables(index.generation))
    for variant in compared:
        made.retrieval += _retrieval(variant, [one for one in examples if one.gold], gold, expected)
    places = {variant.settings: variant for variant in compared}
    texts: dict[int, tuple[str, dict[str, str]]] = {one.number: (one.question, {}) for one in examples}
    try:
        for candidate in made.candidates:
            under = places[candidate.settings]
            for done, example in enumerate(examples, 1):
                answer = under.index.ask(example.question, candidate.method, language=under.language)
                made.answers.append(_measured(example, candidate, answer, gold, expected))
                texts[example.number][1][str(candidate)] = answer.text
                report(str(candidate), done, len(examples))
        if judged:
            names = list(map(str, made.candidates))
            judging = judge(texts, names, language, lambda done, total: report("judge", done, total))
            made.judgements, made.judge_failures = judging
    except BudgetError as error:
        made.stopped = error
    return made


def _retrieval(
    variant: Variant, examples: Sequence[Example], gold: GoldDocuments, expected: ExpectedPassages
) -> Iterator[dict[str, Any]]:
    if not examples:
        return
    hits = variant.index.finder().find([one.question for one in examples], CHUNKS)
    chunks = expected.chunk_spans({hit.chunk_id for some in hits for hit in some})
    for example, some in zip(examples, hits, strict=True):
        found = [chunks[hit.chunk_id] for hit in some]
        ranked = list(dict.fromkeys(chunk.document_id for chunk in found))[: max(RECALL_AT)]
        wanted, lost = gold.find(example.gold)
        row = {
            "number": example.number,
            "settings": variant.settings,
            "question": example.question,
            "n_gold": len(wanted),
            "lost": lost,
            "found": ranked,
        }
        every = [*wanted, *(set[str]() for _ in lost)]
        row |= {f"recall_{k}": recall_at(k, ranked, every) for k in RECALL_AT}
        places = expected.find(example.passages).values()
        yield row | {"rank": first_rank(found, places) if example.passages else None}


def _measured(
    example: Example, candidate: ComparedMethod, answer: Answer, gold: GoldDocuments, expected: ExpectedPassages
) -> dict[str, Any]:
    said = without_source_numbers(answer.text) if answer.supported else ""
    claims = claims_of(answer.text) if answer.supported else []
    unique = unique_claims(claims)
    wanted, lost = gold.find(example.gold)
    cited = [source.document_id for source in answer.sources]
    every = [*wanted, *(set[str]() for _ in lost)]
    return {
        "number": example.number,
        "method": candidate.method,
        "settings": candidate.settings,
        "question": example.question,
        "answerable": example.answerable,
        "text": answer.text,
        "supported": answer.supported,
        "coverage": answer.coverage.share,
        "exact": exact(said, example.answers) if example.answers else None,
        "f1": f1(said, example.answers) if example.answers else None,
        "contains": contains(said, example.answers) if example.answers else None,
        "cited": recall_at(len(cited), cited, every) if every else None,
        "quoted": _quoted(example, answer, expected) if example.passages else None,
        "support": _support(answer) if answer.supported else None,
        "words": len(normalise(said)),
        "claims": len(claims),
        "unique_claims": len(unique),
        "clusters": clusters(unique),
        "calls": int(answer.usage["calls"]),
        "cached": int(answer.usage["cached"]),
        "tokens": int(answer.usage["tokens_in"] + answer.usage["tokens_out"]),
        "cost": answer.usage.get("cost"),
    }


def _quoted(example: Example, answer: Answer, expected: ExpectedPassages) -> float:
    spans: list[Span] = expected.source_spans(answer.sources)
    places = expected.find(example.passages).values()
    return sum(any(span.holds(place) for span in spans) for place in places) / len(example.passages)


def _support(answer: Answer) -> float | None:
    """Return the share of an answer's assertions that their sources support; None where that was not checked."""
    asserted = [sentence for sentence in answer.sentences if sentence.asserts]
    if not any(sentence.verdict for sentence in asserted):
        return None
    return fmean(sentence.verdict == "supported" for sentence in asserted)


def _summary(candidate: ComparedMethod, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    def mean(name: str, among: Sequence[dict[str, Any]] = rows) -> float | None:
        values = [row[name] for row in among if row[name] is not None]
        return round(fmean(values), 6) if values else None

    costs = [row["cost"] for row in rows]
    apart = {
        f"clusters@{distance}": round(fmean(row["clusters"][place] for row in rows), 6) if rows else None
        for place, distance in enumerate(CLUSTER_DISTANCES)
    }
    measures = ("exact", "f1", "contains", "cited", "quoted", "support", "words", "claims", "unique_claims")
    return {
        **candidate._asdict(),
        "questions": len(rows),
        "supported": mean("supported", [row for row in rows if row["answerable"] is not False]),
        "false_answers": mean("supported", [row for row in rows if row["answerable"] is False]),
        **{name: mean(name) for name in measures},
        **apart,
        "calls": sum(row["calls"] for row in rows),
        "tokens": sum(row["tokens"] for row in rows),
        "cost": None if None in costs else round(sum(costs), 9),
    }
