"""An answer as Markdown for documents and as HTML for notebooks, its sources below it."""

import re
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from pipeline.query.messages import message
from pipeline.text.answering.source_numbers import SOURCE_NUMBER
from pipeline.text.quotes import shorten

if TYPE_CHECKING:
    from pipeline.query.answer import Answer, Source

QUOTE = 400
"""Characters of a quote that are shown."""
_MARKUP = re.compile(r"([\\`*_\[\]<>#|~])")
_ITEM = re.compile(r"\s*(?:[-*•]|(\d+)[.)])\s+(.*)")
_HEADING = re.compile(r"(#{1,6})\s+(.*)")
_LINKED = re.compile(r"(?<!\\)(?:\\\\)*(?=<[A-Za-z/!?])|(?<=\])(?=[(:])")
"""What makes a tag, a link or an image, which a viewer might load, of a text that is Markdown."""
_FENCE = re.compile(r"```[\w+#-]* *")
_SET_IN = re.compile(r"(?: {4}|\t)(?!\s*(?:[-*•]|\d+[.)])\s)")
_GOES_ON = re.compile(r"(?: {4}|\t)|\s*$")
"""Lines of code that only their indentation shows: how the first one begins, and the others."""
_BEHIND = re.compile(r"(?: (?:\[\d+\])+)?\s*\Z")
"""The numbers of the sources of a block of code, behind its last line."""
_STRONG = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*")


def to_markdown(answer: "Answer") -> str:
    """Return the question as a heading, the answer, and its sources or the closest passages as a numbered list.

    The answer keeps its headings, lists, bold text and code, yet no tag, link or image, whoever put it there.
    """
    parts = [f"## {_literal(answer.question)}", _unlinked(_with_code_apart(answer.text_with_notes.strip("\n")))]
    for title, sources in _listed(answer):
        if sources:
            items = [f"{s.number}. {_place_markdown(s)}: “{_literal(_said(s))}”" for s in sources]
            parts.append(f"**{title}**\n\n" + "\n".join(items))
    if answer.unsupported_sentences:
        unsupported = "\n".join(f"- {_literal(sentence)}" for sentence in answer.unsupported_sentences)
        title = message("unsupported", answer.heading_language)
        parts.append(f"**{title}**\n\n{unsupported}")
    return "\n\n".join([*parts, f"_{_literal(answer.coverage.description)}_"]) + "\n"


def to_html(answer: "Answer") -> str:
    """Return the answer as HTML: a number shows its source when pointed at, sources and passages are listed below."""
    tips = {source.number: f"{source.location}: {shorten(source.quote, QUOTE)}" for source in answer.sources}
    body = "".join(_blocks(answer.text_with_notes, tips))
    for title, sources in _listed(answer):
        if sources:
            rows = "".join(
                f"<li value={s.number}><b>{escape(s.heading or s.title)}</b> <code>{escape(s.location)}</code> "
                f"<q>{escape(_said(s))}</q></li>"
                for s in sources
            )
            body += (
                f"<details{' open' if not answer.supported else ''}><summary>{title}</summary><ol>{rows}</ol></details>"
            )
    return f"<div class='graphstrata-answer'>{body}<small>{escape(answer.coverage.description)}</small></div>"


def _said(source: "Source") -> str:
    """Return what a source says in few words: of a passage that stands for an answer what is closest to the question."""
    return shorten(source.nearest or source.quote, QUOTE)


def _listed(answer: "Answer") -> Iterator[tuple[str, "tuple[Source, ...]"]]:
    """Yield what is listed below an answer, each list with its heading in the language of the question."""
    language = answer.heading_language
    yield message("sources", language), answer.sources
    yield message("passages_listed", language), answer.closest


def _blocks(text: str, tips: dict[int, str]) -> Iterator[str]:
    """Yield the blocks of a text: headings, lists, blocks of code and paragraphs."""
    for place, part in enumerate(text.split("```")):
        if place % 2:
            first, _, code = part.partition("\n")
            yield f"<pre>{escape(code if _ else first)}</pre>"
            continue
        for is_code, said in _by_indentation(part):
            if is_code:
                end = len(said) - len(_BEHIND.findall(said)[0])
                code, behind = said[:end], said[end:]
                yield f"<pre>{escape(code)}{_inline(behind.rstrip(), tips)}</pre>"
                continue
            for lines in filter(None, (block.strip("\n") for block in re.split(r"\n\s*\n", said))):
                yield from _block(lines.split("\n"), tips)


def _with_code_apart(text: str) -> str:
    """Return a text with a blank line around code that is set in, without which Markdown takes it for running text."""
    parts = text.split("```")
    for place in range(0, len(parts), 2):
        pieces = list(_by_indentation(parts[place]))
        if len(pieces) > 1:
            parts[place] = "\n\n".join(said.rstrip() if is_code else said for is_code, said in pieces if said)
    return "```".join(parts)


def _by_indentation(text: str) -> Iterator[tuple[bool, str]]:
    """Yield the pieces of a text, each with whether it is code by its indentation."""
    is_code = False
    piece: list[str] = []
    for line in text.split("\n"):
        was, is_code = is_code, bool((_GOES_ON if is_code else _SET_IN).match(line))
        if was != is_code:
            yield was, "\n".join(piece)
            piece = []
        piece.append(line)
    yield is_code, "\n".join(piece)


def _block(lines: list[str], tips: dict[int, str]) -> Iterator[str]:
    items: list[str] = []
    for line in [*lines, ""]:
        item = _ITEM.fullmatch(line)
        if item:
            number = f" value={item[1]}" if item[1] else ""
            items.append(f"<li{number}>{_inline(item[2], tips)}</li>")
            continue
        if items:
            yield f"<ul>{''.join(items)}</ul>" if " value=" not in items[0][:10] else f"<ol>{''.join(items)}</ol>"
            items = []
        if heading := _HEADING.fullmatch(line):
            yield f"<h4>{_inline(heading[2], tips)}</h4>"
        elif line.strip():
            yield f"<p>{_inline(line, tips)}</p>"


def _inline(text: str, tips: dict[int, str]) -> str:
    shown = _STRONG.sub(r"<b>\1</b>", escape(text))
    return SOURCE_NUMBER.sub(lambda cited: _numbered(int(cited[1]), tips), shown)


def _numbered(number: int, tips: dict[int, str]) -> str:
    tip = tips.get(number)
    return f"<sup title='{escape(tip)}'>[{number}]</sup>" if tip else f"[{number}]"


def _unlinked(text: str) -> str:
    """Return Markdown without tags, links and images. Blocks of code stay as they are where it is certain what is one."""
    lines = text.split("\n")
    is_certain = all(_FENCE.fullmatch(line) for line in lines if "```" in line or "~~~" in line)
    within = False
    for at, line in enumerate(lines):
        if is_certain and line.startswith("```"):
            within = not within or line.strip() != "```"
        elif not within:
            lines[at] = _LINKED.sub(r"\g<0>\\", line)
    return "\n".join(lines)


def _literal(text: str) -> str:
    """Return a text in which Markdown finds no markup."""
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))


def _place_markdown(source: "Source") -> str:
    heading = source.heading or source.title
    return f"**{_literal(heading)}**, {_literal(source.location)}" if heading else _literal(source.location)
