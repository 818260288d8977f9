"""Decides which candidates are names: by where their capital letters are, by their lower-case use and by their words."""

import re
from collections.abc import Sequence
from typing import Final

from pipeline.text.inflection import base_form
from pipeline.text.lexicon import german
from pipeline.text.lexicon.english_words import is_english_word
from pipeline.text.lexicon.frequency import RARE, frequency
from pipeline.text.lexicon.given_names import FEMALE_NAMES, GIVEN_NAMES, MALE_NAMES
from pipeline.text.lexicon.lexicon import CONCEPT, ORGANIZATION, PERSON, WORK, Lexicon
from pipeline.text.lexicon.places import PLACES, cities
from pipeline.text.lexicon.words import listed, sections
from pipeline.text.names.candidates import DETERMINED_SHARE, Candidate, Corpus
from pipeline.text.names.name_spans import is_listed
from pipeline.text.names.name_types import OF_SAINTS, is_numeral, noun_type
from pipeline.text.names.tally import NameCue
from pipeline.text.scripts import fold, has_digit

_LONG_SHOUT: Final = 4
"""From so many words on a span in capitals throughout is no name."""
_ADJECTIVES: Final = ("ic", "al", "ous", "ive", "ian", "ean", "iot", "ese", "esque")
_ENGLISH_ENDINGS: Final = ("ing", "ed", "ly", "ness", "tion", "ment", "ism", "ity", "ium")
"""Of verbs, adverbs and of what is no name."""
_LONG_WORD: Final = 4
"""Letters from which on a word that no list has may be a name."""
_ACRONYM: Final = 4
"""Letters of an acronym that is an ordinary word as well, at most."""
_NUMBERED: Final = listed(sections("name_words")["numbered_works"])
_PIECES: Final = listed(sections("name_words")["numbered_pieces"])
_COUNTED: Final = listed(sections("name_words")["counted"])
_ADDRESSES: Final = listed(sections("name_words")["addresses"])
"""What a text numbers and does not speak of: pages, steps, days."""
_SHORT_ADDRESSES: Final = listed(sections("name_words")["short_addresses"])
_CONTACTS: Final = listed(sections("name_words")["contacts"])
_QUOTED_MAIL: Final = frozenset(sections("name_words")["quoted_mail"].split("|"))
_HEADINGS: Final = frozenset(sections("name_words")["headings"].replace("\n", "").split("|"))
"""Headings that many texts have, as manuals do."""
_PART_NUMBER: Final = re.compile(r"(?:\d+|[IVXLC]+|[A-Z])(?:\.\d+)*(?:[.:\s]|$)")
_BORNE: Final = MALE_NAMES | FEMALE_NAMES | listed(sections("name_words")["known_people"])
_CHAIRS: Final = listed("head professor fellow")
_TITLES: Final = listed("mr mrs ms messrs")
"""Titles that are nobody by themselves, as in "Rudkin (Mrs)"."""
_NEVER: Final = (0, 0, 0)
_FEW: Final = 3
"""Below so many sightings a word needs more than its capital letter where its form speaks against a name."""
# of invoices and orders; "Syncing 500" opens a sentence
_IDENTIFIER: Final = re.compile(r"\w-\d{3,}|\d{5,}|^\w+ing \d+$")


def is_name(candidate: Candidate, corpus: Corpus) -> bool:
    """Whether a candidate is a name: decided by where its capital letters are and by its lower-case use."""
    key = candidate.key
    if len(key) < 2 or not any(map(str.isalpha, key)) or is_numeral(candidate.spelling):
        return False
    if key in corpus.lexicon.calendar or (has_digit(key) and _IDENTIFIER.search(key)):
        return False
    if (
        key in _NUMBERED
        or key in _CONTACTS
        or key in _QUOTED_MAIL
        or key in _HEADINGS
        or _is_counted(candidate, corpus)
    ):
        return False
    if candidate.anchored:
        return key not in corpus.lexicon.function and key not in corpus.lexicon.calendar
    if candidate.cues[NameCue.QUOTED]:
        return " " in key or not key.isascii() or candidate.cues[NameCue.MIDDLE] > corpus.lower_count(key)
    return _is_long_name(candidate, corpus) if " " in key else _is_single_name(candidate, corpus)


