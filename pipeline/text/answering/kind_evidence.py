"""How surely a text holds the kind of thing that a question asks for: a person, a number, a place, a reason, what somebody is."""

import re
from collections.abc import Collection, Iterable
from functools import cache, lru_cache

from pipeline.text.answering.support import negates
from pipeline.text.attribution import STAMP
from pipeline.text.dates import MONTHS, days_of_months, find_dates, names_day
from pipeline.text.keys import key_of, keys_of
from pipeline.text.lexicon.given_names import GIVEN_NAMES
from pipeline.text.lexicon.questions.question_words import MEASURES, QUESTIONS
from pipeline.text.lexicon.russian import begins_with_person
from pipeline.text.lexicon.words import union
from pipeline.text.question.kinds import ALL, goes_on, longest_unspaced, refers_back, speaks_of_itself
from pipeline.text.question.names import BETWEEN, WORD, names_in
from pipeline.text.question.question import Question
from pipeline.text.question.rows.row_words import is_column_of, is_unknown
from pipeline.text.question.who_it_is import ADDRESSED, DOES, LIKELY, NAMED, may_be_role, says_who, speaks
from pipeline.text.scripts import UNSPACED, is_unspaced, words_of
from pipeline.text.sentences import CELLS
from pipeline.text.tokenizer import without_points

LONGEST_PERSON = 7
"""A person's name in an unspaced script has fewer characters than this."""
NAMES = 4
"""Names of a sentence beyond which it is taken for a list of those present."""
OPENING = 12
"""Characters that may be before a name, or a word of one, that opens a sentence."""
STAMPED = 0.5
"""How surely a message says when something is by when it was sent."""
INSTRUCTION = 0.6
"""How surely a sentence says how to do something that asks the reader to press, use or choose."""
UNNAMED, NO_DIGITS = 0.4, 0.6
"""How surely a text gives a secret that has digits and does not say of what, and one that names a secret without digits."""
OF_COLUMNS = frozenset({"money", "person", "place"})
"""Kinds of things that a row shows by the heads of its columns."""
SIGNS = " \t-*•–>#`_\"'“”„«»(["
"""Signs of lists, quotations and bold face that may be before the first word of a sentence."""
INITIALS = 3
"""Capitals that may be somebody's initials, at most."""
NEAR = 3
"""Words between a name and the word that says what bears it, at most."""
_MARKUP = '[`*_"”“»]*'
"""What may be between a name and what is said of it."""
_SIGN = re.compile(r"^\W*(?:\d{1,3}[.)]|\d{1,3}(?:\.\d{1,3})+\.?)\s")
"""The number of an item of a list, or of a clause."""
_CALLED = re.compile(r"[(（][^()（）]{0,60}[\"“„«「]$")
"""Before a name that a contract gives somebody: "Ann Thorne (hereinafter "the Tenant")"."""
_LONGER = re.compile(r" [A-Z][\w.]*")
"""Behind the name of a thing: what makes it that of another one, "Debian Policy"."""
_COMPOUND = re.compile(r"[-‐‑]\w")
_NOUN_BEFORE = re.compile(r"(?<!\w)([^\W\d_A-ZЀ-Я][\w'’]*|的|人|主任|長|师|員|者) ?$|([\u3400-\u9fff]) ?$")
_ROLE_BEFORE = re.compile("の[^。、はが]{1,8}[はが]$")
_YEAR = re.compile(r"[12]\d{3}")
_CONTACT = re.compile(r"\S@\S+\.\w|(?<!\d)\+?\d[\d ()/.-]{6,}\d")
"""An address of e-mail, a number of a telephone."""
SHORT = 2
"""Letters of a word behind which a number is no version: "of 3"."""
_VERSION = re.compile(
    r"(?:(?P<word>[^\W\d_]+)[*_`]*[ -]?)?(?<![\w.,:])(?P<v>[vV])?(?P<number>\d+(?:\.(?:\d+|[x*]))*)(?![\w:,%]|[.,-]\d)"
)
_IS_SAID = r"(?:<<is_unspaced>>|[(（]|：|[—–])"
"""Behind the name of a person in an unspaced script, of whom a sentence says who that is."""
_MEANS = r"(?P<many>e?s|e?n)?[`*_\"”»“]*(?: [^\W\d_]+[`*_\"”»“]*){0,3}? (?:<<is>> (?P<one><<articles>>\b)?|(?P<sure><<defining>>\b))"
"""Behind a common noun, in any of its forms: what it means. Of several, or before an article, it is surely said."""
_ENTRY = r"(?:e?s|e?n)?[`*_\"”»“]*(?: ?[—–:：]| -|\s?\|)[`*_]*\s+(?=[^\W\d_][\w'’-]*[^\w\s]? [\w'’-]+[^\w\s]? \w)"
"""Behind what an entry of a glossary explains, "Hopper - the queue of the readings": three words or more."""
ENTRY_OPENING = 3
"""Characters that may be before the name of such an entry: the sign of a list, marks of bold face."""
STATED = 0.8
"""How surely a sentence says what a noun means that goes on with a form of *to be* and no article: "The hopper is sent at night"."""
_OF_THING = (
    r"(?:e?s)?[`*_\"”»“]*(?: [A-Z][\w./+]*){0,2}(?: of (?:an? )?[\w-]+)?(?:,? (?:<<is_or_was>>|<<defining>>)\b"
    r"|(?<=[\"”“»]) <<comprising>>\b|, <<articles>>\b|<<means_unspaced>>| ?[(（]| ?[—–]| - |<<is_unspaced>>|：)"
)
"""Behind the name of a thing, of which a sentence says what that is."""
_HOW = r".{0,40}? <<is_or_was>> <<adverbs>>\b"
"""Behind such a name where a sentence says how the thing is, not what."""
_WITHIN = r"(?i)\s<<within>>\s"
"""Behind that of which a question asks the meaning: where it has that."""
_HOUR = r"\d{1,2}(?:[:.]\d\d)?"
_HOURS = rf"(?<!\d){_HOUR} ?(?:<<until_hour>>|[-–~〜～]) ?{_HOUR}(?!\d)"
"""The time from one hour to another."""
_CJK_TIMES = re.compile("[曜年月日号點点时時]")


