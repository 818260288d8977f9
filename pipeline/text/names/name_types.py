"""Says what a name names: PERSON, ORGANIZATION, PLACE, EVENT, WORK or CONCEPT, by its words and by the cues counted beside it."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, Protocol

from pipeline.text.inflection import base_form
from pipeline.text.lexicon import german
from pipeline.text.lexicon.english_words import is_english_word
from pipeline.text.lexicon.given_names import BEFORE_SURNAME, FEMALE_NAMES, GIVEN_NAMES, MALE_NAMES
from pipeline.text.lexicon.lexicon import CONCEPT, EVENT, ORGANIZATION, PERSON, PLACE, WORK, Lexicon, lexicon_of
from pipeline.text.lexicon.places import (
    ORGANIZATIONS,
    PLACES,
    PRODUCTS,
    WORKS,
    ambiguous_cities,
    cities,
    is_place_in_a_case,
)
from pipeline.text.lexicon.russian import is_given_in_a_case, is_patronymic, is_surname
from pipeline.text.lexicon.unspaced_types import type_of_unspaced
from pipeline.text.lexicon.words import listed, sections
from pipeline.text.names.tally import NameCue
from pipeline.text.scripts import has_digit

_NUMERAL: Final = re.compile(r"(?:[IVX]+|\d+(?:st|nd|rd|th)?|Jr\.?|Sr\.?|[IVX]+\.|\d+\.)$")
HEAD_ENDS: Final = listed("of de du des d' del della di da von vom zu the le la at for on in am upon sur")
NAME_WORDS: Final = {head: listed(text) for head, text in sections("name_words").items()}
COMPANY_ENDINGS: Final = NAME_WORDS["company_endings"]
CAPITAL_ENDINGS: Final = tuple(f" {ending}" for ending in sorted(NAME_WORDS["capital_endings"]))
"""Endings of firms that are other words in small letters: Nordlys AS."""
OF_SAINTS: Final = NAME_WORDS["event"] | NAME_WORDS["place"]
"""What may be a saint's by name: St. John's Eve, St. Bride's Lane."""
SAINT: Final = frozenset(("st", "saint"))
"""How the name of a saint, or of a church, begins."""
TITLE_MARKS: Final = frozenset(':–—()/!?"&')  # marks that are in titles of works, not in names of people
_INNER_CAPITAL: Final = re.compile(r"[A-Z](?<=[a-z].)(?<!\bMc.)(?<!\bMac.)(?<!\bDe.)(?<!\bDi.)(?<!\bLe.)(?<!\bLa.)")
"""As products have it: HyperCard. Begins with a set, by which other characters are passed over at once."""
_PLACE_ENDINGS: Final = (
    "ville",
    "burg",
    "burgh",
    "shire",
    "stan",
    "grad",
    "furt",
    "polis",
    "istan",
    "bury",
    "borough",
    "град",
    "ськ",
)
_BEFORE_TRADES: Final = NAME_WORDS["surnames_too"] | GIVEN_NAMES
"""English words that are names as well: the word behind one says nothing of a trade."""
_NO_PLURALS_OF_BODIES: Final = NAME_WORDS["place"] | NAME_WORDS["surnames_too"]
_BEHIND_WAYS: Final = HEAD_ENDS | {"d"}
_GERMAN_BODIES: Final = tuple(sorted(NAME_WORDS["german_bodies"]))
"""Nouns at the end of compounds for bodies: Ruderclub, Sportverein."""
_PERSON_ENDINGS: Final = (
    "man",
    "woman",
    "men",
    "women",
    "person",
    "smith",
    "master",
    "mistress",
    "keeper",
    "maker",
    "monger",
    "wright",
)
_ROLE_ENDINGS: Final = ("ist", "ician", "ologist", "grapher", "eer")
_PLACE_NOUN_ENDINGS: Final = ("house", "shop", "yard", "room", "town")


