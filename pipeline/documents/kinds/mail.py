"""Reads mail (.eml, .mbox): a message is a document, and so is each attachment that can be read; sender, recipients and date
are metadata of both. The text of a message that its file writes as it is has its place in the file, by lines."""

import re
from bisect import bisect_left
from collections.abc import Callable
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser, Parser
from email.utils import parsedate_to_datetime
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from pipeline.base.errors import InputError
from pipeline.base.files import Problem
from pipeline.documents.encoding import clean, decode
from pipeline.documents.kinds.web_page import read_html
from pipeline.documents.parsed import NOTE, FormatOptions, Parsed, Read, Scalar, one_line, readable_name
from pipeline.documents.places import MappedText, line_starts, record_text
from pipeline.text.metadata import DATE_HEADER

_FROM = r"^From [^\r\n]*\d{4}[^\r\n]*\r?\n"
_FROM_LINE, _FROM_LINE_READ = re.compile(_FROM.encode(), re.M), re.compile(_FROM, re.M)
"""What begins a message of an mbox file; other lines that begin with From end in no year, or have a ">" before them."""
_ENCODED = re.compile(
    r"(?P<bytes>=[0-9A-Fa-f]{2}(?:(?:=[ \t]*\r?\n)?=[0-9A-Fa-f]{2})*)|=[ \t]*(?:\r?\n|\Z)|(?P<plain>[^=]+|=)"
)
"""Pieces of a text as quoted-printable: bytes in hexadecimal, the end of a line that goes on, and what stands for itself."""
_ADDRESSED = ("from", "to", "cc")
Metadata = dict[str, Scalar]
Readers = tuple[Callable[[str, bytes, FormatOptions], Read], frozenset[str]]
"""What reads attachments, and the endings of names that it has a reader for."""


class _InFile(NamedTuple):
    """A message as its file has it: its characters, the encoding of these, and the characters and lines before it."""

    text: str
    encoding: str = ""
    before: int = 0
    lines: int = 0


def read_mail(source: str, data: bytes, options: FormatOptions, readers: Readers) -> Read:
    """One message with its attachments."""
    yield from _message(source, "", 1, data, _decoded(data), options, readers)


def read_mbox(source: str, data: bytes, options: FormatOptions, readers: Readers) -> Read:
    """The messages of a mailbox, each under its number, with their attachments."""
    found = list(_FROM_LINE.finditer(data))
    if not found:
        yield Problem(source, "", "no message in it: none of its lines begins with From and ends in a year")
        return
    ends = [*(one.start() for one in found[1:]), len(data)]
    in_file = _messages_in_file(_decoded(data), len(found))
    for number, (one, end, read) in enumerate(zip(found, ends, in_file, strict=True), 1):
        whole = re.sub(rb"(?m)^>(>*From )", rb"\1", data[one.end() : end])
        yield from _message(source, f"message {number}", number, whole, read, options, readers)


def _decoded(data: bytes) -> _InFile:
    """A file as a whole; without characters where it cannot be said which they are."""
    try:
        found = decode(data)
    except InputError:
        return _InFile("")
    return _InFile(found.text, found.encoding)


def _messages_in_file(box: _InFile, expected: int) -> list[_InFile]:
    """The messages of a mailbox as its file has them; nothing of each where they are not as many as in its bytes."""
    text = box.text
    found = list(_FROM_LINE_READ.finditer(text))
    if len(found) != expected:
        return [_InFile("", box.encoding)] * expected
    ends = [*(one.start() for one in found[1:]), len(text)]
    lines = line_starts(text)
    return [
        _InFile(text[one.end() : end], box.encoding, one.end(), bisect_left(lines, one.end()))
        for one, end in zip(found, ends, strict=True)
    ]


def _as_written(text: str, in_file: _InFile) -> MappedText:
    """The text of a message as its file has it, and where; nothing where the file writes it in other characters."""
    read = MappedText()
    start, end = _find(text, in_file)
    read.copy(in_file.text[start:end], in_file.before + start)
    return read


def _find(text: str, in_file: _InFile) -> tuple[int, int]:
    """Where a text is below the headers of a message, whatever ends its lines; an empty span where it does not."""
    lines = in_file.text.replace("\r\n", "\n")
    at = lines.find(text, lines.find("\n\n") + 2)
    if at < 0:
        return 0, 0
    returns = [one.start() - number for number, one in enumerate(re.finditer("\r\n", in_file.text))]
    return at + bisect_left(returns, at), at + len(text) + bisect_left(returns, at + len(text))


