"""What a unit of a passage needs beside it to be read alone: its list, its table's head, the code that it introduces, the
sentence that it refers back to."""

from collections.abc import Sequence

from pipeline.text.answering.blocks import BLOCK_WORDS, RULE
from pipeline.text.answering.passage_units import LEADS, Excerpt, PassageUnits
from pipeline.text.keys import content_keys
from pipeline.text.question.kinds import refers_back
from pipeline.text.question.question import Question

LISTED = frozenset({"item", "code", "row"})
WIDE = frozenset({"list", "how"})
"""Kinds of questions that are answered by a whole list or block."""
EXPLAINED = frozenset({"how", "cause"})
"""Kinds of questions whose answer goes on behind the sentence that speaks of what they ask: the steps, the reason."""
EXPLAINED_WORDS = 50
"""Words of the sentences that are printed behind one that opens an explanation, or is a question."""
TABLE_WORDS = 40
"""Words of a table without names of columns in its rows that is always printed as a whole."""


def with_context(place: int, text: PassageUnits, question: Question, opens: bool) -> list[Excerpt]:
    """Return a unit as it is printed, in the order of the text; what ``opens`` the answer with the sentence before it that it
    refers back to."""
    unit = text.units[place]
    block = text.block(place)
    wide = is_wide(question)
    lead = block[0] - 1
    led = lead >= 0 and text.leads(lead)
    places = [place]
    if unit.kind == "row":
        places = _rows(place, block, text, question)
    elif unit.kind == "item" and (wide or led) and text.n_words(block) <= BLOCK_WORDS:
        places = _with_what_follows(block, text, always=True)
    elif unit.kind == "prose":
        back = opens and place - 1 in block and refers_back(text.said(unit), text.languages)
        back = back and any(map(str.isalnum, text.said(text.units[place - 1])))
        places = _with_what_follows([place - 1, place] if back else [place], text)
        explains = EXPLAINED.intersection(question.kinds) or _answers(place, text)
        if opens and places[-1] == place and (explains or text.is_below_its_name(place, question)):
            places = _with_what_follows([*places, *_sentences_behind(place, text)], text)
    by = text.quoted_by(place)
    if by is not None:
        places = [by, *places]
    elif unit.kind in LISTED and led:
        places = [lead, *places]
    elif unit.kind == "code" and opens and lead >= 0 and text.units[lead].kind == "prose":
        said = text.block(lead)  # what code does is said above it
        places = [*(said if text.n_words(said) <= TABLE_WORDS else said[-1:]), *places]
    return [text.excerpt(i) for i in places]


def _answers(place: int, text: PassageUnits) -> bool:
    """Return whether a sentence is a question, or begins the answer to one."""
    return text.asks(place) or (place > 0 and text.asks(place - 1))


def _sentences_behind(place: int, text: PassageUnits) -> list[int]:
    """Return the sentences behind one that opens an explanation, or asks what they answer: of its paragraph, and behind a question
    that is one by itself of the next."""
    behind = text.block(place)[text.block(place).index(place) + 1 :]
    if not behind and text.asks(place) and place + 1 < len(text.units) and text.units[place + 1].kind == "prose":
        behind = text.block(place + 1)
    found: list[int] = []
    for other in behind:
        if text.n_words([*found, other]) > EXPLAINED_WORDS:
            break
        found.append(other)
    return found


def with_least(place: int, text: PassageUnits) -> list[Excerpt]:
    """Return a unit as it is printed where there is no room for all that it needs: an item below the line that leads to it, what a mail
    quotes below who wrote it; nothing of a table, nor what only introduces what is below it."""
    if text.units[place].kind == "row" or text.leads(place):
        return []
    lead = text.block(place)[0] - 1
    led = text.units[place].kind == "item" and lead >= 0 and text.leads(lead)
    by = text.quoted_by(place)
    before = [by] if by is not None else [lead] if led else []
    return [text.excerpt(i) for i in (*before, place)]


def is_wide(question: Question) -> bool:
    """Return whether a whole list or block answers a question; it does not where it asks what something is, or which of the things
    that it names."""
    asks_for_it = question.kind != "definition" and bool(WIDE.intersection(question.kinds))
    return asks_for_it and not question.offers_choice


def first_name(head: str) -> str:
    """Return how a row begins that has the names of the columns in it, given the table's head."""
    return head.partition(" | ")[0] + ": "


def _rows(place: int, block: Sequence[int], text: PassageUnits, question: Question) -> list[int]:
    """Return the head of a table and a row of it, or all rows where a list is asked for or they are few and the question does not
    say the first cell of that one."""
    rows = [i for i in block if not RULE.match(text.said(text.units[i]))]
    named = text.said(text.units[place]).startswith(first_name(text.said(text.units[rows[0]])))  # it can be read alone
    asked = is_keyed(place, text, question)
    if is_wide(question) or (not named and not asked and text.n_words(rows) <= TABLE_WORDS):
        return rows
    return sorted({rows[0], place})


def is_keyed(place: int, text: PassageUnits, question: Question) -> bool:
    """Return whether a unit is a row, not the head, of a table of which a question says the whole first cell: the code or the name that
    the row is about."""
    unit = text.units[place]
    if unit.kind != "row" or not any(text.own[place]) or place == text.block(place)[0]:
        return False
    cell = content_keys(text.said(unit).strip("| ").partition("|")[0], question.language)
    return bool(cell) and cell <= question.keys


def _with_what_follows(places: Sequence[int], text: PassageUnits, always: bool = False) -> list[int]:
    """Return units with the block that the last of them introduces; of a list or table that is too long its beginning."""
    after = text.block(places[-1])[-1] + 1
    if not LEADS.search(text.said(text.units[places[-1]])) or after >= len(text.units):
        return [*places]
    follows = text.block(after)
    kind = text.units[after].kind
    if kind in ("item", "row") and not always:
        follows = [place for at, place in enumerate(follows, 1) if text.n_words(follows[:at]) <= BLOCK_WORDS]
    fits = kind != "heading" and text.n_words(follows) <= BLOCK_WORDS
    return [*places, *follows] if always or fits else [*places]
