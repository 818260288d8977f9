"""Whether excerpts are shown as an answer: how likely they hold it, by eight things that are measured of them."""

import math
from typing import NamedTuple

LEAST = 0.24
"""How likely excerpts must be to answer a question to be shown as an answer. Chosen on the ten corpora of benchmarks/questions.py,
where 0.20, 0.24 and 0.30 answer 20, 12.5 and 10 of 100 questions that no text tells. On eleven other corpora 178 of 211 told questions
are answered with it and 163 with 0.30, of 73 untold ones 15 and 12."""
FEW_PASSAGES = 2
"""Passages of which what is asked and what answers it may be."""
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
    """1 where the question gives a number that nothing printed says, nor the title above the first excerpt."""
    length: float
    """Words of the unit that was chosen first, a logarithm: a long one shares words with many questions."""
    best: float
    """How well that unit answers by itself, whatever the others do: the score of its measures."""
    scattered: float
    """From how many passages the excerpts are beyond FEW_PASSAGES, where neither a name nor a kind of thing that they must hold ties them
    to the question: a bag of sentences each of which shares an everyday word with it. A name does not where they are to give a cause and
    give none."""

    @property
    def likelihood(self) -> float:
        """How likely the excerpts answer the question, 0 to 1."""
        return 1 / (1 + math.exp(-sum(value * worth for value, worth in zip(self, WORTH, strict=True)) - ALWAYS))


WORTH = AnswerSigns(
    printed=0.71, ahead=0.31, together=1.84, lacking=-3.46, number=-0.80, length=-0.27, best=0.162, scattered=-0.3
)
ALWAYS = -2.90
"""What each of these signs is worth, and the constant term of the logit. Fitted by benchmarks/answers.py on 465 questions on 17
corpora, 67 of which have no answer. On five more corpora, on which nothing was fitted, 36 of 100 are answered rightly, 74 of 100
answers are right, and 20 of 100 questions without an answer are answered. Worths fitted with two more signs, the words of the
question and whether it asks for a person, did better on the corpora that they were fitted on, each left out in turn, and worse
on those five. That of ``scattered`` was set later: on twelve corpora with questions in other words than the texts have, 8 of 44 wrong
answers, 2 of 7 to questions that have none, and 3 of 36 right ones are closest passages with it; on other corpora one wrong answer is.
"""
