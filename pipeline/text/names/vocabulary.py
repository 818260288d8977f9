"""Chooses the entities of a corpus from the scans of its chunks: names first, then salient noun phrases, each with its forms.

People, places, organisations, events and works that are named; then the common nouns that matter. The choice depends on the
set of scans alone, not on their order.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

from pipeline.text.inflection import base_form
from pipeline.text.lexicon.english_words import is_english_word
from pipeline.text.lexicon.given_names import GIVEN_NAMES
from pipeline.text.lexicon.lexicon import CONCEPT, ORGANIZATION, PERSON, PLACE
from pipeline.text.lexicon.places import PLACES, PRODUCTS, ambiguous_cities, cities
from pipeline.text.lexicon.russian import nominative
from pipeline.text.names import aliases, name_types, phrases
from pipeline.text.names.acceptance import is_name
from pipeline.text.names.candidates import Candidate, Corpus
from pipeline.text.names.chunk_scan import Scan
from pipeline.text.names.matcher import SHARED, Matcher
from pipeline.text.names.name_types import HEAD_ENDS
from pipeline.text.names.small_names import choose_small_names
from pipeline.text.names.tally import NameCue
from pipeline.text.scripts import fold

__all__ = ["Matcher", "Name", "Recognised", "choose"]


class Recognised(NamedTuple):
    """A name that a recogniser found in a text, and its type."""

    text: str
    type: str


class Name(NamedTuple):
    """An entity of the vocabulary."""

    title: str
    """Canonical spelling; the key of the entity."""
    kind: str
    """"name"; "title", a name made of ordinary words; "shared", a name that several people bear, nobody's by itself; or
    "phrase", a common noun or noun phrase."""
    forms: tuple[str, ...]
    """Every spelling to look for, sorted; the title among them unless it is an adjective of nations ("The Italian")."""
    type: str
    frequency: int
    """Sightings in the scans."""
    spread: int
    """Chunks with a sighting."""


def choose(
    scans: Iterable[Scan],
    *,
    min_name_count: int = 1,
    min_phrase_count: int | None = None,
    max_phrases: int | None = None,
    apart: Iterable[tuple[str, str]] = (),
    recognised: Sequence[Sequence[Recognised]] | None = None,
) -> list[Name]:
    """The entities of a corpus, most frequent first, ties by title.

    ``min_name_count`` sightings make a capitalised name, ``min_phrase_count`` a phrase of common nouns (default:
    ``phrases.least``); ``max_phrases`` bounds the common nouns (default: ``phrases.budget``). Both grow with the corpus.
    ``recognised`` are the names of each chunk as a recogniser found them, in place of those that the rules accept.
    Pairs of names that are ``apart`` are never forms of one entity: the first of each is one of its own.
    """
    corpus = Corpus(scans)
    found = (one for one in corpus.candidates.values() if is_name(one, corpus) and one.sightings >= min_name_count)
    accepted = sorted(found, key=attrgetter("key"))
    names = _named(accepted, corpus, apart) if recognised is None else _recognised(recognised, corpus, apart)
    _return_to_common(corpus, {candidate.key for candidate in accepted})
    least = phrases.least(corpus.n_words) if min_phrase_count is None else min_phrase_count
    limit = phrases.budget(corpus.n_words) if max_phrases is None else max_phrases
    taken = {fold(form) for name in names for form in name.forms}
    nouns = phrases.choose_nouns(corpus.counts(), least, limit)
    small = {one.text: one for one in choose_small_names(corpus.counts(), corpus.small, taken)}
    names.extend(Name(one.text, "name", (one.text,), CONCEPT, one.frequency, one.spread) for one in small.values())
    names.extend(_phrase_name(noun) for noun in nouns if fold(noun.text) not in taken and noun.text not in small)
    return sorted(_without_equal_titles(names), key=lambda name: (-name.frequency, name.title))


def _named(accepted: Sequence[Candidate], corpus: Corpus, apart: Iterable[tuple[str, str]]) -> list[Name]:
    spellings = [_spelling(candidate, corpus) for candidate in accepted]
    spellings, pairs, called = _called_by_a_part(spellings, accepted, corpus)
    full, shared = aliases.join(spellings, corpus.pairs | pairs, corpus.lexicon, corpus.n_chunks)
    for name, other in sorted(apart):
        _split(full, fold(name), fold(other), spellings)
    groups: dict[str, list[Candidate]] = defaultdict(list)
    heads: dict[str, aliases.Spelling] = {}
    for candidate, spelling in zip(accepted, spellings, strict=True):
        groups[full[candidate.key]].append(candidate)
        heads[spelling.key] = spelling
    shared -= {fold(name) for name, _ in apart}
    keys = sorted(groups)
    names = [_name(groups[key], heads[key], corpus, key in shared, called) for key in keys]
    bearers = Counter(form for name in names for form in {*map(fold, name.forms)})
    return [
        _without_ambiguous_forms(name, {candidate.key for candidate in groups[key]}, bearers)
        for key, name in zip(keys, names, strict=True)
    ]


def _without_ambiguous_forms(name: Name, written: Collection[str], bearers: Counter[str]) -> Name:
    """A name without the forms that no text writes of it and that may be another's: "R. Quill", of Mr R. Quill and of Mrs R. Quill.

    ``written`` are the keys of the forms that the texts write, ``bearers`` how many names have a form."""
    kept = tuple(form for form in name.forms if form == name.title or bearers[fold(form)] == 1 or fold(form) in written)
    return name._replace(forms=kept)


def _spelling(candidate: Candidate, corpus: Corpus) -> aliases.Spelling:
    key, seen, cues = candidate.key, candidate.seen, candidate.cues
    return aliases.Spelling(
        key,
        candidate.spelling,
        PERSON if key in corpus.full_names else name_types.name_type(candidate.spelling, cues, corpus),
        key in corpus.people,
        seen,
        frozenset(candidate.chunks),
        cues[NameCue.DETERMINED] * 2 > seen,
        cues[NameCue.PERSON] > 0,
    )


def _called_by_a_part(
    spellings: list[aliases.Spelling], accepted: Sequence[Candidate], corpus: Corpus
) -> tuple[list[aliases.Spelling], set[tuple[str, str]], set[str]]:
    """The spellings, those among them of people who are called by a part of their names: by a first name that no list has (Tamsin,
    beside Tamsin Oake), or by initials, as speakers are in the transcript of an interview; the pairs of such
    initials with the names that they may stand for; and the keys of all of these."""
    firsts: dict[str, set[int]] = defaultdict(set)
    initials: dict[str, list[aliases.Spelling]] = defaultdict(list)
    for one in spellings:
        parts = one.key.split() if one.type == PERSON else ()
        if len(parts) > 1:
            if one.is_person:
                firsts[parts[0]] |= one.chunks
            core = aliases.read_person(one.text, corpus.lexicon).core
            initials["".join(part[0] for part in (core[:1] + core[1:][-1:]))].append(one)
    # MO: And when was that?
    speakers = {one.key for one in accepted if one.key in initials and 0 < one.seen <= 2 * one.cues[NameCue.LABEL]}
    of_speakers = {(one.text, name.text) for one in spellings if one.key in speakers for name in initials[one.key]}
    noted = _noted_by_initials(accepted, initials, corpus.n_chunks <= aliases.ONE_HOUSE)
    # Cherokee, of a people and its things
    kinds = {one.key for one in accepted if one.cues[NameCue.MODIFIER] * 3 > one.seen}
    called = {
        one.key
        for one in spellings
        if one.type in (CONCEPT, PLACE)
        and not one.chunks.isdisjoint(firsts.get(one.key, ()))
        and one.key not in kinds
        and _may_be_first(one, corpus)
    }
    called |= speakers | {fold(short) for short, _ in noted}
    pairs = of_speakers | noted
    return [one._replace(type=PERSON) if one.key in called else one for one in spellings], pairs, called


def _noted_by_initials(
    accepted: Sequence[Candidate], initials: Mapping[str, Sequence[aliases.Spelling]], one_house: bool
) -> set[tuple[str, str]]:
    """Initials that act as somebody does, as in the notes of a meeting, and others beside them, each with the names that have them of
    people in the same chunks; with none there, in the papers of one house, those that act stand for a name of any chunk."""
    short = [one for one in accepted if one.key in initials and one.spelling.isupper()]
    short = [one for one in short if one.key not in PLACES and one.key not in PRODUCTS]
    noted = {chunk for one in short if one.cues[NameCue.LABEL] for chunk in one.chunks}
    pairs: set[tuple[str, str]] = set()
    for one in short:
        acts = one.cues[NameCue.LABEL] > 0
        near = [name for name in initials[one.key] if not name.chunks.isdisjoint(one.chunks)]
        if acts or not (noted.isdisjoint(one.chunks) or is_english_word(one.key)):
            pairs.update(
                (one.spelling, name.text) for name in near or (initials[one.key] if acts and one_house else ())
            )
    return pairs


def _may_be_first(spelling: aliases.Spelling, corpus: Corpus) -> bool:
    """Whether a single word is written as a first name is, and is no known name, place, product or word that everybody knows."""
    key = spelling.key
    is_place = key in PLACES or key in cities() or key in ambiguous_cities()
    known = is_place or key in PRODUCTS or key in GIVEN_NAMES or key in corpus.lexicon.demonyms or is_english_word(key)
    return spelling.text[1:].islower() and not known and not spelling.is_determined


def _recognised(
    recognised: Sequence[Sequence[Recognised]], corpus: Corpus, apart: Iterable[tuple[str, str]]
) -> list[Name]:
    """The names that a recogniser found: spellings of one name joined as those of the rules are, types by majority."""
    surfaces: dict[str, Counter[str]] = defaultdict(Counter)
    types: dict[str, Counter[str]] = defaultdict(Counter)
    chunks: dict[str, set[int]] = defaultdict(set)
    for chunk, names in enumerate(recognised):
        for name in names:
            if len(key := fold(name.text)) > 1:
                surfaces[key][name.text] += 1
                types[key][name.type] += 1
                chunks[key].add(chunk)
    spellings = []
    for key in sorted(surfaces):
        type_ = _most(types[key])
        seen = surfaces[key].total()
        text = _without_article(_most(surfaces[key]))
        spellings.append(aliases.Spelling(key, text, type_, type_ == PERSON, seen, frozenset(chunks[key])))
    full, shared = aliases.join(spellings, corpus.pairs, corpus.lexicon, corpus.n_chunks)
    for one, other in sorted(apart):
        _split(full, fold(one), fold(other), spellings)
    groups: dict[str, list[aliases.Spelling]] = defaultdict(list)
    for spelling in spellings:
        groups[full[spelling.key]].append(spelling)
    heads = {spelling.key: spelling for spelling in spellings}
    return [
        Name(
            title=heads[key].text,
            kind=SHARED if key in shared else "name",
            forms=tuple(sorted({heads[key].text, *(form for one in group for form in surfaces[one.key])})),
            type=heads[key].type,
            frequency=sum(one.sightings for one in group),
            spread=len(frozenset().union(*(one.chunks for one in group))),
        )
        for key, group in sorted(groups.items())
    ]


def _most(counts: Counter[str]) -> str:
    return min(counts, key=lambda text: (-counts[text], text))


def _split(full: dict[str, str], name: str, other: str, spellings: Sequence[aliases.Spelling]) -> None:
    """Take ``name`` out of the group that it shares with ``other``; where it heads the group, the most seen of the others does."""
    if name == other or full.get(name) is None or full[name] != full.get(other):
        return
    if full[name] == name:
        rest = [one for one in spellings if one.key != name and full[one.key] == name]
        head = max(rest, key=lambda one: (one.key == other, one.sightings, one.key)).key
        full.update({one.key: head for one in rest})
    full[name] = name


def _name(
    group: Sequence[Candidate], head: aliases.Spelling, corpus: Corpus, is_shared: bool, called: Collection[str]
) -> Name:
    """One entity of all the candidates that name it; those with keys of ``called`` are known to be people's."""
    title, type_, spread = _without_article(head.text), head.type, len(head.chunks)
    if len(group) > 1:
        cues = [sum(values) for values in zip(*(candidate.cues for candidate in group), strict=True)]
        type_ = name_types.name_type(head.text, cues, corpus)
        if head.type == PERSON and type_ in (CONCEPT, PLACE) and any(one.key in called for one in group):
            type_ = PERSON
        spread = len(set().union(*(candidate.chunks for candidate in group)))
        if type_ == CONCEPT and any(_without_title(form, corpus) for candidate in group for form in candidate.surfaces):
            type_ = PERSON
    demonyms = corpus.lexicon.demonyms
    written = list(chain.from_iterable(candidate.surfaces for candidate in group))
    forms = {*written, *map(_without_article, written)}
    if type_ in (PERSON, ORGANIZATION):
        forms.update([bare for form in forms if (bare := _without_honorific(form, corpus))])
    if not demonyms.isdisjoint(map(fold, forms)):
        forms = {form for form in forms if fold(form) not in demonyms} or {head.text}
    if type_ == PERSON and not title.isascii():
        title = _in_nominative(title)
    if title.isupper() and " " in title and type_ == PERSON:
        title = title.title()  # a speaker's label
    of_words = " " in title and all(corpus.is_common(word) for word in head.key.split())
    return Name(
        title=title,
        kind=SHARED if is_shared else "title" if of_words else "name",
        forms=tuple(sorted(forms if title in forms or fold(title) in demonyms else {*forms, title})),
        type=type_,
        frequency=sum([candidate.sightings for candidate in group]),
        spread=spread,
    )