def noun_type(noun: str, lexicon: Lexicon) -> str:
    """Type of a common noun by the word lists of the corpus's languages and by its ending; CONCEPT if neither shows one."""
    lower = noun.lower()
    one = base_form(lower)
    nouns = lexicon.nouns
    known = nouns.get(lower) or nouns.get(one) or (nouns.get(one.rsplit("-", 1)[-1]) if "-" in one else None)
    if known:
        return known
    if noun[:1].isupper():
        return _compound_type(lower, nouns)
    if len(one) > 5 and (one.endswith(_PERSON_ENDINGS) or one.endswith(_ROLE_ENDINGS)):
        return PERSON
    if len(one) > 6 and one.endswith(_PLACE_NOUN_ENDINGS):
        return PLACE
    return CONCEPT


def _compound_type(noun: str, nouns: Mapping[str, str]) -> str:
    """By the longest known noun at the end of a German compound: Reichsstadt, Bauernkrieg."""
    return next((nouns[noun[start:]] for start in range(3, len(noun) - 3) if noun[start:] in nouns), CONCEPT)


def is_numeral(token: str) -> bool:
    """Whether a token begins as a numeral or is one: IV, 3rd, Jr."""
    return (token[0] in "IVXJS" or token[0].isdigit()) and _NUMERAL.match(
        token
    ) is not None  # the former sooner, of most


def head_of(tokens: Sequence[str]) -> str:
    """The word that says what a multi-word name is, in lower case: before its first "of", else its last but for numerals."""
    words = list(map(str.lower, tokens))
    if not HEAD_ENDS.isdisjoint(words):
        for place, word in enumerate(words):
            if place and word in HEAD_ENDS:
                return words[place - 1].rstrip(".")
    for place in range(len(tokens) - 1, -1, -1):
        if not is_numeral(tokens[place]):
            return words[place].rstrip(".")
    return words[-1]


def _is_acronym(name: str) -> bool:
    return name.isupper() and 1 < len(name) < 4


class Knowledge(Protocol):
    """What the type of a name needs to know of its corpus (``candidates.Corpus`` has it)."""

    @property
    def lexicon(self) -> Lexicon: ...

    @property
    def language(self) -> str: ...

    @property
    def surnames(self) -> frozenset[str]: ...

    @property
    def has_firms(self) -> bool: ...

    def lower_count(self, key: str) -> int: ...


def is_person(name: str, cues: Sequence[int], lexicon: Lexicon) -> bool:
    """Whether something says outright that a name is a person's: an honorific, a given name, a numeral, a verb of speech."""
    tokens = name.split()
    first = tokens[0].lower().rstrip(".")
    if name[-1] == "s" and len(name) > 2 and name[:-1].isupper():
        return False  # AIs
    determined = cues[NameCue.DETERMINED] * 2 > cues[NameCue.MIDDLE] + cues[NameCue.OPENING]
    if is_titled(tokens, lexicon, determined) or (
        first in GIVEN_NAMES and not _is_acronym(name) and not tokens[-1].isdigit()
    ):
        return True
    if (
        has_digit(name)
        or _is_of_words(tokens, lexicon)
        or not TITLE_MARKS.isdisjoint(name)
        or _INNER_CAPITAL.search(name)
    ):
        return False
    if len(tokens) == 2 and tokens[-1].lower() in GIVEN_NAMES and cues[NameCue.PERSON]:
        return True  # Tiny Tim
    if len(tokens) > 1 and _type_by_proper_head(head_of(tokens)):
        return False  # LSI Technology
    seen = cues[NameCue.MIDDLE] + cues[NameCue.OPENING]
    others = cues[NameCue.PLACE] + cues[NameCue.BODY] + cues[NameCue.GOING]
    if len(tokens) > 1 and is_numeral(tokens[-1]) and not determined:
        return not tokens[0].isupper() and cues[NameCue.MODIFIER] * 4 < seen  # Ramesses II
    return cues[NameCue.PERSON] * 8 >= max(1, seen) and cues[NameCue.PERSON] * 2 > others and not determined