def _is_counted(candidate: Candidate, corpus: Corpus) -> bool:
    """Whether a word and a number are no name together: "Removed 09" opens a sentence, "Jacob 12" is two columns, "Section F" and
    "Capitolo 3. Gli archivi" are parts of a text. A thing that is spoken of again and again is one by its number: Opus 112."""
    word, _, number = candidate.spelling.partition(" ")
    if not number:
        return False  # as most
    lower = word.lower()
    is_part = lower in _NUMBERED and _PART_NUMBER.match(number)
    if not is_part and (candidate.anchored or not all(part[0].isdigit() for part in number.split())):
        return False  # of "Fined 7s 6d" as of "Removed 09"
    recurs = candidate.seen >= _FEW and not corpus.is_verb(lower) and lower not in _COUNTED
    if is_part:
        return not (recurs and lower in _PIECES and candidate.cues[NameCue.MIDDLE])
    opens = not candidate.cues[NameCue.MIDDLE] and not recurs and (is_english_word(lower) or corpus.is_common(lower))
    return opens or lower in GIVEN_NAMES or _is_last_name(word, corpus)


def _is_last_name(word: str, corpus: Corpus) -> bool:
    """Whether a word is somebody's last name here: behind a first name, or behind a title."""
    lower = word.lower()
    is_other = is_english_word(lower) or lower in PLACES or lower in corpus.lexicon.demonyms or not word[1:].islower()
    return (lower in corpus.surnames and not is_other) or any(
        fold(f"{title} {word}") in corpus.candidates for title in sorted(_ADDRESSES)
    )


def _is_placeholder(candidate: Candidate, corpus: Corpus) -> bool:
    """Whether a word in capitals is an ordinary one, set so for notice or to be replaced: PATH, FILE."""
    key = candidate.key
    if not candidate.spelling.isupper() or len(key) < _FEW or not is_english_word(key):
        return False
    times = 4 if frequency(key, "en") > RARE or len(key) > _ACRONYM else 1  # PATH, but SAP
    return candidate.cues[NameCue.MIDDLE] <= times * (corpus.lower_count(key) + corpus.lower_count(key + "s"))


def _is_single_name(candidate: Candidate, corpus: Corpus) -> bool:
    key, cues, lexicon = candidate.key, candidate.cues, corpus.lexicon
    if _is_emphasised(candidate, corpus):
        return True
    if key in lexicon.no_names and not (candidate.spelling.isupper() and cues[NameCue.MIDDLE] and len(key) > 1):
        return False
    if candidate.seen < _FEW and cues[NameCue.MODIFIER] == candidate.seen and key.endswith(_ADJECTIVES):
        return is_listed(key)  # Angelic messengers
    if candidate.seen < _FEW and key[-1] == "s" and key[:-1] in _BORNE and not cues[NameCue.PERSON]:
        return (
            key in corpus.name_parts
            or key[:-1] in corpus.surnames
            or (is_listed(key) and key[:-1] not in corpus.candidates)
        )
    if key in corpus.german_nouns or _is_placeholder(candidate, corpus):
        return False
    if key.endswith("ing") and candidate.seen < _FEW and not (cues[NameCue.PERSON] or is_listed(key)):
        return False  # called Counting potatoes
    if key in _TITLES:
        return False
    if key in lexicon.posts or (
        key in lexicon.honorifics and (candidate.spelling.endswith(".") or key in _SHORT_ADDRESSES)
    ):
        return False
    if candidate.spelling.isupper() and len(key) < 5 and cues[NameCue.MIDDLE]:
        return key not in lexicon.nouns or corpus.lower_count(key) <= cues[NameCue.MIDDLE]  # "MY SON" is a shout
    lower = corpus.lower_count(key) + corpus.lower_count(key + "s")
    if not cues[NameCue.MIDDLE]:  # openings prove nothing by themselves
        known = key in GIVEN_NAMES or key in corpus.name_parts or cues[NameCue.PERSON] > 2
        known = known or _is_unknown_subject(candidate, corpus)
        return known and not lower and (candidate.seen > 1 or key in corpus.name_parts)
    if lower >= cues[NameCue.MIDDLE]:
        return False
    if key in lexicon.demonyms:
        return cues[NameCue.DETERMINED] > 1 and cues[NameCue.MODIFIER] * 2 < candidate.seen
    determined = cues[NameCue.DETERMINED] * DETERMINED_SHARE >= candidate.seen
    if candidate.is_german and determined and (key not in GIVEN_NAMES or german.is_noun(key, lexicon)):
        return False
    if candidate.is_german and candidate.seen < 2 and not (cues[NameCue.PERSON] or cues[NameCue.PLACE]):
        return False
    if key in corpus.heads and noun_type(key, lexicon) == ORGANIZATION and determined:
        return False  # the Institute, where some are named in full
    if not candidate.is_german and noun_type(key, lexicon) in (ORGANIZATION, WORK):
        # Parliament, never in lower case
        return cues[NameCue.MIDDLE] > 2 * max(lower, corpus.lower_count(base_form(key)))
    if key in lexicon.honorifics or noun_type(key, lexicon) != CONCEPT:
        return cues[NameCue.MIDDLE] > 2 * max(1, lower, corpus.lower_count(base_form(key)))  # "the Spirit" of one tale
    if candidate.spelling.isupper() and len(key) > 5:
        return len(set(candidate.chunks)) > 1  # a shout, more likely than an acronym
    return cues[NameCue.MODIFIER] * 10 < candidate.seen * 9 or candidate.seen < 3 or candidate.spelling.isupper()


