"""What a list answers without a model: the largest sums that texts name, and what they date, in the order of the days."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from heapq import nlargest
from itertools import chain
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.base.arrow.build import array
from pipeline.base.arrow.columns import rows_of
from pipeline.base.store import Rows
from pipeline.query.answer import Place
from pipeline.query.evidence.themes import ALIKE, QUOTED, SAMPLE, Theme, boilerplate
from pipeline.text.dates import ENGLISH_MONTHS
from pipeline.text.extraction.self_contained import stands_alone
from pipeline.text.keys import content_keys, share_met
from pipeline.text.lexicon.questions.question_words import QUESTIONS
from pipeline.text.lexicon.sentences.sentence_words import SENTENCES
from pipeline.text.metadata import date_of
from pipeline.text.numbers import decimal_mark, value_of
from pipeline.text.question.scope.listings import ListingAsked
from pipeline.text.question.scope.whole import Matter, concerns
from pipeline.text.scripts import language_of
from pipeline.text.sentences import QUESTION, split
from pipeline.text.summary.sentence_ranking import ranking
from pipeline.text.tokenizer import length

WORDS = (4, 60)
"""Fewest and most words of a sentence that is listed."""
OTHER_CURRENCY, LEAST_NAMED = 2, 3
"""Sums listed in the currency that is named second most, and how often it is named at least."""
HAPPENING: tuple[Matter, ...] = ("decisions", "outcomes", "changes")
"""What a sentence concerns by which a text tells what happened at its date."""
DATED = 3000
"""Dated sentences that are looked at, at most, the first of each document before the second."""
OWN_DATES = 100
"""Documents with a date of their own of which a sentence is listed, at most."""
YEAR, MONTH, DAY = 4, 7, 10
"""Characters of a year, a month and a day, ISO 8601: 2024-03-31."""
_FIELD = re.compile(r"^(?:[^\W\d_][\w-]{0,20}: |#|\|)")
"""How headers, fields, headings and rows begin, which state no event."""
_NUMBER = r"\d+(?:[.,'’\u00a0\u202f ]\d{3})*(?:[.,]\d{1,2})?(?![\d.,]*\d)"


class _Sum(NamedTuple):
    currency: int
    value: float
    written: str


class _Statement(NamedTuple):
    """A sentence, where it is, and of which document."""

    text: str
    place: Place
    document: str


def find_listed(asked: ListingAsked, tables: Mapping[str, Rows], language: str, n: int) -> list[Theme]:
    """Return the list that a question in a language wants, at most ``n`` parts of it, each with sentences that tell it."""
    if asked.of == "sums":
        return largest_sums(tables, n)
    return what_happened(asked, tables, language, n)


def largest_sums(tables: Mapping[str, Rows], n: int) -> list[Theme]:
    """Return the ``n`` largest sums of money that the texts name, in the currency they name most often, and some of the second
    most, each with sentences that name it, those alone that speak of costs where there are enough of them; of two sums in one
    sentence the larger counts."""
    every: dict[_Sum, list[_Statement]] = defaultdict(list)
    spent: dict[_Sum, list[_Statement]] = defaultdict(list)
    spoken = ""
    for part in tables["chunks"].batches(["id", "document_id", "text"]):
        spoken = spoken or language_of(" ".join(part["text"].slice(0, SAMPLE).to_pylist()))
        costs = SENTENCES.pattern("cost_signs", spoken)
        may_name = part.filter(pc.match_substring_regex(part["text"], _currency(), ignore_case=True))
        for said in _sentences(may_name.to_pylist()):
            sums = sums_in(said.text, spoken)
            if sums:
                largest = max(sums, key=lambda one: (one.value, -one.currency))
                for among in (every, spent) if costs.search(said.text) else (every,):
                    among[largest].append(said)
    named = spent if len(spent) >= n else every
    often = Counter(one.currency for one in named)
    ordered = [currency for currency, _ in sorted(often.items(), key=lambda pair: (-pair[1], pair[0]))]
    others = [one for one in ordered[1:2] if often[one] >= LEAST_NAMED]
    rooms = dict.fromkeys(ordered[:1], n - OTHER_CURRENCY * len(others)) | dict.fromkeys(others, OTHER_CURRENCY)
    found = []
    for currency, room in rooms.items():
        by_value: dict[float, list[_Sum]] = defaultdict(list)
        for one in named:
            if one.currency == currency:
                by_value[one.value].append(one)
        for value in nlargest(room, by_value):
            same = by_value[value]
            saying = [said for one in same for said in named[one]]
            found.append(Theme(same[0].written, (), 1, 1, None, _shown(saying, (), QUOTED)))
    return found


def sums_in(text: str, language: str) -> list[_Sum]:
    """Return the sums of money of a text in a language (ISO 639-1): a number with the sign, the code or the word of a currency."""
    found = []
    for one in _sums().finditer(text):
        number, times = one["n1"] or one["n2"], one["m1"] or one["m2"]
        value = value_of(number, decimal_mark(language))
        if value is not None:
            factor = _multipliers().get(times.strip().casefold(), 1.0) if times else 1.0
            currency = _currencies()[(one["sign"] or one["unit"]).casefold()]
            found.append(_Sum(currency, value * factor, " ".join(one[0].split())))
    return found


def what_happened(asked: ListingAsked, tables: Mapping[str, Rows], language: str, n: int) -> list[Theme]:
    """Return what the texts date within the days that are asked for, by year, month or day, as they span; ``n`` parts at most,
    those of which most is said, in the order of time. What a document with a date of its own says most counts for that date."""
    dated = [*_dated_sentences(asked, tables), *_by_own_dates(asked, tables)]
    parts = _parts(dated, n)
    most = sorted(parts, key=lambda part: (-len({said.document for _, said in parts[part]}), -len(parts[part]), part))
    found: list[Theme] = []
    before: list[str] = []
    for part in sorted(most[:n]):
        days: dict[str, str] = {}
        for first, said in parts[part]:
            days.setdefault(said.text, first)
        shown = _shown([said for _, said in parts[part]], before, QUOTED)
        if shown:
            before += [text for text, _ in shown]
            in_order = tuple(sorted(shown, key=lambda one: days[one[0]]))
            found.append(Theme(_title(part, language), (), 1, 1, None, in_order))
    return found


def _dated_sentences(asked: ListingAsked, tables: Mapping[str, Rows]) -> list[tuple[str, _Statement]]:
    """Return the sentences that name a date within the days asked for, each with the first such day."""
    table = tables["sentences"].table(["chunk_id", "start", "end", "date_firsts", "date_lasts"])
    rows = [
        (chunk, start, end, day)
        for chunk, start, end, firsts, lasts in rows_of(table, *table.column_names)
        if (day := next((one for one, last in zip(firsts, lasts, strict=True) if _is_within(one, last, asked)), ""))
    ]
    rows = sorted(rows, key=lambda row: (row[1], row[0]))[:DATED]
    chunks = tables["chunks"].by_id(sorted({chunk for chunk, *_ in rows}), ["text", "document_id"])
    found = []
    for chunk, start, end, day in rows:
        text = " ".join(chunks[chunk]["text"][start:end].split())
        if _is_event(text):
            found.append((day, _Statement(text, Place(chunk, start, end), chunks[chunk]["document_id"])))
    return found


def _by_own_dates(asked: ListingAsked, tables: Mapping[str, Rows]) -> list[tuple[str, _Statement]]:
    """Return of the documents with a date within the days asked for the sentence that says most of each."""
    documents = tables["documents"].table(["id", "metadata"])
    day_of = {id: date_of(metadata)[:DAY] for id, metadata in rows_of(documents, "id", "metadata")}
    within = sorted((day, id) for id, day in day_of.items() if day and _is_within(day, day, asked))
    if not within:
        return []
    step = max(len(within) // OWN_DATES, 1)
    wanted = {id for _, id in within[::step]}
    documents_wanted = array(sorted(wanted), pa.string())
    said_by: dict[str, list[_Statement]] = defaultdict(list)
    for part in tables["chunks"].batches(["id", "document_id", "text"]):
        of_wanted = part.filter(pc.is_in(part["document_id"], value_set=documents_wanted))
        for said in _sentences(of_wanted.to_pylist()):
            said_by[said.document].append(said)
    found = []
    for id, every in said_by.items():
        events = [said for said in every if _is_event(said.text)]
        language = language_of(" ".join(said.text for said in events[:SAMPLE]))
        telling = [said for said in events if any(concerns(said.text, matter, language) for matter in HAPPENING)]
        readable = [said for said in telling or events if stands_alone(said.text)] or telling or events
        best = next(iter(ranking([said.text for said in readable])), None) if readable else None
        if best is not None:
            found.append((day_of[id], readable[best[0]]))
    return sorted(found, key=lambda pair: (pair[0], pair[1].place))


def _is_within(first: str, last: str, asked: ListingAsked) -> bool:
    """Return whether some days are a day, a month or a year within those asked for."""
    if asked.month and first[5:MONTH] != f"{asked.month:02}":
        return False
    if first[:MONTH] != last[:MONTH] and first[:YEAR] != last[:YEAR]:
        return False
    return not asked.first or asked.first <= first <= last <= asked.last


def _is_event(text: str) -> bool:
    return not _FIELD.match(text) and WORDS[0] <= length(text) <= WORDS[1]


def _parts(dated: Sequence[tuple[str, _Statement]], n: int) -> dict[str, list[tuple[str, _Statement]]]:
    """Return what is dated by its years; that of which most is said by its months as long as there are fewer than ``n`` parts and it has
    more than its share, and a month by its days."""
    parts = _by(dated, YEAR)
    while parts and len(parts) < n:
        largest = min(parts, key=lambda part: (-len(parts[part]), part))
        if len(parts[largest]) * n <= len(dated) or len(largest) >= DAY:
            break
        split_up = parts.pop(largest)
        finer = MONTH if len(largest) < MONTH else DAY
        parts |= _by(split_up, finer)
    return parts


def _by(dated: Sequence[tuple[str, _Statement]], digits: int) -> dict[str, list[tuple[str, _Statement]]]:
    parts: dict[str, list[tuple[str, _Statement]]] = defaultdict(list)
    for first, said in dated:
        parts[first[:digits]].append((first, said))
    return dict(parts)


def _title(part: str, language: str) -> str:
    if language != "en" or len(part) == YEAR:
        return part
    year, month, *day = part.split("-")
    return " ".join([*(str(int(one)) for one in day), ENGLISH_MONTHS[int(month) - 1], year])


def _sentences(rows: Sequence[dict[str, str]]) -> Iterator[_Statement]:
    """Yield the sentences of chunks that state something, questions and boilerplate apart."""
    passing = re.compile(boilerplate(), re.IGNORECASE)
    for row in rows:
        for start, end in split(row["text"]):
            text = " ".join(row["text"][start:end].split())
            if not QUESTION.search(text) and not passing.search(text) and length(text) <= WORDS[1]:
                yield _Statement(text, Place(row["id"], start, end), row["document_id"])


def _shown(saying: Sequence[_Statement], before: Collection[str], n: int) -> tuple[tuple[str, Place], ...]:
    """Return ``n`` of some sentences, the most central first, of different documents and unlike each other and those ``before``."""
    by_text: dict[str, _Statement] = {}
    for said in saying:
        by_text.setdefault(said.text, said)
    texts = [text for text in by_text if stands_alone(text)] or [*by_text]
    language = language_of(" ".join(texts[:SAMPLE]))
    shown: list[tuple[str, Place]] = []
    documents: set[str] = set()
    for at in dict.fromkeys(chain((at for at, _ in ranking(texts, language=language)), range(len(texts)))):
        said = by_text[texts[at]]
        words = content_keys(said.text, language)
        others = (*before, *(text for text, _ in shown))
        if said.document not in documents and all(share_met(words, one, language) < ALIKE for one in others):
            documents.add(said.document)
            shown.append((said.text, said.place))
        if len(shown) == n:
            break
    return tuple(shown)


@cache
def _currencies() -> Mapping[str, int]:
    """Return the number of the currency that each sign, code and word is of."""
    return {word: number for number, line in enumerate(QUESTIONS.of_all("currencies")) for word in line.split()}


@cache
def _currency() -> str:
    """Return a pattern, for RE2 and in any case, of what every text has that names a sum: a digit beside the sign or word of a currency,
    also with what it is multiplied by between them."""
    words, times = ("|".join(sorted(map(re.escape, some))) for some in (_currencies(), _multipliers()))
    gap = r"[\s\x{A0}\x{202F}]?"
    return rf"\d{gap}(?:(?:{times}){gap})?(?:{words})|(?:{words}){gap}\d"


@cache
def _multipliers() -> Mapping[str, float]:
    lines = (line.split() for line in QUESTIONS.of_all("multipliers"))
    return {word: float(times) for times, *words in lines for word in words}


@cache
def _sums() -> re.Pattern[str]:
    """Return the pattern of a sum of money: the sign or code of a currency before a number, or its word or sign behind."""
    words = sorted(_currencies(), key=len, reverse=True)
    before = "|".join(re.escape(word) for word in words if not word.isalpha() or len(word) == 3)
    behind = "|".join(re.escape(word) + (r"(?!\w)" if word[-1].isascii() and word.isalpha() else "") for word in words)
    times = "|".join(sorted(map(re.escape, _multipliers()), key=len, reverse=True))
    pattern = rf"(?<!\w)(?P<sign>{before})\s?(?P<n1>{_NUMBER})(?P<m1>\s?(?:{times})(?!\w))?"
    pattern += rf"|(?<![\d.,A-Za-z])(?P<n2>{_NUMBER})(?P<m2>\s?(?:{times}))?\s?(?P<unit>{behind})"
    return re.compile(pattern, re.IGNORECASE)
