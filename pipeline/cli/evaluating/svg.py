"""A plot as an SVG file, written by hand: panels of horizontal bars, one panel a measure, one bar a method."""

from collections import Counter
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from pipeline.text.quotes import shorten

WIDTH, LABEL, BAR, ROW, GAP = 760, 150, 480, 24, 14
LETTERS = 23
"""Letters of a name that are shown beside its bar."""
COLOURS = ("#3b6ea5", "#d08c3f", "#5a9367", "#a2574f", "#7a6aa0", "#8c7a5b", "#5b8a9a")
"""Colours of bars, one for each method; they differ in grey too, and every bar has its name beside it."""


PLAIN = "#5d6670"
"""Colour of bars that are in one panel only."""


class Panel(NamedTuple):
    """A measure: its bars (name, value), and how far the axis goes."""

    title: str
    bars: Sequence[tuple[str, float]]
    most: float


def panels_svg(title: str, panels: Sequence[Panel]) -> str:
    """Return an SVG document of the panels, one below the other; it needs no fonts, scripts or styles from elsewhere."""
    shown = Counter(name for panel in panels for name, _ in panel.bars)
    compared = [name for name, count in shown.items() if count > 1]
    colours = {name: COLOURS[place % len(COLOURS)] for place, name in enumerate(compared)}
    parts = [_text(16, 30, title, 17, "bold")]
    top = 52
    for panel in panels:
        parts.append(_text(16, top + 14, panel.title, 13, "bold"))
        top += ROW
        for name, value in panel.bars:
            parts += _bar(top, name, value, panel, colours.get(name, PLAIN))
            top += ROW
        top += GAP
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top}" width="{WIDTH}" height="{top}" role="img">'
    frame = f"<title>{escape(title)}</title>" + f'<rect width="{WIDTH}" height="{top}" fill="#ffffff"/>'
    return "\n".join([head, frame, *parts, "</svg>", ""])


def _bar(top: int, name: str, value: float, panel: Panel, colour: str) -> list[str]:
    length = BAR * min(max(value / panel.most, 0.0), 1.0) if panel.most else 0.0
    track = f'<rect x="{LABEL}" y="{top}" width="{BAR}" height="{ROW - 8}" fill="#eef0f2"/>'
    filled = f'<rect x="{LABEL}" y="{top}" width="{length:.1f}" height="{ROW - 8}" fill="{colour}"/>'
    shown = f"{value:.3g}"
    return [track, filled, _text(16, top + 12, shorten(name, LETTERS), 12), _text(LABEL + BAR + 8, top + 12, shown, 12)]


def _text(x: int, y: int, text: str, size: int, weight: str = "normal") -> str:
    style = f'font-family="sans-serif" font-size="{size}" font-weight="{weight}" fill="#222222"'
    return f'<text x="{x}" y="{y}" {style}>{escape(text)}</text>'
