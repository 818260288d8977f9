"""How soon the first view of the page is usable, on the sample and on a map of 20,000 entities, and what it transfers.

Run from the project's folder: python benchmarks/page.py. Needs Chromium (make chromium) and Playwright; drawing is done in
software, without a graphics card. Usable means: themes are listed, and the map is drawn with its labels. Every run has an
empty cache; the first one also finds the server with nothing in memory. The large corpus is synthetic and seeded.
"""

import json
import random
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple
from urllib.request import Request, urlopen

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.browser import chromium, served
from benchmarks.measure import ROOT, command, run

RUNS = 5
ENTITIES, DOCUMENTS = 20_000, 200
NAMED = 2000
"""Entities whose names the page asks for with the map."""
SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeio"]
VERBS = ["met", "wrote to", "worked with", "followed", "taught", "bought a house from", "travelled with", "advised"]
DRAWN = "performance.getEntriesByName('map-drawn')[0]?.startTime ?? 0"


class FirstView(NamedTuple):
    """Milliseconds from navigation to the drawn map, and bytes that were received until then."""

    ms: float
    bytes: int


def main() -> None:
    """Print the figures, the last line of them as JSON."""
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        small, large = Path(folder) / "sample", Path(folder) / "large"
        shutil.copytree(ROOT / "input", small / "input")
        write_large(large / "input")
        for project in (small, large):
            shutil.copy(ROOT / "settings.yaml", project)
            run(command("index", "--root", str(project)))
        sample, big = views(browser, small), views(browser, large)
        map_bytes, name_bytes = packed(large)
    for name, found in (("sample", sample), (f"{ENTITIES:,} entities", big)):
        print(f"{name}: {', '.join(f'{one.ms:.0f} ms' for one in found)}; {found[-1].bytes / 1000:.0f} KB received")
    figures = {
        "first_view_ms": round(statistics.median(one.ms for one in sample)),
        "first_view_20k_ms": round(statistics.median(one.ms for one in big)),
        "transferred_kb": round(sample[-1].bytes / 1000, 1),
        "map_json_kb_20k": round(map_bytes / 1000, 1),
        "map_names_kb_20k": round(name_bytes / 1000, 1),
    }
    print(json.dumps(figures))


def views(browser: Any, project: Path) -> list[FirstView]:
    """Return what each run took, served by a server of its own."""
    with served(project) as url:
        return [first_view(browser, url) for _ in range(RUNS)]


def first_view(browser: Any, url: str) -> FirstView:
    """Open the page with an empty cache."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    received = []
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
    page.goto(url)
    deadline = time.monotonic() + 60
    while not (drawn := page.evaluate(DRAWN)):
        assert time.monotonic() < deadline, "the map was not drawn"
        page.wait_for_timeout(20)
    assert page.locator(".theme-title").count() > 0
    context.close()
    return FirstView(drawn, int(sum(received)))


def packed(project: Path) -> list[int]:
    """Return the bytes of the map as the page asks for it first, and of the names that come when it is drawn."""
    sizes = []
    with served(project) as url:
        for path in (f"map?named={NAMED}", "map/names"):
            at = url.replace("/p/", "/api/v1/projects/") + path
            with urlopen(Request(at, headers={"Accept-Encoding": "gzip"})) as reply:
                sizes.append(len(reply.read()))
    return sizes


def write_large(folder: Path) -> None:
    """Write documents that name as many people, each of them a few times, most of them with others of the same document."""
    chance = random.Random(1)
    names = [*{f"{_name(chance)} {_name(chance)}": None for _ in range(ENTITIES + 500)}][:ENTITIES]
    folder.mkdir(parents=True)
    share = ENTITIES // DOCUMENTS
    for number in range(DOCUMENTS):
        own = names[number * share : (number + 1) * share]
        lines = []
        for name in own:
            for _ in range(3):
                other = chance.choice(own if chance.random() < 0.9 else names)
                if other != name:
                    lines.append(f"{name} {chance.choice(VERBS)} {other} in the spring.")
        chance.shuffle(lines)
        paragraphs = "\n\n".join(" ".join(lines[at : at + 8]) for at in range(0, len(lines), 8))
        (folder / f"chronicle-{number:03}.txt").write_text(
            f"Chronicle {number + 1}\n\n{paragraphs}\n", encoding="utf-8"
        )


def _name(chance: random.Random) -> str:
    return "".join(chance.choice(SYLLABLES) for _ in range(3)).capitalize()


if __name__ == "__main__":
    main()
