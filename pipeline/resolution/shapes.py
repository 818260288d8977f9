"""What a name looks like: its words in Latin letters, its numbers, its initials, and how it reads as that of a person."""

import re
from collections.abc import Sequence
from functools import cache, cached_property, lru_cache
from typing import Final

from anyascii import anyascii

from pipeline.text.inflection import base_form
from pipeline.text.lexicon.given_names import GIVEN_NAMES
from pipeline.text.lexicon.lexicon import PERSON, Lexicon, lexicon_of
from pipeline.text.lexicon.words import listed, sections
from pipeline.text.names.aliases import PersonName, read_person
from pipeline.text.names.name_types import HEAD_ENDS
from pipeline.text.scripts import LANGUAGES, fold, is_unspaced

_WORD: Final = re.compile(r"[^\W_]+(?:['’.&][^\W_]+)*[+#]*")
_OWNER: Final = re.compile(r"\S+['’]s\s")
_NUMBER: Final = re.compile(r"\d+")
_CAPITALS: Final = re.compile(r"(?<!\w)[A-Z]{2,}(?!\w)")
_INSIDE: Final = re.compile(r"[^\W\d_]+[-–]?\d\S*(?=\s)")
_ROMAN: Final = re.compile(r"(?=[IVXLC])(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})$")
_ACRONYM: Final = re.compile(r"(?:[^\W\d_]\.?){2,}\d*$")
_OTHER_SCRIPT: Final = re.compile("[^\\W\\d_\u0000-\u024f\u1e00-\u1eff\u0300-\u036f]")
_SOUNDS: Final = tuple(tuple(pair.split("=")) for pair in sections("other_names")["sounds"].split())
"""What letters sound like, longest first."""
_VOWELS: Final = dict.fromkeys(map(ord, "aeiouyjh'"))
_TWICE: Final = re.compile(r"(.)\1+")
_SPACES: Final = re.compile("  +")
_JOINING: Final = HEAD_ENDS | listed("and und et y e och og en für im pour para per")
_AROUND: Final = HEAD_ENDS | listed(sections("other_names")["around"])
_AND: Final = listed("and und et y e och og en &")
ARTICLES: Final = listed("the a an der die das le la les el los las il lo gli l")
_UMLAUTS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "å": "aa", "æ": "ae", "ø": "oe"})


