"""Whether excerpts are shown as an answer: how likely they hold it, by nine things that are measured of them."""

import math
from typing import NamedTuple

LEAST = 0.32
"""How likely excerpts must be to answer a question to be shown as an answer."""
FARTHEST = 3.0
"""Beyond this, in logarithms of likelihood, it says no more how far the first excerpt is ahead."""


class AnswerSigns(NamedTuple):
    """What speaks for excerpts to be an answer and against it."""

    printed: float
    """Likelihood of the units that are printed, as a share of that of all units, 0 to 1."""
    ahead: float
    """By how much the first excerpt is likelier than any unit of another passage, a logarithm."""
    together: float
    """Share of the question's names, and of its words besides them, whichever is less, that a printed unit says together with
    those beside it, 0 to 1."""
    lacking: float
    """How far the kind of thing that an answer must hold is missing, 0 to 1."""
    number: float
    """1 where the question gives a number that nothing printed says."""
    length: float
    """Words of the unit that was chosen first, a logarithm: a long one shares words with many questions."""
    best: float
    """How well that unit answers by itself, whatever the others do: the score of its measures."""
    person: float
    """How surely somebody is named where a question asks for a person, times the share of its words besides names that is
    printed, 0 to 1."""
    things: float
    """Names and other words of the question, a logarithm: many units say all of a short one."""

    @property
    def likelihood(self) -> float:
        """How likely the excerpts answer the question, 0 to 1."""
        return 1 / (1 + math.exp(-sum(value * worth for value, worth in zip(self, WORTH, strict=True)) - ALWAYS))


WORTH = AnswerSigns(
    printed=0.57,
    ahead=0.33,
    together=1.86,
    lacking=-3.29,
    number=-1.13,
    length=-0.36,
    best=0.24,
    person=1.39,
    things=0.66,
)
ALWAYS = -4.20
"""What each of these signs is worth, and the constant term of the logit. Fitted by benchmarks/answers.py on 447 questions on 16
corpora, 64 of which have no answer; of each corpus left out in turn, 65 of 100 are answered rightly, 80 of 100 answers are right,
and 16 of 100 questions without an answer are answered.
"""
