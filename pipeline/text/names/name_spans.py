"""Where a name ends: capital words, with the connectors, initials and numbers that may be between them."""

import re
from collections.abc import Sequence
from typing import Final

from pipeline.text.lexicon import german
from pipeline.text.lexicon.english_words import is_english_word
from pipeline.text.lexicon.given_names import GIVEN_NAMES
from pipeline.text.lexicon.lexicon import lexicon_of
from pipeline.text.lexicon.places import ORGANIZATIONS, PLACES, PRODUCTS, cities
from pipeline.text.lexicon.words import Words, listed, sections
from pipeline.text.names.name_types import COMPANY_ENDINGS, is_of_partners
from pipeline.text.names.token_kinds import BREAK, CAPITAL, CAPITAL_FUNCTION, NUMBER, OPENER

_CONTEXT: Final = sections("name_context")
CONNECTORS: Final = listed(_CONTEXT["connectors"])
"""Words in lower case that may be inside a name, in any language."""
_DOTTED: Final = listed(_CONTEXT["dotted"])
_POSSESSIVE: Final = ("'s", "’s", "s'", "s’")
_MARKS: Final = (".", "'", "’")
"""May belong to the word before them."""
_SECOND: Final = listed("der den dem")  # connectors only after another: van der, de la
_FIRST: Final = CONNECTORS - _SECOND
_BEFORE_SURNAME: Final = listed(_CONTEXT["before_surnames"])
BRIDGES: Final = listed("for on and in")  # only after the name of a body: Institute for Advanced Study
_BODIES: Final = listed(_CONTEXT["bodies"])
_FIRMS_OF_TWO: Final = listed(sections("name_words")["firms_of_two"])
_CONTACTS: Final = listed(sections("name_words")["contacts"])
_SHORT: Final = 3
"""Letters up to which a word with a capital letter may be anything."""
_TITLES: Final = listed(_CONTEXT["with_surname"])
_LAWS: Final = listed(sections("name_words")["laws"])
_NUMBERED: Final = listed(sections("name_words")["numbered_works"])
_WEEKDAYS: Final = listed(_CONTEXT["weekdays"])
_NAMED_DAYS: Final = listed(_CONTEXT["before_weekdays"])
"""Words that make a name of a day of the week: Good Friday."""
_INITIAL: Final = re.compile(r"[^\W\d_]\.")
_VERSION: Final = tuple("0123456789x")
_ELIDED: Final = re.compile(r"(?<![^\W_])((?:[dlcnmstд]|qu|dell|all|nell|sull)['’]) ", re.IGNORECASE)
"""An article or a preposition that is written together with the name behind it."""
_LONGEST_NAME: Final = 9  # tokens of a name
_SEPARATORS: Final = frozenset(",.'’")
"""Marks between the thousands of a number."""
_THOUSANDS: Final = re.compile(r"\d{3}")
_HUNDREDS: Final = 3  # digits of a number that is too high for the number of a version
_LISTED: Final = frozenset((",", ";"))


def joined(parts: list[str]) -> str:
    """Tokens of a name as a string."""
    name = " ".join(parts)
    return _ELIDED.sub(r"\1", name) if "'" in name or "’" in name else name


def name_span(
    tokens: list[str], kinds: list[int], start: int, lists: Words, heading: bool
) -> tuple[list[str], int, bool]:
    """Tokens of the name that begins at ``start``, the position after it, and whether it ends in a possessive.

    ``heading`` says that capital letters mean nothing here, so that function words in capitals and numbers end a name.
    """
    parts: list[str] = []
    position, n = start, len(tokens)
    while position < n and len(parts) < _LONGEST_NAME:
        token, kind = tokens[position], kinds[position]
        if kind == CAPITAL or (kind == CAPITAL_FUNCTION and (not parts or _goes_on(token, parts, heading))):
            if kind == CAPITAL and token.endswith(_POSSESSIVE):
                return [*parts, token[:-2] if token[-1] == "s" else token[:-1]], position + 1, True
            if parts and (
                _is_label(parts, token)
                or (
                    len(token) > 1 and token.lower() in _TITLES and _INITIAL.fullmatch(parts[-1])
                )  # met Mr K. Mr B. left
                or _is_contact(tokens, kinds, position)
                or (token.lower() in lists.demonyms and _is_nationality(kinds, position, parts, lists))
                or (token.lower() in _WEEKDAYS and _opens_date(tokens, kinds, position, parts))
            ):
                return parts, position, False
            position += 1
            if position < n and (mark := tokens[position]) in _MARKS and _has_mark(token, kinds, position, mark, parts):
                token += mark
                position += 1
            parts.append(token)
            if token[-1] == "." and len(parts) > 1 and _ends_firm(token, tokens, kinds, position, lists):
                return parts, position, False
        elif kind == NUMBER and not parts:
            parts.append(token)
            position += 1
        elif kind == NUMBER and not heading and position + 1 < n and _takes_number(parts, tokens, position, lists):
            owns = token.endswith(_POSSESSIVE)
            parts.append(token[:-2] if owns else token)
            position += 1
            if owns:
                return parts, position, True
        else:
            connected = _connected(tokens, kinds, position, parts, lists)
            if not connected:
                break
            parts.extend(tokens[position:connected])
            position = connected
    return parts, position, False


