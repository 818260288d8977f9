// Labels that do not collide: tried in order of importance, each drawn only where it is free and inside.

/** A text whose first letter is of a script that is written from right to left. */
const RIGHT_TO_LEFT = /^\P{L}*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u;
/** Square pixels of dots that a label hides rather than take its next spot. */
const LATER = 4;
const widths = new Map();

/** Measures anew: a font has arrived. */
export const forgetWidths = () => widths.clear();

function widthOf(context, font, text) {
  const key = `${font}\n${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    context.font = font;
    width = context.measureText(text).width;
    if (widths.size > 5000) widths.clear();
    widths.set(key, width);
  }
  return width;
}

/** Breaks a title into lines of about the same length, at most `most` of them. */
export function lines(text, most = 3, aim = 18) {
  const words = text.split(/\s+/).filter(Boolean);
  const wished = Math.min(most, Math.max(1, Math.ceil(text.length / aim)));
  const length = Math.ceil(text.length / wished);
  const out = [];
  for (const word of words) {
    const last = out[out.length - 1];
    if (last !== undefined && (`${last} ${word}`.length <= length + 3 || out.length === most)) out[out.length - 1] = `${last} ${word}`;
    else out.push(word);
  }
  return out.map((line) => (line.length > 34 ? `${line.slice(0, 33)}…` : line));
}

/**
 * Places and draws labels. Each candidate has `lines`, `x`, `y`, `size` (px), `font` (family), `weight`, `colour`,
 * `gap` (px right of the point; without it the label is centred on it, or on the first of its `spots` that is free and hides fewest
 * `dots`), and `must` for those that are drawn whatever lies there.
 * `blocked` are boxes that must stay free, `dots` points of {x, y, r} that should; `scale` is the reader's size of letters against the usual. Returns what was drawn: {text, x, y, width, height}.
 */
export function drawLabels(context, candidates, { width, height, halo, blocked = [], dots = [], scale = 1 }, most = 90) {
  const placed = [];
  const taken = [...blocked];
  context.textBaseline = "middle";
  context.lineJoin = "round";
  for (const one of candidates) {
    if (placed.length >= most) break;
    const size = one.size * scale;
    const font = `${one.weight ?? 400} ${size}px ${one.font}`;
    const w = Math.max(...one.lines.map((line) => widthOf(context, font, line)));
    const step = size * 1.18;
    const h = step * one.lines.length;
    const box = place(one, w, h, taken, dots, width, height);
    if (!box) continue;
    taken.push(box);
    placed.push({ text: one.lines.join(" "), ...box });
    context.font = font;
    context.direction = RIGHT_TO_LEFT.test(one.lines[0]) ? "rtl" : "ltr";
    context.textAlign = one.gap === undefined ? "center" : "left";
    const x = one.gap === undefined ? box.x + w / 2 : box.x;
    one.lines.forEach((line, row) => {
      const y = box.y + step * (row + 0.5);
      context.strokeStyle = halo;
      context.lineWidth = one.must ? 5 : 3.5;
      context.strokeText(line, x, y);
      context.fillStyle = one.colour;
      context.fillText(line, x, y);
    });
  }
  return placed;
}

/** The free box of a candidate that hides fewest dots, of several the first: centred, or right, left, below and above of its point. */
function place(one, w, h, taken, dots, width, height) {
  const gap = one.gap ?? 0;
  const spots = one.spots ?? [[one.x, one.y]];
  const boxes = one.gap === undefined ? spots.map(([x, y]) => [x - w / 2, y - h / 2]) : [[one.x + gap, one.y - h / 2], [one.x - gap - w, one.y - h / 2], [one.x - w / 2, one.y + gap], [one.x - w / 2, one.y - gap - h]];
  let best = null;
  let fewest = Infinity;
  for (const [order, [left, top]] of boxes.entries()) {
    const [x, y] = one.must ? [clamp(left, 2, width - w - 2), clamp(top, 2, height - h - 2)] : [left, top];
    const inside = x >= 2 && y >= 2 && x + w <= width - 2 && y + h <= height - 2;
    if (!inside) continue;
    const free = one.must || taken.every((other) => x > other.x + other.width + 3 || other.x > x + w + 3 || y > other.y + other.height + 1 || other.y > y + h + 1);
    if (!free) continue;
    const box = { x, y, width: w, height: h };
    if (!one.spots) return box;
    const hidden = order * LATER + dots.reduce((sum, dot) => (dot.x + dot.r > x && dot.x - dot.r < x + w && dot.y + dot.r > y && dot.y - dot.r < y + h ? sum + dot.r ** 2 : sum), 0);
    if (hidden < fewest) [best, fewest] = [box, hidden];
  }
  return best;
}

const clamp = (value, low, high) => Math.max(low, Math.min(high, value));
