"""Measures of answers and of what was found for them: EM, F1, containment, recall, ROUGE-L, claims and their clusters."""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Sequence

from pipeline.base.task import NOT_SAID_OF
from pipeline.text.answering.source_numbers import without_source_numbers
from pipeline.text.scripts import UNSPACED
from pipeline.text.sentences import CLOSED_STATEMENT, split

ARTICLES = frozenset(("a", "an", "the"))
CLUSTER_DISTANCES = (0.5, 0.6, 0.7, 0.8)
"""Distances (1 - ROUGE-L) up to which claims are one cluster, as Edge et al. (2404.16130v2, section 4) report them."""

_TOKEN = re.compile(rf"[{UNSPACED}]|(?:(?![{UNSPACED}])\S)+")
_LIST_MARK = re.compile(r"^(?:[-*•–·>#]+|\(?\d{1,3}[.)])\s+")
FEWEST_WORDS = 4
"""Fewest words of a claim that no full stop ends; a shorter line is a heading."""


def normalise(text: str) -> list[str]:
    """Return the tokens of a text as SQuAD compares them (Rajpurkar et al. 2016): in lower case, without punctuation and
    English articles. Scripts without spaces give characters."""
    bare = "".join(" " if unicodedata.category(char)[0] == "P" and char in "-–—/" else char for char in text.lower())
    bare = "".join(char for char in bare if unicodedata.category(char)[0] not in "PS")
    return [token for token in _TOKEN.findall(bare) if token not in ARTICLES]


def exact(prediction: str, answers: Sequence[str]) -> float:
    """Return 1 when a prediction is one of the answers, 0 when not."""
    return float(any(normalise(prediction) == normalise(answer) for answer in answers))


def f1(prediction: str, answers: Sequence[str]) -> float:
    """Return the best F1 of the tokens of a prediction against one of the answers, 0 to 1."""
    return max((_f1(normalise(prediction), normalise(answer)) for answer in answers), default=0.0)


def contains(prediction: str, answers: Sequence[str]) -> float:
    """Return 1 when one of the answers is in a prediction as a run of tokens, 0 when not: what EM and F1 cannot say of
    answers in whole sentences."""
    said = f" {' '.join(normalise(prediction))} "
    return float(any(normalise(answer) and f" {' '.join(normalise(answer))} " in said for answer in answers))


def _f1(said: Sequence[str], wanted: Sequence[str]) -> float:
    if not said or not wanted:
        return float(said == wanted)
    shared = sum((Counter(said) & Counter(wanted)).values())
    return 2 * shared / (len(said) + len(wanted))


def recall_at(k: int, ranked: Sequence[str], gold: Sequence[Collection[str]]) -> float:
    """Return the share of gold things among the first ``k``; each is a set of ids, any of which will do. 0 to 1."""
    first = set(ranked[:k])
    return sum(not first.isdisjoint(ids) for ids in gold) / len(gold) if gold else 0.0


def claims_of(text: str) -> list[str]:
    """Return what an answer asserts, a sentence each, in order: without headings, lead-ins, questions and marks.

    The sentence that the corpus does not give the answer, or a part of it, is no claim.
    """
    bare = without_source_numbers(text)
    found = []
    for start, end in split(bare):
        claim = _LIST_MARK.sub("", " ".join(bare[start:end].split())).strip("*_ ")
        heading = bare[start:end].lstrip().startswith("#")
        if heading or claim.startswith(NOT_SAID_OF) or claim.endswith((":", "：", "?", "？")):
            continue
        if CLOSED_STATEMENT.search(claim) or len(normalise(claim)) >= FEWEST_WORDS:
            found.append(claim)
    return found


def unique_claims(claims: Sequence[str]) -> list[str]:
    """Return claims that differ in more than case, punctuation and articles, the first of each."""
    return list({tuple(normalise(claim)): claim for claim in reversed(claims)}.values())[::-1]


def rouge_l(one: Sequence[str], other: Sequence[str]) -> float:
    """Return the F-measure of the longest common subsequence of two lists of tokens (Lin 2004), 0 to 1."""
    if not one or not other:
        return 0.0
    row = [0] * (len(other) + 1)
    for token in one:
        diagonal = 0
        for place, against in enumerate(other, 1):
            diagonal, row[place] = row[place], diagonal + 1 if token == against else max(row[place], row[place - 1])
    return 2 * row[-1] / (len(one) + len(other))


def clusters(claims: Sequence[str], distances: Sequence[float] = CLUSTER_DISTANCES) -> list[int]:
    """Return into how many clusters claims fall at each distance: agglomerative, complete linkage, distance 1 - ROUGE-L.

    Edge et al. (2404.16130v2, section 4) take the count for the diversity of an answer, and that of its claims for its
    comprehensiveness; their claims are extracted by a model, these are the answer's sentences.
    """
    if len(claims) < 2:
        return [len(claims)] * len(distances)
    import numpy as np
    from scipy.cluster.hierarchy import fcluster, linkage

    tokens = [normalise(claim) for claim in claims]
    apart = [1 - rouge_l(one, other) for place, one in enumerate(tokens) for other in tokens[place + 1 :]]
    tree = linkage(np.array(apart), method="complete")
    return [int(fcluster(tree, distance, criterion="distance").max()) for distance in distances]