def is_titled(tokens: Sequence[str], lexicon: Lexicon, determined: bool = False) -> bool:
    """Whether a name opens with an honorific; a rank that is an adjective too is none before words that everybody knows, several or
    with an article: the General Public License, the Major Version."""
    first = tokens[0].lower().rstrip(".")
    if first not in lexicon.honorifics or first not in NAME_WORDS["ranks_or_kinds"]:
        return first in lexicon.honorifics
    several = len(tokens) > 2 or (determined and len(tokens) > 1)
    return not (several and all(is_english_word(token.lower()) for token in tokens[1:]))


def is_of_partners(word: str) -> bool:
    """Whether a word opens the name of a firm by those who own it: Messrs. Penrose and Daw."""
    return word.lower().rstrip(".") == "messrs"


def _is_of_words(tokens: Sequence[str], lexicon: Lexicon) -> bool:
    """Whether a span is of words alone that everybody knows, and names nobody by them: Better Angels, The Language Instinct."""
    words = list(map(str.lower, tokens))
    return len(words) > 1 and all(map(is_english_word, words)) and lexicon.nouns.get(words[-1]) != PERSON


def name_type(name: str, cues: Sequence[int], corpus: Knowledge) -> str:
    """Type of a capitalised name by its words first and by the cues counted beside it (``names.NameCue``) second."""
    lexicon = corpus.lexicon
    tokens, lower = name.split(), name.lower()
    if _is_known_place(lower, cues):
        return PLACE
    if len(tokens) > 2 and is_of_partners(tokens[0]) and "and" in tokens:
        return ORGANIZATION
    seen = cues[NameCue.MIDDLE] + cues[NameCue.OPENING]
    if cues[NameCue.QUOTED] and _is_initialled(tokens):
        return PERSON  # signed "G. R. Holm"
    if cues[NameCue.QUOTED] and cues[NameCue.QUOTED] * 2 >= seen:
        return WORK
    if lower in WORKS and not cues[NameCue.PERSON]:
        return WORK
    if lower in NAME_WORDS["feasts"] or lower == "new year":
        return EVENT
    if len(tokens) > 1 and tokens[0].lower() in NAME_WORDS["title_openers"] and cues[NameCue.MIDDLE]:
        # Behind the Tech, not Back Lane
        return PLACE if len(tokens) == 2 and _type_by_proper_head(lower.split()[1]) == PLACE else WORK
    if said := _said_type(name, tokens, cues, lexicon):
        return said
    by_words = _type_by_words(tokens, cues, lexicon)
    if by_words:
        return by_words
    person, place, body = cues[NameCue.PERSON], cues[NameCue.GOING], cues[NameCue.BODY]
    if len(tokens) == 1:
        return _single_type(name, cues, corpus)
    first, last = tokens[0].lower(), tokens[-1].lower()
    words = lower.split()
    if not ORGANIZATIONS.isdisjoint(words) or len(last) == 1:
        return ORGANIZATION if last == "research" else CONCEPT  # Microsoft Research; Google Calendar, Plan B
    if lower in cities() and (person <= place or last not in GIVEN_NAMES):
        return PLACE
    is_quarter = first in NAME_WORDS["quarters"] and len(tokens) == 2
    if is_quarter and last not in lexicon.demonyms and last not in lexicon.general:
        return PLACE  # South Bronx
    if "&" in name:
        return ORGANIZATION
    if place > max(person, body) and place * 6 > seen and cues[NameCue.MODIFIER] * 3 < seen:
        return PLACE
    if body > max(person, place) and body * 6 > seen:
        return ORGANIZATION
    if is_person(name, cues, lexicon):
        return ORGANIZATION if _is_speaking_firm(tokens, corpus) else PERSON
    if len(tokens) == 2 and last in corpus.surnames and _is_unknown(tokens, corpus) and not cues[NameCue.DETERMINED]:
        return PERSON  # of a family that others of this surname belong to
    if _looks_like_person(tokens, cues, corpus):
        return PERSON
    is_title = first == "the" and len(tokens) > 2 and all(map(is_english_word, words))
    if is_title and cues[NameCue.MIDDLE] and cues[NameCue.DETERMINED] * 2 <= seen:
        return WORK  # The Sense of Style
    return PLACE if cues[NameCue.AT_THE] and cues[NameCue.AT_THE] * 3 >= seen else CONCEPT  # at the Three Herons


