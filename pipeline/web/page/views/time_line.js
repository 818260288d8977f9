// Claims with dates on a line of time: a mark each on the axis, and the list that the marks lead to.
import { h } from "../core/dom.js";
import { kind, link, span, yearOf } from "../core/format.js";

/** `claims` have start_date; those with the same place on the axis stack up. */
export function timeLine(claims) {
  const rows = claims.map((one) => ({ ...one, from: yearOf(one.start_date), to: yearOf(one.end_date) ?? yearOf(one.start_date) })).filter((one) => one.from !== null);
  rows.sort((a, b) => a.from - b.from || a.to - b.to);
  const low = Math.min(...rows.map((one) => one.from));
  const high = Math.max(...rows.map((one) => one.to));
  const width = Math.max(high - low, 1);
  const place = (year) => 2 + (96 * (year - low + (high === low ? 0.5 : 0))) / width;
  const stacks = new Map();
  const marks = rows.map((one, index) => {
    const at = Math.round(place(one.from) / 1.5);
    const stack = stacks.get(at) ?? 0;
    stacks.set(at, stack + 1);
    return h("span", { class: "time-mark", style: { left: `${place(one.from)}%`, width: `${Math.max(0, place(one.to) - place(one.from))}%`, bottom: `${0.9 + Math.min(stack, 5) * 0.55}rem` }, "data-index": index });
  });
  const axis = h("div", { class: "time-axis", "aria-hidden": "true" }, marks, ticks(low, high).map((year) => h("span", { class: "time-tick", style: { left: `${place(year)}%` } }, String(year))));
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
    h("div", {}, h("a", { class: "quiet", href: link.read(one.document, one.start, one.end) }, one.text.slice(0, 600)), h("p", { class: "theme-line" }, [kind(one.type), one.status && one.status !== "TRUE" && kind(one.status)].filter(Boolean).join(" · "))),
  );
}

/** Three to six round years between two. */
function ticks(low, high) {
  const width = Math.max(high - low, 1);
  const step = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 5000].find((one) => width / one <= 6) ?? 10000;
  const out = [];
  for (let year = Math.ceil(low / step) * step; year <= high; year += step) out.push(year);
  return out.length ? out : [Math.floor(low)];
}