def _in_nominative(title: str) -> str:
    """A Russian name of a person in the nominative, as names are written; another as it is."""
    lower = title.lower()
    found = nominative(lower)
    return title if found == lower else " ".join(word[:1].upper() + word[1:] for word in found.split())


def _without_title(form: str, corpus: Corpus) -> str:
    """What is behind an honorific ("Admiral Croft"), "" where there is none."""
    rest = form.partition(" ")[2]
    known = rest and name_types.is_titled(form.split(), corpus.lexicon)
    return rest if known and rest.partition(" ")[0].lower() not in HEAD_ENDS else ""


def _without_honorific(form: str, corpus: Corpus) -> str:
    """The full name behind an honorific ("Master Peter Cratchit"), "" where there is none, or one word or initials behind it: "T. B."
    is Mr T. B. as well as Mrs T. B."""
    rest = _without_title(form, corpus)
    is_initials = all(len(part.rstrip(".")) == 1 for part in rest.split())
    return rest if " " in rest and not is_initials else ""


def _without_article(text: str) -> str:
    if text[:1] not in _OPENS_ARTICLE:  # as most
        return text
    first, _, rest = text.partition(" ")
    return rest if rest and first.lower() in ("the", "a", "an") and not rest[0].islower() else text


_OPENS_ARTICLE = frozenset("aAtT")


