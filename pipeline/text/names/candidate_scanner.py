"""Walks over the tokens of a sentence and tallies its candidates: names by their capital letters, noun phrases between
function words. One pass, no tagger."""

from itertools import pairwise
from typing import Final

from pipeline.text.dates import MONTHS
from pipeline.text.inflection import base_form
from pipeline.text.lexicon import german
from pipeline.text.lexicon.english_words import is_english_word
from pipeline.text.lexicon.genders import PREPOSITIONS
from pipeline.text.lexicon.given_names import GIVEN_NAMES
from pipeline.text.lexicon.lexicon import PERSON, lexicon_of
from pipeline.text.lexicon.places import PLACES, ambiguous_cities, cities
from pipeline.text.lexicon.words import listed, sections
from pipeline.text.names import cjk_candidates
from pipeline.text.names.appositions import said_to_be
from pipeline.text.names.name_spans import BRIDGES, CONNECTORS, joined, name_span
from pipeline.text.names.name_types import OF_SAINTS, SAINT
from pipeline.text.names.small_names import AFTER_SUBJECTS, takes_singular
from pipeline.text.names.tally import NameCue, Tally, without_possessive
from pipeline.text.names.token_kinds import (
    BREAK,
    CAPITAL,
    CAPITAL_FUNCTION,
    CUT,
    DETERMINER,
    FUNCTION,
    NUMBER,
    OPENER,
    PARTICIPLE,
    PLAIN,
    RUN,
    WORD,
    token_kinds,
)  # fmt: skip
from pipeline.text.scripts import words_of

_CONTEXT: Final = sections("name_context")
_OFFICES: Final = listed(_CONTEXT["offices"])
_REALMS: Final = listed(_CONTEXT["realms"])
_OFFICES_OF: Final = _REALMS | listed(_CONTEXT["offices_of"])
"""Heads of an office with its place: Duke of Orléans, Dean of Corvesham."""
_STAMP: Final = 4
"""Numbers of a date with a time, at least: day, month, hour, minute."""
_LEAST_OFFICE: Final = 3  # words of such an office
_FOUGHT: Final = listed(sections("name_words")["fought"])
"""Events that are named after a place."""
_BEFORE_TIMES: Final = listed(_CONTEXT["before_times"])
_TIMES: Final = frozenset(word for word in {*MONTHS, *listed(_CONTEXT["weekdays"])} if len(word) >= len("july"))
_MONTHS_OR_NAMES: Final = listed(_CONTEXT["months_or_names"])
_STREETS: Final = listed(_CONTEXT["streets"])
"""What streets are called by, other words most of them."""
_TO_AND_FROM: Final = listed(_CONTEXT["to_and_from"])
"""Prepositions after which a name is a place where somebody goes."""
_NO_SUBJECT_BEHIND: Final = PREPOSITIONS - listed("as after before like than")
"""Prepositions that open no clause: in "the contract with Lockridge was signed" nobody was."""
_NO_ARTICLES: Final = listed(_CONTEXT["no_articles"])
"""Words after which a common noun is a noun phrase's head, and a name just a name: pan de Tolosa."""
_ACRONYMS: Final = frozenset(("US", "U.S.", "WHO", "IT"))  # function words but for their capitals
_COMPOUNDING: Final = listed("en nl sv und")  # languages in which a name is before a noun: Christmas dinner
_EXCLAIMED: Final = listed(_CONTEXT["exclaimed"])
_BEFORE_EXCLAIMED: Final = listed(_CONTEXT["before_exclaimed"])
_AFTER_EXCLAIMED: Final = listed(_CONTEXT["after_exclaimed"])
_OF_PEOPLE: Final = frozenset(("who", "whom"))
_PAUSES: Final = frozenset((".", ";", ""))
_CALLED: Final = frozenset("?!")
_BOXES: Final = (["[", "]"], ["x", "]"])
"""How the box of a task ends."""
_QUOTES: Final = frozenset("„“\"«‘'*_")
_EMPHASIS: Final = frozenset("*_")
_SHORT_NUMBER: Final = 3  # digits of a number that a name may begin with
_LONGEST_RUN: Final = 3  # words of a common-noun phrase
_BETWEEN: Final = frozenset((BREAK, OPENER, FUNCTION, DETERMINER, CUT))
"""Kinds of tokens that are between names and runs of words."""


