"""Writes the report on a community from its evidence alone: a title, a summary and findings, every sentence quoted and cited.

Nothing is phrased anew. Sentences that can stand alone are taken from the evidence, ranked by salience, grouped by the names
they speak of, and each keeps the ids of the evidence it came from. (Community reports: Edge et al., arXiv 2404.16130, 3.1.4.)
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain, islice
from operator import itemgetter
from typing import NamedTuple

from pipeline.text.answering.support import negates
from pipeline.text.dates import find_dates
from pipeline.text.extraction.self_contained import ASIDE
from pipeline.text.lexicon.genders import is_name
from pipeline.text.lexicon.sentences.sentence_words import SENTENCES
from pipeline.text.scripts import UNSPACED_CHARACTER, fold, language_of
from pipeline.text.summary.quotable_sentences import (
    REMEMBERED,
    Evidence,
    Line,
    lines_of,
    name_weights,
    names_of,
    rank_of,
)
from pipeline.text.summary.sentence_ranking import rank_sentences, terms
from pipeline.text.summary.themes import themes

__all__ = ["EMPTY", "Evidence", "Finding", "Report", "write_report"]

MOST_FINDINGS = 8
"""Findings of a report, at most."""

FEWEST_FINDINGS = 3
"""Findings that a report has where there are sentences enough."""


class Finding(NamedTuple):
    """What a community has to say on one point."""

    summary: str
    """A headline without a full stop."""
    explanation: str
    """Whole sentences of the evidence."""
    citations: tuple[str, ...]
    """Ids of the evidence that the sentences came from, in the order of the sentences."""


class Report(NamedTuple):
    """A community in words."""

    title: str
    summary: str
    rating: float
    """Importance, 0 to 10."""
    rating_explanation: str
    findings: tuple[Finding, ...]
    summary_citations: tuple[str, ...]
    """Ids of the evidence that the summary's sentences came from."""


EMPTY = Report("Empty community", "There is no evidence to report on.", 0.0, "Rated 0 of 10: no evidence.", (), ())
"""The report on no evidence at all."""

_HEADLINE = 90  # characters
_ALIKE = 0.3  # of _shared: one rare name, or three words in common
_KINDS = (
    ("entity", "entity", "entities"),
    ("relationship", "relationship", "relationships"),
    ("claim", "claim", "claims"),
    ("report", "sub-report", "sub-reports"),
)
_AND = {
    "en": " and ",
    "de": " und ",
    "fr": " et ",
    "es": " y ",
    "it": " e ",
    "pt": " e ",
    "nl": " en ",
    "ru": " и ",
    "ar": " و",
}


def write_report(evidence: Sequence[Evidence], whole: bool = False) -> Report:
    """Return the report on ``evidence``; the same rows in the same order give the same report. ``whole``: with all that it
    says, for the few records of a small community; else with the sentences that say most.

    The rating grows with the size of the community, as its explanation says.
    """
    if not evidence:
        return EMPTY
    rows = sorted(evidence, key=rank_of, reverse=True)
    weights = name_weights(rows)
    lines = lines_of(rows, weights, whole)
    language = _language(lines) if lines else language_of(rows[0].title)
    weights = _with_mentions(weights, lines)
    title = _joined(_title_names(weights), language) or "Untitled community"
    rating, why = _rating(rows)
    if not lines:
        said = f"The texts say nothing more about {title}."
        return Report(title, said, rating, why, (), ())
    ranked = _all_ranked(lines, title, language) if whole else _ranked(lines, title, language)
    about = themes([lines[index].text for index in ranked], language, chain.from_iterable(map(_words, weights)), 2)
    title = f"{title}: {', '.join(about)}" if about else title
    opening, rest = _summary(ranked, len(lines))
    summary = [lines[index] for index in sorted(opening)]
    findings = _by_name(lines, rest, rows, language) if whole else _findings(lines, rest, weights, language)
    return Report(title, _text(summary, language), rating, why, tuple(findings), _cited(summary))


def _ranked(lines: Sequence[Line], title: str, language: str) -> list[int]:
    """The sentences that say most, best first."""
    if len(lines) == 1:
        return [0]
    texts = [line.text for line in lines]
    ranked = [index for index, _ in rank_sentences(texts, title, 4 * MOST_FINDINGS + 4, language=language)]
    return _without_parts(lines, ranked or list(range(len(lines))))


def _all_ranked(lines: list[Line], title: str, language: str) -> list[int]:
    """All sentences that repeat no other, those that say most first; in any order where the summary has room for them all."""
    kept = _without_repeats(lines, language)
    if len(kept) <= _summarised(len(lines)):
        return kept
    ranked = [index for index in _ranked(lines, title, language) if index in kept]
    return [*ranked, *(index for index in kept if index not in ranked)]