_SAID: Final = (
    (NameCue.IS_BODY, ORGANIZATION),
    (NameCue.IS_PLACE, PLACE),
    (NameCue.IS_WORK, WORK),
    (NameCue.IS_THING, CONCEPT),
)
_FIRST_SAID: Final = min(cue for cue, _ in _SAID)
_LAST_SAID: Final = max(cue for cue, _ in _SAID)


def _said_type(name: str, tokens: Sequence[str], cues: Sequence[int], lexicon: Lexicon) -> str:
    """What sentences say that a name is, if they agree and nothing speaks for a person; "" otherwise."""
    if not any(cues[_FIRST_SAID : _LAST_SAID + 1]):  # as of most
        return ""
    said = sorted(((cues[cue], type_) for cue, type_ in _SAID if cues[cue]), reverse=True)
    if (len(said) > 1 and said[0][0] == said[1][0]) or name.lower() in ORGANIZATIONS:
        return ""
    times, type_ = said[0]
    first = tokens[0].lower().rstrip(".")
    named = first in GIVEN_NAMES and (len(tokens) > 1 or not _INNER_CAPITAL.search(name))
    # the ship Empress of Scotland
    is_office = first in lexicon.honorifics and not (tokens[1:2] == ["of"] and type_ == CONCEPT)
    if is_office or cues[NameCue.PERSON] > times or (named and cues[NameCue.PERSON] * 2 >= times):
        return ""
    seen = cues[NameCue.MIDDLE] + cues[NameCue.OPENING]
    return type_ if times * (4 if named else 20) >= seen else ""


def _is_speaking_firm(tokens: Sequence[str], corpus: Knowledge) -> bool:
    """Whether a name of which only a verb of speech says that it is a person's is a firm's: "Pittston said", in business news."""
    first = tokens[0].lower().rstrip(".")
    named = first in GIVEN_NAMES or first in corpus.lexicon.honorifics or tokens[-1].lower() in corpus.surnames
    return corpus.has_firms and not named and len(first) > 1


def _is_known_place(name: str, cues: Sequence[int]) -> bool:
    """Whether lists know a name (lower case) as that of a place: by itself or after a word of the compass."""
    first, _, rest = name.partition(" ")
    here = cues[NameCue.PLACE] + cues[NameCue.GOING]
    if name in PLACES or (first in NAME_WORDS["compass"] and rest and (here or rest in PLACES or rest in cities())):
        return True
    if name in GIVEN_NAMES or cues[NameCue.PERSON] > here or (rest in GIVEN_NAMES and not here):  # Saint Michael
        return False
    return is_place_in_a_case(name)


