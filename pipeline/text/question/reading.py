"""Reads a question: its language, its names, its words with what each weighs, and what it asks for. No model reads it."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache

from pipeline.text.keys import key_of, keys_of, pairs
from pipeline.text.lexicon.cjk import POLITE_TITLES, without_title
from pipeline.text.lexicon.frequency import RARE, frequency
from pipeline.text.lexicon.genders import is_name
from pipeline.text.lexicon.questions.question_words import QUESTIONS
from pipeline.text.lexicon.words import either
from pipeline.text.question.accents import with_accents
from pipeline.text.question.asking_words import asking_words, question_language
from pipeline.text.question.initials import LetteredName, lettered_names
from pipeline.text.question.kinds import (
    asks_of_several,
    compared,
    cue_words,
    kinds_of,
    sets_against,
)
from pipeline.text.question.names import (
    BETWEEN,
    WORD,
    capital_runs,
    identifiers_in,
    is_flag,
    number_in,
    parts_of,
    without_possessive,
)
from pipeline.text.question.nouns_too import nouns_among, only_noun
from pipeline.text.question.question import LinkedEntity, Question, Term
from pipeline.text.question.scope.mention_questions import asked_mention
from pipeline.text.scripts import HIRAGANA, UNSPACED, is_unspaced, words_of
from pipeline.text.tokenizer import fold_word, without_points

ALONE, KANA = 0.5, 0.3
"""What a single character and a pair in hiragana weigh against another pair of an unspaced script."""
FREQUENT = 0.6
"""Share of its weight that a word loses which any text of its language has: what few passages of a small corpus hold need not say
much ("went", "time"). Chosen on eleven corpora; on four others right answers rise from 35.0 to 37.5 of 100."""
COMMON = 2.0
"""Powers of ten by which such a word is more frequent than a rare one."""
UNKNOWN_PAIR = 1.6
"""What a pair of characters weighs that is in no passage: often the end of one word and the beginning of the next."""

_YEAR = re.compile(r"(?<!\d)[12]\d{3}(?!\d)")
_RUN = re.compile(f"[{UNSPACED}]+")
_TITLE = re.compile(rf"(?<=[^\W{HIRAGANA}]|\s)(?:{POLITE_TITLES})(?![^\W{HIRAGANA}])")
_HIRAGANA = re.compile(f"[{HIRAGANA}]+")


def _even(word: str) -> float:
    return 1.0


def read_question(
    text: str,
    entities: Sequence[LinkedEntity] = (),
    rarity: Callable[[str], float] = _even,
    corpus_language: str = "und",
) -> Question:
    """Read a question. ``entities`` are those of the index that it names; ``rarity`` is ln(1 + N / passages with a word),
    and 0 where the word is in none. ``corpus_language`` decides where the language of the question's words is not clear.
    """
    text = without_points(text)
    entities = [one._replace(written=without_points(one.written)) for one in entities]
    language = question_language(text, corpus_language)
    text = with_accents(text, language, (one.written for one in entities))
    lists = words_of(language)
    nouns = nouns_among(text, language)
    function = lists.function - lists.content - nouns
    known = names_among(text, entities)
    identifiers = identifiers_in(text)
    names = list(
        dict.fromkeys([*identifiers, *known, *_other_names(text, (*identifiers, *known), lists.function, language)])
    )
    sides = _sides(text, names, function, language)
    names += sides
    lettered = _letters_of(names, text, language)
    numbers = {name: number for number, name in enumerate(dict.fromkeys([*names, *lettered]), 1)}
    letters = {numbers[name]: one for name, one in lettered.items()}
    exact = {numbers[one] for one in identifiers}
    terms = _spaced_terms(
        _without_whole(_asides(language).sub(" ", text), numbers, rarity, language),
        numbers,
        exact,
        letters,
        function,
        nouns,
        language,
        rarity,
    ) + _unspaced_terms(text, numbers, rarity)
    if compared(text, language):
        terms = [term for term in terms if term.name or not sets_against(term.word, language)]
    kinds = kinds_of(text, language)
    terms = _without_saying(terms, text, kinds, language)
    several = len(names) > 1 and asks_of_several(text, language)
    forms = tuple(
        (numbers[name], tuple(sorted(keys_of(form, language) - function)))
        for name, forms in known.items()
        for form in forms
        if form != name
    )
    as_written = tuple((numbers[one], one if is_flag(one) else one.casefold()) for one in identifiers)
    return Question(
        text,
        language,
        kinds,
        tuple(terms),
        tuple(entities),
        forms,
        several,
        as_written,
        *asked_mention(text, language),
        lettered=tuple(letters.items()),
    )


@cache
def _asides(language: str) -> re.Pattern[str]:
    """Return what finds what a question in a language says by the way."""
    return re.compile(rf"\b(?:{either(QUESTIONS.by_language('asides').get(language, ()))})\b", re.IGNORECASE)


def _without_whole(text: str, names: Collection[str], rarity: Callable[[str], float], language: str) -> str:
    """Return a question that names something without what it calls the whole of the texts at its end, "in the project", where no passage
    calls it so."""
    whole = QUESTIONS.pattern("of_the_whole", language).search(text) if names else None
    if whole is None or text[whole.end() :].strip(" ?.!\u00a0"):
        return text
    noun = WORD.findall(whole[0])[-1].rpartition("'")[2].rpartition("’")[2]
    return text if rarity(noun.casefold()) else text[: whole.start()] + text[whole.end() :]


@cache
def _unspaced_asides() -> re.Pattern[str]:
    """Return what finds what a question in a script without spaces says by the way, and the words by which it asks."""
    asides = QUESTIONS.by_language("asides")
    return re.compile(either(one for language in ("ja", "zh") for one in asides[language]))


def names_among(text: str, entities: Iterable[LinkedEntity]) -> dict[str, tuple[str, ...]]:
    """Return the names among the entities of a question, as it writes them, with their other forms.

    A title without a capital is a common noun and no name. Where the question is written with capitals, so are its names.
    """
    cased = any(char.isupper() for char in text[1:])
    return {
        one.written: (one.title, *one.aliases)
        for one in entities
        if one.written and is_name(one.title) and (not cased or not one.written[0].islower())
    }


def _other_names(text: str, known: Iterable[str], function: frozenset[str], language: str) -> list[str]:
    """Return the names of a question that are not known yet: what is capitalised where that says something, years."""
    found: list[str] = []
    inside = {part.casefold() for name in known for part in parts_of(name)}
    if language != "de":  # where every noun is capitalised
        runs = capital_runs(text, {*function, *QUESTIONS.set_of("saying_little")})
        found += [
            run
            for run in runs
            if not inside.intersection(part.casefold() for part in parts_of(run)) and not _only_opens(run, text)
        ]
    if language not in ("ja", "zh"):  # what another script writes is called so
        runs = map(without_title, _RUN.findall(text))
        found += [run for run in runs if not any(run in name or name in run for name in (*known, *found))]
    found += [year for year in _YEAR.findall(text) if not any(year in name for name in (*known, *found))]
    return list(dict.fromkeys(found))


def _letters_of(names: Collection[str], text: str, language: str) -> dict[str, LetteredName]:
    """Return the letters of a question that name somebody or something, by the name that has them: one that is known, or they alone."""
    found: dict[str, LetteredName] = {}
    for one in lettered_names(text, language):
        ending = (name for name in names if text[: one.start + len(one.written)].casefold().endswith(name.casefold()))
        found.setdefault(next((name for name in ending if len(name) > len(one.written)), one.written), one)
    return found


def _without_saying(terms: list[Term], text: str, kinds: Collection[str], language: str) -> list[Term]:
    """Return the terms without the verb behind a name by which a question asks what somebody says, which their texts do not hold;
    "Who wrote it?" asks for it."""
    names = [text.find(term.word) for term in terms if term.name]
    if not names or {"person", "place"}.intersection(kinds):
        return terms
    says = QUESTIONS.pattern("says", language)
    rest = [
        term
        for term in terms
        if term.name or not (says.fullmatch(term.word) and text.casefold().find(term.word) > min(names))
    ]
    return rest if any(not term.name for term in rest) else terms


def _sides(text: str, names: Collection[str], function: Collection[str], language: str) -> list[str]:
    """Return what tells apart the two things whose difference is asked for, where they have no names: of "the old pump and the new
    pump" the words "old" and "new"."""
    sides = compared(text, language)
    if not sides or any(name in side for side in sides for name in names):
        return []
    said = [[word for word in WORD.findall(side) if word.casefold() not in function] for side in sides]
    apart = [
        [word for word in words if word not in other] or words
        for words, other in zip(said, reversed(said), strict=True)
    ]
    found = [re.search(r"\W+(?:\w+\W+)*?".join(map(re.escape, words)), text) for words in apart if words]
    return [match[0] for match in found if match]


