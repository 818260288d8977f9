"""Cuts text into paragraphs and sentences, as spans of characters, for any script.

A paragraph ends at a blank line, around a heading, a list item or a speaker's turn; a single line break inside running
text ends nothing. A sentence ends at a terminator of its script unless an abbreviation, an initial, a number or a
lower-case continuation says otherwise; what has no punctuation at all is cut at a weaker mark every LONGEST characters.
"""

import re
from collections.abc import Iterator, Sequence

from pipeline.text.attribution import STAMP
from pipeline.text.lexicon.words import listed, sections

MESSAGE = 300
"""Characters of a message of a chat up to which it is one sentence: by itself its second one would be nobody's."""
CODE = 200
"""Characters within which code inside of a sentence ends."""
LONGEST = 1200
"""Characters; a longer sentence is cut at a semicolon, a comma or white space, so that nothing later is quadratic in it."""

_UNWRAPPED = 160  # characters: no one wraps by hand beyond it, so the line break after such a line is meant
_NARROWEST = 24  # characters: no running text is wrapped below it
_PAGE = 60  # characters: a line so long shows how wide the text's lines are

_CLOSERS = r"\"'”’»›)\]}_*"
_WIDE_CLOSERS = "”’」』）】〉》〕］"
_NOTES = r"(?:\[\d{1,4}\])*+"  # numbers of footnotes, as encyclopaedias set them behind the full stop
_TERMINATOR = re.compile(
    rf"(?<![.!?…])[.!?…]++[{_CLOSERS}{_WIDE_CLOSERS}]*+{_NOTES}(?=\s|\Z|[\u3040-\u30ff\u3400-\u9fff])"
    rf"|[。！？｡؟۔।॥։።။។།]++[{_CLOSERS}{_WIDE_CLOSERS}]*+{_NOTES}"
)
_ASCII_TERMINATOR = re.compile(rf"[.!?]++[\"')\]}}_*]*+{_NOTES}(?=\s|\Z)")  # what it finds in ASCII text, much faster
_REFERENCE = re.compile(
    r"\s+\[(?=[^\[\]]{0,200}(?:\bpp?\.\s?\d|\bcit\.|\b(?:quoted|cited) (?:by|in)\b|\bibid\b|, ?\d{1,4}(?:[-–]\d{1,4})?\]))[^\[\]]{1,240}\](?=\s|\Z)"
    r"|\s+\((?=[^()]{0,120}(?:\bpp?\.\s?\d|\b(?:1[5-9]|20)\d\d[a-z]?\b))[^()]{1,140}[^()\s.!?]\)(?=\s|\Z)",
    re.IGNORECASE,
)
"""Whom a sentence quotes, as scholars write it behind the full stop: "[Rocker, p. 12]", "(Smith 2003)"."""
_TICKETS = re.compile(r"(?:[(\[]?(?:[\w./-]*#\d+|:[\w+:-]+:`#?\d+`)[)\],;.]*(?:\s+|\Z))+(?=\Z|[^\W\d_a-z])")
"""Numbers of tickets behind the full stop, as change logs have them: "(#412)", ":issue:`412`"."""
_OPEN_TICKETS = frozenset("([#:")
CLOSING_MARKS = r"\"'”’»)\]」』"
"""What may close behind the mark that ends a sentence, for a pattern; ``*_`` beside it where the text may be Markdown."""
END_MARKS = ".!?…。！？।؟۔"
"""The marks that end sentences, for a pattern."""
STATEMENT_MARKS = ".!…。！।۔"
"""Those of them that are no question mark."""
CLOSED_STATEMENT = re.compile(rf"[{STATEMENT_MARKS}][{CLOSING_MARKS}*_]*$")
"""How an answer's sentence ends that is no question."""
CLOSED = re.compile(rf"[{STATEMENT_MARKS}:;][{CLOSING_MARKS}*_]*$")
"""How a sentence of a text ends that is whole and no question."""
QUESTION = re.compile(rf"[?？؟][{CLOSING_MARKS}*_]*$")
"""How a question ends."""
_OPENERS = "\"'“‘«‹„‚(¿¡[{*_—–-"
_WORD = re.compile(r"\w+")
_LINK = re.compile(r"\[[^\[\]\n]+\]\(\S+")  # which is wrapped as a whole
_FULL_NAME = re.compile(r"([^\W\d_a-z][^\W\d_]+) [^\W\d_a-z]\w")
_WEAK = re.compile(r"[;:,،؛、；，]")

