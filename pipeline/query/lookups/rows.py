"""The rows of a table that a question asks for: those with the most or the least, how many there are, what they come to.

Only a table that explains every word of the question is taken: as its title, a column, a cell, or what is wanted.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property
from itertools import islice
from typing import NamedTuple

from pipeline.base.store import Rows
from pipeline.query.evidence.cited_context import Chunk, ChunkSpan, chunks_by_document, read_chunks
from pipeline.query.lookups.cell_rows import (
    CellRow,
    RowTable,
    cells_of,
    folded,
    is_numbering,
    is_of_money,
    with_period,
)
from pipeline.query.lookups.row_conditions import Keys, RowCondition, Understood, is_dated_by_title, understood
from pipeline.query.lookups.row_figures import best_of, rows_by_cell, total_of, written_total
from pipeline.query.lookups.table_sources import TableSources, joined
from pipeline.text.answering.row_tables import are_years, days_of, figures_of
from pipeline.text.lexicon.questions.question_words import QUESTIONS
from pipeline.text.question.rows.row_bounds import WITHOUT_SPACES
from pipeline.text.question.rows.row_questions import RowQuestion, counted_by, period_of
from pipeline.text.question.rows.row_words import SEVERAL, Wanted, cell_keys, is_column_of, ledger_keys
from pipeline.text.tokenizer import words

SEVERAL_ROWS = 2
"""Rows from which on what is counted in a column is their sum."""


class Best(NamedTuple):
    """What rows have the most or the least of: a column, which may have days, of so many rows that have something there."""

    is_most: bool
    column: str
    has_days: bool
    of: int
    rank: int
    """Which they are in that order: 2 for the second largest."""


class RowsFound(NamedTuple):
    """The rows that were asked for, of how many in all, and what they were taken by. ``is_count``: how many they are is said as
    well, for ``is_list`` beside all of them. ``figures`` are what they come to, in words; ``total`` says of which column these
    are the sum or mean."""

    title: str
    rows: Sequence[CellRow]
    n_rows: int
    n_all: int
    conditions: Sequence[RowCondition] = ()
    is_count: bool = False
    is_list: bool = False
    figures: Sequence[str] = ()
    total: tuple[Wanted, str] | None = None
    columns: Sequence[str] = ()
    """Those that the question names or means, in conditions or otherwise."""
    best: Best | None = None
    different: tuple[str, int] | None = None
    """The column that is counted, and how many different cells the rows have there."""


def find_rows(
    asked: Sequence[RowQuestion], language: str, chunks: Sequence[Chunk], tables: Mapping[str, Rows]
) -> RowsFound | None:
    """Return the rows that a question asks for in one of its readings, of the first table that explains all its words: of the files
    of the closest chunks, or of a file of records that it names, for a cell only of those of which the chunks show rows; and of all
    tables with the same columns, unless the question names the title of one."""

    has_digits = any(char.isdigit() for one in asked for term in (*one.terms, *one.small) for char in term.key)

    @cache
    def keys(text: str) -> frozenset[str]:
        says = has_digits or any(map(str.isalpha, text))  # most tables have many numbers, and most questions none
        return cell_keys(text, language) if says else frozenset()

    def first_of(table: RowTable) -> RowsFound | None:
        return next(filter(None, (_Lookup(reading, language, table, keys).found() for reading in clear)), None)

    clear = [
        one for one in asked if one.is_clear and (one.terms or one.wanted != "count" or (one.names_rows and one.days))
    ]
    if not clear:
        return None
    named = frozenset[str]().union(*(one.keys for one in clear))
    sources = TableSources(tables, chunks, keys, language)
    days = next((one.days for one in clear if one.days), None)
    is_total = clear[0].wanted in ("sum", "mean")
    counted = frozenset(key for one in clear if not is_total for key in counted_by(one, language))
    bare = clear[0]._replace(terms=tuple(term for term in clear[0].terms if not term.per))
    is_spent = clear[0].is_of_payments or (is_total and not counted_by(bare, language))  # "total per month"
    near: Iterable[RowTable] = (
        sources.of_rows() if clear[0].wanted == "cell" else sources.near(named, counted, of_any=is_spent)
    )
    if is_total:  # what is added up is rather a column that the question names than a cell
        near = sorted(near, key=lambda table: not any(keys(name) & named for name in table.columns))
    found = ((table, first) for table in near if (first := first_of(table)))
    fit = [*found] if is_spent else [*islice(found, 1)]
    if len(fit) > 1:
        fit = [(table, first) for table, first in fit if first.total and is_of_money(table, first.total[1])] or fit
        fit = [(table, first) for table, first in fit if keys(table.title) & ledger_keys(language)] or fit
    if len(fit) != 1:
        return None  # of several lists of payments nobody knows which is meant
    [(table, first)] = fit
    alike = sources.like(table, named)
    if days and is_dated_by_title(table, days):
        alike = [one for one in alike if is_dated_by_title(one, days)]
    return first if len(alike) == 1 else first_of(joined(alike)) if alike else None


class _Lookup:
    """Looks up in one table what a question asks for."""

    def __init__(self, asked: RowQuestion, language: str, table: RowTable, keys: Keys) -> None:
        self._language, self._keys = language, keys
        if period := period_of(asked, language):
            named = [name for name in table.days if name and keys(name) & asked.keys]
            of_days = {key for name in named[:1] for key in keys(name)}  # "opened per month" asks for no state
            asked = asked._replace(terms=tuple(term for term in asked.terms if term.key not in of_days))
            self._table = with_period(table, *period, named)
        else:
            self._table = table
        self._asked = asked
        self._columns = self._table.columns
        self._period = next(iter({*self._columns} - {*table.columns}), "")
        """The column of the month or year of each row, where a question names it and the table has none."""
        self._heads = {name: keys(name) for name in self._columns}
        self._title = keys(table.title)
        self._meant: list[str] = []
        """Columns that the question names or means."""

    def found(self) -> RowsFound | None:
        """Return the rows that are asked for; None where the table does not explain all words, or has not what is wanted."""
        if not self._has_part() or self._has_cell(self._asked.mean):
            return None
        read = understood(self._asked, self._language, self._table, self._heads, self._keys)
        if read is None:
            return None
        wanted = self._wanted(read)
        self._meant = wanted
        if any(one.denied for one in read.conditions) and self._is_of_several_rows(read, wanted):
            return None
        if self._asked.wanted == "cell":
            return self._cell(read, wanted)
        if not read.rows or self._asked.wanted == "list":
            return self._listed(read, wanted)
        if self._asked.wanted == "count" and not self._counts_figures(read, wanted):
            return self._with_quantity(read, self._counted(read, wanted))
        return self._of_figures(read, wanted)

    def _has_part(self) -> bool:
        """Return whether the table has a column of quarters, or one for each, where a question is read so."""
        part, names = self._asked.part, self._columns
        return not part or any(is_column_of(name, "period") or part in words(name.casefold()) for name in names)

    def _has_cell(self, word: str) -> bool:
        """Return whether a word is by itself a cell that comes again."""
        return bool(word) and any(
            folded(cell) == word for name in self._columns if name for cell in self._table.column(name)
        )

    def _wanted(self, read: Understood) -> list[str]:
        """Return the columns that a question names; of words that are all of one head, no others that have them: "Planned GBP" is
        not "Used GBP"."""
        named = [name for name in self._columns if self._heads[name] & read.keys]
        whole = [name for name in named if self._heads[name] <= read.keys]
        whole = [name for name in whole if not any(self._heads[name] < self._heads[other] for other in whole)]
        if whole and self._language in WITHOUT_SPACES:
            return whole
        rest = read.keys - frozenset().union(*(self._heads[name] for name in whole))
        return [name for name in named if name in whole or self._heads[name] & rest]

    def _cell(self, read: Understood, wanted: Sequence[str]) -> RowsFound | None:
        if read.group or not read.conditions or not (wanted or self._names_head(read.conditions)):
            return None
        return self._result(read, read.rows, len(read.rows) > 1)

    def _listed(self, read: Understood, wanted: Sequence[str]) -> RowsFound | None:
        """Return all rows that fulfil the conditions, also where these are none: there is no figure of them then."""
        says_more = self._title & read.keys or self._names_head(read.conditions) or self._tells_who(read.conditions)
        are_cells = self._language in WITHOUT_SPACES and not read.keys and len(read.conditions) > 1
        if read.group or not (wanted or says_more or are_cells):
            return None
        if not read.conditions:
            return self._counted(read, wanted)
        return self._result(read, read.rows, len(read.rows) != 1 or self._asked.wanted != "list")

    def _of_figures(self, read: Understood, wanted: Sequence[str]) -> RowsFound | None:
        """Return the rows with the most or the least of a column of numbers or days, or what it comes to."""
        asked = self._asked
        if asked.wanted == "count":  # how many hours
            asked = asked._replace(wanted="sum")
        figures = self._figures(read)
        if asked.is_of_payments and not self._has_payments():
            return None
        if read.group in figures:  # the most by price
            wanted, read = [*wanted, read.group], read._replace(group=None)
        if not asked.total and self._adds_up(asked, read, wanted, figures):  # the month with the highest income
            asked = asked._replace(total="sum")
        if grouped := self._has_most_together(asked, read, wanted, figures):  # who has the most hours
            wanted, asked = [*dict.fromkeys([*wanted, grouped])], asked._replace(total="sum")
        if asked.total or read.group:
            return self._of_groups(asked, read, wanted, figures)
        chosen = self._chosen(asked, figures, wanted)
        if chosen is None:
            return self._most_frequent(read, wanted)
        name, numbers = chosen
        self._meant = [*wanted, name]
        known = [(value, row) for value, row in zip(numbers, read.rows, strict=True) if not math.isnan(value)]
        if len(known) < asked.rank:
            return None
        if asked.wanted not in ("sum", "mean"):
            if wanted and not self._is_of_what_is_named(read, [*wanted, name]):
                return None
            best = Best(asked.wanted == "most", name, self._has_days(name), len(known), asked.rank)
            return self._result(read, best_of(asked, known))._replace(best=best)
        read = read.also(RowCondition(name), [row for _, row in known])
        figure = self._written_total(asked.wanted, [value for value, _ in known])
        return self._result(read, read.rows, True, [figure], (asked.wanted, name))

    def _result(
        self,
        read: Understood,
        rows: Sequence[CellRow],
        is_count: bool = False,
        figures: Sequence[str] = (),
        total: tuple[Wanted, str] | None = None,
    ) -> RowsFound:
        n_all = len(self._table.rows)
        is_list = self._asked.wanted in ("list", "cell")
        columns = dict.fromkeys(filter(None, [*self._meant, *(one.column for one in read.conditions)]))
        return RowsFound(
            self._table.title,
            rows,
            len(read.rows),
            n_all,
            read.conditions,
            is_count,
            is_list,
            figures,
            total,
            [*columns],
        )

    def _names_head(self, conditions: Iterable[RowCondition]) -> bool:
        """Return whether a question names the column of a condition, as it does one of yes and no: "Who has not paid?"."""
        return any(self._heads[one.column] & self._asked.keys for one in conditions)

    def _tells_who(self, conditions: Iterable[RowCondition]) -> bool:
        """Return whether a question asks who is in a state, "Who still has to pay?", of a table that has people or customers."""
        has_people = any(is_column_of(name, kind) for name in self._columns for kind in ("person", "income"))
        return self._asked.asks_who and has_people and any(is_column_of(one.column, "state") for one in conditions)

    def _counts_figures(self, read: Understood, wanted: Sequence[str]) -> bool:
        """Return whether what is counted is a column of numbers, of which the rows have several: their sum is how many there are."""
        name = next((name for name in wanted if read.counts(self._heads[name])), "")
        if not name or (len(read.rows) < SEVERAL_ROWS and read.group is None):
            return False
        cells = self._table.column(name)
        is_key = name == next(filter(None, self._columns)) and len({*cells}) == len(cells)
        return (
            not is_key
            and self._is_of_numbers(name)
            and not is_numbering(name, self._table.rows)
            and not are_years(cells)
        )

    def _has_payments(self) -> bool:
        """Return whether the table says what was paid, and when or in which month or quarter; it is no list of prices."""
        if QUESTIONS.pattern("rows_outgoing", self._language).search(self._asked.said) and self._is_of_income():
            return False
        kinds = ("spent", "period")
        return bool(self._table.days) or any(is_column_of(name, kind) for name in self._columns for kind in kinds)

    def _is_of_income(self) -> bool:
        """Return whether the name of the table, or a column of those who pay, says that its money came in."""
        return any(is_column_of(name, "income") for name in (self._table.title, *self._columns))

    def _adds_up(
        self, asked: RowQuestion, read: Understood, wanted: Sequence[str], figures: Mapping[str, Sequence[float]]
    ) -> bool:
        """Return whether a question compares months, or quarters, by what comes together in them: by sums of money or of hours, or by the
        most of anything; the highest of other figures, such as a temperature, is that of one row."""
        periods = [name for name in wanted if name and name not in figures and is_column_of(name, "period")]
        periods = [name for name in wanted if name == self._period] or [
            name for name in periods if self._table.recurs(name) and read.counts(self._heads[name])
        ]
        others = [name for name in wanted if name not in periods]
        chosen = self._chosen(asked, figures, others) if periods else None
        if chosen is None or asked.wanted not in ("most", "least"):
            return chosen is not None
        is_sum = is_column_of(chosen[0], "duration") or is_of_money(self._table, chosen[0])
        return asked.column != "level" or is_sum

    def _has_most_together(
        self, asked: RowQuestion, read: Understood, wanted: Sequence[str], figures: Mapping[str, Sequence[float]]
    ) -> str | None:
        """Return the column of which a cell has the most of a column of numbers in all of its rows: one that is named beside it, or that of
        persons where it is asked who; None where one row has it."""
        if asked.wanted not in ("most", "least") or asked.column or asked.total or read.group:
            return None
        others = [name for name in self._columns if name and name not in figures and not self._has_days(name)]
        recurring = [name for name in others if self._table.recurs(name)]
        named = [name for name in recurring if name in wanted]
        of_persons = [name for name in recurring if is_column_of(name, "person")] or recurring
        found = named or (of_persons if asked.asks_who else [])
        return found[0] if len(found) == 1 and any(name in figures for name in wanted) else None

    def _names_other_column(self, read: Understood, wanted: Sequence[str]) -> bool:
        """Return whether what is counted is the whole head of a column whose cells recur, of a table that is called by more than that: the
        volunteers of "Volunteer hours"."""
        headed = any(
            self._heads[name] <= read.keys and read.counts(self._heads[name]) and self._table.recurs(name)
            for name in wanted
        )
        return headed and not {key for key in self._title if not key.isdigit()} <= read.keys

    def _is_of_what_is_named(self, read: Understood, columns: Iterable[str]) -> bool:
        """Return whether a question names the title, or all that the head of a column says: in a list of who takes the safety boat when, the
        earliest row is not the oldest boat."""
        return bool(self._title & read.keys) or any(self._heads[name] <= read.keys for name in columns)

    def _counts_first(self, read: Understood) -> bool:
        """Return whether what is counted is what the first column is called, which has another cell in every row: a list of orders."""
        first = next(filter(None, self._columns), "")
        cells = set(map(str.strip, self._table.column(first)))
        return read.counts(self._heads.get(first, frozenset())) and len(cells) == len(self._table.rows)

    def _is_of_title(self, read: Understood) -> bool:
        """Return whether the rows are what the title says, and not what the first column of a table in a text is called: those of "Action"
        and "Owner" in a report on an outage are actions."""
        first = next(iter(self._columns), "")
        of_text = self._table.rows[0].end > 0
        return not of_text or not first or is_column_of(first, "naming") or read.counts(self._heads[first])

    def _are_cells(self, conditions: Iterable[RowCondition]) -> bool:
        """Return whether conditions say whole cells, or days, and no words of a longer cell."""

        def is_whole(one: RowCondition) -> bool:
            column = self._table.column(one.column)
            return {one.said, *one.said.split(", ")} & {*column} != set() or days_of(column) is not None

        return all(not one.said or is_whole(one) for one in conditions)

    def _is_of_several_rows(self, read: Understood, wanted: Sequence[str]) -> bool:
        """Return whether what is counted or listed has several rows: one that has a row which is not so may have others that are."""
        return not read.counts(self._title) and any(
            self._table.recurs(n) and read.counts(self._heads[n]) for n in wanted
        )

    def _figures(self, read: Understood) -> dict[str, Sequence[float]]:
        """Return the numbers, or days, of the columns that have some: one for each row."""
        found = dict[str, Sequence[float]]()
        for name in self._columns:
            cells, column = cells_of(read.rows, name), self._table.column(name)
            values = days_of(cells) if self._asked.column == "date" else figures_of(cells, column, self._language)
            if values is not None and not is_numbering(name, self._table.rows):
                found[name] = values
        if self._asked.column == "date":  # "2041" may be the number of a cheque
            whole = {name: days for name, days in found.items() if not are_years(self._table.column(name))}
            found = {
                name: days
                for name, days in found.items()
                if name in whole or not whole or self._heads[name] & read.keys or is_column_of(name, "birth")
            }
        return found

    def _counted(self, read: Understood, wanted: Sequence[str]) -> RowsFound | None:
        """Return the rows that have something in all columns named; where it is a column that is counted, how many different cells it
        has there, too, and of each the first where they are listed."""
        if read.counts(self._title) and not self._is_of_title(read):
            return None
        of_table = self._asked.names_rows or self._counts_first(read)
        of_table |= read.counts(self._title) and not self._names_other_column(read, wanted)
        says_row = read.keys or read.group or self._quantities or self._names_head(read.conditions)
        if not (says_row or self._are_cells(read.conditions)):
            return None  # of what is counted, nothing says that it is a row: "how many died" is none of the rows that speak of it
        if not of_table and any(map(self._is_of_numbers, wanted)):  # how many a row has in that column
            return self._result(read, read.rows) if len(read.rows) < len(self._table.rows) and not read.group else None
        bounded = {one.column for one in read.conditions}
        for name in wanted:
            if name not in bounded:
                read = read.also(RowCondition(name), [row for row in read.rows if row.cells.get(name, "").strip()])
        if read.group:
            return self._of_groups(self._asked, read, wanted, {})
        repeated = [name for name in wanted if self._table.recurs(name) and not self._has_days(name)]
        if of_table or not repeated:
            return self._result(read, read.rows, is_count=True)
        bounded = {one.column for one in read.conditions}
        counted = [name for name in repeated if name not in bounded and read.counts(self._heads[name])]
        if not counted and self._title & read.keys:
            return self._result(read, read.rows, is_count=True)
        if len(counted) != 1:
            return None
        (name,) = counted
        cells = rows_by_cell(read.rows, name)
        if self._asked.wanted == "list":
            return self._result(read, [some[0] for some in cells.values()], True, [f"{name}: {len(cells)}"])
        return self._result(read, read.rows, True)._replace(different=(name, len(cells)))

    def _with_quantity(self, read: Understood, found: RowsFound | None) -> RowsFound | None:
        """Return rows that are counted with the sum of their quantities: 48 chairs may be one row of a list of what there is."""
        counts_rows = self._language not in WITHOUT_SPACES and counted_by(self._asked, self._language) & self._title
        of_others = counts_rows or self._asked.names_rows or read.group
        names = [name for name in self._quantities if name not in {one.column for one in read.conditions}]
        if found is None or found.figures or found.different or of_others or len(names) != 1:
            return found
        values = figures_of(cells_of(read.rows, names[0]), self._table.column(names[0]), self._language)
        known = [value for value in values or () if not math.isnan(value)]
        if not known or len(known) < len(read.rows):
            return found
        figure = self._written_total("sum", known)
        return found._replace(is_count=True, figures=[figure], total=("sum", names[0]))

    @cached_property
    def _quantities(self) -> list[str]:
        """The columns of how many there are of what a row is of."""
        return [name for name in self._columns if name and is_column_of(name, "quantity") and self._is_of_numbers(name)]

    def _is_of_numbers(self, name: str) -> bool:
        """Return whether the cells of a column are numbers, or numbers by which something is called."""
        column = self._table.column(name)
        return is_numbering(name, self._table.rows) or figures_of(column, column, self._language) is not None

    def _has_days(self, name: str) -> bool:
        return days_of(self._table.column(name)) is not None

    def _of_groups(
        self, asked: RowQuestion, read: Understood, wanted: Sequence[str], figures: Mapping[str, Sequence[float]]
    ) -> RowsFound | None:
        """Return the first row of each cell of a column with its count, sum or mean; all rows of the cells with the most or the
        least where these are wanted."""
        names = [read.group] if read.group else [name for name in wanted if name not in figures]
        names = [name for name in names if name == self._period or self._table.recurs(name)]
        kind = asked.total or asked.wanted
        if len(names) != 1 or (asked.wanted in ("most", "least") and not asked.total):
            return None
        if kind == "count":
            groups = rows_by_cell(read.rows, names[0])
            read = read.also(RowCondition(names[0]), [row for rows in groups.values() for row in rows])
            ranked = sorted(groups, key=lambda cell: cell if names[0] == self._period else -len(groups[cell]))
            counts = [f"{cell}: {len(groups[cell]):,}" for cell in ranked]
            return self._result(read, [groups[cell][0] for cell in ranked], True, counts)
        chosen = self._chosen(asked._replace(wanted=kind), figures, [name for name in wanted if name != names[0]])
        if chosen is None:
            return None
        column, numbers = chosen
        value_of = {id(row): n for row, n in zip(read.rows, numbers, strict=True) if not math.isnan(n)}
        read = read.also(RowCondition(column), [row for row in read.rows if id(row) in value_of])
        groups = rows_by_cell(read.rows, names[0])
        known = {cell: [value_of[id(row)] for row in rows] for cell, rows in groups.items()}
        totals = {cell: total_of(kind, values) for cell, values in known.items()}
        best = best_of(asked, [(total, cell) for cell, total in totals.items()])
        if not best:
            return None
        if asked.wanted not in ("most", "least"):
            best = sorted(totals, key=lambda cell: cell if names[0] == self._period else -totals[cell])
        said = [f"{cell}: {self._written_total(kind, known[cell])}" for cell in best]
        if asked.total:
            rows = [row for cell in best for row in groups[cell]]
            read = read.also(RowCondition(names[0], ", ".join(best)), rows)
            return self._result(read, rows, True, said, (kind, column))
        return self._result(read, [groups[cell][0] for cell in best], True, said, (kind, column))

    def _chosen(
        self, asked: RowQuestion, known: Mapping[str, Sequence[float]], wanted: Sequence[str]
    ) -> tuple[str, Sequence[float]] | None:
        """Return the column that is asked for and its values: one that the question names, best of the kind that it says, else one
        of that kind, rather what was spent than what was planned, or the only one of numbers; None where none is, or several are."""
        fit = [name for name in known if name in wanted]
        of_kind = [name for name in known if asked.column and is_column_of(name, asked.column)]
        if asked.column not in ("", *SEVERAL):
            fit = [name for name in fit if name in of_kind] or fit
        fit = fit or of_kind
        if not fit and (asked.column == "date" or (not asked.column and asked.wanted in ("sum", "mean"))):
            fit = [name for name in known if not is_column_of(name, "age")]
        if asked.column == "date" and QUESTIONS.pattern("rows_aged", self._language).search(asked.said):
            fit = [name for name in known if is_column_of(name, "birth")] or fit
        if len(fit) > 1:
            said = self._keys(asked.said)
            fit = [name for name in fit if self._heads[name] & said] or fit
            fit = [name for name in fit if name in wanted or not is_column_of(name, "planned")] or fit
        if len({tuple(known[name]) for name in fit}) != 1:
            return None
        name = min(
            (name for name in known if [*known[name]] == [*known[fit[0]]]),
            key=lambda one: (one == "date", one != fit[0]),
        )
        return name, known[name]  # as the file calls it

    def _most_frequent(self, read: Understood, wanted: Sequence[str]) -> RowsFound | None:
        """Return the rows of the cells that are there most or least often, of the column that a question names beside what is
        counted."""
        counts_others = self._asked.names_rows
        groups = {
            name: rows_by_cell(read.rows, name) for name in wanted if counts_others or read.keys - self._heads[name]
        }
        fit = [name for name, cells in groups.items() if 1 < len(cells) < len(read.rows)]
        fit = [name for name in fit if self._heads[name] <= read.keys] or fit
        if (
            self._asked.asks_who and not fit and not any(map(self._has_days, wanted))
        ):  # "opened" is not said of who has it
            persons = [name for name in self._columns if is_column_of(name, "person") and self._table.recurs(name)]
            groups |= {name: rows_by_cell(read.rows, name) for name in persons}
            fit = [name for name in persons if groups[name] and read.keys]
        if self._asked.column or self._asked.wanted not in ("most", "least") or len(fit) != 1:
            return None
        if fit[0] == self._period and self._language == "en" and not self._asked.terms[-1].written.endswith("s"):
            return None  # "the most income" is no number of rows
        cells = groups[fit[0]]
        best = best_of(self._asked, [(len(rows), cell) for cell, rows in cells.items()])
        if not best:
            return None
        rows = [row for cell in best for row in cells[cell]]
        read = read.also(RowCondition(fit[0], ", ".join(best)), rows)
        return self._result(read, rows, True, [f"{cell}: {len(cells[cell]):,}" for cell in best])

    def _written_total(self, kind: Wanted, values: Sequence[float]) -> str:
        return written_total(total_of(kind, values), values, self._language)


def chunks_of(rows: Sequence[CellRow], tables: Mapping[str, Rows]) -> list[ChunkSpan]:
    """Return for each row the chunk that holds it and its span there; the whole of its first chunk for a record. A record without
    a text has none, and is left out."""
    of = chunks_by_document([row.document_id for row in rows], tables)
    places = []
    for row in (row for row in rows if row.document_id in of):
        holding = (one for one in of[row.document_id] if one[1] <= row.start and row.end <= one[2])
        id, start, _ = next(holding, of[row.document_id][0])
        places.append((id, row.start - start, row.end - start))
    read = {chunk.id: chunk for chunk in read_chunks([id for id, _, _ in places], tables)}
    return [
        (read[id], max(start, 0), end if 0 <= start < end <= len(read[id].text) else len(read[id].text))
        for id, start, end in places
    ]