def _has_mark(token: str, kinds: list[int], position: int, mark: str, parts: list[str]) -> bool:
    """Whether a full stop or an apostrophe at ``position`` belongs to the word before it."""
    if mark != ".":
        return kinds[position + 1 : position + 2] == [CAPITAL] and _is_shared(token)
    last = position + 1 == len(kinds) and len(parts) > 0
    ends = last and (len(token) == 1 or token.lower() in COMPANY_ENDINGS)  # "Series A.", "Strand Ltd." end a sentence
    return not ends and (len(token) == 1 or token.lower() in _DOTTED)


def _ends_firm(token: str, tokens: list[str], kinds: list[int], position: int, lists: Words) -> bool:
    """Whether the ending of a firm's name ends it, though a capital letter is behind: "Strand Ltd. Helen wrote"; not "Strand Co. Ltd."
    and "Strand Co. Museum"."""
    behind = tokens[position].lower() if kinds[position : position + 1] == [CAPITAL] else ""
    goes_on = behind in COMPANY_ENDINGS or behind in lists.place or behind in lists.organization
    return bool(behind) and not goes_on and token.lower().replace(".", "") in COMPANY_ENDINGS


def _is_shared(token: str) -> bool:
    """Whether what is before an apostrophe and another capital is a plural noun inside a name: the Hundred Years' War."""
    return token.endswith("s") and is_english_word(token.lower())


def _is_label(parts: list[str], token: str) -> bool:
    """Whether several words in capitals throughout are a label before a word that is not: "GOING FURTHER Backups"."""
    if len(parts) < 2 or not token[1:].islower():
        return False
    return all(part.isupper() and len(part) > 2 for part in parts[-2:]) and any(len(part) > 4 for part in parts)


def _is_contact(tokens: list[str], kinds: list[int], position: int) -> bool:
    """Whether a word says what kind of number is behind it: "Hebden Tel 01422"."""
    if tokens[position].lower() not in _CONTACTS:
        return False
    after = position + 1
    while after < len(tokens) and tokens[after] in (".", ":", "+", "("):
        after += 1
    return kinds[after : after + 1] == [NUMBER]


def _opens_date(tokens: list[str], kinds: list[int], position: int, parts: list[str]) -> bool:
    """Whether a day of the week opens a date behind a name, "AGM Saturday 23 November"; Good Friday is itself one."""
    after = position + 1
    while after < len(tokens) and tokens[after] in (".", ","):
        after += 1
    return kinds[after : after + 1] == [NUMBER] and parts[-1].lower() not in _NAMED_DAYS


def _goes_on(token: str, parts: list[str], heading: bool) -> bool:
    """A capitalised function word inside a name (Christmas Past, Lord Of The Rings), not one that opens a clause."""
    return not heading and token[0] != "I" and not parts[-1].endswith(".")


def _takes_number(parts: list[str], tokens: list[str], position: int, lists: Words) -> bool:
    """Apollo 11, Windows 95; not the day of a month, the number of a paragraph or of a version (2.6)."""
    last, number = parts[-1] if parts else "", tokens[position]
    if _is_somebody(parts, lists):
        return False  # Ms Alder 30, as in the row of a table
    if tokens[position + 1][0].isupper() and tokens[position + 1].lower() in lists.calendar:
        return False  # Goole / 2 Oct, not Apollo 11 may
    if tokens[position + 1] == "." and "".join(tokens[position + 2 : position + 3])[:1] in _VERSION:
        return False
    if last.lower() not in _NUMBERED and _is_sum(tokens, position):
        return False
    if last.lower() in _LAWS:
        return len(parts) > 1
    return len(number) <= 3 and len(last) > 1 and not last.endswith(".") and last.lower() not in lists.calendar


def _is_sum(tokens: Sequence[str], position: int) -> bool:
    """Whether a number behind a name is what it costs or counts: "Kafka 1,850", or, in a list of names each with its number, one that
    is as high as its neighbour's and above any version: "Postgres 920, Redis 310"."""
    before, after = tokens[max(0, position - 3) : position - 1], tokens[position + 1 : position + 4]
    if len(after) > 1 and after[0] in _SEPARATORS and _THOUSANDS.fullmatch(after[1]):
        return True
    if len(tokens[position]) < _HUNDREDS:
        return False
    beside = [after[2]] if len(after) > 2 and after[0] in _LISTED and after[1][0].isupper() else []
    beside += [before[0]] if len(before) > 1 and before[1] in _LISTED else []
    return any(number.isdigit() and len(number) >= _HUNDREDS for number in beside)