def _looks_like_person(tokens: list[str], cues: Sequence[int], corpus: Knowledge) -> bool:
    """Two to four words that are no words otherwise, without article, place or noun beside them: most likely somebody."""
    seen = cues[NameCue.MIDDLE] + cues[NameCue.OPENING]
    lexicon = corpus.lexicon
    if not 2 <= len(tokens) <= 4 or cues[NameCue.DETERMINED] * 3 > seen or tokens[0].lower() in NAME_WORDS["compass"]:
        return False
    if tokens[0].lower() in BEFORE_SURNAME and len(tokens) == 2 and tokens[1].isalpha() and tokens[1][1:].islower():
        return tokens[1].lower() not in lexicon.no_names and not corpus.lower_count(tokens[1].lower())  # Ray Kurzweil
    if cues[NameCue.MODIFIER] * 8 > seen or cues[NameCue.PLACE]:
        return False
    if "\u0400" <= tokens[0][0] <= "\u04ff" and not (is_surname(tokens[-1]) or is_given_in_a_case(tokens[0].lower())):
        return False  # Лысый Увал
    if _is_of_words(tokens, lexicon) or (len(tokens[0]) == 1 and len(tokens) == 2):  # Y Combinator
        return False
    if _ends_in_words(tokens, corpus):
        return False
    for token in tokens:
        lower = token.lower()
        if lower in HEAD_ENDS:
            continue
        if corpus.language == "de" and german.is_noun(lower, lexicon):
            return False
        if not token[0].isupper() or has_digit(token) or (token.isupper() and 1 < len(token) < 5):
            return False
        if (
            lower in lexicon.function
            or lower in lexicon.general
            or lower in lexicon.demonyms
            or corpus.lower_count(lower)
        ):
            return False
    return True


def _ends_in_words(tokens: Sequence[str], corpus: Knowledge) -> bool:
    """Whether the end of a name is words that everybody knows, as of what is called by its trade or kind behind a place or a name:
    Wharfedale Environmental Health, London Met, Quarry Lane Players; surnames are words too, but seldom plurals."""
    words = list(map(str.lower, tokens))
    last = words[-1]
    if last in NAME_WORDS["surnames_too"] or last in corpus.surnames or not is_english_word(last):
        return False
    opening = " ".join(words[:-1])
    several = len(last) > _LONG_SURNAME and base_form(last) != last
    trade = len(words) > 2 and is_english_word(words[-2]) and words[-2] not in _BEFORE_TRADES
    return several or opening in PLACES or opening in cities() or trade


def _is_unknown(tokens: Sequence[str], corpus: Knowledge) -> bool:
    """Whether words are written as names are, and are no words otherwise."""
    lexicon = corpus.lexicon
    return all(
        token.isalpha()
        and token[1:].islower()
        and not (lexicon.nouns.get(lower) or lower in lexicon.no_names or lower in PLACES or corpus.lower_count(lower))
        for token, lower in ((token, token.lower()) for token in tokens)
    )


def _single_type(name: str, cues: Sequence[int], corpus: Knowledge) -> str:
    lower, lexicon = name.lower(), corpus.lexicon
    person, place, body = cues[NameCue.PERSON], cues[NameCue.GOING], cues[NameCue.BODY]
    seen = cues[NameCue.MIDDLE] + cues[NameCue.OPENING]
    if lower in lexicon.nouns:
        return lexicon.nouns[lower]
    if lower in ORGANIZATIONS:
        return ORGANIZATION
    known = lower in NAME_WORDS["known_people"] and (lower not in PRODUCTS or person * 3 >= seen)
    if known and not place + body + cues[NameCue.DETERMINED]:
        return PERSON
    if lower.endswith(_PLACE_ENDINGS) and len(name) > 6 and place + cues[NameCue.PLACE] >= person:
        return PLACE
    if body > 1 and body * 4 >= seen and body > max(person, place):
        return ORGANIZATION
    if (lower in PRODUCTS and person * 3 < seen) or has_digit(name):
        return CONCEPT
    weak = cues[NameCue.PLACE]
    odd = _INNER_CAPITAL.search(name) is not None or (name.removesuffix("s").isupper() and len(name) < 6)
    modifies = cues[NameCue.MODIFIER] * 3 >= seen  # "the Shiftboard export"
    if place and 2 * place + weak > max(person, body) and (place + weak) * 8 >= seen and not (modifies or odd):
        return PLACE
    if weak * 3 >= seen and weak > max(person, body) and not cues[NameCue.MODIFIER] and not cues[NameCue.DETERMINED]:
        return PLACE if name[0].isupper() and name[1:].islower() else CONCEPT
    if body > max(person, place) and body * (8 if body > 1 else 4) >= seen:
        return ORGANIZATION
    determined = cues[NameCue.DETERMINED] * 3 > seen
    # "Brightmill was late" tells of a firm as well as of somebody, where sentences only begin with it
    is_somebody = person * 6 >= seen if cues[NameCue.MIDDLE] or person > _SEEN_TWICE else person * 2 > seen
    if person and is_somebody and not determined and not odd:
        return ORGANIZATION if _is_speaking_firm([name], corpus) else PERSON
    if not odd and not body + place + weak and (lower in corpus.surnames or _has_surname_form(name, corpus)):
        return PERSON
    if cues[NameCue.AT_THE] and cues[NameCue.AT_THE] * 3 >= seen and not (odd or person or body):
        return PLACE  # at the Quayside
    listed_as_place = lower in cities() or (place + weak > 0 and lower in ambiguous_cities())
    proper = not (name.isupper() or determined or corpus.lower_count(lower))
    return PLACE if listed_as_place and proper and person + body <= place + weak else CONCEPT


