"""Reads mail (.eml, .mbox): a message is a document, and so is each attachment that can be read; sender, recipients and date
are metadata of both."""

import re
from collections.abc import Callable
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import parsedate_to_datetime
from pathlib import PurePosixPath
from typing import Any

from pipeline.base.files import Problem
from pipeline.documents.encoding import clean
from pipeline.documents.kinds.web_page import read_html
from pipeline.documents.parsed import NOTE, FormatOptions, Parsed, Read, Scalar, one_line, readable_name
from pipeline.documents.places import record_text

_FROM_LINE = re.compile(rb"^From [^\r\n]*\d{4}[^\r\n]*\r?\n", re.M)
"""What begins a message of an mbox file; other lines that begin with From end in no year, or have a ">" before them."""
_ADDRESSED = ("from", "to", "cc")
Metadata = dict[str, Scalar]
Readers = tuple[Callable[[str, bytes, FormatOptions], Read], frozenset[str]]
"""What reads attachments, and the endings of names that it has a reader for."""


def read_mail(source: str, data: bytes, options: FormatOptions, readers: Readers) -> Read:
    """One message with its attachments."""
    yield from _message(source, "", 1, data, options, readers)


def read_mbox(source: str, data: bytes, options: FormatOptions, readers: Readers) -> Read:
    """The messages of a mailbox, each under its number, with their attachments."""
    found = list(_FROM_LINE.finditer(data))
    if not found:
        yield Problem(source, "", "no message in it: none of its lines begins with From and ends in a year")
        return
    ends = [*(one.start() for one in found[1:]), len(data)]
    for number, (one, end) in enumerate(zip(found, ends, strict=True), 1):
        whole = re.sub(rb"(?m)^>(>*From )", rb"\1", data[one.end() : end])
        yield from _message(source, f"message {number}", number, whole, options, readers)


def _message(source: str, key: str, number: int, data: bytes, options: FormatOptions, readers: Readers) -> Read:
    message = BytesParser(policy=policy.default).parsebytes(data)
    text, replaced = clean(_body(source, message, options).replace("\r\n", "\n").strip())
    metadata = _metadata(message)
    title = one_line(_header(message, "subject")) or f"{readable_name(source)}, {key}".removesuffix(", ")
    attached, left_out = _attachments(message, options, readers)
    notes = [f"attachments are not read: {', '.join(left_out)}"] if left_out else []
    notes += [f"{replaced} unusable characters replaced"] if replaced else []
    noted: Metadata = {NOTE: "; ".join(notes)} if notes else {}
    if text:
        yield Parsed(title, text, metadata | noted, key, record_text(len(text), number, key or "message"))
    elif not attached:
        yield Problem(source, key, "the message has no text", "skipped")
    for name, one in attached:
        label = ", ".join(part for part in (key, f"attachment {name}", one.key) if part)
        values = {**metadata, **one.metadata, "attached_to": title}
        yield Parsed(
            f"{title}: {label.removeprefix(key).lstrip(', ')}",
            one.text,
            values,
            label,
            record_text(len(one.text), number, label),
        )


def _attachments(
    message: EmailMessage, options: FormatOptions, readers: Readers
) -> tuple[list[tuple[str, Parsed]], list[str]]:
    """Return what attachments hold, each with its file's name, and those that were not read, with the reason where one is known."""
    read, endings = readers
    found: list[tuple[str, Parsed]] = []
    left_out: list[str] = []
    for part in message.iter_attachments():
        name = one_line(str(part.get_filename() or part.get_content_type()))
        content: Any = None if part.is_multipart() else part.get_payload(decode=True)
        if not isinstance(content, bytes) or PurePosixPath(name).suffix.lower() not in endings:
            left_out.append(name)
            continue
        items = list(read(name, content, options))
        found += [(name, item) for item in items if isinstance(item, Parsed)]
        left_out += [f"{name} ({item.reason})" for item in items if isinstance(item, Problem)]
    return found, left_out


def _body(source: str, message: EmailMessage, options: FormatOptions) -> str:
    """The plain text of a message, else the text of its HTML."""
    part: Any = message.get_body(("plain", "html"))
    if part is None:
        return ""
    try:
        content = str(part.get_content())
    except (LookupError, UnicodeError):  # an encoding that does not exist, or is not that of the text
        content = part.get_payload(decode=True).decode("utf-8", "replace")
    if part.get_content_subtype() != "html":
        return content
    return "\n\n".join(found.text for found in read_html(source, content, options) if isinstance(found, Parsed))


def _metadata(message: EmailMessage) -> Metadata:
    metadata: Metadata = {name: found for name in _ADDRESSED if (found := _header(message, name))}
    written = _header(message, "date")
    try:
        metadata["date"] = parsedate_to_datetime(written).date().isoformat()
    except (ValueError, IndexError):
        metadata |= {"date": written} if written else {}
    return metadata


def _header(message: EmailMessage, name: str) -> str:
    """A header on one line; empty where there is none, or none that can be read."""
    try:
        return clean(" ".join(str(message[name] or "").split()))[0]
    except Exception as error:  # noqa: BLE001  the parser of addresses raises nearly anything on broken ones
        return f"(cannot be read: {type(error).__name__})"