def is_heading(kinds: list[int]) -> bool:
    """Whether this is a line in which Every Word Has a Capital, which says nothing about any of them."""
    return len(kinds) > 4 and kinds[-1] != BREAK and WORD not in kinds and CUT not in kinds and kinds.count(CAPITAL) > 3


class Clause:
    """One walk over the tokens of one sentence."""

    def __init__(self, tally: Tally, language: str, tokens: list[str]) -> None:
        self.tally = tally
        self.language = language
        self.lists = words_of(language)
        self.nouns = lexicon_of((language,)).nouns
        self.tokens = tokens
        self.lower = list(map(str.lower, tokens))
        self.kinds = token_kinds(tokens, language)
        self.n = len(tokens)
        self.heading = is_heading(self.kinds)
        self.has_articles = bool(self.lists.determiners)

    def read(self, in_capitals: bool) -> None:
        """Tallies every candidate; ``in_capitals`` says that the whole sentence is in capital letters."""
        self.heading = self.heading or in_capitals
        kinds, n = self.kinds, self.n
        position, opening = 0, True
        while position < n:
            kind = kinds[position]
            if kind in _BETWEEN:  # as most
                opening = kind == OPENER or (
                    kind == BREAK and ((opening and self.tokens[position] != "`") or self._ends_with_number(position))
                )
                position += 1
                continue
            if (
                kind == CAPITAL
                or (kind == CAPITAL_FUNCTION and not opening and self._opens_title(position))
                or (kind == NUMBER and not opening and self._is_in_name(position))
            ):
                position = self._read_name(position, opening)
            elif kind == WORD or (kind == PARTICIPLE and position and kinds[position - 1] == DETERMINER):
                position = self._read_run(position, not self.has_articles or self._is_determined(position), "")
            elif kind == CAPITAL_FUNCTION and self.tokens[position] in _ACRONYMS and not self.heading:
                self.tally.add_name(self.tokens[position], [NameCue.MIDDLE])
                position += 1
            elif kind == PLAIN:
                position = self._read_plain(position)
            elif kind == RUN:
                cjk_candidates.read_run(self.tokens[position], self.language, self.tally)
                position += 1
            else:
                position += 1
                opening = opening and kind == NUMBER
                continue
            opening = False

    def _ends_with_number(self, position: int) -> bool:
        """Whether a full stop after a number ends a sentence: "since 3.9. Reinstalling did not help"."""
        return (
            self.kinds[position - 1] == NUMBER
            and self.tokens[position] == "."
            and self.kinds[position + 1 : position + 2] == [CAPITAL]
            and self.language != "de"  # 9. November
        )

    def _is_in_name(self, position: int) -> bool:
        """Whether a number opens a name, amid a sentence and before two words with capitals: the 100 Year Starship. Before one it is
        rather a count: 12 Democrats."""
        noun = self.lower[position + 1] if self.kinds[position + 1 : position + 2] == [CAPITAL] else ""
        return (
            not self.heading
            and self.language == "en"
            and self.kinds[position + 2 : position + 3] == [CAPITAL]
            and len(self.tokens[position]) <= _SHORT_NUMBER
            and self.tokens[position].isdigit()
            and is_english_word(noun)
            and self.tokens[position + 1][1:].islower()
            and noun not in self.lists.calendar
            and noun not in self.lists.demonyms
            and self.kinds[position - 1] in (FUNCTION, DETERMINER, WORD, CUT)
        )

    def _opens_title(self, position: int) -> bool:
        """Whether a capitalised function word in running text opens a title: "welcome to Behind the Tech"."""
        if (
            self.heading
            or self.tokens[position][0] == "I"
            or self.kinds[position - 1] not in (FUNCTION, DETERMINER, WORD, CUT)
        ):
            return False
        ahead = position + 1
        while ahead < self.n and ahead - position < 3 and self.kinds[ahead] in (FUNCTION, DETERMINER, CAPITAL_FUNCTION):
            ahead += 1
        return ahead < self.n and self.kinds[ahead] == CAPITAL

    def _is_determined(self, position: int) -> bool:
        """Whether an article is before, with at most one adjective between; always so where there are no articles."""
        for back in (1, 2):
            if position < back:
                return False
            kind = self.kinds[position - back]
            if kind == DETERMINER:
                return True
            if kind == CAPITAL_FUNCTION:
                return self.lower[position - back] in self.lists.determiners
            if kind != WORD:
                return False
        return False

    def _read_name(self, start: int, opening: bool) -> int:
        """Tallies the name at ``start`` with its cues; returns the position after it and after what it owns or modifies."""
        if start and self.kinds[start - 1] == NUMBER and self.lower[start] in self.lists.calendar:
            return start + 1  # 24 August Joan of Arc
        if self._is_time(start):
            return start + 1  # from July Tarnside Dairy pays
        parts, end, possessive = self._span(start)
        name = joined(parts)
        lower = name.lower()
        is_short = len(name) < 3 * len(parts) and max(map(len, parts)) <= 2 and not self._is_titled_initials(parts)
        if is_short or lower in self.lists.calendar or (opening and lower in self.lists.verbs):
            return self._read_short(parts, end, opening)
        follows = end < self.n and self.kinds[end] == WORD and self.language in _COMPOUNDING
        wanted = follows or self.tally.with_cues  # a noun behind a name has the article before the name
        cues = self._cues(start, end, opening, possessive) if wanted else [NameCue.MIDDLE]
        if self._is_exclaimed(lower, start, end):
            return end
        if not possessive and end + 3 < self.n and self.tokens[end] == "," and (last := self._read_office(parts, end)):
            return last
        if end + 2 < self.n and self._has_subtitle(start, end, opening):
            return self._read_subtitle(name, end, cues)
        opens = opening and end - start == 1  # "Blood pressure fell": may be any word
        if follows and not possessive:
            cues.append(NameCue.MODIFIER)
        inside = possessive and end < self.n and self.kinds[end] == CAPITAL
        if inside and self._is_one_name(name, self.tokens[end]):
            return self._read_owned(name, end, cues[0])
        if not (inside and self._goes_on(parts, lower)):
            self.tally.add_name(name, cues)
        if possessive:
            return self._read_owned(name, end, cues[0])
        return self._read_run(end, NameCue.DETERMINED in cues, "" if opens else name + " ") if follows else end

    def _is_time(self, start: int) -> bool:
        """Whether a month or a day of the week behind a preposition is before a name, without a comma; one that is a first name as well
        (June) only before two words."""
        word = self.lower[start]
        if word not in _TIMES or not start or self.lower[start - 1] not in _BEFORE_TIMES or self.heading:
            return False
        if word not in self.lists.calendar:
            return False  # in Mayo College, in English
        n_words = 2 if word in _MONTHS_OR_NAMES or word in GIVEN_NAMES else 1
        return self.kinds[start + 1 : start + 1 + n_words] == [CAPITAL] * n_words

    def _is_titled_initials(self, parts: list[str]) -> bool:
        """Whether initials are somebody's by a title of two letters before them: Mr T. B., Ms O.; M. T. may be initials alone."""
        title = parts[0].rstrip(".").lower()
        lists = self.lists
        titles = title in lists.honorifics or title in lists.masculine or title in lists.feminine
        return len(parts) > 1 and len(title) > 1 and not parts[0].isupper() and titles

    def _goes_on(self, parts: list[str], lower: str) -> bool:
        """Whether a possessive before a capital is inside a name: the Hundred Years' War, National Women's Council."""
        return parts[-1].lower() in self.nouns or (len(parts) > 1 and all(map(is_english_word, lower.split())))

    def _is_exclaimed(self, lower: str, start: int, end: int) -> bool:
        """Whether somebody is called upon and not spoken of: Good Lord, God bless you."""
        if lower.removeprefix("good ") not in _EXCLAIMED:
            return False
        before = self.lower[start - 1] if start else ""
        after = self.lower[end] if end < self.n else ""
        return " " in lower or before in _BEFORE_EXCLAIMED or after in _AFTER_EXCLAIMED or after == "!"

    def _read_office(self, parts: list[str], comma: int) -> int:
        """Reads the office behind a name, "Richard Olivier, Bishop of Coutances": a first name and it are one name ("Charles,
        Duke of Orléans"), whose end is returned; a full name may go by it, and 0 is returned."""
        place = comma + 1 + (self.tokens[comma + 1] == "the")
        head = self.lower[place]
        if head not in _OFFICES_OF or self.kinds[place] != CAPITAL or self._is_office(parts[0]):
            return 0
        office, end, _ = self._span(place)
        if len(office) < _LEAST_OFFICE or office[1].lower() not in CONNECTORS or self.heading:
            return 0
        if len(parts) > 1:
            self.tally.pairs.append((joined(parts), joined(office)))
            return 0
        if parts[0].lower() not in GIVEN_NAMES:
            return 0
        self.tally.add_name(f"{parts[0]}, {joined(office)}", [NameCue.MIDDLE, NameCue.PERSON])
        return end

    def _is_office(self, word: str) -> bool:
        return word.lower() in _OFFICES_OF or word.lower().rstrip(".") in self.lists.posts

    def _has_subtitle(self, start: int, end: int, opening: bool) -> bool:
        """Whether a title goes on behind a colon: Star Trek: The Next Generation."""
        return (
            not (opening or self.heading)
            and self.tokens[end] == ":"
            and self.kinds[end + 1] == CAPITAL_FUNCTION
            and self.kinds[end + 2] in (CAPITAL, CAPITAL_FUNCTION)
            and self.lower[start] not in GIVEN_NAMES
        )

    def _read_subtitle(self, name: str, colon: int, cues: list[int]) -> int:
        """Tallies a title with its subtitle, or alone where other names may follow; returns where to read on."""
        parts, end, _ = self._span(colon + 1)
        if end >= self.n or (self.kinds[end] == BREAK and self.kinds[end + 1 : end + 2] != [CAPITAL]):
            self.tally.add_name(f"{name}: {joined(parts)}", cues)
            return end
        self.tally.add_name(name, cues)
        return end

    def _read_short(self, parts: list[str], end: int, opening: bool) -> int:
        """A lone acronym of two letters is a name; an initial, a numeral or a day of the week is not."""
        if (
            len(parts) == 1
            and len(parts[0]) == 2
            and parts[0].isupper()
            and parts[0].lower() not in self.lists.calendar
        ):
            speaks = opening and end + 1 < self.n and self.tokens[end] == ":"  # MO: When was that?
            speaks = speaks or self._is_before_deed(end)
            cue = NameCue.OPENING if self.heading else NameCue.MIDDLE
            self.tally.add_name(parts[0], [cue, NameCue.LABEL] if speaks else [cue])
        return end

    def _is_before_deed(self, end: int) -> bool:
        """Whether somebody's verb is behind initials without an article: DW said."""
        after = self.lower[end] if end < self.n else ""
        is_verb = after in self.lists.speech or (after in AFTER_SUBJECTS and after not in self.lists.function)
        return is_verb and (end < 2 or self.lower[end - 2] not in self.lists.determiners)

    def _cues(self, start: int, end: int, opening: bool, possessive: bool) -> list[int]:
        tokens, lower, lists = self.tokens, self.lower, self.lists
        before = lower[start - 1] if start else ""
        after = lower[end] if end < self.n else ""
        cues: list[int] = [NameCue.OPENING if opening or self.heading else NameCue.MIDDLE]
        if before == "|" and after == ":":  # the name of a column
            return [NameCue.OPENING]
        if opening and after == ":" and end + 1 < self.n:
            if self._is_of_task(start, end):
                return [NameCue.OPENING, *([NameCue.NOUN_CAPITALS] if self.language == "de" else [])]
            # of a speaker; "Title:" is none
            is_label = end - start > 1 or tokens[start].isupper() or self._is_stamped(start)
            known = is_label or lower[start] in GIVEN_NAMES
            return [NameCue.MIDDLE if is_label else NameCue.OPENING, *([NameCue.PERSON] if known else [])]
        if self.language == "de":
            cues.append(NameCue.NOUN_CAPITALS)
        cues += self._cues_before(start, end, before, possessive)
        is_alone = possessive and (
            end == self.n
            or self.kinds[end] in (BREAK, OPENER, FUNCTION)
            or after in lists.place
            or after in lists.organization
        )
        if is_alone and lower[start] in SAINT and end - start > 1:
            cues.append(NameCue.GOING)  # vicar of St. Brannock's, St Bride's church
        if not possessive and (self._is_gone_to(before, start) or self._is_street(start, end)):
            cues.append(NameCue.GOING)
        if self.language == "en":
            cues += said_to_be(tokens, lower, self.kinds, start, end, self.nouns)
            if before == "the" and start > 1 and lower[start - 2] == "at":
                cues.append(NameCue.AT_THE)
            if opening and end - start == 1 and (possessive or self._is_before_verb(end, after)):
                cues.append(NameCue.SUBJECT)
                if lower[start].endswith("s") and takes_singular(lower[start], after):
                    self.tally.add_small(lower[start])
        if self._is_person_by_sides(start, end, before, after, cues):
            cues.append(NameCue.PERSON)
        return cues

    def _is_before_verb(self, end: int, after: str) -> bool:
        """Whether a word at the opening of a sentence is what the sentence is about, alone or with another: "Brightmill and Dorvane"."""
        joins = after == "and" and self.kinds[end + 1 : end + 2] == [CAPITAL]
        return not self.heading and (joins or after in AFTER_SUBJECTS)

    def _cues_before(self, start: int, end: int, before: str, possessive: bool) -> list[int]:
        """What the word before a name says that it names."""
        lower, lists = self.lower, self.lists
        quoted = before in _QUOTES and start > 1 and self._is_determined(start - 1)  # the „Undine“ is no woman
        is_beside = start and self.kinds[start - 1] == WORD and not possessive
        beside = (self.nouns.get(before) or self.nouns.get(base_form(before))) if is_beside else None
        if beside == PERSON or self._is_titled(start, before):  # his son Koldo, la sig.ra Bo
            return [NameCue.PERSON]
        if (
            quoted
            or (self._is_determined(start) and (before not in _NO_ARTICLES or self.language == "nl"))
            or (self.language == "de" and german.is_before_noun(self.tokens[start - 1] if start else ""))
        ):
            is_thing = quoted and before in _EMPHASIS and self._is_of_somebody(start, end)
            return [NameCue.DETERMINED, NameCue.IS_THING] if is_thing else [NameCue.DETERMINED]
        if before == "at" and not possessive:  # at Garrow's is where somebody is
            return [NameCue.BODY if lists.employed & self._words_before(start) else NameCue.AT]
        if (before in lists.places_after and not possessive) or self._is_in_address(start, end):
            return [NameCue.PLACE]
        if before in lists.bodies_after:
            return [NameCue.BODY]
        whose = lower[start - 2] if before in CONNECTORS and start > 1 else ""
        if whose in _OFFICES:
            return [NameCue.BODY]
        if whose in _REALMS:
            return [NameCue.PLACE]
        return [NameCue.GOING] if whose in lists.place or whose in lists.beside or whose in _FOUGHT else []

    def _is_person_by_sides(self, start: int, end: int, before: str, after: str, cues: list[int]) -> bool:
        """Whether the words on both sides of a name, of which ``cues`` are known, show that it is somebody's."""
        lists = self.lists
        is_subject = before not in CONNECTORS and (before not in _NO_SUBJECT_BEHIND or after in _OF_PEOPLE)
        if before in lists.speech or (after in lists.speech and NameCue.PLACE not in cues and is_subject):
            return True
        if after != ",":  # What is it, Spark? This is my son, Koldo.
            return before == "," and (after in _CALLED or (after in _PAUSES and self._is_somebody(start)))
        if end + 1 < self.n and self.tokens[end + 1] in _OF_PEOPLE and len(cues) == 1:
            # Hester, whom I like; not the bishop of Lodève, who
            return not (before in CONNECTORS or before in lists.places_after or before in _TO_AND_FROM)
        # his wife, Ruby, and a boy; Delia, Sunita, Ines
        return before == "," and (self._is_somebody(start) or self._is_among_people(start, end))

    def _is_of_task(self, start: int, end: int) -> bool:
        """Whether what is before a colon says what is to be done or told about, and nobody who speaks: "[x] Leeds Archive: order",
        "Nächste Runde: 28.8."."""
        if self.lower[max(0, start - 2) : start] in _BOXES:
            return True
        first, last = self.lower[start], self.lower[end - 1]
        if self.language != "de" or end - start < 2 or first in GIVEN_NAMES:
            return False
        return german.is_adjective(first) or german.is_noun(last, lexicon_of(("de",)))

    def _is_stamped(self, start: int) -> bool:
        """Whether a date and a time are before the label of a message, and it is no ordinary word, as in the lines of a log."""
        word = self.lower[start]
        stamped = self.kinds[:start].count(NUMBER) >= _STAMP or (
            self.tokens[0] == "[" and start > 2 and self.tokens[start - 1] == "]"
        )
        return stamped and not is_english_word(word) and word not in self.nouns

    def _is_titled(self, start: int, before: str) -> bool:
        """Whether a title in small letters is before the span: il sig. Rossi, la prof.ssa Contini, don Melchor."""
        if before == "." and start > 1:
            before = self.tokens[start - 2]
        elif not before.islower():
            return False
        lists = self.lists
        return before in lists.honorifics or before in lists.masculine or before in lists.feminine

    def _is_somebody(self, start: int) -> bool:
        """Whether the noun before the comma before a place says what somebody is."""
        return start > 1 and self.nouns.get(self.tokens[start - 2]) == PERSON

    def _is_of_somebody(self, start: int, end: int) -> bool:
        """Whether a span says that it is somebody of some place: on the *Empress of Scotland*, a ship as its emphasis shows."""
        return end - start > 2 and self.lower[start + 1] == "of" and self.nouns.get(self.lower[start]) == PERSON

    def _is_among_people(self, start: int, end: int) -> bool:
        """Whether a single word in a list is between given names, neither of which is a place's."""
        if end - start > 1 or start < 2 or end + 1 >= self.n:
            return False
        beside = self.lower[start - 2], self.lower[end + 1]
        return all(name in GIVEN_NAMES and name not in PLACES and name not in cities() for name in beside)

    def _is_in_address(self, start: int, end: int) -> bool:
        """Whether a name that is a city's or a surname ends an address: "Pallister Haulage, Bolton"."""
        if start < 2 or self.tokens[start - 1] != "," or self.kinds[start - 2] != CAPITAL or end - start > 1:
            return False
        ends = end == self.n or (self.kinds[end] in (BREAK, NUMBER) and self.tokens[end] not in (",", ":"))
        return ends and self.lower[start] in ambiguous_cities()

    def _is_street(self, start: int, end: int) -> bool:
        """Whether a span with a house number before it is a street's name: 8 Tannery Row."""
        numbered = end - start > 1 and start > 0 and self.kinds[start - 1] == NUMBER
        return numbered and self.lower[end - 1] in _STREETS and self.tokens[start - 1].isdigit()

    def _words_before(self, start: int) -> set[str]:
        """The two words before a preposition before ``start``, and the one before these."""
        return {*self.lower[max(0, start - 4) : start - 1]}

    def _is_gone_to(self, before: str, start: int) -> bool:
        """Whether the word before a name leads to a place: "near", or a preposition after a verb of going or living, or
        after a noun that is somewhere ("a hospital in")."""
        lists = self.lists
        if before in lists.beside:
            return self.kinds[start - 1] != CAPITAL
        if before not in lists.places_after and before not in _TO_AND_FROM:
            return False
        word = self.lower[start - 2] if start > 1 else ""
        return word in lists.going or (
            before in lists.places_after and (word in lists.place or word in lists.organization)
        )

    def _read_owned(self, owner: str, start: int, cue: int) -> int:
        """What a name in the possessive owns: another name (Marley's Ghost) or a common noun (Scrooge's nephew)."""
        opens_title = self.kinds[start : start + 2] == [CAPITAL_FUNCTION, CAPITAL] and not self.heading
        if (start < self.n and self.kinds[start] == CAPITAL) or opens_title:
            parts, end, possessive = self._span(start)
            owned = joined(parts)
            if opens_title:  # 50 Cent's In Da Club
                self.tally.add_name(owned, [cue])
                return end
            self.tally.add_name(f"{owner}'s {owned}", [cue])
            if not self._is_one_name(owner, owned):
                self.tally.add_name(owned, [NameCue.DETERMINED])
            return self._read_owned(owned, end, cue) if possessive else end
        if start < self.n and self.kinds[start] == WORD:
            return self._read_run(start, True, owner + "'s ")
        return start

    def _span(self, start: int) -> tuple[list[str], int, bool]:
        return name_span(self.tokens, self.kinds, start, self.lists, self.heading)

    @staticmethod
    def _is_one_name(owner: str, owned: str) -> bool:
        """Whether a possessive and what it owns are one name: St. John's Eve, St. Bride's Lane."""
        first, _, saint = owner.lower().partition(" ")
        return bool(saint) and first.rstrip(".") in SAINT and owned.lower() in OF_SAINTS

    def _read_run(self, start: int, determined: bool, owner: str) -> int:
        """Tallies the words and phrases of a run of content words; ``owner`` is a name written directly before it."""
        end = start + 1
        kinds, tally = self.kinds, self.tally
        while end < self.n and kinds[end] == WORD:
            end += 1
        run = self.lower[start:end]
        if self.language == "de":  # nouns have capitals: no phrase in lower case
            for word in run:
                tally.add_word(word, head=False, determined=False)
            return end
        verbal = not owner and start > 0 and self.lower[start - 1] in self.lists.verb_cues
        if kinds[start] == PARTICIPLE:
            run = run[1:]
        elif verbal or (run[0].endswith("ing") and not determined and len(run) > 1 and self.language == "en"):
            tally.add_word(run[0], head=False, determined=False, verbal=verbal)
            run = run[1:]
        if not run:
            return end
        short = len(run) <= _LONGEST_RUN
        last = len(run) - 1
        for place, word in enumerate(run):
            tally.add_word(without_possessive(word), short and place == last, determined)
        self._tally_phrases(run, determined, owner)
        if short:
            self._read_of(end, run[-1])
        return end

    def _tally_phrases(self, run: list[str], determined: bool, owner: str) -> None:
        add = self.tally.add_phrase
        run[-1] = without_possessive(run[-1])
        if 1 < len(run) <= _LONGEST_RUN:
            for size in range(2, len(run) + 1):
                add(" ".join(run[-size:]), determined, marked=run[-1] in self.nouns)
        elif len(run) > _LONGEST_RUN:
            for first, second in pairwise(run):
                add(f"{first} {second}", False)
        if owner and len(run) <= 2:
            add(owner + " ".join(run), determined, marked=True)

    def _read_of(self, position: int, head: str) -> None:
        """A lower-case noun that takes a name: "siege of Orléans", "siège d'Orléans"; the name is read again by itself."""
        lists = self.lists
        if head not in lists.event and head not in lists.organization and head not in lists.work:
            return
        ahead = position
        if position < self.n and self.tokens[position] == "the":
            return  # on board the Pequod
        while (
            ahead < self.n
            and ahead - position < 2
            and (word := self.lower[ahead]) not in BRIDGES
            and (word in CONNECTORS or word in lists.connectors)
        ):
            ahead += 1
        if position < ahead < self.n and self.kinds[ahead] == CAPITAL:
            parts, _, _ = self._span(ahead)
            self.tally.add_phrase(joined([head, *self.tokens[position:ahead], *parts]), True, marked=True)

    def _read_plain(self, start: int) -> int:
        """A run of words in a spaced script without capitals (Arabic, Hebrew, Hindi, Korean)."""
        end = start + 1
        while end < self.n and self.kinds[end] == PLAIN:
            end += 1
        run = [cjk_candidates.without_particle(token) for token in self.tokens[start:end]]
        for word in run:
            self.tally.add_word(word, True, True)
        for size in range(2, _LONGEST_RUN + 1):
            for place in range(len(run) - size + 1):
                titled = run[place] in self.lists.honorifics or run[place] in self.lists.masculine
                self.tally.add_phrase(" ".join(run[place : place + size]), titled, marked=True)
        return end
