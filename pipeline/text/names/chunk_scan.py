"""Finds what may be a name or a salient noun phrase in one chunk, without a tagger, and counts the cues beside each.

Nothing is decided here: a scan depends on its chunk alone (so it is made once in a chunk's life and kept as JSON), and
``vocabulary.choose`` decides over the scans of a whole corpus.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from pydantic import BaseModel, ConfigDict

from pipeline.base.task import unchecked
from pipeline.text import sentences
from pipeline.text.dates import MONTH_NAMES
from pipeline.text.lexicon.english_words import is_english_word
from pipeline.text.lexicon.given_names import GIVEN_NAMES
from pipeline.text.lexicon.questions.question_words import QUESTIONS
from pipeline.text.lexicon.sentences.sentence_words import SENTENCES
from pipeline.text.names import cjk_candidates
from pipeline.text.names.appositions import other_names
from pipeline.text.names.candidate_scanner import Clause
from pipeline.text.names.small_names import AFTER_SUBJECTS, is_tabled, read_small_names
from pipeline.text.names.tally import NameCue, Tally
from pipeline.text.names.token_kinds import CAPITAL, CUT, NUMBER, PLAIN, RUN, WORD, token_kinds
from pipeline.text.scripts import language_of, tokens_of, words_of
from pipeline.text.sentences import CELLS
from pipeline.text.tokenizer import words


class Scan(BaseModel):
    """Candidates of one chunk with their counts."""

    model_config = ConfigDict(frozen=True)

    language: str
    """ISO 639-1 code, or "und"."""
    sentences: list[int]
    """Start and end of each sentence, in turn."""
    boilerplate: bool
    """Whether most of it is the text of a licence: its capitals name nothing that the corpus is about."""
    anchored: tuple[str, ...]
    """Names read from the anchor: as written, and without its bracket."""
    n_words: int
    """Tokens, punctuation among them."""
    names: dict[str, list[int]]
    """Capitalised spans and quoted titles, as written, to the ``NameCue`` of all their sightings."""
    words: dict[str, list[int]]
    """Content words in lower case to [total, heads after a determiner, heads, after a word that calls for a verb]."""
    phrases: dict[str, list[int]]
    """Noun phrases to [total, after a determiner]."""
    small: dict[str, list[int]]
    """Words in small letters to [places that treat them as names, cells of tables among them]."""
    aliases: list[tuple[str, str]]
    """Pairs (name, short form) that the text itself introduces: "World Health Organization (WHO)", "Richard Olivier, Bishop
    of Coutances", "Stephen, whom we called Tip"."""