def evidence_of_kind(said: str, question: Question, people: frozenset[str], languages: frozenset[str]) -> float:
    """Return how surely a text holds the kind of thing that is asked for, 0 to 1; ``people`` are names of persons,
    ``languages`` those that the question and the text are in."""
    if question.kind == "expansion":
        return max((_stands_for(name, said) for name in subjects(question)), default=0.0)
    different = question.asks_difference
    if different and question.named(question.met_by(said)) == question.names:
        return BOTH
    if different or ("definition" in question.kinds and not asks_for_bearer(question)):
        names_nobody = asks_who(question) and not is_unspaced(said) and not _shows_person(said, people, "")
        return 0.0 if names_nobody else defines(said, question)
    if question.kind in OF_COLUMNS and CELLS in said and _in_column(question.kind, said, question.text.casefold()):
        return 1.0
    stamp = STAMP.match(said)
    kind = "person" if "definition" in question.kinds else question.kind
    said = said[stamp.end() :] if stamp else said
    bearers = [question.terms[place].word for place in question.asked_for]
    text = said if kind == "version" else _SIGN.sub("", said)
    shown = shows(kind, text, question.text, people, languages, bearers)
    if kind == "number" and question.asked_for and (_counts_others(said, question) or _only_measures(said, question)):
        shown = min(shown, OTHER_UNIT)
    if kind == "money" and shown > OTHER_UNIT and _is_no_pay(said, question, languages):
        shown = OTHER_UNIT
    if kind == "age" and shown > OF_WRITER and _is_age_of_others(said, question, languages):
        shown = OF_WRITER
    return max(shown, STAMPED) if stamp and question.kind == "date" else shown


def _in_column(kind: str, said: str, asked: str) -> bool:
    """Return whether a row that names its columns, "Object: bucket | Where now: freezer B", has something that the question does not say in
    one that is headed as those of a kind are."""
    cells = (cell.partition(": ") for cell in said.split(CELLS))
    return any(
        is_column_of(name, kind) and value.strip() and value.strip().casefold() not in asked and not is_unknown(value)
        for name, _, value in cells
    )


BOTH = 0.6
"""How surely a sentence that speaks of both things shows how they differ; one that says what one of them is does it more surely."""