_MARKED = re.compile(
    r"[-*•–—·▪◦‣+]\s|\[[ xX✓]?\]\s|#{1,6}\s|\(?\d{1,3}[.)]\s|\(?[a-z]\)\s|[|>]|\[[^\[\]]{0,60}\]$"
    r"|[^\W\d_a-z][\w.'’-]{0,30}(?: [^\W_a-z][\w.'’-]{0,30}){0,4}:\s"
    r"|[^\W\d_a-z][^\W\d_]{0,15} :\s"
)
_NUMBERED = re.compile(r"(?:§ ?|[^\W\d_a-z]\w+ )?\d{1,2}(?:[.)]?\s|$)")  # "5. Term", "Article 5"
_CLAUSE = re.compile(r"\d{1,2}(?:\.\d{1,2}){1,3}\.?\s+[^\W\da-z_]")  # the number of a clause: "4.2 The tenant"
_QUOTES = re.compile(r"(?:> ?)+ *")
_LABEL = re.compile(r"[^\W\d_][\w'’-]{0,30} ?:\s")  # a word and a colon
_COLUMNS = re.compile(r"\S(?: {3,}|\t| ?\.{4,} ?| {2,}\S.{0,80}\S {3,})\S")  # a line of a table set with spaces or dots
_SIGN = re.compile(r"(?:[-*•–—·▪◦‣+]|\(?\d{1,3}[.)])\s+")  # of a list item: what is behind it is no second column
_LEADER = re.compile(r"(?:\s{3,}|\.{4,}\s?|(?: \.){3,} ?)\S{1,12}$")  # a line of a table of contents
_HEADING = re.compile(r"#{1,6}\s|\[[^\[\]]{0,60}\]$|={3,}$|-{3,}$|\*{3}.{0,80}\*{3}$")

_DAY_AND_MONTH = re.compile(r"(?<!\d)\d{1,2}\.\s\d{1,2}\Z")
_DAY_WITH_MONTH = re.compile(r"\d{1,2}\.\d{1,2}")
_MONTH_AND_YEAR = re.compile(r"\d{1,2}\.\s?\d{4}(?!\d)")
_YEAR = re.compile(r"\d{4}(?!\d)")

CELLS = " | "
"""What parts the cells of a row of a table in a text."""

_LISTS = sections("sentence_ends")
# Followed by a name or a figure, hardly ever by a new sentence.
_TITLES = listed(_LISTS["before_names"])
# A number follows, or the word is an ordinary one.
_BEFORE_NUMBER = listed(_LISTS["before_numbers"])
_BEFORE_YEAR = listed(_LISTS["before_years"])
# May close a sentence: it does when the next word is one that usually opens one.
_MAYBE = listed(_LISTS["may_close"])
_OPENING_WORDS = listed(_LISTS["open_sentences"])
_OF_FIRMS = listed(_LISTS["end_firms"])
_NEARBY = (
    20_000  # characters on either side of a firm's name in which one sees whether it is written without a full stop
)
_IN_TWO_WORDS = frozenset({("op", "cit"), ("loc", "cit"), ("z", "hd"), ("z", "zt")})
_AFTER_ORDINAL = listed(_LISTS["after_ordinals"])


