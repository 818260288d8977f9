"""What the tasks of one reading share: what they are shown of it, the moves a reader may make, and what a statement adds."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, NamedTuple

from pydantic import AfterValidator, Field

from pipeline.base.task import Request
from pipeline.text.keys import keys_in_order, keys_of, meets
from pipeline.text.question.question import Question

READ_CHUNKS, READ_NEIGHBOURS, READ_NODES = "read_chunks", "read_neighbours", "read_nodes"
SEARCH_MORE, READ_PREVIOUS, READ_NEXT = "search_more", "read_previous", "read_next"
SEARCH_AGAIN, FINISH, GIVE_UP = "search_again", "finish", "give_up"

Reason = Annotated[str, Field(description="in a sentence or two: what was found, what is missing, and why this move")]
Query = Annotated[
    str, Field(description="when the move is search_again, two or more words to look for together; otherwise empty")
]

Action = Annotated[str, AfterValidator(lambda move: "_".join(re.findall(r"[a-z]+", move.lower())))]
"""A move, as it is called here however a model writes it: "Read chunks." is read_chunks."""

NOTED = 0.5
"""Share of the question, or of what of it is still open, that a statement must meet to be noted without a model."""
SETTLED = 0.1
"""Share of the question that may be open where nothing is: what is left are words that hardly weigh."""
APART = 4
"""Words between a name and what is asked at which it leads half as well."""
RULES = """Note only what helps to answer the question, in sentences that can be read alone: who says or does it, with names, dates and
numbers; in a conversation the one who says it, not the one who asks; "I" in a message is who sent it, as its heading says. Do not note what is noted already. Do not guess: what is not in the material is not known."""
LAST_MOVES = f"""- {SEARCH_AGAIN}: what is missing will hardly be near; give words to look for in the whole corpus, not those of a search
  already made.
- {FINISH}: the notes, yours and those of the other readers, hold all that the plan asks for.
- {GIVE_UP}: nothing that you could still read is likely to help."""
STATE = """Question: {question}

Plan:
{plan}

<material>
Your notes:
{notebook}

Noted by other readers:
{others}

Already done: {done}
</material>
"""
"""How the tasks of a walk are shown the state of the reading."""


@dataclass(frozen=True)
class OfReading(Request):
    """A question, and the state of its reading as ``STATE`` shows it."""

    question: str
    plan: str
    notebook: str
    others: str
    done: str


class NodeShown(NamedTuple):
    """A key element under a short id: how many facts it has, one of them, and how promising it is, 0 to 100."""

    id: str
    title: str
    n_facts: int
    about: str
    score: float

    def as_line(self) -> str:
        """Return it as a prompt shows it."""
        return f"[{self.id}] {self.title} ({self.n_facts} facts, one of them: {self.about})"


class Sight(NamedTuple):
    """What a reader without a model goes by: the question, and how far what led here meets each of its terms."""

    asked: Question
    met: tuple[float, ...]

    @property
    def led(self) -> bool:
        """Whether anything led here; not so where the reading starts."""
        return any(self.met)

    def worth(self, statement: str, heading: str) -> float:
        """Return the share of the question that a statement meets, or of its open part if that is more, 0 to 1."""
        met = self.asked.met_under(statement, heading)
        return max(self.asked.share_of_one(met), self._opened(met))

    def open_words(self) -> list[str]:
        """Return the words of the question, names aside, that what led here does not speak of."""
        pairs = zip(self.asked.terms, self.met, strict=True)
        return [term.word for term, met in pairs if met < NOTED and not term.name]

    def leads(self, title: str, statement: str) -> float:
        """Return how well a name leads on from a statement that holds it, 0 to 1.

        It does where the statement is worth noting and the name is close to what is asked: in "directed by Ada Thorne
        and produced by Leith Pictures" a question for the director leads to the first. A name that the question has itself
        and a bare number lead nowhere.
        """
        asked, language = self.asked.keys, self.asked.language
        parts = keys_of(title, language)
        if parts <= asked or title.lower() == title:
            return 0.0
        words = keys_in_order(statement, language)
        own = [place for place, word in enumerate(words) if word in parts]
        for wanted in ([t.key for t in self.asked.terms if not t.name], asked):
            met = [place for place, word in enumerate(words) if any(meets(key, frozenset([word])) for key in wanted)]
            if own and met:
                apart = min(abs(one - other) for one in own for other in met)
                return self.worth(statement, "") / (1 + apart / APART)
        return 0.0

    def after(self, statements: Iterable[tuple[str, str]]) -> "Sight":
        """Return the sight after more statements (text, heading) that lead on."""
        met = self.met
        for statement, heading in statements:
            met = tuple(map(max, met, self.asked.met_under(statement, heading)))
        return Sight(self.asked, met)

    def _opened(self, met: Sequence[float]) -> float:
        weights = [term.weight for term in self.asked.terms]
        open_weights = [w * (1 - m) for w, m in zip(weights, self.met, strict=True)]
        total = sum(open_weights)
        if total <= SETTLED * sum(weights):
            return 0.0
        return sum(w * m for w, m in zip(open_weights, met, strict=True)) / total


def sight_of(asked: Question) -> Sight:
    """Return the sight from where the reading starts."""
    return Sight(asked, (0.0,) * len(asked.terms))