def _is_somebody(parts: Sequence[str], lists: Words) -> bool:
    """Whether the words of a name are somebody's by a title or a given name, and a last name that is no word otherwise."""
    if len(parts) < 2 or not parts[-1][0].isupper():
        return False
    first, last = parts[0].lower().rstrip("."), parts[-1].lower()
    if first in lists.honorifics or first in lists.masculine or first in lists.feminine:
        return first in _TITLES or len(parts) > 2
    is_word = is_english_word(last) or last in lists.place or last in lists.organization
    return first in GIVEN_NAMES and not is_word and last not in PLACES and last not in ORGANIZATIONS


def _is_nationality(kinds: list[int], position: int, parts: list[str], lists: Words) -> bool:
    """Whether an adjective of nations behind a full name is no part of it, "Ms Alder Swedish"; behind a first name it is a surname."""
    last = parts[-1].lower()
    is_last = kinds[position + 1 : position + 2] != [CAPITAL]
    return is_last and _is_somebody(parts, lists) and last not in GIVEN_NAMES and len(last.rstrip(".")) > 1


def _connected(tokens: list[str], kinds: list[int], position: int, parts: list[str], lists: Words) -> int:
    """Position of the capital word that connectors at ``position`` lead to; 0 where they lead nowhere."""
    if not parts or (kinds[position] == BREAK and tokens[position] != "&"):
        return 0
    # Christmas Yet to Come, Gone With the Wind: after a capitalised function word any small word may follow.
    after_function = len(parts) > 1 and parts[-1].lower() in lists.function and not parts[-1].isupper()
    first = tokens[position].lower()
    if not (after_function or first in BRIDGES or first in CONNECTORS or first in lists.connectors or first == "&"):
        return 0  # as most
    if first == "&" and kinds[position + 1 : position + 2] == [CAPITAL]:
        return 0 if tokens[position + 1].lower() in GIVEN_NAMES else position + 1  # Cole & Sons, not Ann & Ben
    owned = tokens[position] in _FIRST and kinds[position + 1 : position + 3] == [CAPITAL_FUNCTION, CAPITAL]
    if owned and tokens[position + 1].lower() in lists.determiners:
        return position + 1  # The Better Angels of Our Nature
    ahead = position
    while ahead < len(tokens) and ahead - position < 3 and kinds[ahead] not in (BREAK, CAPITAL, OPENER):
        if kinds[ahead] == CAPITAL_FUNCTION and ahead > position and tokens[ahead - 1] in _BEFORE_SURNAME:
            return ahead  # van der Meer, where meer is a word
        token = tokens[ahead].lower()
        if token in BRIDGES:
            if _BODIES.isdisjoint(part.lower() for part in parts) and not (
                token == "and" and (_is_law(tokens, ahead) or _is_of_two(tokens, kinds, ahead, parts))
            ):
                break
        elif (token not in CONNECTORS and token not in lists.connectors and not after_function) or (
            token in _SECOND and ahead == position
        ):
            break
        ahead += 1
    if not position < ahead < len(tokens) or kinds[ahead] != CAPITAL:
        return 0
    other = tokens[ahead].lower()
    if tokens[position:ahead] == ["am"] and _is_german_noun(other):
        return 0  # Roswitha am Telefon, not Frankfurt am Main
    if other in lists.calendar and kinds[ahead + 1 : ahead + 2] == [NUMBER]:
        return 0  # the Chronicle of March 9
    if tokens[position:ahead] == ["the"] and (other in lists.organization or other in lists.place):
        return 0  # "in Rome the Senate", not Philip the Good
    return ahead


def _is_german_noun(word: str) -> bool:
    return german.is_noun(word, lexicon_of(("de",)))


def _is_of_two(tokens: list[str], kinds: list[int], position: int, parts: list[str]) -> bool:
    """Whether "and" is inside one name: Messrs. Penrose and Daw, the Dunmere and Arrop Navigation, Sense and Sensibility."""
    if kinds[position + 1 : position + 2] != [CAPITAL]:
        return False
    if is_of_partners(parts[0]):
        return True
    after = tokens[position + 1 : position + 3]
    if len(parts) != 1:
        return False
    if kinds[position + 2 : position + 3] == [CAPITAL]:
        determined = position > 1 and tokens[position - 2].lower() == "the"
        return determined and after[1].lower() in _FIRMS_OF_TWO
    return position > 1 and kinds[position - 2] != BREAK and all(map(_is_word_alone, (parts[0], after[0])))


def _is_word_alone(token: str) -> bool:
    """Whether a capitalised word is an ordinary one and nobody's name."""
    lower = token.lower()
    return len(token) > _SHORT and token[1:].islower() and is_english_word(lower) and not is_listed(lower)


def is_listed(name: str) -> bool:
    """Whether the lists of names have one, given in lower case: of persons, places, organisations or products."""
    return name in GIVEN_NAMES or name in PLACES or name in ORGANIZATIONS or name in PRODUCTS or name in cities()


def _is_law(tokens: list[str], position: int) -> bool:
    """Whether "and" is inside the name of a law: Landlord and Tenant Act."""
    after = tokens[position + 1 : position + 3]
    return len(after) == 2 and after[0][0].isupper() and after[1][0].isupper() and after[1].lower() in _LAWS
