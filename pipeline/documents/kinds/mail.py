"""Reads mail (.eml, .mbox): a message is a document; sender, recipients and date are metadata."""

import re
from collections.abc import Iterator
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import parsedate_to_datetime
from typing import Any

from pipeline.base.files import Problem
from pipeline.documents.encoding import clean
from pipeline.documents.parsed import NOTE, FormatOptions, Parsed, Read, Scalar, one_line, readable_name
from pipeline.documents.places import record_text
from pipeline.documents.web_page import read_html

_FROM_LINE = re.compile(rb"^From [^\r\n]*\d{4}[^\r\n]*\r?\n", re.M)
"""What begins a message of an mbox file; other lines that begin with From end in no year, or have a ">" before them."""
_ADDRESSED = ("from", "to", "cc")


def read_mail(source: str, data: bytes, options: FormatOptions) -> Read:
    """One message."""
    yield from _message(source, "", 1, data, options)


def read_mbox(source: str, data: bytes, options: FormatOptions) -> Read:
    """The messages of a mailbox, each under its number."""
    found = list(_FROM_LINE.finditer(data))
    if not found:
        yield Problem(source, "", "no message in it: none of its lines begins with From and ends in a year")
        return
    ends = [*(one.start() for one in found[1:]), len(data)]
    for number, (one, end) in enumerate(zip(found, ends, strict=True), 1):
        whole = re.sub(rb"(?m)^>(>*From )", rb"\1", data[one.end() : end])
        yield from _message(source, f"message {number}", number, whole, options)


def _message(source: str, key: str, number: int, data: bytes, options: FormatOptions) -> Iterator[Parsed | Problem]:
    message = BytesParser(policy=policy.default).parsebytes(data)
    text, replaced = clean(_body(source, message, options).replace("\r\n", "\n").strip())
    metadata = _metadata(message)
    if not text:
        yield Problem(source, key, "the message has no text", "skipped")
        return
    left_out = [one_line(str(part.get_filename() or part.get_content_type())) for part in message.iter_attachments()]
    notes = [f"attachments are not read: {', '.join(left_out)}"] if left_out else []
    notes += [f"{replaced} unusable characters replaced"] if replaced else []
    if notes:
        metadata[NOTE] = "; ".join(notes)
    title = one_line(_header(message, "subject")) or f"{readable_name(source)}, {key}".removesuffix(", ")
    yield Parsed(title, text, metadata, key, record_text(len(text), number, key or "message"))


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


def _metadata(message: EmailMessage) -> dict[str, Scalar]:
    metadata: dict[str, Scalar] = {name: found for name in _ADDRESSED if (found := _header(message, name))}
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
