"""Who wrote to whom, as the heads of messages and letters in a text say, and of whom of his kin a writer speaks."""

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import product
from typing import Final, NamedTuple

from pipeline.text.attribution import HeadLine, heads_in
from pipeline.text.extraction.annotate import Reading
from pipeline.text.lexicon.sentences.sentence_words import SENTENCES
from pipeline.text.sentences import CLOSED_STATEMENT

LONGEST_HEAD: Final = 400
"""Characters of the head of a letter that describes what relates its ends; of a longer one the line on its subject does."""
MOST: Final = 6
"""Addressees of a message whom its sender is related to: what goes to more is written to nobody of them."""
LEAST_WORDS: Final = 5
"""Words of a sentence that says what a letter is about: "Dear Tom!" does not."""


LONGEST_KIN: Final = 40
"""Characters before a name in which it is said what kin of the writer somebody is."""


class Letter(NamedTuple):
    """The pairs of who wrote and to whom, as titles, and what says so, white space squeezed."""

    pairs: tuple[tuple[str, str], ...]
    description: str


def letters(text: str, reading: Reading) -> Iterator[Letter]:
    """Yield the messages and letters of a text whose heads name who wrote and to whom, each described by its head with the subject;
    without a subject its first sentence is added."""
    for lines in heads_in(text):
        senders, addressees = (_named(lines, kind, reading) for kind in ("from", "to"))
        pairs = [pair for pair in product(senders, addressees[:MOST]) if len(set(pair)) > 1]
        if pairs:
            yield Letter(tuple(pairs), _described(text, lines, reading))


def mails(text: str, reading: Reading, pairs: Sequence[tuple[str, str]]) -> Iterator[Letter]:
    """Yield the mail that a text begins, if the headers of its file relate some pairs, described by its first sentence."""
    related = tuple(pair for pair in pairs if len({*pair}) > 1)
    if related and (said := _first_sentence(text, reading)):
        yield Letter(related, said)


def kin_of_writer(text: str, reading: Reading, writers: Collection[str]) -> Iterator[Letter]:
    """Yield whom the one writer of a text speaks of as kin, "my cousin Oscar", described by the sentence; what is quoted from another
    letter is another's."""
    if len(writers) != 1:
        return
    (writer,) = writers
    own_kin = SENTENCES.compiled(r"\b(?i:<<own>>)\s(?:[^\W\d_]+\s){0,2}?(?i:<<kin>>),?\s\Z")
    for sentence in reading.sentences:
        for name in sentence.names:
            is_kin = own_kin.search(text, max(sentence.start, name.start - LONGEST_KIN), name.start)
            if is_kin and name.title != writer and text[text.rfind("\n", 0, name.start) + 1] != ">":
                yield Letter(((writer, name.title),), " ".join(text[sentence.start : sentence.end].split()))


def written_pairs(
    senders: Sequence[str], addressees: Sequence[str], text: str, reading: Reading, title_of: Callable[[str], str]
) -> tuple[tuple[str, str], ...]:
    """Return the pairs of titles of those who wrote a mail or letter and those whom it is to, by their names in its headers, or in its
    signature and greeting; of each who wrote it with himself where none is known whom it is to.

    ``title_of`` returns the title that is a name, empty where none is; a shorter one counts where the text has it: "Graham", who
    signs, is Graham Marrable, and "Mrs Hallam" whom the text means by that.
    """
    if not senders:
        return ()
    names = [name for sentence in reading.sentences for name in sentence.names]
    known = {form: name.title for name in names for form in (name.title, text[name.start : name.end])}

    def title(name: str) -> str:
        words = frozenset(name.casefold().split())
        return title_of(name) or next(
            (title for form, title in known.items() if words >= {*form.casefold().split()}), ""
        )

    wrote, got = (dict.fromkeys(filter(None, map(title, names))) for names in (senders, addressees[:MOST]))
    pairs = tuple((one, other) for one in wrote for other in got if one != other)
    return pairs or tuple((one, one) for one in wrote)


def _first_sentence(text: str, reading: Reading, at: int = 0) -> str:
    """Return the first statement of a text behind a place, white space squeezed, that is no greeting; empty where there is none."""
    for start, end, *_ in reading.sentences:
        said = " ".join(text[start:end].split())
        if start >= at and CLOSED_STATEMENT.search(said) and len(said.split()) >= LEAST_WORDS:
            return said
    return ""


def _described(text: str, lines: Sequence[HeadLine], reading: Reading) -> str:
    said = [line for line in lines if line.kind in ("from", "to", "subject")]
    start, end = min(line.start for line in said), max(line.end for line in said)
    subjects = [line for line in said if line.kind == "subject"]
    if subjects and end - start > LONGEST_HEAD:
        start, end = subjects[0].start, subjects[0].end
    head = " ".join(text[start:end].split())
    first = "" if subjects else _first_sentence(text, reading, lines[-1].end)
    return f"{head}. {first}" if first else head


def _named(lines: Sequence[HeadLine], kind: str, reading: Reading) -> list[str]:
    """Return the titles of the names in the lines of a kind, each once."""
    spans = [(line.start, line.end) for line in lines if line.kind == kind]
    return list(
        dict.fromkeys(
            name.title
            for sentence in reading.sentences
            for start, end in spans
            if sentence.start < end and start < sentence.end
            for name in sentence.names
            if start <= name.start < end
        )
    )
