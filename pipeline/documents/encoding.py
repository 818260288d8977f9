"""Turns bytes into text: byte order marks, UTF-8, UTF-16 and UTF-32 without a mark, legacy encodings; refuses binary data.

The text is what the file says, character for character: line ends are as they are, only a byte order mark goes. Detection looks at
a bounded sample, so that its price does not grow with the file.
"""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.base.errors import InputError


@dataclass(frozen=True)
class Decoded:
    """A text, the name of the encoding it came in, and whether anything in it had to be replaced by U+FFFD."""

    text: str
    encoding: str
    lossy: bool = False


_SAMPLE = 1 << 16  # bytes
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_MAGIC = (
    (b"\x89PNG", "PNG image"),
    (b"\xff\xd8\xff", "JPEG image"),
    (b"GIF8", "GIF image"),
    (b"II*\0", "TIFF image"),
    (b"MM\0*", "TIFF image"),
    (b"RIFF", "RIFF sound, film or image"),
    (b"OggS", "Ogg sound"),
    (b"fLaC", "FLAC sound"),
    (b"ID3", "MP3 sound"),
    (b"PK\x03\x04", "ZIP archive or office document"),
    (b"PK\x05\x06", "ZIP archive"),
    (b"\x1f\x8b", "gzip archive"),
    (b"BZh", "bzip2 archive"),
    (b"\xfd7zXZ\0", "xz archive"),
    (b"7z\xbc\xaf\x27\x1c", "7-Zip archive"),
    (b"Rar!\x1a\x07", "RAR archive"),
    (b"\x28\xb5\x2f\xfd", "Zstandard archive"),
    (b"%PDF-1.", "PDF"),
    (b"%PDF-2.", "PDF"),
    (b"%!PS", "PostScript"),
    (b"{\\rtf", "RTF"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old office document"),
    (b"\x7fELF", "ELF program"),
    (b"\xca\xfe\xba\xbe", "program"),
    (b"SQLite format 3\0", "SQLite database"),
    (b"PAR1", "Parquet table"),
)
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\v\f\r\b\x1b")) + b"\x7f"
_MOST_CONTROLS = 0.01  # share of a text's bytes; compressed and machine data have about 0.1
_UNUSABLE = re.compile("[\0\ud800-\udfff]")


def decode(data: bytes, hint: str | None = None) -> Decoded:
    """Decode the bytes of a text file. ``hint`` is an encoding that the file itself declares, tried after UTF-8.

    The same bytes always give the same text. NUL characters and unpaired surrogates become U+FFFD, one for one. Raises
    InputError("binary ...") for what is no text.
    """
    for mark, name in _MARKS:
        if data.startswith(mark):
            return _known(data[len(mark) :], name)
    for magic, kind in _MAGIC:
        if data.startswith(magic) and not (magic.isalnum() and _is_plain(data[:_SAMPLE])):
            raise _binary(kind)
    if b"\x1b$" in data[:_SAMPLE] and (japanese := _strict(data, "iso2022_jp")):
        return japanese
    return _without_mark(data, hint)


def clean(text: str) -> tuple[str, int]:
    """Replace NUL and unpaired surrogates, which no table can hold, by U+FFFD; return the text and how many there were."""
    if "\0" not in text:
        try:
            text.encode("utf-8")  # far faster than a search, and nearly always enough
            return text, 0
        except UnicodeEncodeError:
            pass
    return _UNUSABLE.subn("\ufffd", text)


def _is_plain(sample: bytes) -> bool:
    """Whether data that begins as a word, such as RIFF or ID3, goes on as no binary file does."""
    return len(sample.translate(None, _CONTROLS)) == len(sample)


def _without_mark(data: bytes, hint: str | None) -> Decoded:
    controls = len(data) - len(data.translate(None, _CONTROLS))
    suspect = controls > len(data) * _MOST_CONTROLS
    if suspect or 0 in data[:_SAMPLE]:
        if wide := _wide(data):
            return wide
        if suspect:
            raise _binary(f"{controls / len(data):.0%} control characters")
    decoded = _strict(data, "utf-8") or _declared(data, hint) or _wide(data)
    return decoded or _legacy(data)


def _known(data: bytes, encoding: str) -> Decoded:
    """Decode as ``encoding``, which a mark or the detection gave; bytes that do not fit are replaced, and the result is lossy."""
    text, replaced = clean(data.decode(encoding, "replace"))
    bad = text.count("\ufffd")
    if bad > max(8, len(text) // 10):
        raise _binary(f"{bad} of {len(text)} characters are not {encoding}")
    lossy = bool(replaced) or (bad > 0 and _strict(data, encoding) is None)
    return Decoded(text, encoding, lossy)


def _strict(data: bytes, encoding: str) -> Decoded | None:
    try:
        text, replaced = clean(data.decode(encoding))
    except UnicodeDecodeError:
        return None
    return Decoded(text, encoding, bool(replaced))


def _declared(data: bytes, hint: str | None) -> Decoded | None:
    if not hint:
        return None
    try:
        name = codecs.lookup(hint).name
    except LookupError:
        return None
    # What calls itself Latin-1 or ASCII is Windows-1252 in practice (encoding.spec.whatwg.org, names and labels).
    name = "cp1252" if name in ("iso8859-1", "ascii") else name
    return _strict(data, name) if _is_legacy(name) else None


def _is_legacy(name: str) -> bool:
    """Whether a codec of Python reads text of one or more bytes a character ("rot13" and "zlib" are codecs too)."""
    return name.startswith(("cp", "iso", "koi8", "mac", "shift_jis", "euc", "gb", "big5", "johab", "tis", "kz", "ptcp"))


# --- UTF-16 and UTF-32 without a mark -------------------------------------------------------------------------------

_COMMON = re.compile("[ \n\r\t,.、。，]")


def _wide(data: bytes) -> Decoded | None:
    """Decode as UTF-32 or UTF-16 where a sample of it reads like text: printable, with spaces, stops or line ends."""
    sample = data[:4096]
    for name, width in (("utf-32-le", 4), ("utf-32-be", 4), ("utf-16-le", 2), ("utf-16-be", 2)):
        if len(data) % width:
            continue
        try:
            text = sample.decode(name)
        except UnicodeDecodeError as error:
            if error.start < len(sample) - 4:
                continue
            text = sample[: error.start].decode(name)
        printable = sum(letter.isprintable() or letter.isspace() for letter in text)
        common = len(_COMMON.findall(text))
        brief = len(text) < 200 and text.isascii()  # a line without a space or stop
        if text and printable >= 0.99 * len(text) and (common >= len(text) / 100 or brief):
            return _known(data, name)
    return None


# --- legacy encodings -----------------------------------------------------------------------------------------------

_LATIN = ("cp1252", "iso8859-15", "cp1250", "iso8859-2", "cp1254", "cp1257", "mac-roman", "cp850", "cp852")
"""Encodings of the Latin script, the likelier first."""

_ALPHABETS = (
    "éèêëàâçùûüîïôœæÿ",  # French
    "äöüßé",  # German
    "áéíóúüñï",  # Spanish
    "áâãàçéêíóôõúü",  # Portuguese
    "àèéìíîòóù",  # Italian
    "éëïóöüáèê",  # Dutch
    "åäöæøéüàá",  # Swedish, Danish, Norwegian, Finnish
    "áðéíóúýþæö",  # Icelandic
    "ąćęłńóśźżé",  # Polish
    "áčďéěíňóřšťúůýžäľĺôŕ",  # Czech, Slovak
    "áéíóöőúüű",  # Hungarian
    "čćđšžáé",  # Croatian, Slovene
    "ăâîșțşţ",  # Romanian
    "çğıöşüâîû",  # Turkish
    "āčēģīķļņšūžąęėįųõäöü",  # Baltic
)
"""Letters beyond a to z that one language's texts hold, names of neighbours included."""

_SIGNS = frozenset("’‘“”„‚‹›«»–—…·•€£§°©®™¿¡ªº×½¼¾²³\u00a0\u00ad")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")


def _legacy(data: bytes) -> Decoded:
    sample = _sample(data)
    if _mostly_utf8(sample):
        return _known(data, "utf-8")
    beyond = len(sample.translate(None, bytes(range(128))))
    letters = len(re.findall(rb"[A-Za-z]", sample))
    latin = _latin(sample) if beyond <= 0.5 * (letters + 1) else ("", 0.0)
    if latin[1] < 0.9:
        name = _detect(sample)
        if name is None and not latin[0]:
            raise _binary("no known encoding gives readable text")
        return _known(data, name or latin[0])
    return _known(data, latin[0])


def _sample(data: bytes) -> bytes:
    """A bounded stretch from the line with the first byte beyond ASCII on, cut where no character can be cut."""
    first = re.search(rb"[\x80-\xff]", data)
    place = first.start() if first else 0
    start = data.rfind(b"\n", max(0, place - 4096), place) + 1
    start = start or max(0, place - 4096)
    sample = data[start : start + _SAMPLE]
    if start + _SAMPLE >= len(data):
        return sample
    # Bytes below 0x30 are never the second half of a character in any encoding of East Asia.
    safe = max(sample.rfind(b"\n"), sample.rfind(b" "), sample.rfind(b"."))
    return sample[: safe + 1] if safe > len(sample) // 2 else sample


def _mostly_utf8(sample: bytes) -> bool:
    """Whether the few bytes that are not UTF-8 are among many characters that can hardly be anything else."""
    text = sample.decode("utf-8", "replace")
    bad = text.count("\ufffd") - sample.count("\ufffd".encode())
    good = len(_BEYOND_ASCII.findall(text)) - text.count("\ufffd")
    return good >= 4 * bad


def _latin(sample: bytes) -> tuple[str, float]:
    """The likeliest encoding of the Latin script, and the share of characters beyond ASCII that fit one language."""
    best = ("", 0.0)
    for name in _LATIN:
        try:
            share = _fit(sample.decode(name))
        except UnicodeDecodeError:
            continue
        if share > best[1] + 1e-9:
            best = (name, share)
    return best


def _fit(text: str) -> float:
    letters, fine, total = "", 0, 0
    for found in _BEYOND_ASCII.finditer(text):
        place, letter = found.start(), found.group()
        before, after = text[place - 1 : place], text[place + 1 : place + 2]
        total += 1
        if letter in _SIGNS:
            fine += letter in "’\u00ad·" or not (before.isalpha() and after.isalpha())
        elif letter.isalpha() and not (letter.isupper() and before.islower()):
            letters += letter.lower()
        if total == 4000:
            break
    counts = {letter: letters.count(letter) for letter in set(letters)}
    fine += max(sum(counts.get(letter, 0) for letter in alphabet) for alphabet in _ALPHABETS)
    return fine / max(total, 1)


def _detect(sample: bytes) -> str | None:
    """Ask charset-normalizer. A sample that ends inside a character misleads it, so up to three bytes are taken off."""
    from charset_normalizer import from_bytes

    found = []
    for less in _endings(sample):
        best = from_bytes(sample[: len(sample) - less]).best()
        if best is not None:
            found.append((best.chaos, -best.coherence, less, best.encoding))
    return min(found)[3] if found else None


def _endings(sample: bytes) -> Iterator[int]:
    yield 0
    if len(sample) == _SAMPLE:
        yield from (1, 2, 3)


def _binary(what: str) -> InputError:
    return InputError(f"binary ({what})", "only texts are read here", "leave the file out, or convert it to text")
