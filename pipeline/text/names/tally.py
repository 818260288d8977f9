"""Counts of the candidates of one chunk: capitalised spans with the cues beside them, words, and noun phrases."""

from collections.abc import Iterable
from typing import Final


class NameCue:
    """What is beside a capitalised span, and its place among the counts of a name: plain numbers, since they are read millions of times, and
    members of an enum take five times as long (Python 3.11)."""

    MIDDLE: Final = 0
    """Seen where a capital letter is no matter of course."""
    OPENING: Final = 1
    """Seen at the opening of a sentence or quotation, in a heading or in capitals throughout."""
    DETERMINED: Final = 2
    """After an article or another determiner."""
    MODIFIER: Final = 3
    """Directly before a lower-case noun, where an adjective would be."""
    PERSON: Final = 4
    """Beside a verb of speech or living, or before a colon that opens a turn of speech."""
    PLACE: Final = 5
    """After a preposition of place and no article, or after "king of", "city of" and the like."""
    BODY: Final = 6
    """After "worked at", "joined", "founded", "employee of" and the like."""
    QUOTED: Final = 7
    """A title in quotation marks."""
    NOUN_CAPITALS: Final = 8
    """In a language that writes every noun with a capital letter (German)."""
    GOING: Final = 9
    """After a verb of going or living and a preposition, after "near", "siege of", "city of" and the like: a place for sure."""
    AT: Final = 10
    """After "at": a place or a body, as the known names of the corpus that follow it are."""
    IS_BODY: Final = 11
    """A sentence says that it is a body: "a company called", "the start-up", "CEO" behind it. So the next three."""
    IS_PLACE: Final = 12
    IS_WORK: Final = 13
    IS_THING: Final = 14
    """A product, a language, a machine: neither somebody nor a body."""
    AT_THE: Final = 15
    """After "at the": where it names nothing else, a house by its sign."""
    LABEL: Final = 16
    """Two letters before a colon at the opening of a line, or before a verb of speech: initials of who speaks."""

    SUBJECT: Final = 17
    """One word at the opening of a sentence that does something: before a verb, or before "and" and another name."""
    EMPHASIS: Final = 18
    """One word between marks of emphasis: _Black_, **Black**."""


N_CUES: Final = NameCue.EMPHASIS + 1


class Tally:
    """Counts over the sentences of one chunk."""

    def __init__(self, with_cues: bool = True) -> None:
        self.with_cues = with_cues
        """Whether what is beside names is counted; without it words and phrases are the same."""
        self.n_words = 0
        self.names: dict[str, list[int]] = {}
        """Span as written to the ``NameCue`` of all its sightings, one after the other: most have one or two of them."""
        self.words: dict[str, list[int]] = {}
        """Word to [total, head of a phrase after a determiner, head of any phrase, after a word that calls for a verb]."""
        self.phrases: dict[str, list[int]] = {}
        """Phrase to [total, after a determiner]."""
        self.pairs: list[tuple[str, str]] = []
        """Full names of people with the offices behind them."""
        self.runs: list[str] = []
        """Runs of a script without spaces whose words show only by what comes again (Thai and its neighbours)."""
        self.small: dict[str, list[int]] = {}
        """Word in small letters to [places that treat it as a name, cells of tables among them]."""
        self._marked: set[str] = set()

    def add_name(self, name: str, cues: Iterable[int]) -> None:
        found = self.names.get(name)
        if found is None:
            self.names[name] = [*cues]
        else:
            found.extend(cues)

    def add_small(self, word: str, is_cell: bool = False) -> None:
        counts = self.small.setdefault(word, [0, 0])
        counts[0] += 1
        counts[1] += is_cell

    def add_signature(self, name: str) -> None:
        """Has the last sighting of a name, which stands alone below a message, show that it is somebody's."""
        cues = self.names[name]
        if NameCue.OPENING in cues:
            cues.remove(NameCue.OPENING)
            cues.append(NameCue.MIDDLE)
        cues.append(NameCue.PERSON)

    def add_word(self, word: str, head: bool, determined: bool, verbal: bool = False) -> None:
        counts = self.words.get(word)
        if counts is None:
            counts = self.words[word] = [0, 0, 0, 0]
        counts[0] += 1
        if head:
            counts[2] += 1
            if determined:
                counts[1] += 1
        if verbal:
            counts[3] += 1

    def add_phrase(self, phrase: str, determined: bool, marked: bool = False) -> None:
        """Counts a phrase; a ``marked`` one is kept even if it is seen but once and without a determiner."""
        counts = self.phrases.get(phrase)
        if counts is None:
            counts = self.phrases[phrase] = [0, 0]
        counts[0] += 1
        counts[1] += determined
        if marked:
            self._marked.add(phrase)

    def kept_phrases(self) -> dict[str, list[int]]:
        """Return the phrases without those that were seen once, with nothing to show that they are noun phrases."""
        marked = self._marked
        return {key: counts for key, counts in self.phrases.items() if counts[1] or counts[0] > 1 or key in marked}


def without_possessive(word: str) -> str:
    """Return a word without the possessive ending that makes no other noun of it."""
    return word[:-2] if word.endswith(("'s", "’s")) else word
