"""The themes of a corpus without a model: key elements that recur together, in facts of different documents.

A theme is a key element whose facts share other elements far more often than chance has it: "trial" with "judges" and
"Rouen". Words that are beside everything ("man", "year") hold nothing together and are no theme; neither are persons and
numbers, though they may belong to one. A statement that many documents repeat counts once, so a licence, a signature or a
navigation bar does not recur; what speaks of such things is left out by its words.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from functools import cache
from importlib.resources import files
from itertools import islice
from typing import Literal, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.base.arrow.build import array
from pipeline.base.store import Rows
from pipeline.query.evidence.citations import Place, nearest_sentence, place_sentence
from pipeline.text.extraction.self_contained import stands_alone
from pipeline.text.inflection import base_form, singular
from pipeline.text.keys import content_keys, share_met
from pipeline.text.lexicon.lexicon import Lexicon, lexicon_of
from pipeline.text.question.kinds import asked_keys
from pipeline.text.scripts import UNSPACED, language_of

CANDIDATES = 400
"""Key elements, the most frequent, among which themes are looked for."""
RELATED = 3
"""Elements that are named beside a theme."""
BOUND = 0.1
"""Cosine of two elements over their facts, shrunk, from which on they belong together."""
SHRINKAGE = 4
"""What is added to the geometric mean of two elements' facts: two facts that share rare words are no theme yet."""
NAME_WEIGHT = {"PERSON": 0.0, "PLACE": 0.5, "ORGANIZATION": 0.5, "EVENT": 1.0, "WORK": 0.5}
"""What the type of a name leaves of its score as a theme: a noun says more of what a text is about than a name."""
NOUN_WEIGHT = {"PERSON": 0.3, "PLACE": 0.6}
"""The same for nouns: "brother" and "captain" are different men, "room" and "street" different places, in every text."""
ALIKE = 0.7
"""Share of a sentence's words in another one from which on it is not shown beside it."""
OVERLAP = 0.5
"""Share of a theme's facts in earlier themes from which on it is the same theme; half of it where one names it already."""
SAMPLE = 50
"""Facts by which the language of the nouns is recognised."""
QUOTED, LOOKED_AT = 2, 24
"""Sentences shown of a theme, and facts among which they are looked for."""
WORDS = (6, 45)
"""Fewest and most words of a sentence that is shown."""
MATCHING = 0.5
"""Share of the best fact's agreement with the question that others need."""
FEW_DOCUMENTS = 10
"""Documents below which recurrence is counted in passages."""

ADDRESS = r"\S@\S+\.\w|https?://|\bwww\.|\w\.(?:txt|rtf|docx?|pdf)\b"
"""Addresses, and names of files as they are in running heads."""
BEGINNING = 3
"""Letters that the forms of a word have in common."""


class Theme(NamedTuple):
    """A theme: the element that names it, those bound to it, in how many of how many documents or passages, and sentences
    that show it, with their places."""

    title: str
    related: tuple[str, ...]
    found_in: int
    total: int
    unit: Literal["documents", "passages"]
    sentences: tuple[tuple[str, Place], ...]


class _Fact(NamedTuple):
    text: str
    chunk: str
    unit: str
    elements: tuple[str, ...]


