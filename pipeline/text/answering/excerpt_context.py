"""What a unit of a passage needs beside it to be read alone: its list, its table's head, the code that it introduces, the
sentences that say more of what is asked."""

from collections.abc import Sequence

from pipeline.text.answering.blocks import RULE
from pipeline.text.answering.kind_evidence import evidence_of_kind
from pipeline.text.answering.passage_units import LEADS, Excerpt, PassageUnits, length, union
from pipeline.text.question.kinds import offers_choice, refers_back
from pipeline.text.question.question import Question

WIDE = frozenset({"list", "how"})
"""Kinds of questions that are answered by a whole list or block."""
BLOCK_WORDS = 140
"""Words of a list, table or code that is printed as a whole."""
TABLE_WORDS = 40
"""Words of a table without names of columns in its rows that is always printed as a whole."""
FEW_WORDS, PARAGRAPH_WORDS = 60, 80
"""Words up to which neighbours are printed with a sentence even where little room is left, and beyond which no more are added."""
KIND, MORE, AFTER = 0.25, 0.03, 0.03
"""What the right kind of thing adds, in shares of the question; the least that a sentence beside another must add; and what it
is worth to come after it, or before it where a cause is asked for."""
WHOLE = 0.9
"""Share of the question from which a sentence answers it by itself: of what is beside it only what adds to that is printed,
and behind it what says nearly the same."""


def with_context(
    place: int, text: PassageUnits, question: Question, people: frozenset[str], room: int
) -> list[Excerpt]:
    """Return a unit as it is printed, in the order of the text; ``room`` is in words."""
    unit = text.units[place]
    block = text.block(place)
    wide = is_wide(question)
    lead = block[0] - 1
    led = lead >= 0 and text.leads(lead)
    places = [place]
    if unit.kind == "row":
        places = _rows(place, block, text, wide)
    elif unit.kind == "item" and (wide or led) and text.n_words(block) <= BLOCK_WORDS:
        places = _with_what_follows(block, text, always=True)
    elif unit.kind == "prose":
        places = _with_what_follows(_sentences(place, block, text, question, people, room), text)
    if unit.kind in ("item", "code") and led:
        places = [lead, *places]
    return [text.excerpt(i) for i in places]


def is_wide(question: Question) -> bool:
    """Return whether a whole list or block answers a question; it does not where it asks which of the things that it names."""
    return bool(WIDE.intersection(question.kinds)) and not offers_choice(question.text, question.language)


def first_name(head: str) -> str:
    """Return how a row begins that has the names of the columns in it, given the table's head."""
    return head.partition(" | ")[0] + ": "


def _rows(place: int, block: Sequence[int], text: PassageUnits, wide: bool) -> list[int]:
    """Return the head of a table and a row of it, or all rows where a list is asked for or they are few."""
    rows = [i for i in block if not RULE.match(text.said(text.units[i]))]
    named = text.said(text.units[place]).startswith(first_name(text.said(text.units[rows[0]])))  # it can be read alone
    if wide or (not named and text.n_words(rows) <= TABLE_WORDS):
        return rows
    return sorted({rows[0], place})


def _with_what_follows(places: Sequence[int], text: PassageUnits, always: bool = False) -> list[int]:
    """Return units with the block that the last of them introduces."""
    after = text.block(places[-1])[-1] + 1
    if not LEADS.search(text.said(text.units[places[-1]])) or after >= len(text.units):
        return [*places]
    follows = text.block(after)
    fits = text.units[after].kind != "heading" and text.n_words(follows) <= BLOCK_WORDS
    return [*places, *follows] if always or fits else [*places]


def _sentences(
    place: int, block: Sequence[int], text: PassageUnits, question: Question, people: frozenset[str], room: int
) -> list[int]:
    """Return a sentence and those right beside it in its paragraph that say more of what is asked."""
    taken = [place]
    while taken[0] - 1 in block and len(taken) < 3 and refers_back(text.said(text.units[taken[0]]), text.languages):
        taken.insert(0, taken[0] - 1)
    met = union([text.own[i] for i in taken], len(question.terms))
    kind = evidence_of_kind(text.said(text.units[place]), question, people, text.languages)
    words = text.n_words(taken)
    whole = kind == 1.0 and question.kind != "definition" and question.share(text.own[place]) >= WHOLE
    for _ in range(2):
        best: tuple[float, int] | None = None
        for other in (taken[-1] + 1, taken[0] - 1):
            if other not in block:
                continue
            said = text.said(text.units[other])
            if words + length(said) > max(room, FEW_WORDS) or (text.asks(other) and other > place):
                continue
            gain = question.share(union([met, text.own[other]], len(met))) - question.share(met)
            gain += KIND * max(0.0, evidence_of_kind(said, question, people, text.languages) - kind)
            gain += AFTER if not whole and (other > place or question.kind == "cause") else 0.0
            if gain >= MORE and (best is None or gain > best[0]):
                best = gain, other
        if best is None:
            break
        taken = sorted([*taken, best[1]])
        met = union([met, text.own[best[1]]], len(met))
        kind = max(kind, evidence_of_kind(text.said(text.units[best[1]]), question, people, text.languages))
        words += length(text.said(text.units[best[1]]))
        if words > PARAGRAPH_WORDS:
            break
    return taken
