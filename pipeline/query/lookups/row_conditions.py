"""What the words of a question say of the rows of a table: which cells they name, or deny, and between which days; nothing is
left out, and where a word may say two things no rows are taken."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from itertools import combinations
from typing import NamedTuple

from pipeline.query.lookups.cell_rows import CellRow, RowTable, is_numbering
from pipeline.text.answering.row_tables import are_years, figures_of, has_currency
from pipeline.text.dates import MONTHS, days_in
from pipeline.text.lexicon.questions.question_words import QUESTIONS
from pipeline.text.numbers import decimal_mark, value_of
from pipeline.text.question.related_words import related_words
from pipeline.text.question.rows.row_bounds import WITHOUT_SPACES, Days, Limit
from pipeline.text.question.rows.row_questions import AskedWord, RowQuestion, group_of
from pipeline.text.question.rows.row_words import BELOW, is_column_of, truth_of
from pipeline.text.tokenizer import words

Keys = Callable[[str], frozenset[str]]
_DENIED = r"(?i:<<rows_denied>>)\s"
"""How a cell begins that says that something is not so: "not done"."""
_INITIAL = re.compile(r"\w[.]?")
COMPOUNDED = 5
"""Letters of a word that the head of a column may begin with, at least."""
ITEM = 3
"""Words of an item of a cell that is a list, at most."""
DENYING = ("un", "im", "in")
"""How a word begins that denies what the rest of it says: "unpaid", "unbezahlt", "impayé"."""


class RowCondition(NamedTuple):
    """What rows have in a column: what is ``said``, or anything where that is empty; not so where it is denied."""

    column: str
    said: str = ""
    denied: bool = False


class Understood(NamedTuple):
    """The rows that fulfil all conditions of a question, and its words that name no cell: columns, or the table."""

    rows: Sequence[CellRow]
    conditions: Sequence[RowCondition]
    terms: Sequence[AskedWord]
    group: str | None
    """The column of which each cell is to have a figure of its own."""

    @property
    def keys(self) -> frozenset[str]:
        """The keys of the words that name no cell."""
        return frozenset(term.key for term in self.terms)

    def counts(self, named: frozenset[str]) -> bool:
        """Return whether what has this name is counted: the first that is named, or, where no order is known, the only one."""
        ordered = [term for term in self.terms if term.written]
        return bool(ordered[0].key in named if ordered else self.keys and self.keys <= named)

    def also(self, condition: RowCondition, rows: Sequence[CellRow]) -> "Understood":
        """Return the same with those of its rows that fulfil one more condition, which is named where not all do."""
        return (
            self
            if len(rows) == len(self.rows)
            else Understood(rows, [*self.conditions, condition], self.terms, self.group)
        )


def understood(
    asked: RowQuestion, language: str, table: RowTable, heads: Mapping[str, frozenset[str]], keys: Keys
) -> Understood | None:
    """Return what a question in a language says of the rows of a table, whose columns have these keys in their heads; None where one of
    its words says nothing of them, or it is not clear what it says."""
    reading = _Reading(asked, language, table, heads, keys)
    return reading.result() if reading.is_clear else None


class _Reading:
    """Takes one kind of condition after the other out of the words of a question."""

    def __init__(
        self, asked: RowQuestion, language: str, table: RowTable, heads: Mapping[str, frozenset[str]], keys: Keys
    ) -> None:
        self._table, self._language, self._heads, self._keys, self._said = table, language, heads, keys, asked.said
        self._cells = {name: {cell: keys(cell) for cell in {*self._table.column(name)}} for name in heads}
        """The different cells of each column, and their keys."""
        terms = [*asked.terms, *(word for word in asked.small if self._is_whole(word.key))]
        self._terms = [self._denying(term, keys) for term in terms]
        self._conditions: list[RowCondition] = []
        self._rows = [*range(len(table.rows))]
        self.is_clear = asked.is_clear
        title = keys(table.title)
        self._title = title if language not in WITHOUT_SPACES else frozenset()
        self._group = self._grouped(title)
        if asked.days:
            self._dated(asked.days)
        if asked.limit:
            self._limited(asked.limit)
        self._compared()
        self._affirmed()
        self._whole_cells()
        self._others(title)

    def result(self) -> Understood:
        """Return what was understood."""
        rows = [self._table.rows[place] for place in self._rows]
        return Understood(rows, self._conditions, self._terms, self._group)

    def _denying(self, term: AskedWord, keys: Keys) -> AskedWord:
        """Return a word that no column has and that denies a cell or the head of one, "unpaid", as that, denied."""
        is_said = self._named(term) or self._is_cell(term) or self._is_whole(term.key)
        if is_said or not term.written.startswith(DENYING):
            return term
        said = keys(term.written[len(DENYING[0]) :])
        if len(said) != 1 or not self._is_whole(next(iter(said))):
            return term
        return term._replace(key=next(iter(said)), denied=not term.denied)

    def _is_whole(self, key: str) -> bool:
        """Return whether a word by itself is a cell, or the head of a column."""
        return {key} in self._heads.values() or any({key} in cells.values() for cells in self._cells.values())

    def _add(self, condition: RowCondition, cells: Collection[str]) -> None:
        """Keep the rows that have one of these cells in the column of a condition, or none of them where it is denied."""
        column = self._table.column(condition.column)
        self._conditions.append(condition)
        self._rows = [place for place in self._rows if (column[place] in cells) is not condition.denied]

    def _grouped(self, title: frozenset[str]) -> str | None:
        """Return the one column that is named behind "per", but for the rows themselves; words behind it that name none may name
        cells: "made by Holm"."""
        if beside := [term for term in self._terms if term.per and not term.key]:  # in a script without spaces
            name = group_of(beside[0], self._heads)
            self.is_clear &= bool(name)
            self._terms = [
                term for term in self._terms if term not in beside and term.key not in self._heads.get(name, ())
            ]
            return name or None
        named = [(term, name) for term in self._terms if term.per for name in self._named(term)]
        found = [name for term, name in named if term.key not in title or self._table.recurs(name)]
        self.is_clear &= len(found) < 2
        if len(found) == 1:
            head = self._heads[found[0]]
            is_whole = head <= {term.key for term in self._terms}  # per method of payment
            self._terms = [term for term in self._terms if not (term.key in head and (term.per or is_whole))]
        return found[0] if found else None

    def _named(self, term: AskedWord) -> list[str]:
        """Return the columns that a word names; none where the very word is in a cell and in none of their heads, as "open" is
        beside a column "opened"."""
        found = [name for name, head in self._heads.items() if name and term.key in head]
        whole = any({term.key} in cells.values() for name, cells in self._cells.items() if name and name not in found)
        if whole and term.denied:  # "no shipping date" is an empty day; "not paid" is no empty method of payment
            found = [name for name in found if name in self._table.days or self._is_head(term, name)]
        elif whole and not any(self._is_head(term, name) for name in found):  # "by cheque", beside "cheque no"
            return []
        if not found and (term.written in QUESTIONS.set_of("rows_stock") or is_column_of(term.written, "quantity")):
            found = [name for name in self._heads if is_column_of(name, "quantity")]
        exact = [name for name in found if term.written in _written(name)]
        return exact or ([] if found and self._is_cell(term) else found)

    def _is_cell(self, term: AskedWord) -> bool:
        every = [cell for name, cells in self._cells.items() if name for cell, own in cells.items() if term.key in own]
        return any(term.written in _written(cell) for cell in every)

    def _dated(self, days: Days) -> None:
        """Keep the rows of the days of a question: by the column that it names, else by the only one with dates, unless a state has a
        date of its own: the day on which something was closed is not the one on which it was opened."""
        if is_dated_by_title(self._table, days):
            return
        known = self._table.days
        heading = [(term, name) for term in reversed(self._terms) for name in known if self._is_day_of(term, name)]
        heading = [(term, name) for term, name in heading if term.dated] or heading
        named = {name: term for term, name in heading}
        whole = [name for name in known if not are_years(self._table.column(name))]
        fit = list(named) or [name for name in known if name == "date"] or whole or list(known)
        of_state = not named and any(term.dated and self._is_state(term) for term in self._terms)
        if of_state or len({tuple(known[name]) for name in fit}) != 1:
            self.is_clear = False
            return
        term = named.get(fit[0])
        alike = [name for name in known if known[name] == known[fit[0]]]
        name = min(alike, key=lambda one: one == "date")  # as the file calls it
        inside = {cell: _is_inside(cell, days) for cell in self._cells[name]}
        self.is_clear &= None not in inside.values() and not (days.is_open and _is_of_several_years(days, inside))
        self._terms = [one for one in self._terms if one is not term]
        condition = RowCondition(name, days.said, term is not None and term.denied)
        self._add(condition, {cell for cell, is_inside in inside.items() if is_inside})

    def _is_day_of(self, term: AskedWord, name: str) -> bool:
        """Return whether a word names a column of days, "closed" one of closed_on; "open", a state, is none of opened_on."""
        if len(term.key) >= COMPOUNDED and name.casefold().startswith(term.key) and self._language == "de":
            return True  # the invoices of a month are those whose Rechnungsdatum is in it
        return term.key in self._heads[name] and (term.written in _written(name) or not self._is_cell(term))

    def _limited(self, limit: Limit) -> None:
        """Keep the rows of the numbers of a question: by the column that it names, or whose cells or head have the unit behind its number;
        else by the only one with numbers, of the kind that it says, if it says one."""
        known = self._figures()
        said = {name: term for term in reversed(self._terms) for name in self._limited_by(term) if name in known}
        own = {name for term in self._terms if not term.counted for name in self._named(term)}
        named = {name: term for name, term in said.items() if name in own} or said
        of_kind = [name for name in known if limit.column and is_column_of(name, limit.column)]
        of_kind = of_kind or [
            name for name in known if limit.column == "money" and has_currency(self._table.column(name))
        ]
        fit = list(named) or (of_kind if limit.column else list(known))
        if len({tuple(known[name]) for name in fit}) != 1:
            self.is_clear = False
            return
        name = fit[0]
        self._terms = [one for one in self._terms if one is not named.get(name)]
        values = zip(self._table.column(name), known[name], strict=True)
        self._add(RowCondition(name, limit.said), {cell for cell, value in values if limit.holds(value)})

    def _figures(self) -> dict[str, list[float]]:
        """Return the numbers of the columns that have some, one for each row; those that are names of the rows are none."""
        columns = {name: self._table.column(name) for name in self._heads if name}
        every = {name: figures_of(cells, cells, self._language) for name, cells in columns.items()}
        return {name: found for name, found in every.items() if found and not is_numbering(name, self._table.rows)}

    def _limited_by(self, term: AskedWord) -> list[str]:
        """Return the columns that a word names, or whose unit it is, in their heads or behind every number: "length (m)", "8.5 m"."""
        if not term.counted:
            return self._named(term)
        unit = {term.key, *related_words(self._language).of(term.key)}
        of_unit = [
            name for name, cells in self._cells.items() if unit & self._heads[name] or self._is_unit(unit, cells)
        ]
        return self._named(term) or of_unit

    def _is_unit(self, unit: Set[str], cells: Iterable[str]) -> bool:
        last = [self._keys(cell.split()[-1]) for cell in cells if cell.strip()]
        return bool(last) and all(unit & own for own in last)

    def _compared(self) -> None:
        """Keep the rows in which one column has more than another that is named behind words that compare, or less, or later days: over
        budget, below the minimum, returned after the due date. Where the question does not name the one, it is what was spent of what was
        planned, else the quantity, else the only other one that has such values."""
        beside = next((term for term in self._terms if term.than), None)
        if beside is None:
            return
        days = {name: some for name, some in self._table.days.items() if not is_numbering(name, self._table.rows)}
        known = self._figures() | days
        every = frozenset(term.key for term in self._terms)
        named = [name for name in self._named(beside) if name in known]
        named = [name for name in named if self._heads[name] <= every] or named
        if len(named) != 1:
            self.is_clear = False
            return
        [limit] = named
        of_days = limit in self._table.days
        self._terms = [term for term in self._terms if term is not beside and term.key not in self._heads[limit]]
        if of_days:  # after the due date
            self._terms = [
                one for one in self._terms if one.behind != beside.key or not is_column_of(one.written, "date")
            ]
        alike = [name for name in known if name != limit and (name in self._table.days) == of_days]
        said = {name: term for term in self._terms for name in self._named(term) if name in alike}
        kind = "spent" if is_column_of(limit, "planned") else "quantity"
        fit = list(said) if said or of_days else [name for name in alike if is_column_of(name, kind)] or alike
        if len(fit) != 1:
            self.is_clear = False
            return
        self._terms = [term for term in self._terms if term is not said.get(fit[0])]
        sign = -1 if beside.than == BELOW else 1
        pairs = zip(known[fit[0]], known[limit], strict=True)
        held = [sign * (value - bound) > 0 for value, bound in pairs]
        self._conditions.append(RowCondition(fit[0], f"{'<' if sign < 0 else '>'} {limit}"))
        self._rows = [place for place in self._rows if held[place]]

    def _is_state(self, term: AskedWord) -> bool:
        states = (name for name, cells in self._cells.items() if is_column_of(name, "state") or truth_of(cells))
        return any(term.key in own for name in states for own in (*self._cells[name].values(), self._heads[name]))

    def _affirmed(self) -> None:
        """Keep the rows with a yes, or with a no where that is denied, in the columns of both that a question names."""
        for name in self._heads:
            truth = truth_of(self._cells[name]) if name not in ("", self._group) else None
            if not truth:
                continue
            self._cells[name] = {}
            own = [term for term in self._terms if term.key in self._heads[name]]
            if own and self._heads[name] <= {term.key for term in own}:
                wanted = not any(term.denied for term in own)
                fit = [cell for cell, is_true in truth.items() if is_true == wanted]
                self._terms = [term for term in self._terms if term not in own]
                self._add(RowCondition(name, min(fit or truth), not fit), fit or [*truth])

    def _whole_cells(self) -> None:
        """Keep the rows with the cells that a question names in full; a word that names cells of two columns is not clear, nor one
        that is both said and denied ("shipped orders with no shipped date"), nor words on both sides of "or" that are not of one
        column."""
        terms = [term for term in self._terms if not self._is_column(term) and not self._is_event(term)]
        every, denied = {term.key for term in terms}, {term.key for term in terms if term.denied}
        self.is_clear &= not any(term.key in denied and not term.denied for term in terms)
        numbered, named = self._numbered(), dict[str, dict[str, tuple[str, frozenset[str]]]]()
        for name, cells in self._cells.items():
            said = every - {key for key, names in numbered.items() if name not in names}
            whole = {cell: own for cell, own in cells.items() if own and own <= said} if name != self._group else {}
            items = self._items(name, said) if name not in ("", self._group) else {}
            whole = {cell: own for cell, own in whole.items() if not own <= self._title or self._is_written(cell)}
            whole = {cell: own for cell, (_, own) in items.items()} | self._as_said(whole)
            whole = {cell: own for cell, own in whole.items() if not any(own < other for other in whole.values())}
            if whole:
                named[name] = {cell: (items[cell][0] if cell in items else cell, own) for cell, own in whole.items()}
        used = {name: frozenset().union(*(own for _, own in whole.values())) for name, whole in named.items()}
        found: list[tuple[frozenset[str], list[bool]]] = []
        for name, cells_named in named.items():
            if any(used[name] < keys for keys in used.values()):  # the 3 of "district 3" is no number of persons
                continue
            not_these = [cell for cell, (_, own) in cells_named.items() if own & denied and not self._is_said(cell)]
            self.is_clear &= len(not_these) in (0, len(cells_named))
            listed = ", ".join(sorted({written for written, _ in cells_named.values()}))
            self._add(RowCondition(name, listed, bool(not_these)), cells_named)
            found.append((used[name], [cell in cells_named for cell in self._table.column(name)]))
        self.is_clear &= not any(one[0] & other[0] and one[1] != other[1] for one, other in combinations(found, 2))
        either = {term.key for term in self._terms if term.either}
        self.is_clear &= not either or [one[0] >= either for one in found if one[0] & either] == [True]
        explained = frozenset[str]().union(*(one[0] for one in found))
        self._terms = [term for term in self._terms if term not in terms or term.key not in explained]

    def _as_said(self, whole: Mapping[str, frozenset[str]]) -> dict[str, frozenset[str]]:
        """Return of cells with the same keys those that the question says word for word, "to pay", else those without small words that it
        does not say: "paid"."""
        said, small = {cell for cell in whole if self._is_said(cell)}, set(words(self._said))
        plain = {cell for cell in whole if len(words(cell)) == 1 or {*words(cell.casefold())} <= small}
        found = dict(whole)
        for own in {*whole.values()}:
            alike = {cell for cell in whole if whole[cell] == own}
            best = (alike & said) or (alike & plain) or alike
            found = {cell: keys for cell, keys in found.items() if cell not in alike or cell in best}
        return found

    def _is_written(self, cell: str) -> bool:
        """Return whether a question says a cell word for word; one that has a word of the table's name must be said so: in a list of loans
        "on loan" is not every loan."""
        return re.search(rf"(?<!\w){re.escape(cell.casefold())}(?!\w)", self._said) is not None

    def _is_said(self, cell: str) -> bool:
        """Return whether a question says a cell of several words as it is written."""
        return len(words(cell)) > 1 and self._is_written(cell)

    def _numbered(self) -> dict[str, list[str]]:
        """Return the keys of numbers that are right behind the name of a column, "severity 1", and the columns of that name."""
        headed = {
            term.key: [name for name, head in self._heads.items() if name and term.behind in head]
            for term in self._terms
            if term.key.isdigit()
        }
        return {key: names for key, names in headed.items() if names}

    def _is_event(self, term: AskedWord) -> bool:
        """Return whether a word tells what was done, "opened", which the cells do not say: they say what is "open"."""
        return term.written in QUESTIONS.set_of("rows_events") and not self._is_cell(term)

    def _is_column(self, term: AskedWord) -> bool:
        """Return whether a word names a column and no cell; of one that is both it names the column where it is denied or comes first, as what
        is counted."""
        if not term.written or not self._named(term) or self._is_in_said_cell(term):
            return False
        is_head = any(self._is_head(term, name) for name in self._heads)
        return not self._is_cell(term) or (is_head and (term.denied or term is self._terms[0]))

    def _is_in_said_cell(self, term: AskedWord) -> bool:
        """Return whether the question says a cell of several words that has this one: "on loan"."""
        every = (cell for cells in self._cells.values() for cell, own in cells.items() if term.key in own)
        return any(map(self._is_said, every))

    def _is_head(self, term: AskedWord, name: str) -> bool:
        """Return whether a word is all that the head of a column says."""
        return self._heads[name] == {term.key} and len(words(name)) == 1

    def _items(self, name: str, every: Set[str]) -> dict[str, tuple[str, frozenset[str]]]:
        """Return of the cells of a column of lists, such as labels, those with an item that a question names in full: the item, and its
        keys. Items are of a list where one of them is in several cells, and none is an initial: "Beck, M."."""
        parting = ";" if any(";" in cell for cell in self._cells[name]) else ","
        every_cell = {cell: [item.strip() for item in cell.split(parting)] for cell in self._cells[name]}
        lists = {cell: some for cell, some in every_cell.items() if len(some) > 1}
        items = {item for some in lists.values() for item in some}
        if any(item.isdigit() or len(item.split()) > ITEM or _INITIAL.fullmatch(item) for item in items):
            return {}
        cells_with = Counter(item for some in every_cell.values() for item in {*some})
        if not any(cells_with[item] > 1 for item in items):
            return {}
        named = {item: own for item in items if (own := self._keys(item)) and own <= every}
        return {cell: (item, named[item]) for cell, some in lists.items() for item in some if item in named}

    def _others(self, title: frozenset[str]) -> None:
        """Explain the words that name no whole cell: those of the title and of columns name these, or, denied, rows without
        anything in a column; all others must be parts of cells."""
        named = {term: self._named(term) for term in self._terms}
        for term, names in named.items():
            if term.denied and any(one.column in names for one in self._conditions):
                self.is_clear = False  # "without the label imap"
            elif term.denied and len(names) == 1:
                column = self._table.column(names[0])
                denies = QUESTIONS.compiled(_DENIED).match
                denying = {cell for cell in column if denies(cell) and term.written in _written(cell)}
                if is_column_of(names[0], "quantity"):  # out of stock
                    none = {cell for cell in column if value_of(cell.strip(), decimal_mark(self._language)) == 0}
                    self._add(RowCondition(names[0], "0"), none)
                elif denying:
                    self._add(RowCondition(names[0], ", ".join(sorted(denying))), denying)
                else:
                    self._add(RowCondition(names[0], denied=True), {cell for cell in column if cell.strip()})
            elif term.denied and (names or term.key in title):
                self.is_clear = False
        rest = [term for term, names in named.items() if not names and term.key not in title]
        self.is_clear &= not any(map(self._is_event, rest))
        self._terms = [term for term in self._terms if term not in rest and not term.denied]
        for is_denied in (False, True):
            self._part_of_cells([term for term in rest if term.denied is is_denied], is_denied)

    def _part_of_cells(self, terms: Sequence[AskedWord], is_denied: bool) -> None:
        """Keep the rows of the only one of some cells that recur which holds some of these words, and of all cells of one
        column that hold the others."""
        for name, cells in self._cells.items():
            keys = {term.key for term in terms}
            holding = [cell for cell, own in cells.items() if own & keys]
            if name != self._group and len(holding) == 1 and len(cells) < len(self._table.rows):
                self._add(RowCondition(name, holding[0], is_denied), holding)
                terms = [term for term in terms if term.key not in cells[holding[0]]]
        if not terms:
            return
        keys = {term.key for term in terms}
        fit = {name: {cell for cell, own in cells.items() if keys <= own} for name, cells in self._cells.items()}
        rows = {name: [cell in fit[name] for cell in self._table.column(name)] for name in fit if fit[name]}
        self.is_clear &= len({tuple(met) for met in rows.values()}) == 1
        if rows:
            name = next(iter(rows))
            said = " ".join(dict.fromkeys(term.written or term.key for term in terms))
            self._add(RowCondition(name, said, is_denied), fit[name])


def is_dated_by_title(table: RowTable, days: Days) -> bool:
    """Return whether the title of a table says that all of its rows are of some days: "Sales of February 2024"; not where a column
    has days."""
    months = {f"{MONTHS[word]:02}" for word in words(table.title.lower()) if word in MONTHS}
    is_month = not days.has_year and {days.first[:2], days.last[:2]} == months
    return (is_month or bool(_is_inside(table.title, days))) and not table.days


def _written(text: str) -> set[str]:
    return set(words(text.casefold()))


def _is_of_several_years(days: Days, cells: Iterable[str]) -> bool:
    """Return whether days without a year may be of several years in some cells."""
    return not days.has_year and len({found[0][:4] for cell in cells if (found := days_in(cell))}) > 1


def _is_inside(cell: str, days: Days) -> bool | None:
    """Return whether the date of a cell is within the days of a question; None where it may be."""
    found = days_in(cell)
    if found is None:
        return False
    first, last = (day[-len(days.first) :] for day in found)
    is_in = (
        days.first <= first and last <= days.last and (len(days.first) == len(found[0]) or found[0][:4] == found[1][:4])
    )
    return True if is_in else None if first <= days.last and days.first <= last else False
