// The map by keyboard: arrows move, or walk along relationships from what is selected; + and - zoom; n and p step.

export const HELP = "Arrow keys move the map, or walk to a neighbour of the selected entity. Plus and minus zoom, 0 shows all, n and p select the next and previous entity, Enter opens it, Escape clears.";

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Listens on the map's element; `pick(node)` selects, `open(node)` opens, `clear()` selects nothing. */
export function keyboard(map, { pick, open, clear }) {
  map.element.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    if (WAYS[key]) {
      const next = map.selected >= 0 && !event.shiftKey ? neighbour(map, ...WAYS[key]) : -1;
      if (next >= 0) pick(next);
      else map.pan(0.12 * WAYS[key][0], 0.12 * WAYS[key][1]);
    } else if (key === "+" || key === "=") map.zoom(1.5);
    else if (key === "-") map.zoom(1 / 1.5);
    else if (key === "0") map.whole();
    else if (key === "n" || key === "p") pick(step(map, key === "n" ? 1 : -1));
    else if (key === "Enter" && map.selected >= 0) open(map.selected);
    else if (key === "Escape") clear();
    else return;
    event.preventDefault();
  });
}

/** The neighbour that lies most in a direction on the screen, or -1. */
function neighbour(map, dx, dy) {
  const from = map.point(map.selected);
  let best = -1;
  let most = 0.35;
  for (const other of map.neighboursOf(map.selected)) {
    const { x, y } = map.point(other);
    const far = Math.hypot(x - from.x, y - from.y) || 1;
    const along = ((x - from.x) * dx + (y - from.y) * dy) / far - far / 100000;
    if (along > most) [best, most] = [other, along];
  }
  return best;
}

/** The entity after or before the selected one in the order of degree, among those that the filter shows. */
function step(map, by) {
  const order = map.model.byRank.filter((node) => !map.passes || map.passes(node));
  const at = order.indexOf(map.selected);
  return order[(at < 0 ? (by > 0 ? 0 : order.length - 1) : at + by + order.length) % order.length];
}