def _is_emphasised(candidate: Candidate, corpus: Corpus) -> bool:
    """Whether a text sets a word in emphasis again and again and says what it does or is, as of what it is about: "_Black_ is"."""
    cues = candidate.cues
    if cues[NameCue.EMPHASIS] < _FEW or cues[NameCue.SUBJECT] + cues[NameCue.MIDDLE] < _FEW - 1:
        return False
    return corpus.lower_count(candidate.key) < cues[NameCue.EMPHASIS] and candidate.key not in corpus.german_nouns


def _is_unknown_subject(candidate: Candidate, corpus: Corpus) -> bool:
    """Whether a word at openings alone, of which English sentences say what it does or is, is no English word: a firm that is only ever
    what a sentence begins with."""
    key, spelling = candidate.key, candidate.spelling
    if not candidate.cues[NameCue.SUBJECT] or not key.isalpha() or not spelling[1:].islower() or len(key) < _LONG_WORD:
        return False
    if is_english_word(key) or key.endswith(_ENGLISH_ENDINGS) or noun_type(spelling, corpus.lexicon) != CONCEPT:
        return False
    return key not in corpus.lexicon.demonyms and not corpus.lower_count(base_form(key))


def _is_long_name(candidate: Candidate, corpus: Corpus) -> bool:
    spelling = candidate.spelling
    if len(set(candidate.key.split())) == 1:  # "Scrooge Scrooge"
        return False
    if _is_of_titles(candidate, corpus) or _is_gerund(candidate):
        return False
    if "'s " in spelling:
        return _is_owned_name(candidate, corpus)
    if _is_place_and_person(candidate, corpus):
        return False
    tokens = [token.lower().rstrip(".") for token in spelling.split()]
    lexicon = corpus.lexicon
    if corpus.is_german(candidate) and not candidate.anchored and _is_german_phrase(spelling.split(), corpus):
        return False
    if candidate.is_german and not candidate.anchored and candidate.seen < 2:
        named = tokens[0] in GIVEN_NAMES or tokens[0] in lexicon.honorifics or tokens[0].endswith("er")
        return named or noun_type(spelling.split()[0], lexicon) != CONCEPT
    if all(token in lexicon.calendar or token in lexicon.function or not token.isalpha() for token in tokens):
        return False
    if _is_post(tokens, lexicon) or (_is_of_many(tokens, lexicon) and not spelling.startswith("The ")):
        return False
    if tokens[0] not in lexicon.honorifics and base_form(tokens[0]) in lexicon.honorifics and not candidate.anchored:
        return False  # Captains Harville and Benwick
    if corpus.phrases.get(candidate.key, _NEVER)[0] > candidate.cues[NameCue.MIDDLE]:  # Machine Learning
        return False
    if spelling.isupper():  # a heading or a shout, unless it is a label that comes again
        if candidate.cues[NameCue.PERSON] > 0:
            return True
        words = any(corpus.is_common(token) or noun_type(token, lexicon) != CONCEPT for token in tokens)
        return len(set(candidate.chunks)) > 1 and not words and len(tokens) < _LONG_SHOUT
    if candidate.cues[NameCue.MIDDLE]:
        return True
    # Seen at openings and in headings only: its first word must be unknown as a common one, or the span must come back.
    return candidate.seen > 1 or not corpus.lower_count(tokens[0])


