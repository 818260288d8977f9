"""JSON on one line that can be put inside other files, and the last lines of a file of them.

JSON is in plain ASCII escapes where a byte could mislead its reader: control characters, line and paragraph separators, and
"<", so that a line can be put inside a web page.
"""

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

_ESCAPES = str.maketrans(
    {"<": "\\u003c", "\u2028": "\\u2028", "\u2029": "\\u2029", "\x7f": "\\u007f", "\x85": "\\u0085"}
)


def line(value: Any) -> str:
    """Return JSON on one line; a number that JSON does not have (NaN, infinity) raises ValueError."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).translate(_ESCAPES)


def last_objects(path: Path, most: int) -> list[dict[str, Any]]:
    """Return the objects in the last ``most`` bytes of a file of lines; a line that cannot be read, or was cut short, is none, and
    a file that does not exist has none."""
    try:
        with path.open("rb") as file:
            file.seek(max(os.fstat(file.fileno()).st_size - most, 0))
            lines = file.read().split(b"\n")
    except FileNotFoundError:
        return []
    found = []
    for line in lines:
        with suppress(ValueError):
            found.append(json.loads(line))
    return [one for one in found if isinstance(one, dict)]