_QUOTED: Final = re.compile(
    r"[\"“«„《〈『](?:(?<=[\"“«„])([^\"“”«»„\n]{2,80})[\"”»“]|(?<=[《〈『])([^《》〈〉『』]{1,60})[》〉』])"
)
"""Begins with one set, so that other characters are passed over at once."""
_ACRONYM: Final = re.compile(
    r"((?:[A-Z][\w'’&-]{0,30} (?:(?:of|for|the|and|on|de|du) ){0,2}){1,7}[A-Z][\w'’-]{0,30}) ?\(([A-Z][A-Za-z.]{1,9})\)"
)
_LEAST_WIDTH: Final = 50
"""Characters of a line below which no text is wrapped."""
_SPARE: Final = 10
"""Characters by which the lines of wrapped text differ otherwise."""
_BEGINS: Final = re.compile(r"[> \t]*[^\W\d_a-z]\S*")
_ENDS: Final = re.compile(r"(?:^|[\s(>])[^\W\d_a-z][\w'’-]*\s*$")
"""A word with a capital letter at the beginning and at the end of a line."""
_SALUTED: Final = re.compile(r",[ \t]*\n[ \t>]*\n|,[ \t]*\n[^\n]{1,40}(?:\n|\Z)")
_SIGNED: Final = re.compile(r"[^\W\d_a-z][\w.'’-]*(?: [^\W\d_a-z][\w.'’-]*){0,2}")
_FIRST_NAME: Final = re.compile(r"[^\W\d_a-z][^\W\d_]+")
_SIGNED_BELOW: Final = re.compile(r"[.!?…]\s*\n[ \t]*\n\s*\w+\s*\Z")
_LONGEST_ADDRESS: Final = 40
"""Characters of a line that is no more than an address or a closing."""
_INITIALLED: Final = re.compile(r"(?:Mr|Mrs|Ms|Miss|Dr)\.? [A-Z]\.")
_SHORT: Final = re.compile(r"\([A-Z][A-Za-z.]{1,9}\)")
_LEAVE_OUT: Final = re.compile(
    r"^[^.\n]{0,80}_[^.\n]{0,80}\.(?:txt|pdf|docx?|md|html?|csv|xlsx?|json|xml)\b|(?:https?://|www\.)\S+|(?<!\S)[^\s@]{1,64}@[^\s@]{1,255}"
    r"|(?<!\S)[^\s/]{2,100}\.(?:txt|pdf|docx?|md|html?|csv|xlsx?|pptx?|jpe?g|png|gif|svg|json|xml|zip)\b"
    r"|(?<!\S)\S*(?:[ÃÂ][\u0080-\u00bf]|â€)\S*|\[[A-Z][^\W\d_]{3,20}(?=[:\]])|(?<!\S)[^\s_]+_[^\s_]+_\S*|(?<![^\s_])[^\s_]*\d_(?=\s)|(?<![\w/])[A-Z]{1,6}/[\w/-]*\d[\w/-]*"
)
"""Addresses, names of files, words whose encoding was taken for another ("MÃ¼ller"), editors' marks ("[Illustration: ...]"),
and references ("BHA/2018/7741")."""
_GAP: Final = re.compile(r"(?<=\S)(?: {3,}|\t+| ?\.{4,})(?=\s?\S)")
"""Between the columns of a table that is set with spaces or dots."""
_CODE: Final = re.compile(r"[A-Z]{1,3}[-_]?\d{1,6}")
"""A cell, or a title, that is a code: "S1", "T-104"."""
_CELL_NAME: Final = re.compile(r"[^\W\d_a-z][\w.'’-]*(?: [^\W\d_a-z][\w.'’-]*){0,3}")
_KINDS: Final = (
    ("columns_person", NameCue.PERSON),
    ("columns_place", NameCue.PLACE),
    ("columns_body", NameCue.BODY),
)
"""Columns that say of what kind the names in them are."""
_LONGEST_LABEL: Final = 40
"""Characters of the name of a column, at most."""
_COMMAND: Final = re.compile(r"`[^`A-Z\n]+`")
"""Code in small letters: what it writes small is a name all the same."""
_EMPHASISED: Final = re.compile(r"(?<![\w*_])([*_]{1,2})([A-Z][a-z]+)\1('s)?(?![\w*_])(?=( [a-z']+)?)")
"""One word with a capital letter between marks of emphasis, with the possessive and the word behind it."""
_HANDLE: Final = re.compile(
    r"(?<!\S)(?:@[a-z]{2,20}[._][a-z]{2,20}(?=[:,]?(?:\s|\Z))|[a-z]{2,20}[._][a-z]{2,20}(?=:\s))"
)
"""What somebody is called in a chat, "ada.thorne": it is no word in small letters, and no evidence against the name."""
_CREDITS: Final = re.compile(
    r"\W*(?:credits:\s*)?(?:e-?text (?:was )?(?:produced|prepared)|produced|transcribed|scanned|digiti[sz]ed) (?:by|from)\b",
    re.IGNORECASE,
)
_TO_CREDIT: Final = re.compile(r"[Pp]roofread|e-?text|E-?text|[Tt]ranscribed|pgdp")
"""Says that somebody may be credited with the making of a file."""
_CREDIT_PARTS: Final = ("roofread", "text", "ranscribed", "pgdp")
"""One of these is in every such word."""
_TO_LEAVE_OUT: Final = re.compile(
    r"@|/(?<=[A-Z]/)|[ÃÂ]|€(?<=â€)|\.(?:(?<=www\.)|txt|pdf|doc|md|htm|csv|xls|ppt|jp|png|gif|svg|json|xml|zip)|\[[A-Z]"
)
"""Each begins with a rare character, so that most of a text is passed over in one go."""