def _only_opens(run: str, text: str) -> bool:
    """Return whether a capitalised run is the one word that a question opens with, which has a capital for that."""
    return " " not in run and not any(char.isalnum() for char in text[: text.index(run)])


def _spaced_terms(
    text: str,
    numbers: Mapping[str, int],
    exact: Collection[int],
    lettered: Mapping[int, LetteredName],
    function: frozenset[str],
    nouns: frozenset[str],
    language: str,
    rarity: Callable[[str], float],
) -> list[Term]:
    """Return the words that say something, with what each weighs; neither function words nor those that merely ask, but
    for those of identifiers, whose numbers are ``exact``, the letters of names, and ``nouns`` that are such words elsewhere."""
    named: dict[str, tuple[str, int]] = {}
    for name, number in numbers.items():
        letters = lettered[number].letters if number in lettered else ()
        named |= {key_of(letter, language): (letter, number) for letter in letters}
        for part in parts_of(name):
            if letters and (
                part in letters or (lettered[number].titled and part.casefold() == lettered[number].before)
            ):
                continue
            lower = part.casefold()
            says = not is_unspaced(part) and lower not in BETWEEN and (lower not in function or part[0].isupper())
            if says or number in exact:
                named.setdefault(key_of(part, language), (part, number))
    cues = {word.casefold() for word in cue_words(text, language)}
    asking = asking_words(language)
    found = {
        key: (word, number)
        for key, (word, number) in (
            _words(text, function, QUESTIONS.set_of("saying_little"), language, nouns) | named
        ).items()
        if number in exact
        or word in nouns
        or not (
            (fold_word(word) in asking and not number)
            or word.casefold() in cues
            or (word.casefold() in function and text.startswith(word))
        )
    }
    # "What is the price?" says nothing but what it asks for.
    found = found or _words(text, function, (), language) | named
    found = found or {key_of(word, language): (word, 0) for word in filter(None, [only_noun(text, language)])}
    rare = {
        key: rarity(word) * (1.0 if number else _distinctive(word.casefold(), language))
        for key, (word, number) in found.items()
    }
    terms = [Term(word, key, number, rare[key], rare[key] > 0) for key, (word, number) in found.items()]
    terms = [_as_name(term, terms, lettered) for term in terms]
    lower = text.casefold()
    in_points = {number: parts_of(name) for name, number in numbers.items() if number in exact and number_in(name)}

    def place(term: Term) -> int:
        one = lettered.get(term.name)
        return (
            one.start + one.written.find(term.word)
            if one and term.word in one.letters
            else lower.find(term.word.casefold())
        )

    return _weighed(sorted(terms, key=place), in_points)


