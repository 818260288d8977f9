"""Pages that need no script: the list of projects, all reports of one, and errors; everything of a corpus is escaped."""

from html import escape

from pipeline.base.errors import GraphstrataError
from pipeline.web.api.communities import TreeRow, theme_tree
from pipeline.web.projects import OpenIndex, Projects, ServedProject
from pipeline.web.replies import error_lines

MOST = 2000
"""Reports of one page, those of the upper levels first."""
HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title><link rel="stylesheet" href="/assets/reports.css"></head><body><main>
<h1>{title}</h1>
"""
TAIL = "</main></body></html>\n"


def projects_page(projects: Projects) -> str:
    """Return the list of projects, each a link to its page."""
    rows = []
    for project in projects:
        found = project.state()
        reports = f'<a class="reports" href="/p/{escape(project.id)}/reports">reports</a>'
        state = f"<small>{escape(found.error.found)}</small>" if found.error else reports
        links = f'<a class="project" href="/p/{escape(project.id)}/">{escape(project.title)}</a>'
        rows.append(f"<li>{links} {state}</li>")
    script = '<script type="module" src="/assets/projects.js"></script>'
    return HEAD.format(title="graphstrata") + f"<ul>{''.join(rows)}</ul>{script}" + TAIL


def reports_page(project: ServedProject) -> str:
    """Return all reports of a project, each under its place in the tree."""
    opened = project.open()
    tree = _rows(opened)
    parts = [HEAD.format(title=escape(f"{project.title}: reports"))]
    if len(tree) > MOST:
        parts.append(f"<p>The first {MOST:,} of {len(tree):,} reports.</p>")
    listed = tree[:MOST]
    parts.append("<nav><ul>")
    parts += [
        f'<li><a href="#c{row["community"]}">{escape(row["title"])}</a></li>' for row in listed if not row["level"]
    ]
    parts.append("</ul></nav>")
    parts += [_report(opened, row) for row in listed]
    return "".join(parts) + TAIL


def opening_page(address: str) -> str:
    """Return a page that leads on to another one of this server at once."""
    lead = f'<meta http-equiv="refresh" content="0;url={escape(address)}">'
    return HEAD.format(title="Reports") + f'{lead}<p><a href="{escape(address)}">Open the reports</a></p>' + TAIL


def error_page(error: GraphstrataError) -> str:
    """Return an error as a page: what was found, what follows, what to do."""
    rows = "".join(f"<dt>{name}</dt><dd>{escape(str(text))}</dd>" for name, text in error_lines(error).items() if text)
    return HEAD.format(title="This cannot be shown") + f"<dl>{rows}</dl>" + TAIL


def _rows(opened: OpenIndex) -> list[TreeRow]:
    """Return the communities that have a report, parents before their children."""
    tree = [row for row in theme_tree(opened) if row["has_report"]]
    children: dict[int, list[TreeRow]] = {}
    known = {row["community"] for row in tree}
    for row in tree:
        children.setdefault(row["parent"] if row["parent"] in known else -1, []).append(row)
    ordered: list[TreeRow] = []
    waiting = children.get(-1, [])[::-1]
    while waiting:
        row = waiting.pop()
        ordered.append(row)
        waiting += children.get(row["community"], [])[::-1]
    return ordered


def _report(opened: OpenIndex, row: TreeRow) -> str:
    at = opened.row("community_reports", "community", row["community"], "report")
    report = opened.columns.rows("community_reports", ["summary", "findings", "rank"], [at])[0]
    level = min(row["level"] + 2, 6)
    findings = "".join(
        f"<li><strong>{escape(one['summary'])}</strong> {escape(one['explanation'])}</li>" for one in report["findings"]
    )
    return (
        f'<section id="c{row["community"]}"><h{level}>{escape(row["title"])}</h{level}>'
        f"<p><small>{row['size']} entities, importance {report['rank']:g}</small></p>"
        f"<p>{escape(report['summary'])}</p><ol>{findings}</ol></section>\n"
    )