def _as_encoded(text: str, part: Any, in_file: _InFile) -> MappedText:
    """The text of a part that is written as quoted-printable (RFC 2045, 6.7), and where its characters are in the file; nothing where
    it is written otherwise."""
    encoding = "" if part is None else str(part.get("Content-Transfer-Encoding", "")).strip().lower()
    raw = part.get_payload() if encoding == "quoted-printable" else None
    if not isinstance(raw, str):
        return MappedText()
    read = MappedText()
    start, end = _find(raw.replace("\r\n", "\n").strip(), in_file)
    try:
        for found in _ENCODED.finditer(in_file.text, start, end):
            before = in_file.before
            if found["bytes"]:
                written = bytes.fromhex("".join(re.findall("[0-9A-Fa-f]{2}", found["bytes"])))
                piece = written.decode(part.get_content_charset("utf-8"))
                read.replace(piece, before + found.start(), before + found.end())
            elif found["plain"]:
                read.copy(found["plain"], before + found.start())
    except (LookupError, UnicodeError):
        return MappedText()
    return read if read.text().replace("\r\n", "\n") == text else MappedText()


def _message(
    source: str, key: str, number: int, data: bytes, in_file: _InFile, options: FormatOptions, readers: Readers
) -> Read:
    message = BytesParser(policy=policy.default).parsebytes(data)
    text, replaced = clean(_body(source, message, in_file.encoding, options).replace("\r\n", "\n").strip())
    headers = _with_headers(message, in_file)
    metadata = _metadata(headers)
    title = one_line(_header(headers, "subject")) or f"{readable_name(source)}, {key}".removesuffix(", ")
    attached, left_out = _attachments(message, options, readers)
    notes = [f"attachments are not read: {', '.join(left_out)}"] if left_out else []
    notes += [f"{replaced} unusable characters replaced"] if replaced else []
    noted: Metadata = {NOTE: "; ".join(notes)} if notes else {}
    written = _as_written(text, in_file)
    if not written.length:
        written = _as_encoded(text, message.get_body(("plain",)), in_file)
    if written.length:
        breaks = [in_file.before + start for start in line_starts(in_file.text)]
        places = written.places("line", 1 + in_file.lines, breaks)
        yield Parsed(title, written.text(), metadata | noted, key, places)
    elif text:
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


def _body(source: str, message: EmailMessage, encoding: str, options: FormatOptions) -> str:
    """The plain text of a message in a file of this encoding, else the text of its HTML."""
    part: Any = message.get_body(("plain", "html"))
    if part is None:
        unparted = message.get_content_maintype() == "multipart" and message.get_payload()
        return unparted if isinstance(unparted, str) else ""  # without a boundary that parts it
    content = _content(part, encoding)
    if part.get_content_subtype() != "html":
        return content
    return "\n\n".join(found.text for found in read_html(source, content, options) if isinstance(found, Parsed))


def _content(part: Any, encoding: str) -> str:
    """The characters of a part, in the encoding of its file where it declares none, or one that it has not."""
    payload = part.get_payload(decode=True)
    try:
        return (
            str(part.get_content()) if payload.isascii() else decode(payload, part.get_content_charset(encoding)).text
        )
    except (LookupError, UnicodeError, InputError):  # an encoding that does not exist, or is not that of the text
        return str(payload.decode("utf-8", "replace"))


def _with_headers(message: EmailMessage, in_file: _InFile) -> EmailMessage:
    """A message, or its headers alone, as its file has them, where these are no ASCII: the parser of bytes loses them."""
    above = re.split(r"\r?\n\r?\n", in_file.text, maxsplit=1)[0]
    return message if above.isascii() else Parser(policy=policy.default).parsestr(above, headersonly=True)


def _metadata(message: EmailMessage) -> Metadata:
    metadata: Metadata = {name: found for name in _ADDRESSED if (found := _header(message, name))}
    written = _header(message, "date")
    try:
        metadata |= {"date": parsedate_to_datetime(written).date().isoformat(), DATE_HEADER: written}
    except (ValueError, IndexError):
        metadata |= {"date": written} if written else {}
    return metadata


def _header(message: EmailMessage, name: str) -> str:
    """A header on one line; empty where there is none, or none that can be read."""
    try:
        return clean(" ".join(str(message[name] or "").split()))[0]
    except Exception as error:  # noqa: BLE001  the parser of addresses raises nearly anything on broken ones
        return f"(cannot be read: {type(error).__name__})"