def scan(text: str, anchor: str) -> Scan:
    """Candidates of a chunk. Pure in its two arguments, linear in the text, raises nothing on any text.

    ``anchor`` is the title of the document or the nearest heading above the chunk, "" where there is none.
    """
    language = language_of(text)
    tally = Tally()
    has_addresses = "http" in text or _TO_LEAVE_OUT.search(text) is not None
    has_handles = _HANDLE.search(text) is not None
    spans = sentences.split(text)
    first, last = _inside_marks(text)
    width = max(_LEAST_WIDTH, *map(len, text.splitlines()), 0)
    is_credited = any(map(text.__contains__, _CREDIT_PARTS)) and _TO_CREDIT.search(text) is not None
    for start, end in spans:
        if start < first or start >= last:
            continue
        sentence = text[start:end]
        if "\n" in sentence:
            sentence = _unwrapped(sentence, start - text.rfind("\n", 0, start) - 1, width)
        if is_credited and _CREDITS.match(sentence):
            continue
        said: list[tuple[str, int]] = []
        if CELLS in sentence:
            sentence, said, small = _cells(sentence, language)
            for word in small:
                tally.add_small(word, is_cell=True)
        read_small_names(sentence, language, tally)
        if "_" in sentence or "*" in sentence:
            sentence = _without_emphasis(sentence, tally)
        if "`" in sentence:
            sentence = _COMMAND.sub(" ", sentence)
        if has_handles:
            sentence = _HANDLE.sub("| ", sentence)
        read_sentence(_LEAVE_OUT.sub(" ", sentence) if has_addresses else sentence, language, tally)
        for name, cue in said:
            if name in tally.names:
                tally.add_name(name, [cue])
    for name in _addressed(text) if _SALUTED.search(text) else ():
        if name in tally.names:
            tally.add_name(name, [NameCue.PERSON])
    if (signed := _signed_below(text)) in tally.names:
        tally.add_signature(signed)
    if tally.runs:
        cjk_candidates.read_repeats(tally)
    pairs = [*(_read_aliases(text) if _SHORT.search(text) else ()), *other_names(text, spans, language)]
    return unchecked(
        Scan,
        language=language,
        sentences=[place for span in spans for place in span],
        boilerplate=_is_boilerplate(text[first:last]),
        anchored=_read_anchor(anchor, text, language),
        n_words=tally.n_words,
        names=tally.names,
        words=tally.words,
        phrases=tally.kept_phrases(),
        small=tally.small,
        aliases=sorted({*pairs, *tally.pairs}),
    )


def _unwrapped(sentence: str, before: int, width: int) -> str:
    """A sentence with a mark where a line ends between two words with capitals though the next word had had room, so that no
    name goes over it: lines of a signature, of an address, of a time line. ``before`` is
    how much of the first line is before the sentence, ``width`` that of the longest line of the text."""
    lines = sentence.split("\n")
    parts = [lines[0]]
    for above, below in pairwise(lines):
        begins = _BEGINS.match(below)
        ends = begins and before + len(above.rstrip()) + len(begins[0]) + _SPARE < width and _ENDS.search(above)
        before = 0
        parts.append(f"| {below}" if ends else below)
    return "\n".join(parts)


def _without_emphasis(sentence: str, tally: Tally) -> str:
    """Return a sentence without the marks of emphasis around one word with a capital letter, so that it counts where it is; an ordinary word
    keeps them, as what is to be clicked on has, unless something is said of it: _Black_ is, _Black_'s."""

    def bare(match: re.Match[str]) -> str:
        word = match[2]
        tally.add_name(word, [NameCue.EMPHASIS])
        owns, after = match[3] or "", (match[4] or "").strip()
        if owns or after in AFTER_SUBJECTS or not is_english_word(word.lower()):
            return word + owns
        return match[0]

    return _EMPHASISED.sub(bare, sentence)


def _cells(sentence: str, language: str) -> tuple[str, list[tuple[str, int]], list[str]]:
    """Return a row without the names of its columns and without codes, "S1", which name nothing that the texts are about; the names in
    columns that say of what kind they are; and the cells that may be names in small letters."""
    cells, said, small = list[str](), list[tuple[str, int]](), list[str]()
    for cell in sentence.split(CELLS):
        label, colon, value = cell.partition(": ")
        if not colon or len(label) > _LONGEST_LABEL:
            cells.append(cell)
            continue
        cells.append("" if _CODE.fullmatch(value.strip()) else value)
        if is_tabled(value.strip(), language):
            small.append(value.strip())
        if _CELL_NAME.fullmatch(value.strip()):
            own = {word.lower() for word in words(label)}
            said += ((value.strip(), cue) for head, cue in _KINDS if not own.isdisjoint(QUESTIONS.set_of(head)))
    return CELLS.join(cells), said, small


def _addressed(text: str) -> Iterator[str]:
    """Yield who is written to, alone on a line before a comma, and who signs below such a line: "Dear Ada," and "Yours,"."""
    lines = [line.strip("> \t") for line in text.splitlines()]
    lines = [line for line in lines if line]
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if line.endswith(",") and len(line) < _LONGEST_ADDRESS:
            signed = following if _SIGNED.fullmatch(following) else line[:-1]
            yield signed
            yield signed.partition(" ")[2]  # Dear Ada


def _signed_below(text: str) -> str:
    """Return the first name that is the last paragraph of a text, as below a message; "" where there is none."""
    below = text[text.rstrip().rfind("\n") + 1 :].strip()
    is_first_name = _FIRST_NAME.fullmatch(below) and below.lower() in GIVEN_NAMES
    return below if is_first_name and _SIGNED_BELOW.search(text, max(0, len(text) - _LONGEST_ADDRESS * 2)) else ""


