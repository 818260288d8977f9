"""Whether excerpts are shown as an answer: how likely they hold it, by seven things that are measured of them."""

import math
from typing import NamedTuple

LEAST = 0.30
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
    whether: float
    """1 where the question asks whether something is so, and its words and names are said together: that says so, or not."""

    length: float
    """Words of the unit that was chosen first, a logarithm: a long one shares words with many questions."""

    @property
    def likelihood(self) -> float:
        """How likely the excerpts answer the question, 0 to 1."""
        return 1 / (1 + math.exp(-sum(value * worth for value, worth in zip(self, WORTH, strict=True)) - ALWAYS))


WORTH = AnswerSigns(printed=1.39, ahead=0.36, together=1.58, lacking=-3.07, number=-0.66, whether=0.19, length=-0.28)
ALWAYS = -1.93
"""What each of these signs is worth, and the constant term of the logit. Fitted by benchmarks/answers.py on 484 questions on 27
corpora, 87 of which have no answer; on the corpus left out 46 of 100 are answered rightly, 79 of 100 answers are right, and 15
of 100 questions without an answer are answered. Signs and threshold were chosen on the same 27. On six more corpora, of harder
questions, the shares are 22, 48 and 25 of 100.
"""
