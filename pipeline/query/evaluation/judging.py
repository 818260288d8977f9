"""A model as judge: the answers of two methods side by side, by four criteria, in both orders, so that order decides nothing."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from pipeline.language.language import Language, Reply
from pipeline.language.tasks.search.judge_answers import CRITERIA, AnswersToJudge, judge_answers
from pipeline.text.answering.source_numbers import without_source_numbers

ORDERS = 2


class Judgement(NamedTuple):
    """What the judge said of one pair in one order; ``score`` is 1 where ``method`` won, 0.5 for a tie, else 0."""

    number: int
    criterion: str
    method: str
    against: str
    swapped: bool
    """Whether the answer of ``against`` was shown first."""
    score: float
    reason: str


class WinRate(NamedTuple):
    """How often a method won, over questions judged in both orders; ``agreed`` is the share where both orders agreed."""

    criterion: str
    method: str
    against: str
    rate: float
    agreed: float
    questions: int


def n_calls(questions: int, methods: int) -> int:
    """Return how many calls judging takes."""
    return questions * len(list(combinations(range(methods), 2))) * len(CRITERIA) * ORDERS


def judge(
    answers: Mapping[int, tuple[str, Mapping[str, str]]],
    methods: Sequence[str],
    language: Language,
    report: Callable[[int, int], None] = lambda done, total: None,
) -> tuple[list[Judgement], int]:
    """Return the judgements on the answers, by number of the question: (question, text by method); and how many failed.

    Questions that a method did not answer are left out of its pairs.
    """
    requests = list(_asks(answers, methods))
    found = []
    failed = 0
    replies = language.map(judge_answers, (request for _, request in requests), len(requests))
    for done, ((place, _), (_, reply)) in enumerate(zip(requests, replies, strict=True), 1):
        report(done, len(requests))
        if not isinstance(reply, Reply):
            failed += 1
            continue
        number, criterion, method, against, swapped = place
        won = {"tie": 0.5, "2" if swapped else "1": 1.0}.get(reply.value.winner, 0.0)
        found.append(Judgement(number, criterion, method, against, swapped, won, reply.value.reason))
    return found, failed


def _asks(
    answers: Mapping[int, tuple[str, Mapping[str, str]]], methods: Sequence[str]
) -> Iterator[tuple[tuple[int, str, str, str, bool], AnswersToJudge]]:
    for number, (question, texts) in answers.items():
        for method, against in combinations(methods, 2):
            if method not in texts or against not in texts:
                continue
            shown = without_source_numbers(texts[method]), without_source_numbers(texts[against])
            for criterion, meaning in CRITERIA.items():
                for swapped in (False, True):
                    first, second = shown[::-1] if swapped else shown
                    item = f"question {number} {method} {against} {criterion}{' swapped' if swapped else ''}"
                    place = (number, criterion, method, against, swapped)
                    yield place, AnswersToJudge(item, question, criterion, meaning, first, second)


def win_rates(judgements: Sequence[Judgement]) -> list[WinRate]:
    """Return how often each method won against each other; a question counts once both orders were judged."""
    both: dict[tuple[str, str, str], dict[int, list[float]]] = {}
    for one in judgements:
        both.setdefault((one.criterion, one.method, one.against), {}).setdefault(one.number, []).append(one.score)
    rates = []
    for (criterion, method, against), scores in both.items():
        whole = [pair for pair in scores.values() if len(pair) == ORDERS]
        if whole:
            rate = sum(map(sum, whole)) / (ORDERS * len(whole))
            agreed = sum(len(set(pair)) == 1 for pair in whole) / len(whole)
            rates.append(WinRate(criterion, method, against, rate, agreed, len(whole)))
    return rates
