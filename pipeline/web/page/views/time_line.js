// Claims with dates on a line of time: a mark each on the axis, and the list that the marks lead to.
import { h } from "../core/dom.js";
import { kind, link, span, yearOf } from "../core/format.js";

/** `claims` have start_date; those with the same place on the axis stack up. */
export function timeLine(claims) {
  const rows = claims.map((one) => ({ ...one, from: yearOf(one.start_date), to: yearOf(one.end_date) ?? yearOf(one.start_date) })).filter((one) => one.from !== null);
  rows.sort((a, b) => a.from - b.from || a.to - b.to);
  const { place, ticks } = axisOf(rows);
  const stacks = new Map();
  const marks = rows.map((one, index) => {
    const at = Math.round(place(one.from) / 1.5);
    const stack = stacks.get(at) ?? 0;
    stacks.set(at, stack + 1);
    return h("span", { class: "time-mark", style: { left: `${place(one.from)}%`, width: `${Math.max(0, place(one.to) - place(one.from))}%`, bottom: `${0.9 + Math.min(stack, 5) * 0.55}rem` }, "data-index": index });
  });
  const axis = h("div", { class: "time-axis", "aria-hidden": "true" }, marks, ticks.map(({ year, at }) => h("span", { class: "time-tick", style: { left: `${at}%` } }, year === null ? "⋯" : String(year))));
  const shown = rows.slice(0, 300);
  const list = h("ol", { class: "time-list" }, shown.map((one, index) => item(one, marks[index])));
  return [axis, list, rows.length > shown.length && h("p", {}, `The first ${shown.length} of ${rows.length} are listed.`)];
}

function item(one, mark) {
  const lit = (on) => () => mark.classList.toggle("lit", on);
  return h(
    "li",
    { onpointerenter: lit(true), onpointerleave: lit(false), onfocusin: lit(true), onfocusout: lit(false) },
    h("time", {}, span(one.start_date, one.end_date)),
    h("div", {}, h("a", { class: "quiet", href: link.read(one.document, one.start, one.end, one.chunk) }, one.text.slice(0, 600)), h("p", { class: "theme-line" }, [kind(one.type), one.status && one.status !== "TRUE" && kind(one.status)].filter(Boolean).join(" · "))),
  );
}

/** Where years are, in percent; years without a claim that would take a fifth of the line are cut out, shown as a gap. */
function axisOf(rows) {
  const low = rows[0].from;
  const high = Math.max(...rows.map((one) => one.to));
  const parts = [{ from: low, to: low, claims: 0 }];
  for (const one of rows) {
    const last = parts.at(-1);
    if (one.from - last.to > Math.max(2, (high - low) / 5)) parts.push({ from: one.from, to: one.to, claims: 1 });
    else Object.assign(last, { to: Math.max(last.to, one.to), claims: last.claims + 1 });
  }
  const whole = parts.reduce((sum, one) => sum + Math.sqrt(one.claims), 0);
  let left = 2;
  for (const one of parts) {
    one.left = left;
    one.width = (96 * Math.sqrt(one.claims)) / whole;
    left += one.width;
  }
  const inner = (one) => one.width * (parts.length > 1 ? 0.86 : 1);
  const place = (year) => {
    const one = parts.findLast((part) => part.from <= year) ?? parts[0];
    const share = one.to > one.from ? Math.min(1, (year - one.from) / (one.to - one.from)) : 0.5;
    return one.left + inner(one) * share;
  };
  const ticks = parts.flatMap((one, index) => [
    ...round(one.from, one.to, Math.max(1, Math.floor(one.width / 14))).map((year) => ({ year, at: place(Math.max(year, one.from)) })),
    ...(index + 1 < parts.length ? [{ year: null, at: one.left + one.width * 0.95 }] : []),
  ]);
  return { place, ticks };
}

/** At most `most` round years between two, or the first where none is round. */
function round(low, high, most) {
  const step = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 5000].find((one) => (high - low) / one <= most) ?? 10000;
  const out = [];
  for (let year = Math.ceil(low / step) * step; year <= high; year += step) out.push(year);
  return out.length ? out.slice(0, most + 1) : [Math.floor(low)];
}
