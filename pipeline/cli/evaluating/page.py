"""An evaluation as one page of HTML: its measures, its plot, and the questions that went wrong."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from pipeline.cli.evaluating.results import candidate, plot, shown
from pipeline.query.evaluation.eval_runs import EvalRun
from pipeline.query.evaluation.evaluation import Evaluation

_MOST = 200
"""Questions of each table."""
_STYLE = """body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#222}
table{border-collapse:collapse;margin:1rem 0;display:block;overflow-x:auto}
th,td{border-bottom:1px solid #ddd;padding:.3rem .7rem;text-align:left;vertical-align:top}
td.number{text-align:right;white-space:nowrap}svg{max-width:100%;height:auto}"""


def page(run: EvalRun, found: Evaluation) -> str:
    """Return the page; texts of corpus and models are escaped, and nothing is loaded from elsewhere."""
    by = run.answered_by or "no model"
    facts = {
        "questions": f"{run.n_questions:,} of {run.file}",
        "index": f"{run.index} (generation {run.generation})",
        "graphstrata": run.graphstrata,
        "answered by": by,
    }
    parts = [
        _table(["", ""], facts.items()),
        "<h2>Methods</h2>",
        _measures(found.summary()),
        *_trouble(found),
        plot(found),
    ]
    title = "Evaluation"
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>'
    body = "\n".join(parts)
    return f"<!doctype html>\n<html lang='en'><head>{head}<style>{_STYLE}</style></head>\n<body><h1>{title}</h1>\n{body}\n</body></html>\n"


def _measures(summary: Sequence[dict[str, Any]]) -> str:
    names = [name for name in (summary[0] if summary else ()) if any(row[name] not in (None, "") for row in summary)]
    heads = [name.replace("supported", "answered").replace("_", " ") for name in names]
    return _table(heads, ([shown(name, row[name]) for name in names] for row in summary))


def _trouble(found: Evaluation) -> list[str]:
    """Return a table of each way in which questions went wrong."""
    rows = found.answers
    kinds = {
        "Answered, though the corpus does not hold the answer": [
            row for row in rows if row["answerable"] is False and row["supported"]
        ],
        "Not answered, though the corpus holds the answer": [
            row for row in rows if row["answerable"] and not row["supported"]
        ],
        "Answered without the right answer": [row for row in rows if row["contains"] == 0 and row["supported"]],
    }
    missed = [row for row in found.retrieval if row["rank"] == 0]
    parts = []
    for title, wrong in kinds.items():
        lines = ((row["number"], candidate(row), row["question"], row["text"]) for row in wrong[:_MOST])
        parts += _section(title, len(wrong), ["line", "method", "question", "answer"], lines)
    lines = ((row["number"], row["settings"], row["question"], "") for row in missed[:_MOST])
    parts += _section("Expected passage not found", len(missed), ["line", "settings", "question", ""], lines)
    return parts


def _section(title: str, count: int, heads: Sequence[str], lines: Iterable[Sequence[Any]]) -> list[str]:
    if not count:
        return []
    more = f" (the first {_MOST} of {count:,})" if count > _MOST else f" ({count:,})"
    return [f"<h2>{escape(title + more)}</h2>", _table(heads, lines)]


def _table(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    lines = ["<tr>" + "".join(f"<th>{escape(head)}</th>" for head in heads) + "</tr>"] if any(heads) else []
    for row in rows:
        cells = (f"<td{_class(cell) if any(heads) else ''}>{escape(str(cell))}</td>" for cell in row)
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return "<table>" + "\n".join(lines) + "</table>"


def _class(cell: Any) -> str:
    return " class='number'" if str(cell)[:1].isdigit() and len(str(cell)) < 12 else ""
