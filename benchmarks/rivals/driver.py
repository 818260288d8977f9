"""What the drivers share: how they are called, how long they may take, and the terms that hold for every product.

A driver is run by its product's own Python, ``python -m benchmarks.rivals.NAME ACTION FOLDER URL``. FOLDER/input holds
the texts, URL is the model's address. ``prepare`` writes settings, ``index`` indexes what is in the folder, ``update``
takes in what came since, ``read`` prints one JSON object of what the index holds: the product's version, rows of
chunks, entities, relationships and reports, entities_without_community, and names (every spelling by which the index
knows an entity). Drivers of other products import nothing of the project's but this file, so they run anywhere.
"""

import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

CHAT, CHEAP, EMBEDDING = "gpt-4o", "gpt-4o-mini", "text-embedding-3-small"
VECTOR = 1536
"""Numbers in a vector: what all products expect of that embedding model."""
AT_ONCE, CHUNK, OVERLAP, GLEANINGS, COMMUNITY = 25, 1200, 100, 1, 10
LIMIT = 150
"""Seconds after which a run counts as hung and is ended by SIGALRM, which outlives exec."""

Action = Callable[[Path, str], dict[str, Any] | None]


def drive(**actions: Action) -> None:
    """Carry out the action that the command line names, and print what it returns as JSON."""
    action, folder, url = sys.argv[1:]
    os.environ |= {"OPENAI_API_KEY": "none", "OPENAI_BASE_URL": url}
    signal.alarm(LIMIT)
    returned = actions[action](Path(folder), url)
    if returned is not None:
        print(json.dumps(returned))


def become(*arguments: str) -> NoReturn:
    """Go on as ``python -m ARGUMENTS``, so that what is measured of this process is the product's."""
    os.execv(sys.executable, [sys.executable, "-m", *arguments])
