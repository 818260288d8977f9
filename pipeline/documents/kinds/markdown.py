"""Reads Markdown: the text as it is in the file, but for front matter, which becomes metadata."""

import re
from itertools import accumulate

from pipeline.base.files import Problem
from pipeline.documents.encoding import clean
from pipeline.documents.parsed import FormatOptions, Parsed, Read, name_of, one_line, readable_name
from pipeline.documents.places import copied, line_starts
from pipeline.documents.records import values_of
from pipeline.text.headings import find_headings

_FRONT_MATTER = re.compile(r"---[ \t]*\r?\n(.{0,32768}?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL)


def read_markdown(source: str, text: str, options: FormatOptions) -> Read:
    """One document. Its title is the front matter's, else the first heading of level 1, else the file's name."""
    front, start, reason = _front_matter(text, options)
    if reason:
        yield Problem(source, "front matter", f"read as text, since it is not valid YAML: {reason}", "skipped")
    body = text[start:]
    own = front.get(options.title_column)
    first = next((heading.title for heading in find_headings(body) if heading.level == 1), "")
    title = one_line(name_of(own)) if isinstance(own, str | int | float) else ""
    metadata = values_of({name_of(key): value for key, value in front.items() if key != options.title_column})
    places = copied(body, start, line_starts(text))
    yield Parsed(title or one_line(first) or readable_name(source), body, metadata, places=places)


def _front_matter(text: str, options: FormatOptions) -> tuple[dict[object, object], int, str]:
    """The values of YAML front matter, where the text behind it starts, and what is wrong with it."""
    found = _FRONT_MATTER.match(text)
    if not found:
        return {}, 0, ""
    import yaml

    block = found[1]
    if _bracket_depth(block) > options.max_depth:  # the scanner's time grows with the square of the depth
        return {}, 0, f"nested more than {options.max_depth} levels deep"
    try:
        if any(isinstance(token, yaml.AliasToken) for token in yaml.scan(block)):  # each can double what is in memory
            return {}, 0, "aliases are not read"
        content = yaml.safe_load(block)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001  its constructors raise KeyError, IndexError, AttributeError and others
        reason = clean(" ".join(str(error).split())[:200])[0]
        return {}, 0, reason if isinstance(error, yaml.YAMLError) else f"{type(error).__name__}: {reason}"
    return (content, found.end(), "") if isinstance(content, dict) else ({}, 0, "")


def _bracket_depth(text: str) -> int:
    """Levels of brackets, those in quoted values counted too."""
    steps = (1 if bracket in "[{" else -1 for bracket in re.findall(r"[\[\]{}]", text))
    return max(accumulate(steps), default=0)