def _language(lines: Sequence[Line]) -> str:
    """The language of most of the first sentences, the first of equals; "und" where none of them shows it."""
    counts: dict[str, int] = {}
    first = lines[:12]
    for known in filter("und".__ne__, (_language_of(line.text) for line in first)):
        counts[known] = counts.get(known, 0) + 1
        if 2 * next(iter(counts.values())) >= len(first):
            break  # no other can have more
    return max(counts, key=counts.__getitem__, default="und")


_language_of = lru_cache(maxsize=REMEMBERED)(language_of)


def _with_mentions(weights: Mapping[str, float], lines: Iterable[Line]) -> dict[str, float]:
    """Weights that grow with the sentences that name each; heaviest first, ties by the alphabet."""
    mentions = _mentions(lines)
    heavy = sorted([(name, weight * (1.0 + mentions[name])) for name, weight in weights.items()])
    return dict(sorted(heavy, key=itemgetter(1), reverse=True))


def _mentions(lines: Iterable[Line]) -> Counter[str]:
    return Counter(chain.from_iterable([line.names for line in lines]))


def _title_names(weights: Mapping[str, float]) -> list[str]:
    """Two or three of the heaviest names, none of which holds the words of another."""
    chosen: list[str] = []
    words: list[frozenset[str]] = []
    heaviest = next(iter(weights.values()), 0.0)
    for name, weight in islice(weights.items(), 12):
        if len(chosen) == 3:
            break
        own = _words(name)
        alike = any(own <= other or other <= own for other in words)
        if not alike and (len(chosen) < 2 or weight >= 0.3 * heaviest):
            chosen.append(name)
            words.append(own)
    return chosen


@lru_cache(maxsize=REMEMBERED)
def _words(name: str) -> frozenset[str]:
    return frozenset(fold(name).split())


def _joined(names: Sequence[str], language: str) -> str:
    """Names as prose lists them."""
    if len(names) < 2:
        return "".join(names)
    if language in ("zh", "ja"):
        return "、".join(names)
    return ", ".join(names[:-1]) + _AND.get(language, ", ") + names[-1]


def _rating(rows: Sequence[Evidence]) -> tuple[float, str]:
    """Importance by size: half of 10 at twenty entities' worth, a relationship or claim counting half, a report ten."""
    kinds: list[str] = [row.kind for row in rows]
    counts = {kind: kinds.count(kind) for kind, _, _ in _KINDS}
    size = counts["entity"] + (counts["relationship"] + counts["claim"]) / 2 + 10 * counts["report"]
    rating = round(10 * size / (size + 20), 1)
    sizes = [f"{counts[kind]} {word if counts[kind] == 1 else plural}" for kind, word, plural in _KINDS if counts[kind]]
    return rating, f"Rated {rating} of 10 for its size: {_joined(sizes, 'en')}."


def _without_parts(lines: Sequence[Line], ranked: Sequence[int]) -> list[int]:
    """Leave out a sentence that another one holds word for word."""
    bare = [lines[index].text.rstrip(" .。") for index in ranked]
    together = "\n".join(bare)
    return [index for index, one in zip(ranked, bare, strict=True) if together.count(one) == 1]


def _without_repeats(lines: list[Line], language: str) -> list[int]:
    """Leave out a sentence whose words another has in the same order, and denies as much; that one cites its rows too."""
    words = [[word for word in terms(line.text) if len(word) > 3 or word.isdigit()] for line in lines]
    kept: list[int] = []
    for index in sorted(range(len(lines)), key=lambda index: -len(words[index])):
        text = lines[index].text
        for one in kept:
            if _in_order(words[index], words[one]) and _negates(text, language) == _negates(lines[one].text, language):
                lines[one] = lines[one]._replace(ids=(*lines[one].ids, *lines[index].ids))
                break
        else:
            kept.append(index)
    return sorted(kept)


_negates = lru_cache(maxsize=REMEMBERED)(negates)


def _in_order(some: Sequence[str], words: Sequence[str]) -> bool:
    """Whether words come in the same order among others."""
    ahead = iter(words)
    return bool(some) and all(word in ahead for word in some)


def _summary(ranked: Sequence[int], n_lines: int) -> tuple[list[int], list[int]]:
    """Which sentences make the summary, and which are left for findings; with few sentences both use them all."""
    n = _summarised(n_lines)
    opening = list(ranked[:n])
    rest = list(ranked[n:]) if len(ranked) - n >= FEWEST_FINDINGS else list(ranked)
    return opening, rest


def _summarised(n_lines: int) -> int:
    """How many of so many sentences the summary has, at most."""
    return 1 if n_lines < 3 else 2 if n_lines < 8 else 3 if n_lines < 30 else 4


def _by_name(lines: Sequence[Line], some: Iterable[int], rows: Sequence[Evidence], language: str) -> list[Finding]:
    """A finding for each name, with all sentences of the rows that are about it first of all."""
    about = {row.id: next(iter(names_of(row.kind, row.title)), row.title) for row in rows}
    groups: dict[str, list[Line]] = defaultdict(list)
    for index in sorted(some):
        groups[about[lines[index].ids[0]]].append(lines[index])
    return [Finding(_opened(name), _text(group, language), _cited(group)) for name, group in groups.items()]


