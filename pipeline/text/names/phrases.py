"""Chooses the common-noun phrases that are worth an entity: by frequency, spread and what their head noun names."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from pipeline.text.inflection import base_form
from pipeline.text.lexicon.given_names import GIVEN_NAMES
from pipeline.text.lexicon.lexicon import CONCEPT, EVENT, PERSON, WORK, Lexicon
from pipeline.text.lexicon.sentences.sentence_words import SENTENCES
from pipeline.text.lexicon.unspaced_types import is_ordinary, type_of_unspaced
from pipeline.text.lexicon.words import listed
from pipeline.text.names.name_types import HEAD_ENDS, head_of, noun_type
from pipeline.text.scripts import HAN, is_unspaced

_CONCEPT_WEIGHT: Final = 0.6  # of a single noun that names no person, place, body, event or work
_BURSTY: Final = 0.8  # bits; such a noun must come in clusters, as the words of a subject do
_ADJECTIVE_ENDINGS: Final = ("ic", "ive", "ous", "ful", "less", "able", "ible", "ing", "ish", "ed", "er", "est")
_FEW_CHUNKS: Final = 8  # too few to recognise clusters
_PHRASE_WEIGHT: Final = 1.2
_TERM: Final = 4
"""A common noun seen so often, or a compound of nouns seen oftener, is a term of the corpus; any other phrase, twice as often."""
_SPREAD: Final = 2
"""Chunks that a term of common nouns is in at least; a name with a common noun behind it is in one more."""
_NOUN_FIRST: Final = listed("fr es it pt ca ro ru uk pl cs bg sr hr el")
"""Languages in which two common nouns side by side are no term: what is after a noun describes it."""
_NEVER: Final = (0, 0, 0, 0, 0)
_HAN: Final = re.compile(f"[{HAN}]+$")


class Noun(NamedTuple):
    """A common noun or noun phrase with its counts over the corpus."""

    text: str
    forms: tuple[str, ...]
    """Inflected forms seen, and the base form, sorted."""
    type: str
    frequency: int
    spread: int
    score: float


class Counts(NamedTuple):
    """What the scans of a corpus say of its lower-case words and phrases."""

    words: Mapping[str, list[int]]
    """Word to [total, heads after a determiner, heads, after a verb cue, chunks]."""
    phrases: Mapping[str, list[int]]
    """Phrase to [total, after a determiner, chunks]."""
    n_chunks: int
    n_words: int
    lexicon: Lexicon
    language: str = "en"
    """The most frequent one of the corpus."""

    @property
    def compounds(self) -> bool:
        """Whether the language puts a noun before a noun to make a term of both (peer review)."""
        return self.language not in _NOUN_FIRST


def budget(n_words: int) -> int:
    """How many common-noun phrases a corpus is allowed: vocabularies grow as a power of the text (Heaps' law)."""
    return round(0.6 * math.pow(n_words, 0.6))


def least(n_words: int) -> int:
    """Sightings that a phrase needs: 2 up to some 150,000 words, one more for each tenfold beyond."""
    return max(2, round(math.log10(n_words + 1) - 2.7))


def widest(n_chunks: int) -> int:
    """Chunks above which a common noun is too broad to be an entity: it would join everything to everything."""
    return max(25, round(math.pow(n_chunks, 0.7)))


def choose_nouns(counts: Counts, min_count: int, limit: int) -> list[Noun]:
    """The best ``limit`` nouns and phrases that are distinctive for the corpus, seen ``min_count`` times or more.

    Names come first: kin, roles, buildings and furniture are no entities ("son", "king", "house"): different ones would
    become one.
    """
    phrases = _noun_phrases(counts, min_count)
    compounds = Counter(word for phrase in phrases for word in {*phrase.text.lower().split()})
    found = [noun for noun in _single_nouns(counts, min_count) if _is_distinctive_noun(noun, counts, compounds)]
    found += [phrase for phrase in phrases if _is_distinctive_phrase(phrase, counts)]
    found.sort(key=lambda noun: (-noun.score, noun.text))
    return found[:limit]


def _is_distinctive_noun(noun: Noun, counts: Counts, compounds: Mapping[str, int]) -> bool:
    """Whether a single noun is a term of the corpus: it names nothing that every text has, comes again and again where it
    comes, and makes compounds ("pool", where there are a connection pool and a pool size). In a script without capital
    letters it may be a name, and only what the word lists know is left out."""
    if not _is_cased(noun.text):
        return noun.text not in counts.lexicon.nouns and not is_ordinary(noun.text, counts.language)
    lower = noun.text.lower()
    known = noun.type == CONCEPT and lower not in counts.lexicon.nouns and lower not in counts.lexicon.everyday
    return known and noun.frequency >= _TERM and compounds[noun.text.lower()] > 1


def _is_distinctive_phrase(phrase: Noun, counts: Counts) -> bool:
    """Whether a phrase is a term: it holds a name, or is a compound of nouns, or comes often enough for any other."""
    if not _is_cased(phrase.text):
        return phrase.text not in counts.lexicon.nouns and not is_ordinary(phrase.text, counts.language)
    words = phrase.text.split()
    if "'s " in phrase.text or not _is_seen_as_noun(words[-1], counts) or _ends_in_clause(words):
        return False
    # "John Adebayo refuses" is a sentence's beginning; a noun that is seen in the plural only is rare
    verbal = words[-1].endswith("s") and counts.words.get(base_form(words[-1]), _NEVER)[1] == 0
    if any(map(str.isupper, phrase.text)):
        if _is_description(phrase, words):
            return False
        named = len(words) > 2 or words[0].lower() in GIVEN_NAMES
        return not (verbal and named and all(word[0].isupper() for word in words[:-1]))
    if phrase.type not in (CONCEPT, EVENT) or any(word in counts.lexicon.nouns for word in words[:-1]):
        return False
    if verbal or phrase.spread < _SPREAD or (words[0].endswith("ing") and _is_verb_form(words[0], counts.lexicon)):
        return False  # app crashes, playing games
    return counts.compounds and phrase.frequency > (_TERM if _is_seen_as_noun(words[0], counts) else 2 * _TERM)


def _is_description(phrase: Noun, words: Sequence[str]) -> bool:
    """Whether a name before a common noun only says whose or of what kind somebody or something is: MIT professor, NASA
    astronaut, an Oscar-nominated film, Uppercross horses, the Longbourn family."""
    of = not HEAD_ENDS.isdisjoint(words)
    head = words[0] if of else words[-1]
    if head in SENTENCES.set_of("groups") or (phrase.type in (PERSON, WORK) and words[-1].islower()):
        return True
    return (
        words[-1].islower()
        and not of
        and (words[-1] != base_form(words[-1]) or (phrase.type == CONCEPT and phrase.spread < _SPREAD + 1))
    )


def _is_verb_form(word: str, lexicon: Lexicon) -> bool:
    stem = word.removesuffix("ing")
    return stem in lexicon.verbs or stem + "e" in lexicon.verbs


def _ends_in_clause(words: Sequence[str]) -> bool:
    """Whether the last word is a participle of what is before it, or an adjective: researchers working, PC-based."""
    if not words[-1].isascii():
        return False
    doing = words[-1].endswith("ing") and (len(words) > 2 or words[0][0].isupper() or words[0] != base_form(words[0]))
    return doing or words[-1].endswith(("-based", "-like", "-style", "-related", "-free", "-driven"))


def _is_seen_as_noun(word: str, counts: Counts) -> bool:
    """Whether a word is known as a noun, by its ending or by an article before it; a name's last word is one."""
    values = counts.words.get(word)
    endings = word.endswith(SENTENCES.of_all("noun_endings")) and not word.endswith("ing")
    known = any(map(str.isupper, word)) or endings or noun_type(word, counts.lexicon) != CONCEPT
    return known or (values is not None and values[1] > 0 and values[3] * 4 <= values[0])


def _is_cased(text: str) -> bool:
    return text.lower() != text.upper()


def _single_nouns(counts: Counts, min_count: int) -> list[Noun]:
    sums: dict[str, list[int]] = {}
    surfaces: dict[str, list[tuple[int, str]]] = {}
    for word, values in counts.words.items():
        key = base_form(word)
        entry = sums.get(key)
        sums[key] = list(values) if entry is None else [one + other for one, other in zip(entry, values, strict=True)]
        surfaces.setdefault(key, []).append((values[0], word))
    nouns = (_single_noun(key, surfaces[key], values, counts, min_count) for key, values in sums.items())
    return [noun for noun in nouns if noun is not None]


def _single_noun(
    key: str, surfaces: list[tuple[int, str]], values: list[int], counts: Counts, min_count: int
) -> Noun | None:
    total, determined, heads, verbal, chunks = values
    surface = max(surfaces)[1]
    if (
        total < min_count - 1
        or len(key) < 3
        or chunks > widest(counts.n_chunks)
        or not heads
        or _is_general(key, surface, counts.lexicon)
    ):
        return None
    type_ = noun_type(key, counts.lexicon)
    share = (determined + 0.5 * (heads - determined) + 1) / (total + 2)
    if share < 0.15 or verbal * 3 > total * 2:
        return None
    weight = 1.0
    if type_ == CONCEPT:
        clustered = _residual_idf(total, chunks, counts.n_chunks)
        least = 0.5 if key.endswith(_ADJECTIVE_ENDINGS) else 0.17
        if total < min_count or share < 0.4 or determined < least * total or verbal * 4 > total or clustered < _BURSTY:
            return None
        weight = _CONCEPT_WEIGHT * min(clustered, 2.0)
    forms = {word for _, word in surfaces} | ({key} if key.isascii() else set())
    return Noun(
        surface, tuple(sorted(forms)), type_, total, chunks, weight * share * _salience(total, chunks, counts.n_chunks)
    )


def _is_general(key: str, surface: str, lexicon: Lexicon) -> bool:
    return any(form in lexicon.general or form in lexicon.verbs or form in lexicon.calendar for form in (key, surface))


def _noun_phrases(counts: Counts, min_count: int) -> list[Noun]:
    broad = 3 * widest(counts.n_chunks)  # a phrase is never as vague as a word
    found = []
    for forms, (total, determined, chunks) in _merged_phrases(counts.phrases):
        phrase = forms[0][1]
        if _HAN.match(phrase):  # seen at openings and ends of pieces: each word counted twice
            if not 0 < determined < total:
                continue
            total = (total + 1) // 2
        if total < min_count - 1 or chunks > broad:
            continue
        type_ = _phrase_type(phrase, counts)
        if (total >= min_count or _is_named_event(phrase, type_)) and _is_noun_phrase(phrase, counts):
            score = _PHRASE_WEIGHT * _salience(total, chunks, counts.n_chunks)
            found.append(Noun(phrase, tuple(sorted(form for _, form in forms)), type_, total, chunks, score))
    return _without_fragments(found)


def _merged_phrases(phrases: Mapping[str, list[int]]) -> Iterator[tuple[list[tuple[int, str]], list[int]]]:
    """Phrases that differ in the number of their last noun only: ((count, form) by descending count, summed counts)."""
    by_key: dict[str, list[str]] = {}
    for phrase in phrases:
        first, _, last = phrase.rpartition(" ")
        by_key.setdefault(f"{first} {base_form(last)}", []).append(phrase)
    for group in by_key.values():
        if len(group) == 1:
            yield [(phrases[group[0]][0], group[0])], phrases[group[0]]
        else:
            forms = sorted(((phrases[form][0], form) for form in group), reverse=True)
            yield forms, [sum(values) for values in zip(*(phrases[form] for form in group), strict=True)]


def _is_named_event(phrase: str, type_: str) -> bool:
    """Whether a phrase is an entity at its first sighting: "siege of Orléans" is, "death of Jacob" is not."""
    return (
        type_ == EVENT
        and any(map(str.isupper, phrase))
        and phrase[0].islower()
        and phrase.split()[0] not in SENTENCES.set_of("everyday_events")
    )


def _phrase_type(phrase: str, counts: Counts) -> str:
    """By its head: the last word, but the first of "siege of Orléans" and in Arabic."""
    lexicon = counts.lexicon
    words = phrase.replace("'", "' ").split()
    if not phrase.isascii() and (by_ending := type_of_unspaced(phrase, counts.language)):
        return by_ending
    if len(words) > 1 and not HEAD_ENDS.isdisjoint(words[1:]):
        return noun_type(head_of(words), lexicon)
    if words[0] in lexicon.honorifics and len(words) > 1:
        return PERSON
    type_ = noun_type(words[-1], lexicon)
    return noun_type(words[0], lexicon) if type_ == CONCEPT and not phrase[0].isascii() else type_


def _without_fragments(nouns: list[Noun]) -> list[Noun]:
    """Without phrases that are hardly ever seen but inside a longer one ("Federal Reserve" may stay, "Reserve Bank" goes)."""
    longest: dict[str, int] = {}
    for noun in nouns:
        for part in _parts(noun.text):
            longest[part] = max(longest.get(part, 0), noun.frequency)
    return [noun for noun in nouns if longest.get(noun.text, 0) * 5 < noun.frequency * 4]


def _parts(phrase: str) -> set[str]:
    """Shorter phrases at either end of a phrase; of a word without spaces, all that are one to three characters shorter."""
    words = phrase.split()
    if len(words) > 1:
        return {" ".join(words[1:]), " ".join(words[:-1])}
    if not phrase.isascii() and is_unspaced(phrase[0]):
        return {
            phrase[start : start + size]
            for size in range(max(2, len(phrase) - 3), len(phrase))
            for start in range(len(phrase) - size + 1)
        }
    return set()


def _is_noun_phrase(phrase: str, counts: Counts) -> bool:
    """Whether neither end of a phrase is a general word, a verb or an adverb, as far as the corpus shows."""
    words = phrase.split()
    first, last = words[0], words[-1]
    lexicon = counts.lexicon
    if (
        first.lower() in lexicon.general
        or last in lexicon.general
        or first in lexicon.calendar
        or last in lexicon.calendar
    ):
        return False
    if first.lower() in lexicon.demonyms and noun_type(last, lexicon) in (PERSON, WORK):
        return False  # "American actor" says nothing of anybody
    if first.islower() and _is_verbal(first, counts):
        return False
    return last[0].isupper() or not last.isascii() or _is_noun(last, counts)


def _is_verbal(word: str, counts: Counts) -> bool:
    values = counts.words.get(word)
    return values is not None and values[3] * 4 > values[0]


def _is_noun(word: str, counts: Counts) -> bool:
    if word.endswith(SENTENCES.of_all("noun_endings")) or noun_type(word, counts.lexicon) != CONCEPT:
        return not _is_verbal(word, counts)
    values = counts.words.get(word)
    return values is not None and (values[1] + 0.5) * 6 > values[0] + 1 and values[3] * 4 <= values[0]


def _residual_idf(total: int, chunks: int, n_chunks: int) -> float:
    """By how many bits a word is in fewer chunks than chance would put it (Church and Gale 1995, "Poisson mixtures")."""
    if n_chunks < _FEW_CHUNKS:
        return _BURSTY
    return math.log2(n_chunks * (1 - math.exp(-total / n_chunks)) / chunks)


def _salience(total: int, chunks: int, n_chunks: int) -> float:
    """Frequency, dampened, times how far a word is from being in every chunk."""
    return math.log1p(total) * math.log((n_chunks + 1) / (chunks + 0.5) + 1)