_SURNAME_FORM: Final = re.compile(r"(?:Ma?c|O['’])[A-Z][a-z]+")
"""Scottish and Irish surnames."""
_SEEN_TWICE: Final = 2
_LONGEST_ADDRESS: Final = 4
"""Words of a name with what it is addressed by: Frau Dr. Eva Brandt."""
_LONG_SURNAME: Final = 5
"""Letters above which a plural is rather a trade's or a thing's than a surname: Players, not Danks."""
_LONG: Final = 4
"""Letters above which a word that ends in "s" may be the plural of a surname."""


def _has_surname_form(name: str, corpus: Knowledge) -> bool:
    """Whether a single name is a surname by its form, or the plural of one that the corpus has: McCarthy, the Musgroves."""
    lower = name.lower()
    if _SURNAME_FORM.fullmatch(name) or is_surname(name):
        return True
    plural = len(name) > _LONG and name[1:].islower() and name[-1] == "s"
    return plural and (lower[:-1] in corpus.surnames or (lower[-2] == "e" and lower[:-2] in corpus.surnames))


def _type_by_words(tokens: list[str], cues: Sequence[int], lexicon: Lexicon) -> str:
    """What the words of a name themselves say; "" if nothing."""
    first, head = tokens[0].lower().rstrip("."), head_of(tokens)
    if len(tokens) > 1:
        name = " ".join(tokens)
        if name.lower() in ORGANIZATIONS or (name.endswith(CAPITAL_ENDINGS) and not name.isupper()):
            return ORGANIZATION
        if _is_person_by_surname(tokens, head, cues) or _is_addressed(tokens, head, lexicon):
            return PERSON
        if head in NAME_WORDS["numbered_works"] and tokens[-1][0].isdigit():
            return WORK if len(tokens) > 2 else ""  # Djesse Volume 4
        by_head = _type_by_proper_head(head)
        if tokens[-1] == "State" and " ".join(tokens[:-1]).lower() in PLACES:
            return ORGANIZATION  # Louisiana State, of its university
        if by_head == PLACE and len(tokens) > 2 and tokens[-2].lower() in NAME_WORDS["research_bodies"]:
            return ORGANIZATION  # Watson Research Center
        if head == "court" and tokens[-1].lower() == head and tokens[-2].lower() not in NAME_WORDS["courts"]:
            return PLACE  # 14 Larkspur Court
        if by_head:
            return by_head
        if (
            head in PRODUCTS
            and not cues[NameCue.PERSON]
            and first not in MALE_NAMES
            and first not in FEMALE_NAMES
            and (first in GIVEN_NAMES or not is_english_word(head))
        ):
            return CONCEPT  # Kali Linux, Gentoo Linux
        if (
            head in NAME_WORDS["tools_or_roles"]
            and not cues[NameCue.PERSON]
            and first not in GIVEN_NAMES
            and first not in lexicon.honorifics
        ):
            return CONCEPT  # Windows Media Player
        by_form = _type_of_form(tokens, first, head, lexicon) or _type_by_noun(tokens, first, head, cues, lexicon)
        if by_form:
            return by_form
    if (
        first in GIVEN_NAMES
        and tokens[0][0].isupper()
        and not _is_acronym("".join(tokens))
        and (len(tokens) > 1 or _is_given_name(cues))
    ):
        return PERSON
    return type_of_unspaced("".join(tokens), "zh")  # Japanese names come as phrases