def _as_name(term: Term, terms: Iterable[Term], lettered: Mapping[int, LetteredName]) -> Term:
    """Return a letter of a name with at least the weight of the other words of the name: how many passages have the letter anywhere
    says little; a word that is no such letter as it is."""
    if term.name not in lettered or term.word not in lettered[term.name].letters:
        return term
    return term._replace(weight=max(one.weight for one in terms if one.name == term.name))


def _distinctive(word: str, language: str) -> float:
    """Return the share of its weight that a word in lower case keeps for its frequency in its language, 1 - FREQUENT to 1."""
    return 1 - FREQUENT * min(1.0, (frequency(word, language) - RARE) / COMMON)


def _words(
    text: str, function: Collection[str], without: Collection[str], language: str, nouns: Collection[str] = ()
) -> dict[str, tuple[str, int]]:
    """Return the words of a text by their keys, but for function words, small words inside names that are no ``nouns``, and
    some others; numbered as in no name."""
    parts = (
        part
        for word in map(without_possessive, WORD.findall(text))
        if not is_unspaced(word) and word.casefold() not in function and word.casefold() not in without
        for part in parts_of(word.casefold())
        if (part not in BETWEEN or part in nouns) and part not in function
    )
    return {key_of(part, language): (part, 0) for part in parts}


def _weighed(terms: Sequence[Term], in_points: Mapping[int, Sequence[str]]) -> list[Term]:
    """A name weighs as much as its rarest word, shared out among its words; a number with points as much as all of its parts,
    since each is common ("3.0"); a word that is in no passage as much as the middle of the others, unless it is a name's."""
    known = sorted(term.weight for term in terms if term.weight)
    middle = known[len(known) // 2] if known else 1.0
    highest = max(known, default=1.0)
    terms = [term._replace(weight=term.weight or (highest if term.name else middle)) for term in terms]
    weighed = []
    for term in terms:
        fellows = [other.weight for other in terms if term.name and other.name == term.name]
        weight = max(fellows) * term.weight / sum(fellows) if fellows else term.weight
        if parts := in_points.get(term.name):
            weight = term.weight * parts.count(term.word)
        weighed.append(term._replace(weight=weight))
    return weighed


def _unspaced_terms(text: str, numbers: Mapping[str, int], rarity: Callable[[str], float]) -> list[Term]:
    """Return the pairs of characters of the runs of unspaced scripts that say something."""
    names = {name: number for name, number in numbers.items() if _RUN.search(name)}
    function = QUESTIONS.set_of("function_of_unspaced")
    found: dict[str, Term] = {}
    for name, number in names.items():
        for key in pairs(name):
            found.setdefault(key, Term(name, key, number, rarity(key) or 1.0))
    for name in names:
        text = text.replace(name, " ")
    text = _unspaced_asides().sub(" ", text)
    text = _TITLE.sub(" ", text)
    for run in _RUN.findall(text):
        for segment in re.split(f"([{HIRAGANA}]+)|([{re.escape(''.join(sorted(function)))}])", run):
            if not segment or segment in function:
                continue
            kana = bool(_HIRAGANA.fullmatch(segment))
            for key in pairs(segment) if len(segment) > 1 else [] if kana else [segment]:
                if kana and set(key) & function:
                    continue
                share = KANA if kana else ALONE if len(key) < 2 else 1.0
                found.setdefault(key, Term(key, key, 0, share * (rarity(key) or UNKNOWN_PAIR)))
    return list(found.values())