class NameShape:
    """A name, taken apart; what few names are asked for is worked out when it is first looked at."""

    def __init__(self, text: str, type: str) -> None:
        self.text, self.type = text, type
        self.words: tuple[str, ...] = tuple(map(_without_possessive, _WORD.findall(text.replace(" & ", " and "))))
        """Its words as written, without possessive endings."""
        self.is_latin = text.isascii() or not _OTHER_SCRIPT.search(text)
        """Whether it is written in Latin letters."""
        plain = list(map(_plain, self.words))
        self.tokens = self._tokens(plain)
        """Its words in lower case and Latin letters, abbreviations written out, without articles, prepositions and
        conjunctions; a name in a script without spaces is one word, and as it is."""
        known = _abbreviations()
        self.plain = "".join(
            known.get(token, token) for token in plain if token not in ARTICLES or self._is_initial(token)
        )
        """Its letters and digits alone, Latin and in lower case, without articles."""
        written = "".join(self.words).lower()
        self.german = written if written.isascii() and written.isalnum() else self._spelled_out(written)
        """The same with umlauts and the like written out: müller is mueller."""
        self.bases = (*self.tokens[:-1], base_form(self.tokens[-1])) if self.tokens else ()
        """Its words with the last one in the singular."""
        self.acronym = self._acronym()
        """Its letters where it is written as an acronym, in lower case; else the empty text."""
        self.initials = self._initials(plain) if len(self.words) > 1 else frozenset()
        """The initials of its words, without and with those in lower case, and without an owner that opens it."""
        self.letters = self._letters() if len(self.words) > 2 else frozenset()
        """The initials of its words with the acronyms among them whole, with and without one that opens it, the house that the
        rest belongs to: MIT Computer Science and AI Lab is CSAIL. Empty where no word of some is an acronym."""

    def _tokens(self, plain: Sequence[str]) -> tuple[str, ...]:
        kept = [
            token
            for word, token in zip(self.words, plain, strict=True)
            if token and not (token in _JOINING and word.islower())
        ]
        if len(kept) > 1 and kept[0] in ARTICLES and not self._is_initial(kept[0]):
            kept = kept[1:]
        known = _abbreviations()
        return tuple([known.get(token, token) for token in kept or filter(None, plain)])

    def _spelled_out(self, written: str) -> str:
        return latin(written.translate(_UMLAUTS)) if self.is_latin else self.plain

    def _is_initial(self, token: str) -> bool:
        """Whether a word is an initial in this name: L. Holm is no "l'holm"."""
        return len(token) == 1 and f"{token.upper()}." in self.text

    def _acronym(self) -> str:
        if len(self.words) != 1 or not self.words[0].isupper() or not _ACRONYM.match(self.words[0]):
            return ""
        return self.plain if 2 <= len(self.plain) <= 10 else ""

    def _initials(self, plain: Sequence[str]) -> frozenset[str]:
        runs = [self.tokens, plain if self.is_latin else list(map(latin, self.words))]
        if ("'s" in self.text or "’s" in self.text) and _OWNER.match(self.text):
            runs += [run[1:] for run in runs]
        return frozenset(["".join([token[0] for token in run if token]) for run in runs if len(run) > 1])

    def _letters(self) -> frozenset[str]:
        if not _CAPITALS.search(self.text) or self.text.isupper():
            return frozenset()
        words = [word for word in self.words if word.lower() not in _JOINING]
        runs = [_plain(word)[: None if _CAPITALS.match(word) else 1] for word in words]
        house = _CAPITALS.match(self.text) and self.words[1].lower() not in ARTICLES
        opened = runs[1:] if house else runs
        return frozenset("".join(some) for some in (runs, opened) if len(some) > 1)

    @cached_property
    def opening_sound(self) -> str:
        """How its first word sounds: names that sound alike share it."""
        return _consonants(self.words[0]) if self.words else ""

    @cached_property
    def sound(self) -> str:
        """Its consonants, spelled alike in all transliterations: чайковский and tchaikovsky have the same."""
        sounds = " ".join(map(_consonants, self.words))
        return _SPACES.sub(" ", sounds) if "  " in sounds else sounds

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """Its numbers in Arabic digits, Roman ones among them."""
        found = [str(int(number)) for number in _NUMBER.findall(self.text)]
        return tuple(
            found + [word for word in self.words[1:] if _ROMAN.match(word) and not self._is_initial(word.lower())]
        )

    @cached_property
    def ordinals(self) -> tuple[str, ...]:
        """Its numbers but for those inside what has a name itself: 1936 in the 1936 games, none in the GPT-4 dinner."""
        return NameShape(_INSIDE.sub(" ", self.text), self.type).numbers

    @cached_property
    def kind(self) -> tuple[str, frozenset[str], frozenset[str]]:
        """The word that says what it is, in the singular, with the words before and those after it: a dinner, GPT-4, none."""
        words = [word for word in self.text.replace("-", " ").split() if word.lower() not in ARTICLES]
        linked = [at for at, word in enumerate(words) if at and word in _AROUND]
        head = linked[0] - 1 if linked else len(words) - 1
        before, after = (frozenset(NameShape(" ".join(some), "").tokens) for some in (words[:head], words[head + 1 :]))
        return base_form(_plain(words[head])) if words else "", before, after

    @cached_property
    def person(self) -> PersonName | None:
        """How it reads as the name of a person; None for what cannot be one, or is somebody's kin or thing."""
        if self.type not in (PERSON, "CONCEPT", "") or not self.words or not self.words[-1][0].isupper():
            return None
        if not _AND.isdisjoint(self.text.split()):
            return None
        if is_unspaced(self.text) or "'s " in self.text or "’s " in self.text or any(map(str.isdigit, self.text)):
            return None
        last, comma, first = self.text.partition(", ")
        read = read_person(f"{first} {last}" if comma and " " not in first else self.text, _lexicon())
        if read.title == "d" and len(read.core) == 1 and read.core[0] not in GIVEN_NAMES:
            read = read._replace(core=(read.title, *read.core), title="", gender="")  # D. Holm is no Don Holm
        if read.connected and read.core and self.text.startswith(f"{read.core[0]} "):
            return None  # oven of Ada Holm
        if "".join(read.core).isascii():  # as of most: Latin already
            return read if read.core else None
        return read._replace(core=tuple(map(latin, read.core)))


@lru_cache(maxsize=1 << 16)
def latin(text: str) -> str:
    """Return a text in lower case and Latin letters without accents: other scripts as they are mostly transliterated."""
    folded = fold(text)
    return folded if folded.isascii() else "".join(re.findall(r"[a-z0-9+#]+", anyascii(folded).lower()))


@lru_cache(maxsize=1 << 16)
def _consonants(word: str) -> str:
    text = latin(word)
    for written, sound in _SOUNDS:
        text = text.replace(written, sound)
    return _TWICE.sub(r"\1", text.translate(_VOWELS))


def _plain(word: str) -> str:
    return fold(word) if not word.isascii() and is_unspaced(word) else latin(word)


@cache
def _abbreviations() -> dict[str, str]:
    pairs = (pair.split("=") for pair in sections("other_names")["abbreviations"].split())
    return {short: latin(full) for short, full in pairs}


def _without_possessive(word: str) -> str:
    return word[:-2] if len(word) > 2 and word.endswith(("'s", "’s")) else word


@cache
def _lexicon() -> Lexicon:
    """The word lists of all languages: names of a corpus are in any of them."""
    return lexicon_of(tuple(LANGUAGES))