def paragraphs(text: str) -> list[tuple[int, int]]:
    """Ordered disjoint ``(start, end)`` spans of paragraphs, headings, list items and speakers' turns.

    Offsets are characters of ``text``; spans neither begin nor end with white space and together hold every other character.
    """
    lines = text.splitlines(keepends=True)
    if len(lines) == 1:
        start = len(text) - len(text.lstrip())
        return [(start, len(text.rstrip()))] if start < len(text) else []
    spans: list[tuple[int, int]] = []
    page = max((len(line.strip()) for line in lines), default=0)
    for block in _blocks(lines):
        start, end = block[0]
        if len(block) == 1:
            spans.append((start, end))
            continue
        before = block[0]
        widest = max(_NARROWEST, max(b - a for a, b in block))
        if page > _UNWRAPPED and widest < _PAGE:  # the text wraps no lines: these are of an address or a list
            widest = 2 * page
        elif len(block) == 2:  # two lines do not show how wide the text's lines are; the longest of all may
            widest = page if page >= _PAGE else 0
        for line in block[1:]:
            if _breaks(text, before, line, widest):
                spans.append((start, end))
                start = line[0]
            end = line[1]
            before = line
        spans.append((start, end))
    return spans


def split(text: str) -> list[tuple[int, int]]:
    """Ordered disjoint ``(start, end)`` spans of sentences; every character but white space lies in exactly one.

    Linear in the text; a sentence never crosses a paragraph and is at most LONGEST characters long. Stages read the sentences
    of a chunk from the table ``sentences``, for which they are cut once. Cut here as well is what has no rows there:
    documents before they are chunks, and texts that are not a chunk's own, such as descriptions, reports and answers.
    """
    caseless = text.islower() or text == text.lower()
    terminator = _ASCII_TERMINATOR if text.isascii() else _TERMINATOR
    spans: list[tuple[int, int]] = []
    for start, end in paragraphs(text):
        if end - start <= MESSAGE and STAMP.match(text, start, end):
            spans.append((start, end))
            continue
        for found in terminator.finditer(text, start, end):
            if found.start() < start or _is_in_code(text, start, found.start()):  # or inside of a reference
                continue
            after = _skip_space(text, found.end(), end)
            reference = _REFERENCE.match(text, found.end(), end) if text[after : after + 1] in ("[", "(") else None
            if _ends(text, start, found, after, end, caseless) or (reference and _ends_behind(text, reference, end)):
                stop = reference.end() if reference else found.end()
                tickets = _TICKETS.match(text, after, end) if text[after : after + 1] in _OPEN_TICKETS else None
                stop = stop + len(text[stop : tickets.end()].rstrip()) if tickets else stop
                spans.extend(_shortened(text, start, stop))
                start = _skip_space(text, stop, end)
        if start < end:
            spans.extend(_shortened(text, start, end))
    return spans


def _is_in_code(text: str, start: int, mark: int) -> bool:
    """Whether a terminator is between the marks of code within a sentence: "It takes jobs by `SELECT ... FOR UPDATE`"."""
    return text.find("`", mark, mark + CODE) > 0 and text.count("`", max(start, mark - LONGEST), mark) % 2 == 1


def _blocks(lines: Sequence[str]) -> Iterator[list[tuple[int, int]]]:
    """Runs of lines between blank ones; each line as its span without surrounding white space."""
    block: list[tuple[int, int]] = []
    offset = 0
    for line in lines:
        left = line.lstrip()
        if left:
            start = offset + len(line) - len(left)
            block.append((start, start + len(left.rstrip())))
        elif block:
            yield block
            block = []
        offset += len(line)
    if block:
        yield block


