"""The country, state or continent that a question calls for without naming it: "the country where Nugegoda is".

It is the one that the best passages name, or whose people they speak of ("a Sri Lankan suburb"), and the next step of the
question is in a passage on it that says the rest of the question. Names of territories are in so many passages that a walk
does not go over them; here the question's own noun says which one is meant. "Which country" asks for it as the answer, and
leads nowhere.
"""

from typing import Final, NamedTuple

import numpy as np

from pipeline.base.arrow.columns import FloatArray, IntArray
from pipeline.retrieval.bm25 import is_in
from pipeline.retrieval.closeness import Closeness
from pipeline.retrieval.coverage import WordShares
from pipeline.retrieval.lookup import PassageLookup
from pipeline.retrieval.question_names import NameMatch, QuestionWords
from pipeline.text.lexicon.territories import territories, territory_nouns
from pipeline.text.tokenizer import fold_word, words

FIRST: Final = 3
"""The best passages that are read for territories."""
LED_ON: Final = 0.15
"""What the passage gains that says most of the rest, as a share of the best score. Set on the even rows of MuSiQue: from
0.1 to 0.25 recall@5 there moves by a question in fifty."""
BY_ADJECTIVE: Final = 0.6
"""How surely a passage that leads on speaks of a territory by a word made of its name ("spanish")."""
ON_ADJECTIVE: Final = 0.7
"""The same for the passage that is led to."""
MOST: Final = 2000
"""All passages with a form of a territory are looked at up to this number; of more, those closest to the question in words."""
MOST_SAID: Final = 1000
"""How many passages count as the closest."""
_ARTICLES: Final = frozenset({"the"})


class TerritoryForm(NamedTuple):
    """Words (rows) by which a passage speaks of a territory, and whether they are its name."""

    words: tuple[int, ...]
    territory: int
    is_name: bool


class TerritoryForms:
    """The forms of all territories that a corpus has words for, by their first word."""

    def __init__(self, lookup: PassageLookup) -> None:
        self._lookup = lookup
        self._of: list[list[TerritoryForm]] = []
        self._by_word: dict[int, list[TerritoryForm]] = {}
        for number, territory in enumerate(territories()):
            texts = [*((name, True) for name in territory.names), *((word, False) for word in territory.words)]
            rows = [(lookup.rows(words(text)), is_name) for text, is_name in texts]
            forms = [
                TerritoryForm(tuple(row.tolist()), number, is_name)
                for row, is_name in rows
                if (row < lookup.n_terms).all()
            ]
            self._of.append(forms)
            for form in forms:
                self._by_word.setdefault(form.words[0], []).append(form)

    def within(self, tokens: IntArray) -> dict[int, float]:
        """The territories that a text speaks of, with how surely; ``tokens`` are the rows of its words."""
        found: dict[int, float] = {}
        listed = tokens.tolist()
        for place, word in enumerate(listed):
            for form in self._by_word.get(word, ()):
                if tuple(listed[place : place + len(form.words)]) == form.words:
                    found[form.territory] = max(found.get(form.territory, 0.0), 1.0 if form.is_name else BY_ADJECTIVE)
        return found

    def spoken_of(self, passage: int) -> dict[int, float]:
        """The territories that a passage speaks of, with how surely."""
        return self.within(self._lookup.arrays.tokens[passage])

    def passages(self, territory: int, close: Closeness) -> tuple[IntArray, FloatArray]:
        """Passages that hold the words of a form of a territory, ascending, with how surely they are on it."""
        rows, sure = [np.zeros(0, dtype=np.int64)], [np.zeros(0)]
        among = None
        for form in self._of[territory]:
            holders = self._lookup.holding(form.words)
            if len(holders) > MOST:
                among = close.best(MOST_SAID) if among is None else among
                holders = among[is_in(among, holders)]
            rows.append(holders)
            sure.append(np.full(len(holders), 1.0 if form.is_name else ON_ADJECTIVE))
        found, places = np.unique(np.concatenate(rows), return_inverse=True)
        how = np.zeros(len(found))
        np.maximum.at(how, places, np.concatenate(sure))
        return found, how


def kinds_called_for(question: QuestionWords, names: list[NameMatch]) -> frozenset[str]:
    """The kinds of territory that a question calls for without naming them: nouns with an article that are in no name."""
    named = {place for one in names for place in range(one.start, one.end)}
    nouns, folded = territory_nouns(), [fold_word(word) for word in question.written]
    return frozenset(
        nouns[word]
        for place, word in enumerate(folded)
        if word in nouns and place not in named and place and folded[place - 1] in _ARTICLES
    )


def lead_on(
    scores: FloatArray,
    best_rows: IntArray,
    question: QuestionWords,
    names: list[NameMatch],
    shares: WordShares,
    forms: TerritoryForms,
) -> tuple[IntArray, FloatArray]:
    """Passages on the territories that the best passages speak of, and what each gains; one may come several times.

    ``scores`` are those of the passages ``best_rows``, best first. A passage gains by what it says of the question that the
    one before it does not.
    """
    kinds = kinds_called_for(question, names)
    led, sure, rests = [np.zeros(0, dtype=np.int64)], [np.zeros(0)], [np.zeros(0)]
    if kinds and len(shares.weights):
        known = territories()
        in_question = forms.within(question.rows)
        for row, score in zip(best_rows[:FIRST].tolist(), scores[:FIRST].tolist(), strict=True):
            unsaid = shares.weights * (1 - shares.of(np.array([row]))[:, 0])
            for number, how in forms.spoken_of(row).items():
                if known[number].kind in kinds and number not in in_question:
                    passages, on_it = forms.passages(number, question.close)
                    other = passages != row
                    led.append(passages[other])
                    sure.append(score * how * on_it[other])
                    rests.append(unsaid @ shares.of(passages[other]))
    rest = np.concatenate(rests)
    return np.concatenate(led), LED_ON * np.concatenate(sure) * rest / max(float(rest.max(initial=0.0)), 1e-9)
