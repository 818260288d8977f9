"""JSON on one line that can be put inside other files.

It is in plain ASCII escapes where a byte could mislead its reader: control characters, line and paragraph separators, and
"<", so that a line can be put inside a web page.
"""

import json
from typing import Any

_ESCAPES = str.maketrans(
    {"<": "\\u003c", "\u2028": "\\u2028", "\u2029": "\\u2029", "\x7f": "\\u007f", "\x85": "\\u0085"}
)


def line(value: Any) -> str:
    """Return JSON on one line; a number that JSON does not have (NaN, infinity) raises ValueError."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).translate(_ESCAPES)