def _breaks(text: str, before: tuple[int, int], line: tuple[int, int], widest: int) -> bool:
    """Whether the break between two lines of a block was meant."""
    before_length = before[1] - before[0]
    first = text[line[0]]
    if first == ">" == text[before[0]]:  # quoted in a mail, as it was wrapped there
        above, below = _QUOTES.match(text, *before), _QUOTES.match(text, *line)
        if above and below and above[0].count(">") == below[0].count(">") and below.end() < line[1]:
            return above.end() == before[1] or _breaks(text, (above.end(), before[1]), (below.end(), line[1]), widest)
        return True
    if _MARKED.match(text, *line) or _HEADING.match(text, *line) or STAMP.match(text, *line):
        return not _is_wrapped(text, before, line, widest)
    if first.isdigit() and _CLAUSE.match(text, *line) and _may_be_above_clause(text, *before):
        return True
    if any(_COLUMNS.search(text, _behind_sign(text, start, end), end) for start, end in (before, line)):
        return True
    if all(CELLS in text[start:end] for start, end in (before, line)):
        return True
    if before_length <= 120 and _is_heading(text[before[0] : before[1]], text[line[0] : line[1]]):
        return True
    if first.islower():
        return False
    if before_length > _UNWRAPPED:
        return True
    # A list without marks: the next word would have fitted on the line before by far, and no sentence goes on.
    is_text = text[before[0]].isalpha()  # links one below the other are a list
    word = _WORD.match(text, *line) or (is_text and _LINK.match(text, *line)) or None
    fits = before_length + 1 + (word.end() - line[0] if word else 1) <= 0.75 * widest
    return fits and text[before[1] - 1] not in ",;-–—"


def _may_be_above_clause(text: str, start: int, end: int) -> bool:
    """Whether a line ends like a sentence, or opens with a number itself; behind "see clause" a number opens no clause."""
    return text[end - 1] in ".:;!?)" or bool(_CLAUSE.match(text, start, end) or _NUMBERED.match(text, start, end))


def _is_wrapped(text: str, before: tuple[int, int], line: tuple[int, int], widest: int) -> bool:
    """Whether a line opens as a speaker's turn does, only because a sentence of the lines above was wrapped before a word and a colon:
    "all these Cover / Texts: Front-Cover Texts"."""
    is_full = 0.9 * widest <= before[1] - before[0] <= _UNWRAPPED and widest >= _PAGE
    goes_on = text[before[1] - 1].isalnum() and not _MARKED.match(text, *before) and _LABEL.match(text, *line)
    return is_full and bool(goes_on) and text[before[0]].islower()


def _behind_sign(text: str, start: int, end: int) -> int:
    sign = _SIGN.match(text, start, end)
    return sign.end() if sign else start


def _is_heading(line: str, following: str) -> bool:
    return bool(_HEADING.match(line) or _LEADER.search(line)) or (
        line.isupper() and not following.isupper() and len(line) > 3
    )


def _ends(text: str, start: int, found: re.Match[str], after: int, end: int, caseless: bool) -> bool:
    """Whether a terminator ends the sentence that began at ``start``; the text goes on at ``after``."""
    mark = found.start()
    if after >= end:
        return True
    if text[after] in ",;)]}" or (text[after] == "." and after > found.end()):  # "Op. Cit., p. 5", ". . ."
        return False
    if text[mark] not in ".!?…":
        return after > found.end() or found.end() - mark < 2 or text[after] not in "とっ、，"
    while after < end and text[after] in _OPENERS:
        after += 1
    if after < end and text[after].islower() and not caseless:
        return False
    if text[mark] != "." or text[mark + 1] in ".!?…":
        return True
    return _full_stop_ends(text, start, mark, after, end)


def _ends_behind(text: str, reference: re.Match[str], end: int) -> bool:
    """Whether a sentence ends behind a reference in square brackets, though that begins in lower case: "[quoted by Rocker, p. 12]"."""
    after = _skip_space(text, reference.end(), end)
    return text[reference.end() - 1] == "]" and (after >= end or not text[after].islower())


