"""What the command cache shows: how many replies are kept, and what shaped one of them."""

import json as jsonlib
from pathlib import Path
from typing import Any

import typer

from pipeline.base.errors import QuestionError, StoreError
from pipeline.base.lock import only_writer
from pipeline.cli.terminal import as_json
from pipeline.language.cache import Cache
from pipeline.runner.project import Project

FIRST = 400
"""Characters of a reply that a person is shown."""


def look(root: Path, action: str, task: str, item: str, json: bool) -> None:
    """Print statistics, explain one reply, or prune; StoreError where there is no cache."""
    folder = Project.open(root).store.folder
    path = folder / "cache.sqlite"
    if not path.exists():
        raise StoreError(f"no reply cache at {path}", "it is made by the first run", "run: graphstrata index")
    if action == "prune":
        with only_writer(folder):
            deleted = Cache(path, run=0).prune()
        typer.echo(
            jsonlib.dumps({"deleted": deleted}) if json else f"{deleted} replies that nothing uses any more: deleted"
        )
        return
    kept = Cache(path, run=0)
    value = _stats(kept) if action == "stats" else _explained(kept, task, item)
    kept.close()
    typer.echo(as_json(value) if json else TEXTS[action](value))


def _stats(kept: Cache) -> list[dict[str, Any]]:
    names = ("stage", "task", "by", "replies", "bytes", "tokens_in", "tokens_out")
    return [dict(zip(names, row, strict=True)) for row in kept.stats()]


def _stats_text(rows: list[dict[str, Any]]) -> str:
    if not rows:
        return "no reply of a model is kept here"
    lines = [f"{'stage':24} {'task':24} {'by':18} {'replies':>9} {'kB':>9} {'tokens in':>11} {'tokens out':>11}"]
    lines += [
        f"{row['stage']:24} {row['task']:24} {row['by']:18} {row['replies']:>9,} {row['bytes'] / 1000:>9,.0f} "
        f"{row['tokens_in']:>11,} {row['tokens_out']:>11,}"
        for row in rows
    ]
    return "\n".join(lines)


def _explained(kept: Cache, task: str, item: str) -> list[dict[str, Any]]:
    if not task or not item:
        raise QuestionError(
            "explain needs a task and an item",
            "a reply is kept for one row of one task",
            "such as: explain extract_graph CHUNK-ID",
        )
    rows = kept.explain(task, item)
    if not rows:
        raise QuestionError(
            f"no reply of {task} for {item} is kept",
            "it was never asked, or was pruned",
            "graphstrata cache stats lists the tasks",
        )
    return [
        {
            "parts": jsonlib.loads(parts),
            "by": by,
            "last_used_in_generation": run,
            "reply": jsonlib.loads(reply or "null"),
        }
        for parts, by, reply, run in rows
    ]


def _explained_text(rows: list[dict[str, Any]]) -> str:
    """Show each reply with what shaped it; of older replies, what is different from the newest."""
    newest = rows[0]["parts"]
    lines = []
    for row in rows:
        changed = sorted(name for name in {*newest, *row["parts"]} if newest.get(name) != row["parts"].get(name))
        difference = f"; other than the newest in: {', '.join(changed)}" if changed else ""
        lines.append(f"by {row['by']}, last used in generation {row['last_used_in_generation']}{difference}")
        lines += [f"  {name:18} {value}" for name, value in sorted(row["parts"].items())]
        lines.append(f"  reply              {jsonlib.dumps(row['reply'], ensure_ascii=False)[:FIRST]}")
    return "\n".join(lines)


TEXTS = {"stats": _stats_text, "explain": _explained_text}
