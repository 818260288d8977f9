"""Writes the file: script and styles inlined and allowed by their hashes, the data in an element that no browser runs."""

import base64
import hashlib
import json
import re
from html import escape
from pathlib import Path
from typing import Any

from pipeline.base.errors import StoreError
from pipeline.exchange.folder import Exported, write_text
from pipeline.web.assets import PAGE
from pipeline.web.one_file.contents import contents
from pipeline.web.one_file.script import one_script
from pipeline.web.projects import ServedProject

STYLES = ("styles/base.css", "styles/views.css")
FILE = """<!doctype html>
<html lang="en" data-static>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="graphstrata">
<title>{title}</title>
<link rel="icon" href="{icon}">
<style>{style}</style>
</head>
<body>
<div id="app">
<header class="top"><a class="brand" href="#/map"><span class="brand-name">{title}</span></a></header>
<main id="main" tabindex="-1">
<noscript><div class="notice"><h1>{title}</h1>{themes}</div></noscript>
</main>
</div>
<script type="application/json" id="data">{data}</script>
<script>{script}</script>
</body>
</html>
"""


def export_html(root: Path, file: Path, force: bool = False) -> Exported:
    """Write the project's index as one HTML file that needs no server and no network.

    StoreError where ``file`` is there already and ``force`` is not set, or cannot be written.
    """
    if file.suffix.lower() not in (".html", ".htm"):
        raise StoreError(f"{file} does not end in .html", "one HTML file is written", "name a file such as corpus.html")
    if file.exists() and not force:
        raise StoreError(
            f"{file} is there already", "nothing is overwritten unasked", "name another file, or add --force"
        )
    found = contents(ServedProject("file", root))
    write_text(file.parent, file.name, _file(found))
    counts = {"entities": len(found["entities"]), "themes": len(found["reports"]), "documents": len(found["documents"])}
    missing = [one for one in found["documents"] if "text" not in one]
    notes = [f"texts of {len(missing):,} documents are left out: together they are too large"] if missing else []
    return Exported(file, counts, notes)


def _file(found: dict[str, Any]) -> str:
    script = one_script("app.js", {"core/api.js": "static/api.js"})
    style = "\n".join((PAGE / name).read_text(encoding="utf-8") for name in STYLES)
    style = re.sub(r'url\("\.\./(vendor/[^"]+)"\)', lambda font: f'url("{_inline(font[1], "font/woff2")}")', style)
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; font-src data:; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    themes = "".join(
        f"<h2>{escape(theme['title'])}</h2><p>{escape(theme['summary'])}</p>" for theme in found["overview"]["themes"]
    )
    return FILE.format(
        policy=policy,
        title=escape(found["overview"]["title"]),
        icon=_inline("icon.svg", "image/svg+xml"),
        style=style,
        themes=themes,
        # "<" cannot end the element of the data, nor open a comment in it, where there is none.
        data=json.dumps(found, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
        script=script,
    )


def _hash(content: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()


def _inline(name: str, media: str) -> str:
    return f"data:{media};base64,{base64.b64encode((PAGE / name).read_bytes()).decode()}"
