"""The themes of a corpus without a model: key elements that recur together, in facts of different documents.

A theme is a key element whose facts share other elements far more often than chance has it: "trial" with "judges" and
"Rouen". Words that are beside everything ("man", "year") hold nothing together and are no theme, nor are those that any text of the language has
as often; neither are persons and numbers, though they may belong to one. A statement that many documents repeat counts once, so a licence, a signature or a
navigation bar does not recur; what speaks of such things is left out by its words.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Literal, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.base.arrow.build import array
from pipeline.base.arrow.columns import rows_of
from pipeline.base.store import Rows
from pipeline.query.answer import Place
from pipeline.query.evidence.citations import nearest_sentence, place_sentence
from pipeline.text.extraction.self_contained import stands_alone
from pipeline.text.inflection import base_form, singular
from pipeline.text.keys import content_keys, key_of, keys_of, share_met
from pipeline.text.lexicon.frequency import RARE, frequency
from pipeline.text.lexicon.lexicon import lexicon_of
from pipeline.text.lexicon.questions.question_words import QUESTIONS
from pipeline.text.lexicon.words import sections
from pipeline.text.question.scope.whole import Matter, asked_keys, concerns, concerns_surely, signs_of
from pipeline.text.scripts import language_of, words_of
from pipeline.text.sentences import QUESTION, split
from pipeline.text.summary.sentence_ranking import ranking
from pipeline.text.tokenizer import length

CANDIDATES = 400
"""Key elements, the most frequent, among which themes are looked for."""
RELATED = 3
"""Elements that are named beside a theme."""
BOUND = 0.1
"""Cosine of two elements over their facts, shrunk, from which on they belong together."""
WIDE, LOOSE = 0.25, 0.03
"""Share of the documents or passages from which on an entity is a theme even if hardly anything is bound to it, and the cosine
from which on something is: what runs through everything is bound to nothing in particular."""
FEW, SEVERAL, ALONE = 50, 3, 0.05
"""Documents or passages below which an element is a theme also where nothing is bound to it, those that it then recurs in at least,
and the cosine that it counts for: in few texts, little is beside the same thing often enough to be bound to it."""
SHRINKAGE = 4
"""What is added to the geometric mean of two elements' facts: two facts that share rare words are no theme yet."""
NAME_WEIGHT = {"PERSON": 0.0, "PLACE": 0.5, "ORGANIZATION": 0.5, "EVENT": 1.0, "WORK": 0.5}
"""What the type of a name leaves of its score as a theme: a noun says more of what a text is about than a name."""
NOUN_WEIGHT = {"PERSON": 0.1, "PLACE": 0.2}
"""The same for nouns that are no entity: "brother" and "captain" are different men, "room" and "street" different places."""
KEYNESS = (0.5, 2.0)
"""How much more frequent a word is here than in any text, as a logarithm to the base of 10: up to the first of these it says
nothing of what a corpus is about, from the second on all it can."""
NOUNLIKE = 0.15
"""Share of a word's places that are behind an article, a preposition or the like, from which on it is a noun."""
PHRASE = 0.25
"""Share of an element's facts that must have the same word beside it for both together to name its theme: "neural networks"."""
ALIKE = 0.7
"""Share of a sentence's words in another one from which on it is not shown beside it."""
OVERLAP = 0.5
"""Share of a theme's facts in earlier themes from which on it is the same theme; half of it where one names it already."""
SAMPLE = 50
"""Facts by which the language of the nouns is recognised."""
QUOTED, LOOKED_AT = 2, 60
"""Sentences shown of a theme, and facts among which they are looked for."""
WORDS = (6, 45)
"""Fewest and most words of a sentence that is shown."""
MATCHING = 0.5
"""Share of the best fact's agreement with the question that others need."""
ENOUGH_SENTENCES = 5000
"""Sentences that concern a matter, after which no further chunks are looked through."""
SURE = 8
"""Sentences that surely concern a matter, from which on those that may are left out."""
LOOK_BACK = 30
"""Characters before a word in which the word before it is looked for."""
FEW_DOCUMENTS = 10
"""Files and documents below which recurrence is not counted in them."""