def asks_for_bearer(question: Question) -> bool:
    """Return whether a question asks who bears a title or has a post, of something that it names ("Who is the director of Seat?"):
    a sentence that says what Seat is does not answer it."""
    asks_who_is = {"definition", "person"} <= set(question.kinds)
    return asks_who_is and bool(question.names) and not all(term.name for term in question.terms)


def asks_who(question: Question) -> bool:
    """Return whether a question asks who it is that it only describes, so that an answer tells of somebody."""
    return "person" in question.kinds and any(not term.name for term in question.terms)


def does_another(said: str, key: str, question: Question) -> bool:
    """Return whether a sentence says a word, by its key, only right behind a name that is none of the question's, before which it names
    none of those, nor somebody by a pronoun: whatever it tells, it tells of that one."""
    languages, words = frozenset({question.language}), [*WORD.finditer(said)]
    if refers_back(said, languages) or goes_on(said, languages):
        return False
    places = [at for at, word in enumerate(words) if key_of(word[0], question.language) == key]
    others = [name for name in names_in(said) if question.named(question.met_by(name)) != question.names]
    for at in places:
        before = said[: words[at].start()]
        near = said[words[max(at - NEAR, 0)].start() : words[at].start()]
        if question.named(question.met_by(before)) or not any(name in near for name in others):
            return False
    return bool(places)


def shows(
    kind: str,
    text: str,
    question: str,
    people: frozenset[str],
    languages: frozenset[str] = ALL,
    bearers: Collection[str] = (),
) -> float:
    """Return how surely a text in some languages holds a kind of thing, 0 to 1; what the question itself says does not count.
    ``bearers`` are the words of it for what bears the name that is asked for, where it says them."""
    match kind:
        case "age" | "number" | "money" | "duration" | "date":
            return _shows_number(kind, text, question, languages)
        case "person":
            return _shows_person(text, people, question.casefold())
        case "name":
            return _shows_name(text, question, languages, bearers)
        case "place":
            return _shows_place(text, question.casefold(), languages)
        case "cause" | "colour" | "death":
            return float(bool(QUESTIONS.pattern(f"shows_{kind}", *languages).search(text)))
        case "how":
            return INSTRUCTION if QUESTIONS.pattern("instructing", *languages).search(text) else 0.0
        case "contact":
            return float(bool(_CONTACT.search(text)))
        case "secret":
            return _shows_secret(text, question, languages)
        case "version":
            return shows_version(_without_sums(text, languages), question)
    return 0.0


def defines(said: str, question: Question) -> float:
    """Return how likely a sentence says who or what the question's names are, 0 to 1."""
    things = "person" not in question.kinds
    return says_what(without_points(said), subjects(question), question.language, things)


def says_what(said: str, names: Iterable[str], language: str, things: bool = False) -> float:
    """Return how likely a sentence says who or what some names are, 0 to 1: it says so beside one of them. A sentence
    of many names is taken for a list of those present, unless it opens with that one. Of a common noun, where ``things`` are
    asked for, only a sentence that opens with it says what it means."""
    best = 0.0
    said = " ".join(said.split())
    crowded = len(names_in(said)) > NAMES
    for name in names:
        is_noun = name == name.lower() and not is_unspaced(name)
        written = rf"(?<!\w){re.escape(name)}" if is_noun else re.escape(name)
        for match in re.finditer(rf"{written}{_MARKUP}", said, re.IGNORECASE if is_noun else 0):
            before, after = said[max(0, match.start() - 70) : match.start()], said[match.end() : match.end() + 30]
            if _CALLED.search(before) and after.lstrip(" ,")[:1] in ")）,":
                return 1.0
            if _COMPOUND.match(after):  # "the LVM-HowTo" is another thing
                best = max(best, 0.3)
                continue
            noun = _NOUN_BEFORE.search(before)
            if is_noun and things:
                sure = _means(match.start(), after)
            elif things and not is_unspaced(name):
                opens = match.start() <= OPENING
                says = 1.0 if opens else 0.8
                sure = (
                    says
                    if QUESTIONS.compiled(_OF_THING).match(after)
                    and not (DOES.match(after) or QUESTIONS.compiled(_HOW).match(after))
                    else 0.3
                )
                entry = opens and _opens_entry(match.start(), after)
                sure = 1.0 if entry or _spelt_out(name, said, match.start()) else sure
            elif _spelt_out(name, said, match.start()) or _ROLE_BEFORE.search(before):
                sure = 1.0
            elif is_unspaced(name):
                is_said = QUESTIONS.compiled(_IS_SAID).match(after)
                sure = 1.0 if is_said else LIKELY if noun else NAMED
            else:
                beside = says_who(said, match.start(), match.end(), language)
                is_role = noun and noun[1] and may_be_role(noun[1], language)
                sure = beside if beside is not None else LIKELY if is_role else NAMED
                if sure == NAMED and speaks(said, match.start(), match.end(), language):
                    sure = ADDRESSED
            if things and sure == 1.0 and _LONGER.match(after):
                sure = 0.8
            opens = match.start() <= OPENING and sure == 1.0
            best = max(best, sure * (0.5 if crowded and not opens else 1.0))
    return best