def _type_of_form(tokens: list[str], first: str, head: str, lexicon: Lexicon) -> str:
    """What the form of a name of several words says: how it opens, and what joins its words."""
    if first in GIVEN_NAMES and lexicon.nouns.get(head) == WORK:
        return WORK  # Harry Connick Show
    opened = _type_of_opening(tokens, lexicon)
    if opened:
        return opened
    if len(tokens) == 3 and tokens[1] == "the" and first not in lexicon.no_names and head not in lexicon.nouns:
        return PERSON  # Philip the Good
    if not tokens[0].isascii() and len(tokens) < 4 and any(is_patronymic(token.lower()) for token in tokens):
        return PERSON  # Эмма Густавовна
    if _is_initialled(tokens):
        return PERSON
    if tokens[1] in NAME_WORDS["before_surnames"] and len(tokens) > 2 and first not in lexicon.nouns:
        return PERSON  # Joost van der Meer
    return ""


def _type_by_noun(tokens: list[str], first: str, head: str, cues: Sequence[int], lexicon: Lexicon) -> str:
    """What the common noun or the title in a name of several words says."""
    determined = cues[NameCue.DETERMINED] * 2 > cues[NameCue.MIDDLE] + cues[NameCue.OPENING]
    if _is_church(first, tokens, cues):
        return PLACE
    if "&" in tokens and lexicon.nouns.get(head) == PERSON and first not in lexicon.honorifics:
        return ORGANIZATION  # Jarvis & Son
    if first in GIVEN_NAMES and len(tokens) <= 3 and HEAD_ENDS.isdisjoint(tokens) and not determined:
        return PERSON  # Bill Gates is no place
    by_head = lexicon.nouns.get(head) or lexicon.nouns.get(base_form(head), "")
    if by_head == PERSON and _is_of_words(tokens, lexicon) and head not in lexicon.nouns:  # Better Angels
        by_head = ""
    if by_head == PERSON and head in NAME_WORDS["ranks_or_kinds"] and _is_short_for_a_body(tokens):
        by_head = ""
    if by_head and not tokens[-1][0].isdigit():  # Windows 11
        return by_head
    titled = is_titled(tokens, lexicon, determined)
    if titled and tokens[1].lower() not in HEAD_ENDS and len(tokens[-1]) > 1:  # not Gen Z
        return PERSON
    if any(token.lower().rstrip(".") in NAME_WORDS["organization_inside"] for token in tokens[1:]):
        return ORGANIZATION
    return ""


def _is_short_for_a_body(tokens: Sequence[str]) -> bool:
    """Whether a name ends in a rank and yet opens with no office: Wexcombe General, a hospital, and the Transport and General."""
    before = tokens[-2].lower()
    if "and" in tokens:
        return True
    return tokens[-1].lower() in NAME_WORDS["ranks_or_kinds"] and before.isascii() and not is_english_word(before)


def _is_addressed(tokens: list[str], head: str, lexicon: Lexicon) -> bool:
    """Whether a name opens as one writes to somebody: Mrs Pond, M. Paul Fontaine; not Mr Price Group."""
    first = tokens[0].lower().rstrip(".")
    if first not in NAME_WORDS["addresses"] and not (
        first in NAME_WORDS["short_addresses"] and first in lexicon.honorifics
    ):
        return False
    return len(tokens) == 2 or (len(tokens) <= _LONGEST_ADDRESS and head not in NAME_WORDS["organization"])


