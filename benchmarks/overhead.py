"""What the language service and its backend cost on top of the model: CPU beside the bare client, wall time beside the ideal.

The same questions go to the same look-alike server, which runs in a process of its own, once through service, cache, ledger
and model backend, once through langchain-openai alone (``ChatOpenAI.with_structured_output``, one gather behind a
semaphore), in turn and in the same process. There are 42 chunks of about 600 tokens, and for each of three kinds of
records a first reading and a gleaning: 252 calls. A gleaning follows from its chunk's first reading; the bare client
waits for all first readings. Kinds follow one another.

``cpu_ratio`` compares CPU seconds of this process, the best of the rounds each, at no latency. ``wall_ratio`` compares
the best wall seconds at 200 ms and 25 at once with calls x latency / concurrency. Since calls cannot be cut, 84 calls at
25 at once need four whole rounds: 1.19 of that ideal is out of anybody's reach, and ``wall_ratio_rounds`` compares with
whole rounds. Other work on the machine goes into both.

    python benchmarks/overhead.py [--rounds 5]
"""

import argparse
import asyncio
import json
import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from pipeline.base.settings import parse_settings
from pipeline.base.task import Prompt, Request, Task
from pipeline.language.backends.chat import chat_backends
from pipeline.language.backends.offline import OfflineBackend
from pipeline.language.cache import Cache
from pipeline.language.language import Dialogue, Reply
from pipeline.language.ledger import Ledger
from pipeline.language.service import LanguageService

CHUNKS, AT_ONCE, LATENCY = 42, 25, 0.2
KINDS = ("graph", "claims", "facts")


class Entity(BaseModel):
    """An entity as one chunk describes it."""

    title: str = Field(description="name of the entity", min_length=1)
    type: str = Field(description="one of the types asked for")
    description: str = Field(description="what the text says of it")


class Relationship(BaseModel):
    """A relationship as one chunk describes it."""

    source: str = Field(description="name of an entity")
    target: str = Field(description="name of another entity")
    description: str = Field(description="how the two are related")
    weight: float = Field(description="from 1 to 10", gt=0)


class Graph(BaseModel):
    """What one chunk says of entities and their relationships."""

    entities: list[Entity] = Field(description="every entity")
    relationships: list[Relationship] = Field(description="every pair that the text relates")


@dataclass(frozen=True)
class Chunk(Request):
    """A chunk of text."""

    text: str


@dataclass(frozen=True)
class Gleaned(Request):
    """A chunk with what was found in it."""

    text: str
    found: str


def _nothing(request: Request) -> Graph:
    return Graph(entities=[], relationships=[])


SYSTEM = "You list what a text tells of. " + "Be exact, and name things as the text does. " * 40
READ = {
    kind: Task(f"read_{kind}", Prompt(SYSTEM, f"List the {kind} of:\n{{text}}"), Chunk, Graph, _nothing)
    for kind in KINDS
}
GLEAN = {
    kind: Task(
        f"glean_{kind}", Prompt(SYSTEM, f"List the {kind} of:\n{{text}}\nFound: {{found}}"), Gleaned, Graph, _nothing
    )
    for kind in KINDS
}


def texts() -> list[str]:
    """Return the chunks: about 600 tokens of words each, no two alike."""
    return [" ".join(f"word{(i * 31 + j * 7) % 997}" for j in range(330)) for i in range(CHUNKS)]


def _dialogue(kind: str, chunk: Chunk) -> Dialogue[int]:
    """Read a chunk, then ask what was missed; return how many replies came."""
    first = yield READ[kind], chunk
    if not isinstance(first, Reply):
        return 0
    second = yield GLEAN[kind], Gleaned(chunk.item, chunk.text, first.value.model_dump_json())
    return 1 + isinstance(second, Reply)