class ThemeFinder:
    """Finds themes in the facts of an index; ``entities`` say which elements are persons."""

    def __init__(self, facts: Rows, key_elements: Rows, chunks: Rows, entities: Rows) -> None:
        self._facts, self._elements, self._chunks, self._entities = facts, key_elements, chunks, entities

    def find(self, asked: Collection[str], language: str, n: int) -> list[Theme]:
        """Return the ``n`` themes that most documents share, of the facts that speak of ``asked`` where it holds any: keys of
        words in a language."""
        units, unit = self._units()
        facts = self._read(asked, language, units)
        titles = self._titles(facts, asked, language)
        of: dict[str, list[str]] = defaultdict(list)
        for id, fact in facts.items():
            for element in fact.elements:
                if element in titles:
                    of[element].append(id)
        scored = []
        for element, ids in of.items():
            count = len({facts[id].unit for id in ids})
            bound = self._bound(element, of, facts)
            if count > 1 and bound and titles[element].weight:
                cohesion = sum(strength for strength, _ in bound) / RELATED
                scored.append((-titles[element].weight * count * cohesion**0.5, titles[element].title, element, bound))
        themes: list[Theme] = []
        used: set[str] = set()
        for _, title, element, bound in sorted(scored):
            related = [other for _, other in bound]
            own = set(of[element])
            named = any(titles[element].title in theme.related for theme in themes)
            if len(own & used) > OVERLAP * len(own) / (1 + named):
                continue
            wide = own | {id for other in related for id in of[other] if id in own}
            before = [text for theme in themes for text, _ in theme.sentences]
            shown = self._sentences(wide, {element, *related}, facts, language, before)
            if not shown:
                continue
            used |= wide
            count = len({facts[id].unit for id in own})
            names = tuple(titles[other].title for other in related)
            themes.append(Theme(title, names, count, len(set(units.values())), unit, shown))
            if len(themes) == n:
                break
        return themes

    def _units(self) -> tuple[dict[str, str], Literal["documents", "passages"]]:
        """Return what recurrence is counted in, by chunk: documents, or chunks where documents are few."""
        table = self._chunks.table(["id", "document_id"]).to_pydict()
        if len(set(table["document_id"])) >= FEW_DOCUMENTS:
            return dict(zip(table["id"], table["document_id"], strict=True)), "documents"
        return {id: id for id in table["id"]}, "passages"

    def _read(self, asked: Collection[str], language: str, units: Mapping[str, str]) -> dict[str, _Fact]:
        table = self._facts.table(["id", "text", "chunk_ids", "key_element_ids"])
        if asked and table.num_rows:
            stems = "|".join(sorted({re.escape(key[:BEGINNING]) for key in asked}))
            table = table.filter(pc.match_substring_regex(pc.utf8_lower(table["text"]), stems))
            shares = [share_met(frozenset(asked), text, language) for text in table["text"].to_pylist()]
            least = MATCHING * max(shares, default=0.0)
            table = table.filter(array([bool(share) and share >= least for share in shares], pa.bool_()))
        table = table.filter(pc.invert(pc.match_substring_regex(table["text"], boilerplate(), ignore_case=True)))
        rows = zip(*table.to_pydict().values(), strict=True)
        return {
            id: _Fact(text, chunks[0], units[chunks[0]], tuple(elements))
            for id, text, chunks, elements in rows
            if chunks and chunks[0] in units
        }

    def _titles(self, facts: Mapping[str, _Fact], asked: Collection[str], language: str) -> dict[str, "_Title"]:
        counts = Counter(element for fact in facts.values() for element in fact.elements)
        best = [id for id, _ in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:CANDIDATES]]
        rows = self._elements.by_id(best, ["title"])
        named = [rows[id]["title"] for id in best if id in rows]
        types = self._entities.table(["title", "type"])
        types = types.filter(pc.is_in(types["title"], value_set=array(named, pa.string()))).to_pydict()
        lexicon = lexicon_of((language_of(" ".join(fact.text for fact in islice(facts.values(), SAMPLE))),))
        type_of = dict(zip(types["title"], types["type"], strict=True))
        return {
            id: _Title(
                title, NAME_WEIGHT.get(type_of[title], 1.0) if title in type_of else _noun_weight(title, lexicon)
            )
            for id, title in zip(best, named, strict=True)
            if not _NUMBER.search(title)
            and not asked_keys(title, language) <= set(asked)
            and not _is_label(title, [fact.text for fact in facts.values() if id in fact.elements])
        }

    def _bound(self, element: str, of: Mapping[str, list[str]], facts: Mapping[str, _Fact]) -> list[tuple[float, str]]:
        """Return the elements bound to one in more than one unit, with the strength of the bond, RELATED at most, the closest
        first."""
        own = of[element]
        shared: dict[str, list[str]] = defaultdict(list)
        for id in own:
            for other in set(facts[id].elements) & of.keys() - {element}:
                shared[other].append(facts[id].unit)
        strengths = [
            (len(units) / ((len(own) * len(of[other])) ** 0.5 + SHRINKAGE), other)
            for other, units in shared.items()
            if len(set(units)) > 1
        ]
        return sorted((pair for pair in strengths if pair[0] >= BOUND), key=lambda pair: (-pair[0], pair[1]))[:RELATED]

    def _sentences(
        self,
        ids: Collection[str],
        elements: Collection[str],
        facts: Mapping[str, _Fact],
        language: str,
        before: Collection[str],
    ) -> tuple[tuple[str, Place], ...]:
        """Return sentences as their chunks have them, of different documents and unlike those shown ``before``: those that can be
        read alone first, then those of most of the theme's elements."""
        order = sorted(ids, key=lambda id: (-len(set(facts[id].elements) & set(elements)), len(facts[id].text), id))
        fitting = [facts[id] for id in order if WORDS[0] <= _length(facts[id].text) <= WORDS[1]][:LOOKED_AT]
        texts = self._chunks.by_id(sorted({fact.chunk for fact in fitting}), ["text"])
        found = []
        for fact in fitting:
            chunk = [(fact.chunk, texts[fact.chunk]["text"])]
            exact = place_sentence(fact.text, chunk)
            place = exact or nearest_sentence(fact.text, chunk)
            if place is not None:
                found.append((exact is None, fact.unit, " ".join(chunk[0][1][place.start : place.end].split()), place))
        shown: list[tuple[str, Place]] = []
        units: set[str] = set()
        for _, unit, text, place in sorted(found, key=lambda one: (not stands_alone(one[2]), one[0])):
            words = content_keys(text, language)
            if (
                unit not in units
                and _length(text) >= WORDS[0] - 1
                and all(share_met(words, other, language) < ALIKE for other in (*before, *(text for text, _ in shown)))
            ):
                units.add(unit)
                shown.append((text, place))
        return tuple(shown[:QUOTED])


def _is_label(title: str, texts: Collection[str]) -> bool:
    """Return whether at least half of some texts have a title only as the name of a field: "carrier: Northmail"."""
    label = re.compile(rf"(?:^|\|)\s*{re.escape(title)}s?:", re.IGNORECASE)
    return 2 * sum(bool(label.search(text)) for text in texts) >= len(texts)


def _noun_weight(title: str, lexicon: Lexicon) -> float:
    word = title.lower()
    types = (lexicon.nouns.get(base_form(form)) for form in (word, singular(word)))
    return min(NOUN_WEIGHT.get(type_ or "", 1.0) for type_ in types)


def _length(text: str) -> int:
    """Return the words of a text; two characters count as one where words are not spaced."""
    return max(len(text.split()), len(re.findall(f"[{UNSPACED}]", text)) // 2)


class _Title(NamedTuple):
    title: str
    weight: float
    """How well it can name a theme, 0 to 1."""


_NUMBER = re.compile(r"^\W*\d|\b\d{3,4}\b")
"""Figures, dates and years."""


@cache
def boilerplate() -> str:
    """Return a pattern of what licences, navigation bars, signatures and running heads are made of."""
    text = (files("pipeline.text.lexicon") / "boilerplate.txt").read_text(encoding="utf-8")
    phrases = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return "|".join([ADDRESS, *(rf"\b{re.escape(phrase)}\b" for phrase in phrases)])