def _means(at: int, after: str) -> float:
    """Return how surely a sentence that has a common noun at a place says what that means, by what is behind it."""
    if _opens_entry(at, after):
        return 1.0
    said = QUESTIONS.compiled(_MEANS).match(after) if at <= OPENING else None
    return 0.3 if not said else 1.0 if any(said.groups()) else STATED


def _opens_entry(at: int, after: str) -> bool:
    return at <= ENTRY_OPENING and QUESTIONS.compiled(_ENTRY).match(after) is not None


def _spelt_out(name: str, said: str, at: int) -> bool:
    """Return whether the words before an acronym in brackets, or in brackets behind it, are what its letters stand for."""
    if not name.isupper():
        return False
    bracket = re.match(r"\W{0,4}[(（]([^()（）]+)[)）]", said[at + len(name) :])
    before = _initials(said[: at - 1])[-len(name) :] if at and said[at - 1] in "(（" else ""
    return name in (before, _initials(bracket[1]) if bracket else "")


def _initials(text: str) -> str:
    return "".join(word[0] for word in re.findall(r"[^\W\d_]+", text.upper()))


def _stands_for(name: str, said: str) -> float:
    """Return how surely a sentence says what the letters of a name stand for, 0 or 1."""
    places = [match.start() for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", said)]
    return float(
        any(_spelt_out(name, said, at) for at in places)
        or bool(places and QUESTIONS.compiled(r"(?i)\b<<spelling_out>>").search(said))
    )


def subjects(question: Question) -> list[str]:
    """Return the names of a question, as it writes them, and their words; where it has none, what it asks about."""
    named: list[str] = []
    asked = QUESTIONS.compiled(_WITHIN).split(question.text)[0]
    for number in sorted(question.names):
        parts = [term.word for term in question.terms if term.name == number]
        whole = re.search(r"\W+".join(map(re.escape, parts)), question.text)
        if whole is None or whole.start() < len(asked):
            named += [whole[0]] if whole else parts
            named += [part for part in parts if whole and part != whole[0]][-1:]
    return named or longest_unspaced(question.text) or _whole(question, asked)


def _whole(question: Question, asked: str) -> list[str]:
    """Return the words of a question that are no names, as it writes them one behind the other, or each by itself."""
    words = [term.word for term in question.terms if not term.name]
    words = [word for word in words if word.casefold() in asked.casefold()] or words
    whole = re.search(r"\W+".join(map(re.escape, words)), asked)
    return [whole[0]] if whole and words else words


def _shows_person(text: str, people: frozenset[str], asked: str) -> float:
    """Return 1 where a text names a known person whom the question does not, less where it has another name."""
    others = [name for name in names_in(text) if name.casefold() not in asked]
    if any(name in people for name in others):
        return 1.0
    others = [name for name in others if not _is_time_or_code(name) and not _opens_or_is_short(name, text)]
    runs = re.findall(f"[{UNSPACED}・·]{{2,}}", text)
    parts = {run[i : i + size] for run in runs for size in range(2, LONGEST_PERSON) for i in range(len(run) - size + 1)}
    if any(part in people and part not in asked for part in parts):
        return 1.0
    opening = text.lstrip(SIGNS)
    tells = begins_with_person(opening)
    return 0.6 if any(not opening.startswith(name) or " " in name or tells for name in others) else 0.0


def _is_time_or_code(name: str) -> bool:
    """Return whether a capitalised run is a month, a day or a code, which nobody is called: "April", "Monday", "E21"."""
    return any(map(str.isdigit, name)) or _is_time(name)


def _is_time(name: str) -> bool:
    times = QUESTIONS.pattern("times")
    said = [word for word in WORD.findall(name.casefold()) if word not in BETWEEN]
    return all((word in MONTHS and word not in GIVEN_NAMES) or times.fullmatch(word) for word in said)


def _opens_or_is_short(name: str, text: str) -> bool:
    """Return whether a single word is all capitals, as abbreviations are, but for initials, or begins what is said behind a colon."""
    if " " in name:
        return False
    capitals = len(name) > INITIALS and name.isupper()
    return capitals or bool(re.search(rf"[:!?] [*_`\"“„«]*{re.escape(name)}(?!\w)", text))


def _shows_name(text: str, question: str, languages: frozenset[str], asked_for: Collection[str]) -> float:
    """Return how surely a text says what something is called: beside "called" it does, or where a word of the question is the
    first beside the name that says something."""
    naming, joins = QUESTIONS.pattern("naming", *languages), QUESTIONS.pattern("joining", *languages)
    function = union(words_of(language).function for language in languages)
    # What is beside a name of the question is seldom another name of its bearer; in German every noun looks like one.
    bearers = {part for run in names_in(question) if " " in run or "de" not in languages for part in run.split()}
    asked = {word.casefold() for word in asked_for or WORD.findall(question) if word not in bearers} - function
    best = 0.8 if is_unspaced(question[:1]) and naming.search(text) else 0.0
    of_asked = {part.casefold() for run in names_in(question) for part in run.replace("'s", "").split()}
    forms = of_asked | {part.rstrip("s'’") for part in of_asked}
    for name in names_in(text):
        if name.casefold() in question.casefold() or name.split()[-1].casefold() in forms:  # "Mr and Mrs Lisle"
            continue
        if _is_time(name):
            continue
        at = text.index(name)
        before, behind = WORD.findall(text[:at])[-NEAR:][::-1], WORD.findall(text[at + len(name) :])[:NEAR]
        if any(naming.search(" ".join(words)) for words in (before, behind)):
            return 1.0
        first = (next((word for word in words if word.casefold() not in function), "") for words in (before, behind))
        opens = at == 0 and " " not in name and not BETWEEN.isdisjoint(behind[:1])  # "Recipe of": no name
        joined = opens or any(joins.fullmatch(words[0]) for words in (before, behind) if words)
        best = max(best, 0.8 if not joined and asked & {word.casefold() for word in first} else 0.3)
    return best


def _shows_place(text: str, asked: str, languages: frozenset[str]) -> float:
    """Return how surely a text says where: a name behind "in" does, another name less, what else is behind it less still."""
    placing = QUESTIONS.pattern("placing", *languages)
    others = [name for name in names_in(text) if name.casefold() not in asked]
    if any(placing.search(" ".join(text[: text.index(name)].split()[-2:])) for name in others):
        return 1.0
    if others:
        return 0.6
    found = placing.search(text)
    return 0.0 if not found else 0.6 if is_unspaced(found[0][:1]) else 0.4


def _shows_secret(text: str, question: str, languages: frozenset[str]) -> float:
    """Return how surely a text gives a password or a code: where it names one it does beside digits, hardly where it says no
    ("must not be written down"), perhaps elsewhere; where it names none, only digits may be one."""
    dates = [(date.start, date.end) for date in find_dates(text)]
    digits = any(
        match[0] not in question and not any(a <= match.start() < b for a, b in dates)
        for match in re.finditer(r"\d+", text)
    )
    if not QUESTIONS.pattern("secrets", *languages).search(text):
        return UNNAMED if digits else 0.0
    return 1.0 if digits else 0.0 if any(negates(text, language) for language in languages) else NO_DIGITS


def shows_version(text: str, question: str) -> float:
    """Return how surely a text names a version, 0 or 1: a number of several parts that is no date, or one behind "version" or a word
    of the question, "PostgreSQL 14"; what the question itself says does not count."""
    dates = [(date.start, date.end) for date in find_dates(text)]
    asked = {word.casefold() for word in WORD.findall(question) if len(word) > SHORT}
    for match in _VERSION.finditer(text):
        if match["number"] in question or any(a <= match.start("number") < b for a, b in dates):
            continue
        before = (match["word"] or "").casefold()
        if "." in match["number"] or match["v"] or before in asked or before in QUESTIONS.set_of("version_nouns"):
            return 1.0
    return 0.0


_SUM = re.compile(
    r"(?<![\w.,:/%°+-])(?:(?P<written>\d{1,3}(?:[.,'’]\d{3})+(?:[.,]\d\d)?|\d+[.,]\d\d)|(?!0|[12]\d{3}\b)\d{2,})(?![\w:/%°]|[.,-]\d| ?[%°])"
)
"""A number that may be a sum: as sums are written, "1,460" or "12.80", or of two figures or more, but for years."""
_BEHIND_SUM = re.compile(r"[ -]([^\W\d_][\w'’]*)")
"""The word behind a number, which is what it counts unless it is a small one."""
_CODE = re.compile(r"`[^`\n]*`")
_UNIT = re.compile(
    r" ?(?:%|[kMGT]?(?:W|Wh|B|Hz|bit)(?!\w)|[KMGT]iB(?!\w)|[mcd]?l(?!\w)|lit(?:re|er|ro)s?(?!\w)|litri(?!\w))"
)
"""A unit behind a number that is no word."""
_ADDED = re.compile(r"\s*[,(–—]\s*(?:[^\W\d_]+\s+){0,2}[\w-]*\s*")
"""What is between a name and an age that is added to it: "Ada Orme (she is 29", "Ada Orme, 29"."""
_NUMBER = re.compile(r"\d+(?:[.,'’]\d+)* ?")
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_NAMED_BEFORE, _NAMED_BEHIND = re.compile(r"[A-Za-z_#]$"), re.compile(r"[A-Za-z]*\d|_")
"""What makes a number a part of a name or of a ticket's sign, "arm64", "21b2", "#214"."""
_NEXT = re.compile(r"(?: ?[^\W\d_][\w'’-]*){0,4}")
"""The words behind a number, up to the first mark."""
_RELEASE = re.compile(r"\d+\.0")
_TIME = re.compile(r"(?:[01]?\d|2[0-3])[.,][0-5]\d")
"""A sum that may be a time of day as well: "14.30"."""
LOG_OPENING = 2
"""Characters that may be before the day that a line of a log begins with."""
SUM = 0.9
"""How surely a number without a currency beside a word of paying is a sum of money."""
PERCENT = 0.6
"""How surely a share of something is a sum of money: a fee or a discount may be given so."""


OF_WRITER = 0.3
"""How surely the age of whoever writes is that of whom the question asks about."""
SENTENCE = 8
"""Words from which on a text says by itself what its numbers are of."""
OTHER_UNIT = 0.4
"""How surely a number without such a unit is the measure that is asked for."""


def _shows_number(kind: str, text: str, question: str, languages: frozenset[str]) -> float:
    asked = set(re.findall(r"\d+", question))
    text = _reference().sub(" ", text)
    if kind == "date":
        text = _without_sums(text, languages)
    dates = find_dates(text)
    digits = [match for match in _DIGITS.finditer(text) if match[0] not in asked]
    if kind == "number":
        digits = [match for match in digits if not _is_of_name(text, match)]
    written = bool(QUESTIONS.pattern("numbers", *languages).search(text))
    if kind == "date":
        timed = QUESTIONS.pattern("times", *languages).search(text) or (
            digits and (_CJK_TIMES.search(text) or QUESTIONS.compiled(_HOURS).search(text))
        )
        years = any(_YEAR.fullmatch(match[0]) for match in digits)
        return 1.0 if dates or timed or years or names_day(text) else 0.5 if digits or written else 0.0
    measure = measured(question, languages)
    if (
        measure
        and (digits or written or measure == "frequency")
        and QUESTIONS.pattern(f"units_of_{measure}", *languages).search(text)
    ):
        return 1.0
    if not digits and not written:
        return 0.0
    if kind == "age":
        ages = [*QUESTIONS.pattern("shows_age", *languages).finditer(text)]
        of_others = [one for one in ages if not _is_of_writer(text, one.start(), question, languages)]
        return 1.0 if of_others else OF_WRITER if ages else 0.2
    inside = [(date.start, date.end) for date in dates]
    bare = written or any(not any(a <= match.start() < b for a, b in inside) for match in digits)
    if kind == "number":
        return OTHER_UNIT if measure and bare else 1.0 if bare else 0.3
    units = QUESTIONS.pattern("units_of_time" if kind == "duration" else "units_of_money", *languages)
    if units.search(text):
        return 1.0
    if kind == "money" and _gives_sum(text, inside, asked, languages):
        return SUM
    return (
        PERCENT
        if kind == "money" and QUESTIONS.compiled(r"(?i)%|\b<<percent>>\b").search(text)
        else 0.4
        if bare
        else 0.2
    )


def _counts_others(text: str, question: Question) -> bool:
    """Return whether a text says what a question wants the number of, and all of its numbers are of other things: "people read 100 pages"
    does not say how many people."""
    counted = {question.terms[place].key for place in question.asked_for}
    language = question.language
    numbers = [one for one in _NUMBER.finditer(text) if not _has_currency(text, one, frozenset({language}))]
    if is_unspaced(question.text[:1]) or not numbers or counted.isdisjoint(keys_of(text, language)):
        return False
    function = words_of(language).function
    behind = ([word.casefold() for word in (_NEXT.match(text, one.end()) or one)[0].split()] for one in numbers)
    return all(
        words and words[0] not in function and counted.isdisjoint(key_of(word, language) for word in words)
        for words in behind
    )


def _is_no_pay(text: str, question: Question, languages: frozenset[str]) -> bool:
    """Return whether a question asks what somebody is paid, and a sentence with a sum has no word of that: "Ada Orme agreed to the sale for
    £950" does not say what she earns. What is shorter may be under a heading that says it, or be a row of a table."""
    if len(text.split()) < SENTENCE or "|" in text or is_unspaced(question.text[:1]):
        return False
    asks = QUESTIONS.pattern("asks_earnings", question.language).search(question.text)
    return bool(asks) and not QUESTIONS.pattern("earning", *languages).search(text)


def _only_measures(text: str, question: Question) -> bool:
    """Return whether a question asks how many of something there are, which is no measure, and all numbers of a text in figures are of
    measures, sums or times, or stand in code: "5 kW", "£3", "in twelve minutes" say of no number of visitors."""
    languages = frozenset({question.language})
    if is_unspaced(question.text[:1]) or measured(question.text, languages):
        return False
    text = _CODE.sub(" ", text)
    written = QUESTIONS.pattern("numbers", *languages).finditer(text)
    numbers = [one.span() for one in (*_DIGITS.finditer(text), *written)]
    return all(_is_of_measure(text, start, end, languages) for start, end in numbers)


def _is_of_measure(text: str, start: int, end: int, languages: frozenset[str]) -> bool:
    """Return whether a number of a text has a unit of measure, of time or of money, or is a part of a date."""
    behind = end + text[end : end + 1].isspace()
    heads = (*(f"units_of_{one}" for one in (*MEASURES, "time", "money")), "times")
    patterns = [QUESTIONS.pattern(head, *languages) for head in heads]
    return (
        bool(_UNIT.match(text, end))
        or bool(QUESTIONS.compiled(r"<<units_of_money_anywhere>>\s?$").search(text[max(0, start - 2) : start]))
        or any(pattern.match(text, behind) for pattern in patterns)
        or any(one.start() <= start < one.end() for pattern in patterns for one in pattern.finditer(text))
        or any(date.start <= start < date.end for date in find_dates(text))
    )


def _is_age_of_others(text: str, question: Question, languages: frozenset[str]) -> bool:
    """Return whether a text says ages only right behind names that are none of the question's: "Ada Orme (29 years old), whom Mr Fell
    employs" does not say how old Mr Fell is."""
    ages = [match.start() for match in QUESTIONS.pattern("shows_age", *languages).finditer(text)]
    if not question.names or not ages:
        return False
    found = [(one.start(), name) for name in names_in(text) for one in re.finditer(re.escape(name), text)]
    return all(_is_right_behind_another(text, at, found, question) for at in ages)


def _is_right_behind_another(text: str, at: int, names: Iterable[tuple[int, str]], question: Question) -> bool:
    """Return whether what is at a place of a text is added, in brackets or behind a comma, to a name that is none of the question's."""
    before = max((one for one in names if one[0] + len(one[1]) <= at), default=None)
    if before is None or question.named(question.met_by(before[1])):
        return False
    return bool(_ADDED.fullmatch(text, before[0] + len(before[1]), at))


def _is_of_name(text: str, number: re.Match[str]) -> bool:
    """Return whether a number counts nothing since it is a part of a name, or a version: "arm64", "the 2.0 release"."""
    before, behind = text[max(0, number.start() - 1) : number.start()], text[number.end() :]
    released = _RELEASE.fullmatch(number[0]) and re.match(r" [a-z]{3}", behind)
    return bool(released or _NAMED_BEFORE.search(before) or _NAMED_BEHIND.match(behind))


def _is_of_writer(text: str, at: int, question: str, languages: frozenset[str]) -> bool:
    """Return whether right before a place of a text somebody speaks of himself, "I was ten", which the question does not ask about."""
    itself = QUESTIONS.pattern("writer", *languages)
    return bool(itself.search(" ".join(text[:at].split()[-NEAR:]))) and not speaks_of_itself(question, languages)


def _gives_sum(text: str, dates: Iterable[tuple[int, int]], asked: Collection[str], languages: frozenset[str]) -> bool:
    """Return whether a text has a sum of money without its currency, which the question does not say."""
    return any(match[0] not in asked for match in _sums(text, dates, languages))


def _sums(text: str, dates: Iterable[tuple[int, int]], languages: frozenset[str]) -> Iterable[re.Match[str]]:
    """Yield the sums of money of a text that are without a currency: numbers, none of a date and none of what is counted, where a word
    says that something is paid."""
    if not QUESTIONS.pattern("paying", *languages).search(text):
        return
    function = union(words_of(language).function for language in languages)
    dates = [*dates, *((start, end) for start, end, _ in days_of_months(text))]
    for match in _SUM.finditer(text):
        if any(start <= match.start() < end for start, end in dates):
            continue
        behind = None if match["written"] else _BEHIND_SUM.match(text, match.end())
        word = behind[1].casefold() if behind else ""
        if not word or word in function or QUESTIONS.pattern("paying", *languages).fullmatch(word):
            yield match


def _without_sums(text: str, languages: frozenset[str]) -> str:
    """Return a text without its sums of money, whose numbers are no dates and no times of day."""
    inside = [(date.start, date.end) for date in find_dates(text)]
    spans = [match.span() for match in _sums(text, inside, languages) if not _TIME.fullmatch(match[0])]
    spans += [match.span() for match in _NUMBER.finditer(text) if _has_currency(text, match, languages)]
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _has_currency(text: str, number: re.Match[str], languages: frozenset[str]) -> bool:
    """Return whether a currency is before or behind a number; "3 million years" are none."""
    if QUESTIONS.compiled(r"<<units_of_money_anywhere>>\s?$").search(text[max(0, number.start() - 2) : number.start()]):
        return True
    unit = QUESTIONS.pattern("units_of_money", *languages).match(text, number.end())
    behind = _BEHIND_SUM.match(text, unit.end()) if unit else None
    return bool(unit) and not (behind and QUESTIONS.pattern("units_of_time", *languages).fullmatch(behind[1]))


def logged(code: str) -> str:
    """Return the lines of code that begin with a day, as those of a log do: no other numbers in code say when something was."""
    return "\n".join(line for line in code.splitlines() if any(date.start <= LOG_OPENING for date in find_dates(line)))


@lru_cache(maxsize=64)
def measured(question: str, languages: frozenset[str]) -> str:
    """Return what a question asks a number of that has units of its own, or whose units it counts ("how many grams"); empty where
    it asks for another number. Each unit of the passages asks this again."""
    asked = (one for one in MEASURES if QUESTIONS.pattern(f"asks_{one}", *languages).search(question))
    counting = QUESTIONS.pattern("counting", *languages).search(question)
    behind = question[counting.end() :].lstrip() if counting else ""
    counted = (one for one in MEASURES if behind and QUESTIONS.pattern(f"units_of_{one}", *languages).match(behind))
    return next(asked, "") or next(counted, "")


@cache
def _reference() -> re.Pattern[str]:
    """Return the pattern of a number that names a place of a text, and counts nothing."""
    short = QUESTIONS.of_all("abbreviated_references")
    shown = rf"(?:{'|'.join(short)})(?=\.)|(?-i:{'|'.join(map(str.capitalize, short))})"
    nouns = rf"(?<!\bthe )(?<!\ba )\b(?:{shown}|{QUESTIONS.one_of('references')})\b\.?"
    return re.compile(rf"(?:§+|{nouns})\s*\d+(?:\.\d+)*", re.IGNORECASE)