def _return_to_common(corpus: Corpus, names: set[str]) -> None:
    """A capitalised word that is no name ("the Spirit", a German noun) counts for the common noun."""
    for key in sorted(corpus.candidates):
        candidate = corpus.candidates[key]
        if key in names or not candidate.seen:
            continue
        if key in corpus.phrases:
            corpus.phrases[key][0] += candidate.seen
        if not _is_common_noun(candidate, corpus):
            continue
        word = candidate.spelling if candidate.is_german else key
        sums = corpus.words.setdefault(word, [0, 0, 0, 0, 0])
        heads = candidate.seen if candidate.is_german else candidate.seen - candidate.cues[NameCue.MODIFIER]
        added = (candidate.seen, min(candidate.cues[NameCue.DETERMINED], heads), heads, 0, len(set(candidate.chunks)))
        corpus.words[word] = [one + other for one, other in zip(sums, added, strict=True)]


def _is_common_noun(candidate: Candidate, corpus: Corpus) -> bool:
    key, lexicon = candidate.key, corpus.lexicon
    if not key.isalpha() or key in lexicon.no_names or key in lexicon.demonyms:
        return False
    return candidate.is_german or corpus.lower_count(key) > 0 or base_form(key) in lexicon.nouns


def _phrase_name(noun: phrases.Noun) -> Name:
    return Name(
        title=noun.text, kind="phrase", forms=noun.forms, type=noun.type, frequency=noun.frequency, spread=noun.spread
    )


def _without_equal_titles(names: Iterable[Name]) -> list[Name]:
    """One name per title: of two that differ in nothing but a leading article, the more frequent."""
    best: dict[str, Name] = {}
    for name in names:
        other = best.get(name.title)
        if other is None or (name.frequency, name.forms) > (other.frequency, other.forms):
            best[name.title] = name
    return list(best.values())