def _is_of_titles(candidate: Candidate, corpus: Corpus) -> bool:
    """Whether a span is titles alone, without a name behind them: Mr & Mrs."""
    words = [word.rstrip(".") for word in candidate.key.split()]
    return all(word in corpus.lexicon.honorifics or word in ("&", "and") for word in words) and "mr" in words


def _is_gerund(candidate: Candidate) -> bool:
    """Whether a span, at openings alone, says what somebody is at: "Thinking of the Loft", as a letter ends."""
    first, second, *_ = candidate.key.split()
    opens = not candidate.cues[NameCue.MIDDLE] and not candidate.anchored
    return opens and first.endswith("ing") and second in ("of", "for", "at") and is_english_word(first)


def _is_place_and_person(candidate: Candidate, corpus: Corpus) -> bool:
    """Whether a span is where or when something was and, without a comma, who did it: "At Tours Joan of Arc received"."""
    first, _, rest = candidate.key.partition(" ")
    person = corpus.candidates.get(rest)
    if person is None or candidate.anchored or " " not in rest or rest.split()[0] not in GIVEN_NAMES:
        return False
    place = first in PLACES or first in cities() or (first in corpus.candidates and first not in GIVEN_NAMES)
    return (place or first in corpus.lexicon.calendar) and person.seen >= _FEW * candidate.seen


def _is_german_phrase(tokens: Sequence[str], corpus: Corpus) -> bool:
    """Whether capital words are nouns with an adjective or another noun before them: Weitere Informationen."""
    last = tokens[-1].lower()
    if last not in corpus.german_nouns or noun_type(last, corpus.lexicon) != CONCEPT:
        return False
    return all(german.is_adjective(token.lower()) or token.lower() in corpus.german_nouns for token in tokens[:-1])


def _is_of_many(tokens: Sequence[str], lexicon: Lexicon) -> bool:
    """Whether a span names several people by what they are: Queens of Sheba; not a title, The Better Angels of Our Nature."""
    head = tokens[tokens.index("of") - 1] if "of" in tokens else ""
    return head != base_form(head) and lexicon.nouns.get(base_form(head)) == PERSON


def _is_post(tokens: Sequence[str], lexicon: Lexicon) -> bool:
    """Whether a span names a post and nobody: Chief Scientist of AI, Senior Developer Advocate."""
    if lexicon.posts.isdisjoint(tokens) and _CHAIRS.isdisjoint(tokens):
        return False  # as most
    end = next((at for at, token in enumerate(tokens) if token in ("of", "for", "at")), len(tokens))
    head, rest = tokens[end - 1], tokens[end + 1 :]
    if rest[:1] == ["the"] and len(rest) == 2:  # Founder of the Feast
        return False
    is_chair = head in _CHAIRS and bool(rest)
    return is_chair or (head in lexicon.posts and not any(token in GIVEN_NAMES for token in tokens[:end]))


def _is_owned_name(candidate: Candidate, corpus: Corpus) -> bool:
    """Whether a possessive is inside one name (Marley's Ghost) or between two (Microsoft's Kevin Scott)."""
    owned = fold(candidate.spelling.rsplit("'s ", 1)[-1])
    alone = corpus.candidates.get(owned)
    if " " not in owned and (noun_type(owned, corpus.lexicon) != CONCEPT or owned in OF_SAINTS):
        return True
    return candidate.seen > 1 and (alone is None or alone.seen <= candidate.seen)