ADDRESS = r"\S@\S+\.\w|https?://|\bwww\.|\w\.(?:txt|rtf|docx?|pdf)\b"
"""Addresses, and names of files as they are in running heads."""
QUOTING = r"\b(?:wrote|schrieb|écrit|escribió|scritto|написал[аи]?)\s?:(?:\s*>|\s*$)"
"""How a mail opens what it quotes: "On Monday Ada Hill wrote:"."""
BEGINNING = 3
"""Letters that the forms of a word have in common."""


Unit = Literal["documents", "files", "passages"]
"""What is counted where something recurs."""


class Theme(NamedTuple):
    """A theme: the element that names it, those bound to it, in how many of how many documents, files or passages, and
    sentences that show it, with their places."""

    title: str
    related: tuple[str, ...]
    found_in: int
    total: int
    unit: Unit | None
    """None of a document that is named in place of a theme."""
    sentences: tuple[tuple[str, Place], ...]


class _Fact(NamedTuple):
    text: str
    chunk: str
    unit: str
    elements: tuple[str, ...]
    span: tuple[int, int] | None
    """Where its sentence is in the chunk, where that is known."""


class ThemeFinder:
    """Finds themes in the facts of an index; ``entities`` say which elements are persons, ``documents`` which of them are
    records of one file."""

    def __init__(self, facts: Rows, key_elements: Rows, chunks: Rows, entities: Rows, documents: Rows) -> None:
        self._facts, self._elements, self._chunks, self._entities = facts, key_elements, chunks, entities
        self._documents = documents

    def find(self, asked: Collection[str], language: str, n: int, matter: Matter | None = None) -> list[Theme]:
        """Return the ``n`` themes that most documents share, of the facts that speak of ``asked`` where it holds any: keys of
        words in a language; with ``matter`` of those that concern it."""
        units, unit = self._units()
        n_units = len(set(units.values()))
        facts = self._read(asked, language, units, matter)
        of = _most_frequent(facts)
        corpus = _Corpus.of([fact.text for fact in facts.values()])
        titles = self._titles(of, facts, asked, language, corpus)
        if matter:  # a theme of the problems is not "problem"
            asks = QUESTIONS.pattern(f"asks_{matter}", corpus.language)
            titles = {element: title for element, title in titles.items() if not asks.fullmatch(title.title)}
        of = {element: of[element] for element in titles}
        scored = []
        for element, ids in of.items():
            count, weight = len({facts[id].unit for id in ids}), titles[element].weight
            wide = weight >= 1 and count >= WIDE * n_units
            bound = self._bound(element, of, facts, LOOSE if wide else BOUND)
            alone = BOUND if wide else ALONE if n_units < FEW and count >= SEVERAL else 0.0
            if count > 1 and weight and (bound or alone):
                cohesion = max(sum(strength for strength, _ in bound) / RELATED, alone)
                scored.append((-weight * count * cohesion**0.5, titles[element].title, element, bound))
        themes: list[Theme] = []
        used: set[str] = set()
        for _, title, element, bound in sorted(scored):
            own = set(of[element])
            named = any(title in theme.related for theme in themes)
            if len(own & used) > OVERLAP * len(own) / (1 + named):
                continue
            if any(_share_words(title, theme.title, corpus.language) for theme in themes):
                continue
            related = [other for _, other in bound]
            names = [titles[other].title for other in related]
            before = [text for theme in themes for text, _ in theme.sentences]
            single, texts = title, {id: facts[id].text for id in of[element]}
            title = _with_neighbour(title, [*texts.values()], corpus.language)
            shown = self._sentences(own, {element, *related}, [title, *names], facts, language, before)
            if not shown:
                continue
            used |= own
            said = keys_of(title, corpus.language) if title != single else frozenset()
            holding = {facts[id].unit for id, text in texts.items() if said <= keys_of(text, corpus.language)}
            count = len(holding if asked or matter else holding | self._mentioning(title, units))
            beside = tuple(name for name in names if name.casefold() not in title.casefold().split())
            themes.append(Theme(title, beside, count, n_units, unit, shown))
            if len(themes) == n:
                break
        return themes

    def _mentioning(self, name: str, units: Mapping[str, str]) -> set[str]:
        """Return the units that mention an entity of this title, whether or not a fact of theirs does."""
        table = self._entities.table(["title", "chunk_ids"])
        rows = table.filter(pc.equal(table["title"], name)).column("chunk_ids").to_pylist()
        return {units[chunk] for chunks in rows for chunk in chunks if chunk in units}

    def _units(self) -> tuple[dict[str, str], Unit]:
        """Return what recurrence is counted in, by chunk: files, whose records count once, documents where files are few, or
        chunks where documents are few."""
        table = self._chunks.table(["id", "document_id"]).to_pydict()
        source = dict(self._documents.values("id", "source"))
        files = [source[document] for document in table["document_id"]]
        of_records: Unit = "files" if len(set(files)) < len(set(table["document_id"])) else "documents"
        owned: tuple[tuple[list[str], Unit], ...] = ((files, of_records), (table["document_id"], "documents"))
        for owners, unit in owned:
            if len(set(owners)) >= FEW_DOCUMENTS:
                return dict(zip(table["id"], owners, strict=True)), unit
        return {id: id for id in table["id"]}, "passages"

    def entities(self, type: str, language: str, n: int) -> list[Theme]:
        """Return the ``n`` entities of a type that most documents mention, with sentences that do."""
        units, unit = self._units()
        rows = self._entities.table(["title", "type", "chunk_ids"])
        rows = rows.filter(pc.equal(rows["type"], type))
        rows = rows.take(pc.sort_indices(pc.negate(pc.list_value_length(rows["chunk_ids"])))[:CANDIDATES])
        of_title = {
            title: [units[id] for id in ids if id in units] for title, _, ids in rows_of(rows, *rows.column_names)
        }
        best = sorted(of_title, key=lambda title: (-len({*of_title[title]}), -len(of_title[title]), title))
        elements = self._elements.table(["id", "title"])
        elements = elements.filter(pc.is_in(elements["title"], value_set=array(best, pa.string())))
        element_of = {title: id for id, title in rows_of(elements, "id", "title")}
        facts = self._read((), language, units)
        of = _facts_of_elements(facts)
        found: list[Theme] = []
        for title in best:
            element = element_of.get(title, "")
            before = [text for theme in found for text, _ in theme.sentences]
            shown = self._sentences(of.get(element, ()), {element}, [title], facts, language, before)
            if shown:
                found.append(Theme(title, (), len({*of_title[title]}), len({*units.values()}), unit, shown))
            if len(found) == n:
                break
        return found

    def documents(self, matter: Matter, language: str, n: int, without: Sequence[Theme]) -> list[Theme]:
        """Return the ``n`` documents with most sentences that concern a matter, one at least, by their titles, each with some of these,
        none of them shown by a theme of ``without``."""
        titles = dict(self._documents.values("id", "title"))
        facts = self._sentences_of(matter)
        own: dict[str, list[str]] = defaultdict(list)
        for id, fact in facts.items():
            own[fact.unit].append(id)
        facts = {id: fact._replace(unit=id) for id, fact in facts.items()}
        most = max(QUOTED, n // max(len(own), 1))
        found: list[Theme] = []
        for document in sorted(own, key=lambda document: (-len(own[document]), document)):
            before = [text for theme in (*without, *found) for text, _ in theme.sentences]
            shown = self._sentences(own[document], (), [titles[document]], facts, language, before, most)
            if shown:
                found.append(Theme(titles[document], (), 1, len(titles), None, shown))
            if len(found) == n:
                break
        return found

    def _sentences_of(self, matter: Matter) -> dict[str, _Fact]:
        """Return the sentences of chunks that concern a matter, by chunk and place, also those that are no facts; boilerplate is none of
        them."""
        found: dict[str, _Fact] = {}
        spoken = ""
        passing = re.compile(boilerplate(), re.IGNORECASE)
        for part in self._chunks.batches(["id", "document_id", "text"]):
            spoken = spoken or _spoken(part["text"].slice(0, SAMPLE).to_pylist())
            matching = part.filter(pc.match_substring_regex(part["text"], signs_of(matter, spoken), ignore_case=True))
            for chunk, document, text in rows_of(matching, *matching.column_names):
                for start, end in split(text):
                    said = text[start:end]
                    if said.startswith("#") or QUESTION.search(said) or passing.search(said):
                        continue
                    if concerns(said, matter, spoken):
                        found[f"{chunk} {start}"] = _Fact(said, chunk, document, (), (start, end))
            if len(found) > ENOUGH_SENTENCES:
                break
        surely = {at: fact for at, fact in found.items() if concerns_surely(fact.text, matter, spoken)}
        return surely if len(surely) >= SURE else found

    def _read(
        self, asked: Collection[str], language: str, units: Mapping[str, str], matter: Matter | None = None
    ) -> dict[str, _Fact]:
        table = self._facts.table(["id", "text", "chunk_ids", "key_element_ids", "start", "end"])
        if matter:
            spoken = _spoken(table["text"].to_pylist())
            table = table.filter(pc.match_substring_regex(table["text"], signs_of(matter, spoken), ignore_case=True))
            kept = [concerns(text, matter, spoken) for text in table["text"].to_pylist()]
            table = table.filter(array(kept, pa.bool_()))
            surely = [concerns_surely(text, matter, spoken) for text in table["text"].to_pylist()]
            table = table.filter(array(surely, pa.bool_())) if sum(surely) >= SURE else table
        if asked and table.num_rows:
            stems = "|".join(sorted({re.escape(key[:BEGINNING]) for key in asked}))
            table = table.filter(pc.match_substring_regex(pc.utf8_lower(table["text"]), stems))
            shares = [share_met(frozenset(asked), text, language) for text in table["text"].to_pylist()]
            least = MATCHING * max(shares, default=0.0)
            table = table.filter(array([bool(share) and share >= least for share in shares], pa.bool_()))
        table = table.filter(pc.invert(pc.match_substring_regex(table["text"], boilerplate(), ignore_case=True)))
        return {
            id: _Fact(text, chunks[0], units[chunks[0]], tuple(elements), None if start is None else (start, end))
            for id, text, chunks, elements, start, end in rows_of(table, *table.column_names)
            if chunks and chunks[0] in units
        }

    def _titles(
        self,
        of: Mapping[str, Sequence[str]],
        facts: Mapping[str, _Fact],
        asked: Collection[str],
        language: str,
        corpus: "_Corpus",
    ) -> dict[str, "_Title"]:
        rows = self._elements.by_id(list(of), ["title"])
        named = [rows[id]["title"] for id in of if id in rows]
        types = self._entities.table(["title", "type"])
        types = types.filter(pc.is_in(types["title"], value_set=array(named, pa.string())))
        type_of = dict(rows_of(types, "title", "type"))
        titles = {}
        for id, title in zip(of, named, strict=True):
            texts = [facts[fact].text for fact in of[id]]
            about = asked_keys(title, language)
            if _NUMBER.search(title) or (about and about <= set(asked)) or _is_label_or_measure(title, texts):
                continue
            weight = NAME_WEIGHT.get(type_of[title], 1.0) if title in type_of else corpus.noun_weight(title, texts)
            keyness = corpus.keyness(title, len(texts))
            if keyness and (weight or title in type_of):
                titles[id] = _Title(title, weight * keyness)
        return titles

    def _bound(
        self, element: str, of: Mapping[str, Sequence[str]], facts: Mapping[str, _Fact], least: float
    ) -> list[tuple[float, str]]:
        """Return the elements bound to one in more than one unit, with the strength of the bond, ``least`` or more, RELATED at
        most, the closest first."""
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
        return sorted((pair for pair in strengths if pair[0] >= least), key=lambda pair: (-pair[0], pair[1]))[:RELATED]

    def _sentences(
        self,
        ids: Collection[str],
        elements: Collection[str],
        names: Sequence[str],
        facts: Mapping[str, _Fact],
        language: str,
        before: Collection[str],
        most: int = QUOTED,
    ) -> tuple[tuple[str, Place], ...]:
        """Return ``most`` sentences as their chunks have them, of different units and unlike those shown ``before``: of those that can
        be read alone, the most central to the theme and its names; others where there are none."""
        order = sorted(ids, key=lambda id: (-len(set(facts[id].elements) & set(elements)), id))
        fitting = [facts[id] for id in order if WORDS[0] <= length(facts[id].text) <= WORDS[1]][:LOOKED_AT]
        texts = self._chunks.by_id(sorted({fact.chunk for fact in fitting}), ["text"])
        found: dict[str, tuple[Place, str]] = {}
        for fact in fitting:
            place = _place(fact, texts[fact.chunk]["text"])
            if place is not None:
                text = " ".join(texts[fact.chunk]["text"][place.start : place.end].split())
                if length(text) >= WORDS[0] - 1:
                    found.setdefault(text, (place, fact.unit))
        shown: list[tuple[str, Place]] = []
        units: set[str] = set()
        readable = [text for text in found if stands_alone(text)] or list(found)
        for at, _ in ranking(readable, " ".join(names), language=language):
            text = readable[at]
            place, unit = found[text]
            words = content_keys(text, language)
            others = (*before, *(other for other, _ in shown))
            if unit not in units and all(share_met(words, other, language) < ALIKE for other in others):
                units.add(unit)
                shown.append((text, place))
            if len(shown) == most:
                break
        return tuple(shown)


class _Corpus(NamedTuple):
    """What the facts of an index are written in."""

    language: str
    n_words: int

    @classmethod
    def of(cls, texts: Sequence[str]) -> "_Corpus":
        """Return it for some texts."""
        return cls(_spoken(texts), sum(map(length, texts)))

    def keyness(self, title: str, count: int) -> float:
        """Return how much more frequent the rarest word of a title is here than in any text of the language, 0 to 1."""
        general = min((frequency(word, self.language) for word in title.lower().split()), default=RARE)
        here = math.log10(count / max(self.n_words, 1) * 1e9)
        least, most = KEYNESS
        return min(max((here - general - least) / (most - least), 0.0), 1.0)

    def noun_weight(self, title: str, texts: Sequence[str]) -> float:
        """Return what is left of the score of a word that is no entity: nothing where its places show no noun."""
        words = words_of(self.language)
        word = title.lower()
        if word in words.honorifics | words.masculine | words.feminine | words.calendar:
            return 0.0
        if not self._is_noun(word, texts):
            return 0.0
        nouns = lexicon_of((self.language,)).nouns
        return min(NOUN_WEIGHT.get(nouns.get(base_form(form)) or "", 1.0) for form in (word, singular(word)))

    def _is_noun(self, word: str, texts: Sequence[str]) -> bool:
        """Return whether a word is behind an article, a preposition or a number often enough, in singular or plural, also with
        another word between, where it is known which words are verbs: "the night shift", "on leaking lids"."""
        words = words_of(self.language)
        before = words.determiners | words.prepositions
        if not before:
            return True
        forms = {word, singular(word), f"{singular(word)}s"} if self.language == "en" else {word}
        pattern = rf"\b(?:{'|'.join(map(re.escape, sorted(forms)))})\b"
        text = " ".join(texts).lower()
        found = (
            _LAST_WORDS.search(text[max(at.start() - LOOK_BACK, 0) : at.start()]) for at in re.finditer(pattern, text)
        )
        seen = [one.groups() for one in found if one]
        ending = word.endswith(("ed", "ing", "ly"))
        between = bool(words.verbs) and not ending and not forms & (words.verbs | words.adjectives)
        shown = [
            last in before
            or last.isdigit()
            or (between and first in before and last not in words.function | words.verbs)
            for first, last in seen
        ]
        return not seen or sum(shown) >= NOUNLIKE * len(seen)


def _spoken(texts: Sequence[str]) -> str:
    """Return the language of some texts, by a sample taken evenly over them."""
    return language_of(" ".join(texts[:: max(len(texts) // SAMPLE, 1)]))


def _facts_of_elements(facts: Mapping[str, _Fact]) -> dict[str, list[str]]:
    """Return the ids of the facts of each element."""
    of: dict[str, list[str]] = defaultdict(list)
    for id, fact in facts.items():
        for element in fact.elements:
            of[element].append(id)
    return of


def _most_frequent(facts: Mapping[str, _Fact]) -> dict[str, list[str]]:
    """Return the facts of each of the most frequent elements."""
    return dict(sorted(_facts_of_elements(facts).items(), key=lambda pair: (-len(pair[1]), pair[0]))[:CANDIDATES])


def _place(fact: _Fact, text: str) -> Place | None:
    """Return where the sentence of a fact is in its chunk, behind the sign of a list; a model's fact may be none of its
    sentences."""
    if fact.span:
        start, end = fact.span
        sign = _LIST_SIGN.match(text, start, end)
        return Place(fact.chunk, sign.end() if sign else start, end)
    return place_sentence(fact.text, [(fact.chunk, text)]) or nearest_sentence(fact.text, [(fact.chunk, text)])


def _share_words(one: str, other: str, language: str) -> bool:
    """Return whether two titles have a word in common, in any of its forms, small ones apart, or one is the initials of the
    other: "AI"."""
    small = words_of(language).function
    words = [[word for word in title.casefold().split() if word not in small] for title in (one, other)]
    initials = ["".join(word[0] for word in own) for own in words]
    keys = [{key_of(word, language) for word in own} for own in words]
    return bool(keys[0] & keys[1]) or [initials[0]] == words[1] or [initials[1]] == words[0]


def _with_neighbour(title: str, texts: Sequence[str], language: str) -> str:
    """Return a noun with the word that is beside it in at least PHRASE of its texts, as most of them write both: "neural
    networks" for "networks"."""
    words = words_of(language)
    if title != title.lower() or not words.determiners:  # without articles, a verb beside a noun does not show
        return title
    word = re.escape(title)
    other = r"(?<![\w-])([^\W\d_]{3,}(?:-[^\W\d_]+)*)(?![\w-])"
    beside = re.compile(rf"(?:{other} )?(?<![\w-])({word})(?![\w-])(?: {other})?", re.IGNORECASE)
    function, verbs = words.function, words.verbs
    written: dict[str, Counter[str]] = defaultdict(Counter)
    for text in texts:
        phrases = set()
        for before, noun, after in beside.findall(text):
            phrases |= {f"{before} {noun}"} if before and before.lower() not in function | verbs else set()
            verb = after.lower() in function | verbs or (language == "en" and after.endswith(("ed", "ing")))
            verb = verb or (language == "de" and after.islower())  # behind a noun, what is written small is no noun
            phrases |= {f"{noun} {after}"} if after and not verb else set()
        for phrase in phrases:
            written[phrase.lower()][phrase] += 1
    if not written:
        return title
    _, forms = min(written.items(), key=lambda pair: (-pair[1].total(), pair[0]))
    if forms.total() < max(PHRASE * len(texts), 2):
        return title
    return min(forms, key=lambda form: (-forms[form], form))


def _is_label_or_measure(title: str, texts: Collection[str]) -> bool:
    """Return whether at least half of some texts have a title only as the name of a field ("carrier: Northmail"), in a path
    ("/usr/lib") or as what a number counts ("1.6 percent")."""
    signed = [text for text in texts if _LABEL_OR_MEASURE.search(text)]
    if 2 * len(signed) < len(texts):  # most titles: a pattern of each would be the larger part of finding themes
        return False
    word = re.escape(title)
    found = re.compile(
        rf"(?:^|\|)\s*(?:\w+_)?{word}s?:|[/\\@_]{word}\b|\b{word}[/\\@_]|(?!\b(?:1\d|20)\d\d\b)\b\d[\d.,]*(?: million| billion| per)?\s?{word}\b",
        re.IGNORECASE,
    )
    return 2 * sum(bool(found.search(text)) for text in signed) >= len(texts)


class _Title(NamedTuple):
    title: str
    weight: float
    """How well it can name a theme, 0 to 1."""


_LAST_WORDS = re.compile(r"(?:(\w+)\s+)?(\w+)['’]?\s*\Z")
_LIST_SIGN = re.compile(r"(?:[-*•]|\d+[.)])\s+")
_LABEL_OR_MEASURE = re.compile(r"[:/\\@_]|(?!\b(?:1\d|20)\d\d\b)\b\d")
"""Signs of which a text has one where a title is the name of a field, in a path, or what a number counts."""
_NUMBER = re.compile(r"^\W*\d|\b\d{3,4}\b")
"""Figures, dates and years."""


@cache
def boilerplate() -> str:
    """Return a pattern of what licences, navigation bars, signatures and running heads are made of."""
    phrases = sections("boilerplate")["phrases"].splitlines()
    return "|".join([ADDRESS, QUOTING, *(rf"\b{re.escape(phrase)}\b" for phrase in phrases)])