def _is_church(first: str, tokens: Sequence[str], cues: Sequence[int]) -> bool:
    """Whether a saint is where something is, more than somebody: the church of St. Nicholas, in St. Ives."""
    here = cues[NameCue.PLACE] + cues[NameCue.GOING] + cues[NameCue.AT]
    return first in SAINT and len(tokens) == 2 and here > cues[NameCue.PERSON]


def _is_initialled(tokens: list[str]) -> bool:
    """Whether a span is initials and a last name, or a Russian last name and initials: E. G. Holm, Звягин П. Л."""
    *initials, last = tokens
    if len(tokens[0]) == 2 and all(len(token) == 2 and token[1] == "." for token in initials):
        parts = last.split("-")  # R. Osei-Lund
        return len(last) > 2 and all(part[:1].isupper() and part[1:].islower() for part in parts)
    return (
        not tokens[0].isascii() and is_surname(tokens[0]) and all(len(token.rstrip(".")) == 1 for token in tokens[1:])
    )


def _is_given_name(cues: Sequence[int]) -> bool:
    """Whether a lone given name is a person's here: no place by its cues, and without an article, which ships have."""
    is_place = cues[NameCue.PLACE] + 2 * cues[NameCue.GOING] > cues[NameCue.PERSON] + 1
    seen = cues[NameCue.MIDDLE] + cues[NameCue.OPENING]
    return not is_place and (cues[NameCue.DETERMINED] * 3 <= seen or cues[NameCue.PERSON] > 0 or seen < _SEEN_TWICE)


def _is_person_by_surname(tokens: list[str], head: str, cues: Sequence[int]) -> bool:
    """Whether a given name is before a word that is a surname as well, and no cue of a place is beside it: Al Green."""
    others = cues[NameCue.PLACE] + cues[NameCue.GOING] + cues[NameCue.BODY] + cues[NameCue.DETERMINED]
    given = tokens[0].lower() in GIVEN_NAMES and len(tokens) == 2 and head in NAME_WORDS["surnames_too"]
    return given and cues[NameCue.PERSON] >= others


def _type_of_opening(tokens: list[str], lexicon: Lexicon) -> str:
    """By a noun before the name itself: Reederei Hansen, Stiftung Undine, Lake Geneva, Hotel Adler; Sankt Gallen."""
    first = tokens[0].lower()
    second = tokens[1].lower()
    if first in NAME_WORDS["place_openers"] and second not in HEAD_ENDS and second not in lexicon.demonyms:
        return PLACE
    if first in NAME_WORDS["ways"] and second.rstrip("'’") in _BEHIND_WAYS and len(tokens) > 2:
        return PLACE  # Place du Marché
    if first in _english_nouns() and first not in NAME_WORDS["english_openers"]:
        return ""  # Road Rules: in English what a name's bearer is comes last
    found = lexicon.nouns.get(first) or (ORGANIZATION if first.endswith(_GERMAN_BODIES) else "")
    if first in lexicon.honorifics or tokens[1].lower() in HEAD_ENDS:
        return ""
    return found if found in (ORGANIZATION, PLACE) and first not in lexicon.demonyms and len(tokens) < 6 else ""


@cache
def _english_nouns() -> frozenset[str]:
    return frozenset(lexicon_of(("en",)).nouns)


def _type_by_proper_head(head: str) -> str:
    if "-" in head and head.rpartition("-")[2] in NAME_WORDS["organization"]:
        return ORGANIZATION  # Auto-Electrics
    if head in NAME_WORDS["event"]:
        return EVENT
    if head in NAME_WORDS["organization"] and head not in NAME_WORDS["place"]:
        return ORGANIZATION
    one = base_form(head)  # Corvine Laboratories, but Iain Banks
    if one != head and len(one) > _LONG and one in NAME_WORDS["organization"] and one not in _NO_PLURALS_OF_BODIES:
        return ORGANIZATION
    return PLACE if head in NAME_WORDS["place"] else ""
