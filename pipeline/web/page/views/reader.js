// A document as text: entities, claims and the cited span marked; opened at a quote, it scrolls there.
import { get, path } from "../core/api.js";
import { fill, h, icon, printable } from "../core/dom.js";
import { count, link, number } from "../core/format.js";
import { unitsOf } from "../core/offsets.js";

const MOST_IN_LIST = 60;

/** Every address is drawn anew: another span may lie in another part of the document. */
export async function show(main, { argument, query }) {
  const inside = query.chunk ? await get(path("chunks", query.chunk)) : null;
  const cited = span(query, inside?.start ?? 0);
  const first = cited?.start ?? inside?.start ?? 0;
  const from = query.from !== undefined ? Number(query.from) : Math.max(0, first - 12000);
  const part = await get(path("documents", argument), { start: from || undefined });
  const units = unitsOf(part.text);
  const unit = (character) => Math.max(0, Math.min(part.text.length, units(character - part.start)));
  const text = h("div", { class: "document-text", dir: "auto" });
  const marks = { entity: true, claim: true, fact: false };

  function draw() {
    const wanted = (part.marks ?? []).filter((one) => marks[one.kind]);
    const spans = wanted.map((one) => ({ ...one, from: unit(one.start), to: unit(one.end) }));
    if (cited) spans.push({ kind: "cited", from: unit(cited.start), to: unit(cited.end) });
    else if (inside) spans.push({ kind: "chunk", from: unit(inside.start), to: unit(inside.end) });
    for (const line of part.text.matchAll(/^#{1,6} .*$/gm)) spans.push({ kind: "heading", from: line.index, to: line.index + line[0].length });
    fill(text, segments(part.text, spans.filter((one) => one.to > one.from)));
  }

  const choice = (key, label) => {
    const number_ = (part.marks ?? []).filter((one) => one.kind === key).length;
    return h("label", { class: "check" }, h("input", { type: "checkbox", checked: marks[key], onchange: (event) => ((marks[key] = event.target.checked), draw()) }), h("span", { class: `key is-${key}` }, label), h("span", { class: "number" }, number(number_)));
  };
  draw();
  fill(
    main,
    h(
      "div",
      { class: "two-columns reader" },
      h(
        "aside",
        { class: "column-list", "aria-label": "Places in this document" },
        h("fieldset", { class: "keys" }, h("legend", {}, "Marked"), choice("entity", "Entities"), choice("claim", "Claims"), choice("fact", "Facts")),
        jumps(part, text),
      ),
      h(
        "article",
        { class: "column-body document" },
        h("p", { class: "eyebrow" }, h("a", { class: "crumb", href: "#/documents" }, "Documents"), part.place && h("span", { class: "place" }, "/ ", part.place)),
        h("h1", {}, part.title || "Untitled"),
        h("p", { class: "counts" }, count(part.length, "character"), cited && [" · ", h("button", { class: "link", type: "button", onclick: () => toCited(text) }, "to the cited passage")]),
        pages(part, argument),
        text,
        pages(part, argument),
      ),
    ),
  );
  if (cited || inside) requestAnimationFrame(() => toCited(text));
  else scrollTo(0, 0);
}

export const keyOf = (argument) => `read/${argument}?${location.hash.split("?")[1] ?? ""}`;

/** The cited span of the address, in characters of the stored text; null without one. `before` is where its chunk begins. */
function span({ start, end }, before) {
  const [first, last] = [Number(start), Number(end)];
  return start !== undefined && Number.isFinite(first) && last > first ? { start: before + first, end: before + last } : null;
}

function toCited(text) {
  const mark = text.querySelector("mark.cited, .is-chunk");
  if (!mark) return;
  mark.scrollIntoView({ block: "center" });
  mark.tabIndex = -1;
  mark.focus({ preventScroll: true });
}

/** Cuts the text at every beginning and end of a mark, so that overlapping marks are shown together. */
function segments(text, spans) {
  const cuts = [...new Set([0, text.length, ...spans.flatMap((one) => [one.from, one.to])])].sort((a, b) => a - b);
  const begins = new Map();
  for (const one of spans) begins.set(one.from, [...(begins.get(one.from) ?? []), one]);
  let open = [];
  const out = [];
  for (let place = 0; place + 1 < cuts.length; place++) {
    const at = cuts[place];
    open = [...open.filter((one) => one.to > at), ...(begins.get(at) ?? [])];
    const piece = text.slice(at, cuts[place + 1]);
    out.push(open.length ? marked(piece, open, at) : printable(piece));
  }
  return out;
}

function marked(piece, open, at) {
  const entity = open.findLast((one) => one.kind === "entity");
  const classes = [...new Set(open.map((one) => (one.kind === "cited" ? "" : `is-${one.kind}`)))].filter(Boolean);
  const claim = open.find((one) => one.kind === "claim" || one.kind === "fact");
  const inner = entity
    ? h("a", { class: `mark ${classes.join(" ")}`, href: link.entity(entity.id), title: entity.label, "data-at": at }, piece)
    : classes.length
      ? h("span", { class: `mark ${classes.join(" ")}`, title: claim?.label?.slice(0, 300), "data-at": at }, piece)
      : piece;
  return open.some((one) => one.kind === "cited") ? h("mark", { class: "cited" }, inner) : inner;
}

/** The side list: entities by how often they are named, and claims in order; each jumps to where it is. */
function jumps(part, text) {
  const byEntity = new Map();
  for (const one of part.marks ?? []) {
    if (one.kind !== "entity") continue;
    if (!byEntity.has(one.id)) byEntity.set(one.id, { ...one, places: [] });
    byEntity.get(one.id).places.push(one.start);
  }
  const entities = [...byEntity.values()].sort((a, b) => b.places.length - a.places.length).slice(0, MOST_IN_LIST);
  const claims = (part.marks ?? []).filter((one) => one.kind === "claim").slice(0, MOST_IN_LIST);
  const units = unitsOf(part.text);
  const jump = (start, length) => {
    const at = units(start - part.start);
    const marks = [...text.querySelectorAll("[data-at]")];
    const mark = marks.find((one) => Number(one.dataset.at) >= at && Number(one.dataset.at) <= at + length) ?? marks.findLast((one) => Number(one.dataset.at) <= at);
    for (const one of text.querySelectorAll(".jumped")) one.classList.remove("jumped");
    mark?.classList.add("jumped");
    mark?.scrollIntoView({ block: "center" });
  };
  const entityRow = (one) => {
    let turn = 0;
    return h("li", {}, h("button", { class: "jump", type: "button", onclick: () => jump(one.places[turn++ % one.places.length], 0) }, h("span", {}, one.label), h("span", { class: "number" }, number(one.places.length))));
  };
  return [
    entities.length > 0 && [h("h2", { class: "section" }, "Entities"), h("ul", { class: "jumps" }, entities.map(entityRow))],
    claims.length > 0 && [h("h2", { class: "section" }, "Claims"), h("ul", { class: "jumps" }, claims.map((one) => h("li", {}, h("button", { class: "jump", type: "button", onclick: () => jump(one.start, one.end - one.start) }, h("span", {}, one.label.slice(0, 200))))))],
  ];
}

/** Ways to the parts before and after, where the document is longer than one reply. */
function pages(part, id) {
  if (part.start === 0 && part.end >= part.length) return null;
  const size = Math.max(part.end - part.start, 1);
  const to = (from) => `#/read/${encodeURIComponent(id)}?from=${Math.max(0, from)}`;
  return h(
    "nav",
    { class: "pager", "aria-label": "Parts of this document" },
    part.start > 0 && h("a", { class: "button", href: to(part.start - size) }, icon("back"), "Before"),
    h("span", {}, `characters ${number(part.start)} to ${number(part.end)} of ${number(part.length)}`),
    part.end < part.length && h("a", { class: "button", href: to(part.end) }, "After", icon("next")),
  );
}