def read_sentence(sentence: str, language: str, tally: Tally) -> None:
    """Count the candidates of a sentence."""
    if "   " in sentence or "\t" in sentence or "...." in sentence:
        sentence = _GAP.sub(" | ", sentence)
    tokens = tokens_of(sentence)
    tally.n_words += len(tokens)
    if '"' in sentence or not sentence.isascii():
        _read_quoted(sentence, language, tally)
    Clause(tally, language, tokens).read(in_capitals=sentence.isupper())


def _read_quoted(sentence: str, language: str, tally: Tally) -> None:
    for latin, wide in _QUOTED.findall(sentence):
        title = (wide or latin).strip().rstrip(",.;:").strip()
        if title and (wide or _is_title(title, sentence, language)):
            tally.add_name(title, [NameCue.QUOTED])


def _is_title(title: str, sentence: str, language: str) -> bool:
    """Whether a quotation is the title of a work: every content word capitalised, and enough of them or a cue beside it."""
    kinds = token_kinds(tokens_of(title), language)
    capitals = kinds.count(CAPITAL)
    if _INITIALLED.match(title):  # letters are signed so: "Mrs L. H., Skelwick"
        return False
    if not capitals or WORD in kinds or CUT in kinds or not title[0].isupper():
        return False
    return capitals > 2 or not words_of(language).work.isdisjoint(sentence.lower().split())


def _read_aliases(text: str) -> list[tuple[str, str]]:
    pairs = {(name.removeprefix("The "), short) for name, short in _ACRONYM.findall(text)}
    return sorted(pair for pair in pairs if _abbreviates(*pair))


def _abbreviates(name: str, short: str) -> bool:
    """Whether a short form is made of a name's initials."""
    capitals = "".join(word[0] for word in name.split() if word[0].isupper())
    return short.replace(".", "").upper() in (capitals, "".join(word[0].upper() for word in name.split()))


_LICENCE_KINDS: Final = 4  # different terms of licences, in a text where one comes every eighty words
_MARKS: Final = re.compile(r"\*\*\* ?(START|END) OF TH(?:E|IS) [^\n*]{0,200}(?:\*\*\*)?")


def _inside_marks(text: str) -> tuple[int, int]:
    """Where a book begins and ends that is between lines such as "*** START OF THE PROJECT GUTENBERG EBOOK"."""
    first, last = 0, len(text)
    if "*** " in text or "***S" in text or "***E" in text:
        for mark in _MARKS.finditer(text):
            if mark[1] == "START":
                first = mark.end()
            elif mark.start() > first:
                last = min(last, mark.start())
    return first, last


def _is_boilerplate(text: str) -> bool:
    lowered = text.lower()
    if not any(map(lowered.__contains__, SENTENCES.of_all("in_licence_terms"))):
        return False
    found = [term.lower() for term in SENTENCES.pattern("licence_terms").findall(text)]
    return len(set(found)) >= _LICENCE_KINDS and len(found) * 480 > len(text)


_BRACKET: Final = re.compile(r"\s*[(（][^()（）]{0,80}[)）]\s*$")
_TERM_WORDS: Final = 3  # of a title in lower case: "Machine learning" is a term, a sentence is none
_DATED: Final = re.compile(rf"(?<! of)(?<! vom)(?<! am) \d{{1,2}}\.? (?:{MONTH_NAMES})\b", re.IGNORECASE)
"""A heading with the day of what it is about: "Planning Day 6 November 2023"."""
_FILE_NAME: Final = re.compile(r"\S{2,}\.\w{1,5}$|\w+_\w+")


def _read_anchor(anchor: str, text: str, language: str) -> tuple[str, ...]:
    """Names that an anchor gives: itself and itself without its bracket, where it is a name and no mere heading."""
    title = " ".join(anchor.partition(" > ")[0].split())  # the document's title; a heading is no name
    if not title or len(title) > 120 or _FILE_NAME.search(title) or _CODE.fullmatch(title):
        return ()
    bare = _BRACKET.sub("", title)
    kinds = token_kinds(tokens_of(bare), language)
    is_name = CAPITAL in kinds and WORD not in kinds and CUT not in kinds and not title.isupper()
    if not any(kind in (CAPITAL, RUN, PLAIN, WORD) for kind in kinds) or bare.lower() in words_of(language).function:
        return ()
    if not (is_name or RUN in kinds or PLAIN in kinds):
        is_term = len(kinds) <= _TERM_WORDS and set(kinds) <= {CAPITAL, WORD} and bare.lower() in text
        return (title,) if is_term and bare == title else ()
    if NUMBER in kinds and len(kinds) > 2 and bare not in text:  # "Weekly 13 February", "Invoice 4711 overdue"
        return ()
    small = words_of(language)
    if NUMBER in kinds and _DATED.search(bare):
        return ()
    if any(
        token.islower() and token not in small.connectors and token not in small.determiners for token in bare.split()
    ):
        return ()  # a sentence, or the name of a section
    return (title,) if bare == title else (title, bare)
