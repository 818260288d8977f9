"""The part of a long passage that is closest to a question: neighbouring units of a text, cut where a reader would cut."""

from collections.abc import Mapping, Sequence

from pipeline.text.answering.blocks import Unit, units
from pipeline.text.answering.passage_units import union
from pipeline.text.question.question import Question

LENGTH = 1300
"""Characters of a window, at most, where its closest unit is not longer by itself."""


def closest_window(text: str, question: Question, length: int = LENGTH) -> tuple[int, int, float]:
    """Return start, end and weight of the window of a text that weighs most: whole units, about ``length`` characters.

    The weight is the share of a question that the units meet together, from 0 to 1. Of equal windows the shorter, then the
    first is taken, with what is around it as far as there is room; a text that fits is returned as a whole.
    """
    found = units(text)
    if not found:
        return 0, 0, 0.0
    met = [question.met_by(text[unit.start : unit.end]) for unit in found]
    size = len(question.terms)
    whole = found[0].start, found[-1].end
    if whole[1] - whole[0] <= length:
        return *whole, question.share(union(met, size))
    best: tuple[float, int, int, int] | None = None
    for first, unit in enumerate(found):
        last = _last(found, first, length)
        end = found[last].end
        value = question.share(union(met[first : last + 1], size))
        rank = (round(value, 9), -(end - unit.start), -unit.start, end)
        if best is None or rank[:3] > best[:3]:
            best = rank
    value, _, start, end = best or (0.0, 0, 0, 0)
    return *window_around(text, -start, end, length), value


def likeliest_window(
    text: str, span: tuple[int, int], likely: Mapping[int, float], length: int = LENGTH
) -> tuple[int, int]:
    """Return the window of whole units that holds a span, about ``length`` characters, whose units answer likeliest together, with what
    is around them as far as there is room.

    ``likely`` gives by its start how likely each unit answers, as a share of all, those left out that say nothing. Of equal windows
    the shorter, then the first is taken.
    """
    found = units(text)
    best: tuple[float, int, int] | None = None
    for first, unit in enumerate(found):
        if unit.start > span[0]:
            break
        together = 0.0
        for last in range(first, len(found)):
            end = found[last].end
            if end - unit.start > length and last > first:
                break
            together += likely.get(found[last].start, 0.0)
            rank = round(together, 9), unit.start - end, -unit.start
            if end >= span[1] and (best is None or rank > best):
                best = rank
    if best is None:  # the span is longer than that
        return window_around(text, *span, length)
    start = -best[2]
    return window_around(text, start, start - best[1], length)


def window_around(text: str, start: int, end: int, length: int = LENGTH) -> tuple[int, int]:
    """Return the window of whole units that holds a span, about ``length`` characters, as much before the span as behind it,
    but what is before the heading above the span only where nothing is behind it."""
    found = units(text)
    inside = [place for place, unit in enumerate(found) if unit.start < end and unit.end > start]
    if not inside:
        return start, end
    first, last = inside[0], inside[-1]
    top = _section(found, first)
    while True:
        room = length - (found[last].end - found[first].start)
        before = found[first].end - found[first - 1].start if first else room + 1
        behind = found[last + 1].end - found[last].end if last + 1 < len(found) else room + 1
        left, right = found[first].start, found[last].end
        if behind <= room and (right - end <= start - left or before > room or first <= top):
            last += 1
        elif before <= room:
            first -= 1
        else:
            break
    while last > inside[-1] and found[last].kind == "heading":
        last -= 1
    return found[first].start, found[last].end


def _section(found: Sequence[Unit], place: int) -> int:
    """Return where the section of a unit begins: the first of the headings right above it, or the beginning of the text."""
    headings = [at for at in range(place + 1) if found[at].kind == "heading"]
    while len(headings) > 1 and headings[-2] == headings[-1] - 1:
        headings.pop()
    return headings[-1] if headings else 0


def _last(found: Sequence[Unit], first: int, length: int) -> int:
    """Return the last unit of a window that begins at ``first``: no heading, and within ``length`` characters."""
    last = first
    for place in range(first, len(found)):
        if found[place].end - found[first].start > length and place > first:
            break
        if found[place].kind != "heading":
            last = place
    return last