def _full_stop_ends(text: str, start: int, mark: int, after: int, end: int) -> bool:
    before = text[max(start, mark - 24) : mark]
    word = "" if not before or before[-1].isspace() else before.rsplit(None, 1)[-1].lstrip(_OPENERS)
    lower = word.lower()
    following = _WORD.match(text, after, end)
    next_word = following.group().lower() if following else ""
    if lower.replace("’", "'").rpartition("'")[2] in _TITLES:  # l'avv. Neri
        return False
    if word == "v" or (len(word) == 1 and word.islower() and len(next_word) == 1):
        return False
    if (lower, next_word) in _IN_TWO_WORDS or (lower in _BEFORE_NUMBER and next_word[:1].isdigit()):
        return False
    if word in _BEFORE_YEAR and next_word[:1].isdigit() and not before[: -len(word)].rstrip()[-1:].isdigit():
        return False  # "b. 1944", not "it is 5 m. 20 people"
    if _DAY_WITH_MONTH.fullmatch(word) and next_word[:1].isdigit():  # "the balance on 28.2. 14,382 euros"
        return False
    if word.isdigit():
        if before[: -len(word)].endswith("("):  # "Ada Thorne (1. chairwoman)"
            return False
        opens = not text[start : mark - len(word)].strip(_OPENERS)  # "**4. Bees.**"
        listed = before[: -len(word)].rstrip()[-1:] in (",", ";") and len(next_word) > 2
        if listed and re.search(rf"\b{re.escape(next_word)}\b", text[start:mark].lower()):
            return False  # "1. Lehrjahr 800 €, 2. Lehrjahr 920 €"
        if opens or next_word in _AFTER_ORDINAL or (next_word.isdigit() and _of_date(text, before, after)):
            return False
    if (
        following
        and len(word) == 1
        and word.isupper()
        and len(next_word) == 1
        and text.startswith(".", following.end())
    ):
        return False  # "Mr S. O. came": no sentence opens with the word "O"
    if (
        lower in _MAYBE
        or (len(word) == 1 and word.isupper())
        or ("." in word and len(word) < 8 and not any(map(str.isdigit, word)))
    ):
        return next_word in _OPENING_WORDS or (
            lower in _OF_FIRMS and (_is_bare(text, word, mark) or _is_person(text, after, end))
        )
    return True


def _is_bare(text: str, word: str, mark: int) -> bool:
    """Whether a text writes the ending of a firm's name without a full stop inside of sentences: "Strand Ltd repaired it"; the full
    stop behind it is then the sentence's."""
    return bool(re.search(rf"\b{re.escape(word)}(?=,? [a-z])", text[max(0, mark - _NEARBY) : mark + _NEARBY]))


def _is_person(text: str, after: int, end: int) -> bool:
    """Whether a text goes on with a given name and a surname."""
    from pipeline.text.lexicon.given_names import GIVEN_NAMES  # a large list, which few texts need here

    found = _FULL_NAME.match(text, after, end)
    return bool(found and found[1].lower() in GIVEN_NAMES)


def _of_date(text: str, before: str, after: int) -> bool:
    """Whether a full stop behind a number is one of a date that is written with spaces: "31. 12. 2023"."""
    return bool(_MONTH_AND_YEAR.match(text, after) or (_DAY_AND_MONTH.search(before) and _YEAR.match(text, after)))


def _skip_space(text: str, start: int, end: int) -> int:
    while start < end and text[start].isspace():
        start += 1
    return start


def _shortened(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The span itself, or its pieces of at most LONGEST characters, cut at the last weak mark or space of each."""
    while end - start > LONGEST:
        cut = _weak_cut(text, start, start + LONGEST)
        stop = cut
        while text[stop - 1].isspace():
            stop -= 1
        yield start, stop
        start = _skip_space(text, cut, end)
    yield start, end


def _weak_cut(text: str, start: int, limit: int) -> int:
    half = start + (limit - start) // 2
    marks = [found.end() for found in _WEAK.finditer(text, half, limit)]
    if marks:
        return marks[-1]
    for position in range(limit - 1, half, -1):
        if text[position].isspace():
            return position
    return limit