def ours(url: str) -> float:
    """Ask everything through the language service; return the wall seconds from the first question to the last reply."""
    models = {"m": {"model": "look-alike", "base_url": url, "concurrency": AT_ONCE}}
    settings = parse_settings({"models": models, "language": {"default": "m"}})
    with tempfile.TemporaryDirectory() as folder:
        ledger = Ledger()
        default, backends = chat_backends(settings, ledger, tasks={})
        service = LanguageService(OfflineBackend(), ledger, default, Cache(Path(folder) / "cache.sqlite", 1), backends)
        started = time.perf_counter()
        for kind in KINDS:
            dialogues = [_dialogue(kind, Chunk(str(i), text)) for i, text in enumerate(texts())]
            assert sum(service.dialogues(dialogues)) == 2 * CHUNKS, "not every call was answered"
        seconds = time.perf_counter() - started
        service.close()
    return seconds


def bare(url: str) -> float:
    """Ask the same of the client alone; return the wall seconds."""
    from langchain_openai import ChatOpenAI
    from openai import DefaultAsyncHttpxClient

    async def everything() -> float:
        http = DefaultAsyncHttpxClient()
        chat = ChatOpenAI(
            model="look-alike", base_url=url, api_key="none", temperature=0, max_retries=0, http_async_client=http
        )
        structured = chat.with_structured_output(Graph)
        places = asyncio.Semaphore(AT_ONCE)

        async def ask(task: Task[Any, Any], about: Request) -> Any:
            system, user = task.render(about)
            async with places:
                return await structured.ainvoke([("system", system), ("user", user)])

        started = time.perf_counter()
        for kind in KINDS:
            chunks = [Chunk(str(i), text) for i, text in enumerate(texts())]
            found = await asyncio.gather(*(ask(READ[kind], chunk) for chunk in chunks))
            more = [Gleaned(c.item, c.text, reply.model_dump_json()) for c, reply in zip(chunks, found, strict=True)]
            await asyncio.gather(*(ask(GLEAN[kind], chunk) for chunk in more))
        seconds = time.perf_counter() - started
        await http.aclose()
        return seconds

    return asyncio.run(everything())


def cpu(run: Any, url: str) -> float:
    """Return the CPU seconds of this process, all threads, that a run takes."""
    started = time.process_time()
    run(url)
    return time.process_time() - started


@contextmanager
def server(latency: float) -> Iterator[str]:
    """Serve in a process of its own; yield the address."""
    command = [sys.executable, "-m", "tests.lookalike", "--latency", str(latency)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin and process.stdout
        yield process.stdout.readline().strip()
        process.stdin.close()


def main() -> None:
    """Print both ratios; the last line is one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="rounds of the CPU comparison")
    rounds = parser.parse_args().rounds
    with server(0) as url:
        ours(url), bare(url)  # imports, and each library's first use
        measured = [(cpu(ours, url), cpu(bare, url)) for _ in range(rounds)]
    with server(LATENCY) as url:
        walls = [(ours(url), bare(url)) for _ in range(rounds)]
    cpu_ours, cpu_bare = (min(pair[i] for pair in measured) for i in (0, 1))
    wall_ours, wall_bare = (min(pair[i] for pair in walls) for i in (0, 1))
    calls = 2 * len(KINDS) * CHUNKS
    ideal = calls * LATENCY / AT_ONCE
    in_rounds = len(KINDS) * math.ceil(2 * CHUNKS / AT_ONCE) * LATENCY
    print(f"{calls} calls: CPU {cpu_ours:.2f} s through the service, {cpu_bare:.2f} s by the bare client")
    print(f"at {LATENCY:g} s and {AT_ONCE} at once: {wall_ours:.2f} s, bare {wall_bare:.2f} s, ideal {ideal:.2f} s")
    figures = {
        "cpu_ratio": round(cpu_ours / cpu_bare, 3),
        "wall_ratio": round(wall_ours / ideal, 3),
        "wall_ratio_rounds": round(wall_ours / in_rounds, 3),
        "bare_wall_ratio": round(wall_bare / ideal, 3),
        "cpu_ms_per_call": round(1000 * cpu_ours / calls, 2),
        "bare_cpu_ms_per_call": round(1000 * cpu_bare / calls, 2),
        "calls": calls,
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