def _findings(
    lines: Sequence[Line], ranked: Sequence[int], weights: Mapping[str, float], language: str
) -> list[Finding]:
    """The best sentences lead a finding each; the others join the lead that they share most names with."""
    n = len(ranked)
    leads = list(ranked[: min(MOST_FINDINGS, max(FEWEST_FINDINGS, math.ceil(n / 3)))])
    groups: dict[int, list[int]] = {lead: [] for lead in leads}
    others = ranked[len(leads) :]
    mentions = _mentions(lines) if others else Counter()
    bags = {index: _long_terms(lines[index].text) for index in ranked} if others else {}
    names = {index: frozenset(lines[index].names) for index in ranked} if others else {}
    for index in others:
        shared = {lead: _shared(names[lead] & names[index], mentions, len(bags[lead] & bags[index])) for lead in leads}
        near = max(leads, key=lambda lead: (shared[lead], -len(groups[lead])))
        if shared[near] >= _ALIKE and len(groups[near]) < 3:
            groups[near].append(index)
    used: set[str] = set()
    findings = []
    for lead, joined in groups.items():
        group = [lines[lead], *(lines[index] for index in sorted(joined))]
        headline = _headline(group, weights, language, used)
        used.add(headline)
        findings.append(Finding(headline, _text(group, language), _cited(group)))
    return findings


@lru_cache(maxsize=REMEMBERED)
def _long_terms(text: str) -> frozenset[str]:
    return frozenset([term for term in terms(text) if len(term) > 4])


def _shared(names: Iterable[str], mentions: Mapping[str, int], n_words: int) -> float:
    """How much two sentences speak of the same: rare names in common weigh most, words of five letters and more a little."""
    return sum([2.0 / mentions[name] for name in sorted(names)]) + 0.1 * n_words


def _headline(lines: Sequence[Line], weights: Mapping[str, float], language: str, used: set[str]) -> str:
    """The first clause of the leading sentence where it is short and whole; else the names it is about."""
    lead = lines[0]
    clause = _clause(lead.text) if language == "en" else ""
    if clause and clause not in used:
        return clause
    for topic in _topics(lines, weights, language):
        if topic not in used:
            return topic
    return _beginning(lead.text)


def _topics(lines: Sequence[Line], weights: Mapping[str, float], language: str) -> Iterator[str]:
    """Pairs of names, then single ones: those of the leading sentence before those of the others, heavier ones first."""
    for line in lines:
        names = [name for name in line.names if is_name(name)] or list(line.names)
        names.sort(key=lambda name: (-weights.get(name, 0.0), name))
        yield from (_opened(_joined([names[0], other], language)) for other in names[1:])
        if language == "en" and (year := _year(line.text)):
            yield from (f"{_opened(name)} in {year}" for name in names)
        yield from map(_opened, names)


@lru_cache(maxsize=REMEMBERED)
def _year(text: str) -> str:
    """The first date that lies within one year, as that year; empty where there is none."""
    years = (date.first[:4].lstrip("0") for date in find_dates(text) if date.first[:4] == date.last[:4])
    return next(years, "")


def _opened(text: str) -> str:
    return text[:1].upper() + text[1:]


@lru_cache(maxsize=REMEMBERED)
def _clause(text: str) -> str:
    """The main clause before the first subordinate one; empty where none is short enough or nothing is cut off."""
    bare = ASIDE.sub("", text) if "(" in text else text
    if ": " in bare[:_HEADLINE]:
        return ""
    for cut in _cut().finditer(bare):
        head = bare[: cut.start()].rstrip(" ,;:–—")
        if 25 <= len(head) <= _HEADLINE and _verb().search(head) and head.count('"') % 2 == 0:
            return head
    return ""


def _beginning(text: str) -> str:
    bare = text.rstrip(" .。!！…।")
    if len(bare) <= _HEADLINE:
        return bare
    cut = bare[:_HEADLINE]
    return (cut if UNSPACED_CHARACTER.search(cut) else cut.rsplit(" ", 1)[0]).rstrip(" ,;:") + " …"


def _text(lines: Sequence[Line], language: str) -> str:
    return ("" if language in ("zh", "ja") else " ").join([line.text for line in lines])


def _cited(lines: Sequence[Line]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(chain.from_iterable([line.ids for line in lines])))


@cache
def _cut() -> re.Pattern[str]:
    """Return the pattern of where a main clause ends."""
    subordinating, verbs = SENTENCES.one_of("subordinating"), SENTENCES.one_of("verbs_after_and")
    openers = rf"(?:{SENTENCES.one_of('after_and')}|[A-Z]\w+|\w{{3,}}ed)"
    return re.compile(rf",? {subordinating}\b|, and (?={openers}\b)|,? and (?=(?:{verbs}|\w{{3,}}ed)\b)|[;:] | [–—] ")


@cache
def _verb() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{SENTENCES.one_of('main_verbs')}|\w{{3,}}ed)\b")
