"""Archives that are not to be unpacked: encrypted ones, and those that would fill the memory."""

import io
import zipfile

from pipeline.base.errors import InputError
from pipeline.documents.parsed import FormatOptions

_MOST_FILES = 20_000
_MOST_PACKED = 200
"""Times that an archive may be larger unpacked; documents of mere repetition reach about 100."""


def check_archive(data: bytes, ending: str, options: FormatOptions) -> None:
    """InputError with the reason why an archive of this kind is not to be unpacked, if there is one. Python reads no more
    of a member than its entry declares."""
    if not zipfile.is_zipfile(io.BytesIO(data)):
        if data.startswith(b"\xd0\xcf\x11\xe0"):
            raise InputError(f"it is encrypted or in the old format (.doc, .xls, .ppt); save it as {ending}")
        raise InputError(f"it is not a {ending}, whatever its name")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = archive.infolist()
    total = sum(entry.file_size for entry in entries)
    if len(entries) > _MOST_FILES or total > options.max_unpacked or total > _MOST_PACKED * max(len(data), 50_000):
        unpacked = f"{total / 1e6:.0f} MB in {len(entries)} parts"
        raise InputError(f"it would unpack to {unpacked} from {len(data) / 1e6:.2f} MB: refused")
    if any(entry.flag_bits & 1 for entry in entries):
        raise InputError("it is encrypted with a password")
