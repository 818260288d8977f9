"""Checks of what rests on characters: spans of chunks, of known names, of the words that claims quote."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np
import pyarrow as pa

from pipeline.base.arrow.columns import numbers, rows_of, whole
from pipeline.exchange.verify.check import Check, checked, listed
from pipeline.exchange.verify.tables import Tables
from pipeline.text.inflection import plural, singular
from pipeline.text.quotes import locate

_GENITIVE = re.compile("['\u2019]s\\b")
ENDING = 4
"""Letters that a name may have more in a text than in any of its forms: plural, article or case, grown on to it."""


def check_spans(tables: Tables) -> Check:
    """Each chunk is the text of its document between its start and end."""
    texts = dict(rows_of(tables["documents"], "id", "text"))
    rows = rows_of(tables["chunks"], "document_id", "start", "end", "text")
    wrong = [
        f"chunk {start}-{end} of document {document} is not the text there: {text[:60]!r}"
        for document, start, end, text in rows
        if not 0 <= start < end or texts.get(document, "")[start:end] != text
    ]
    return listed("chunks are their document's text", tables["chunks"].num_rows, wrong)


def check_order(tables: Tables) -> Check:
    """Chunks of a document are numbered from 0 in reading order, and no document with text is without one."""
    chunks = tables["chunks"]
    document = numbers(chunks["document_id"], tables["documents"]["id"])
    position, start = (whole(chunks[name]).to_numpy() for name in ("position", "start"))
    order = np.lexsort((position, document))
    document, position, start = document[order], position[order], start[order]
    new = np.diff(document, prepend=-2) != 0
    due = np.where(new, 0, np.roll(position, 1) + 1)
    odd = (position != due) | (~new & (start <= np.roll(start, 1)))
    ids = whole(chunks["id"]).take(pa.array(order[odd])).to_pylist()
    wrong = [f"chunk {id} is out of order" for id in ids]
    texts = rows_of(tables["documents"], "id", "text")
    present = set(document.tolist())
    wrong += [f"document {id} has no chunk" for i, (id, text) in enumerate(texts) if i not in present and text.strip()]
    return listed("chunks in reading order", chunks.num_rows + tables["documents"].num_rows, wrong)


def check_sentences(tables: Tables) -> Check:
    """Sentences follow each other inside their chunk, and where a name is said to be, one of its forms is: the same
    letters, give or take case, marks and endings."""
    sentences, vocabulary = tables["sentences"], tables["vocabulary"]
    texts = dict(rows_of(tables["chunks"], "id", "text"))
    seen: Counter[tuple[str, str]] = Counter()
    wrong: list[str] = []
    faults = 0
    before = ("", 0)
    for chunk, begin, stop, *mentions in rows_of(
        sentences, "chunk_id", "start", "end", "titles", "starts", "ends", "roles"
    ):
        text = texts.get(chunk, "")
        if not (before[1] if before[0] == chunk else 0) <= begin < stop <= len(text):
            faults += 1
            wrong.append(f"the sentence at {begin}-{stop} of chunk {chunk}, which has {len(text)} characters")
        before = (chunk, stop)
        for title, start, end, role in zip(*mentions, strict=True):
            if not begin <= start < end <= len(text) or start >= stop:
                faults += 1
                wrong.append(f"{title!r} at {start}-{end} of chunk {chunk}, whose sentence is at {begin}-{stop}")
            elif _cut(text, start) or _cut(text, end):
                faults += 1
                wrong.append(f"{title!r} at {start}-{end} of chunk {chunk}, which cuts a word: {text[start:end]!r}")
            elif not role:
                seen[title, text[start:end]] += 1
    forms = dict(rows_of(vocabulary, "title", "forms"))
    letters = {title: _spellings((title, *known)) for title, known in forms.items()}
    for (title, found), count in sorted(seen.items()):
        if not _fits(found, letters.get(title, set()), title):
            faults += count
            wrong.append(f"{title!r} where {found!r} is, {count} times")
    return checked("names are where they should be", sentences.num_rows, wrong, faults)


def _cut(text: str, at: int) -> bool:
    """Whether a place lies inside a word. In scripts where words grow together (from Hebrew on) it may."""
    return 0 < at < len(text) and all(char.isalpha() and char < "\u0530" for char in text[at - 1 : at + 1])


def _spellings(forms: Iterable[str]) -> set[str]:
    """Return the letters of each form, and of its plural and singular."""
    words = [form.rpartition(" ") for form in forms]
    return {_letters(head + space + change(last)) for head, space, last in words for change in (str, plural, singular)}


def _fits(found: str, forms: set[str], title: str) -> bool:
    letters = _letters(found)
    if letters in forms:
        return True
    # a person, named before in full, by a part of the name
    if any(letters == _letters(word) for word in title.split()):
        return True
    return any(form and _near(letters, form) for form in forms | {_letters(word) for word in title.split()})


def _near(letters: str, form: str) -> bool:
    """Whether one differs from the other by a few letters before or after it (plural, article, case ending)."""
    long, short = (letters, form) if len(letters) >= len(form) else (form, letters)
    if len(long) - len(short) > ENDING or not short:
        return False
    return short in long or (len(short) > 2 and long.startswith(short[:-1]))


def _letters(text: str) -> str:
    """Return the letters and digits of a text without case, marks, compatibility forms and the English genitive."""
    spread = unicodedata.normalize("NFKD", _GENITIVE.sub("", text.casefold()))
    return "".join(char for char in spread if char.isalnum())


def check_quotes(tables: Tables) -> Check:
    """A claim's quote is in its chunk where the claim says; one without a place is nowhere in it."""
    claims = tables["claims"]
    texts = dict(rows_of(tables["chunks"], "id", "text"))
    rows = rows_of(claims, "id", "chunk_id", "quote", "start", "end")
    wrong = list(_misquoted(rows, texts))
    unplaced = claims["start"].null_count
    note = f"{unplaced} quotes have no place, for their chunk does not hold them" if unplaced else ""
    return listed("quotes are in their chunk", claims.num_rows, wrong, note)


def check_fact_quotes(tables: Tables) -> Check:
    """The sentence that a fact was made from is in the first of its chunks, letter for letter."""
    facts = tables["facts"]
    texts = dict(rows_of(tables["chunks"], "id", "text"))
    wrong = [
        f"fact {id}: at {start}-{end} of its first chunk is not {(quote or 'no quote')[:60]!r}"
        for id, chunks, quote, start, end in rows_of(facts, "id", "chunk_ids", "quote", "start", "end")
        if (quote is None, quote is None) != (start is None, end is None)
        or (quote is not None and texts.get(chunks[0] if chunks else "", "")[start:end] != quote)
    ]
    return listed("sentences of facts are in their chunk", facts.num_rows, wrong)


def _misquoted(rows: Iterable[tuple[str, str, str, int | None, int | None]], texts: dict[str, str]) -> Iterator[str]:
    for id, chunk, quote, start, end in rows:
        text = texts.get(chunk, "")
        if start is None or end is None:
            if start is not end:
                yield f"claim {id} has only one end of its quote"
            elif locate(quote, text) is not None:
                yield f"claim {id} has no place for its quote, though its chunk contains it"
        elif not 0 <= start < end <= len(text) or not _reads_as(text[start:end], quote):
            yield f"claim {id}: at {start}-{end} of its chunk is {text[max(start, 0) : end][:60]!r}"


def _reads_as(found: str, quote: str) -> bool:
    return found == quote or locate(quote, found) == (0, len(found))
