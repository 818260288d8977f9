// One entity with all that the index knows of it, and the ways to correct it.
import { get, path } from "../core/api.js";
import { fill, h, icon, longText } from "../core/dom.js";
import { count, kind, link, number, plain, span } from "../core/format.js";
import { live } from "../core/router.js";
import { corrections } from "./corrections.js";
import { timeLine } from "./time_line.js";

const AT_ONCE = 25;
const PLACES = 12; // of one document

export const keyOf = (argument) => `entity/${argument}`;

export async function show(main, { argument }) {
  const entity = await get(path("entities", argument));
  const { relationships = [], claims = [], chunks = [], communities = [], aliases = [] } = entity;
  const totals = { relationships: relationships.length, claims: claims.length, chunks: chunks.length, ...entity.totals };
  const most = Math.max(1, ...relationships.map((one) => one.weight));
  const dated = claims.filter((one) => one.start_date);
  const panel = h("div", { class: "correct-panel", hidden: true });
  const correct = h("button", { class: "button", type: "button", "aria-expanded": "false", onclick: openCorrections }, icon("edit"), "Correct");

  function openCorrections() {
    const opens = panel.hidden;
    panel.hidden = !opens;
    correct.setAttribute("aria-expanded", String(opens));
    if (opens) fill(panel, corrections(entity));
    if (opens) panel.querySelector("input, select, button")?.focus();
  }

  fill(
    main,
    h(
      "div",
      { class: "page entity" },
      h(
        "header",
        {},
        h("p", { class: "eyebrow" }, kind(entity.type)),
        h("h1", {}, entity.name),
        h("p", { class: "counts" }, `${count(totals.relationships, "relationship")} · ${count(totals.claims, "claim")} · ${count(totals.chunks, "passage")}`),
        h("p", { class: "lead" }, longText(plain(entity.description) || "No description.", 700)),
        h("p", { class: "actions" }, h("a", { class: "button", href: link.onMap("entity", entity.id) }, icon("map"), "Show on the map"), live() && [h("a", { class: "button", href: link.ask(`What is known of ${entity.name}?`) }, icon("ask"), "Ask"), correct]),
        panel,
      ),
      h(
        "div",
        { class: "entity-columns" },
        h(
          "div",
          {},
          dated.length > 0 && section(`Time line of ${count(dated.length, "dated claim")}`, timeLine(dated)),
          claims.length > dated.length && section("Claims without a date", more(claims.filter((one) => !one.start_date), claimRow)),
          section("Relationships, heaviest first", relationships.length ? more([...relationships].sort((a, b) => b.weight - a.weight), (one) => relationshipRow(one, most)) : h("p", {}, "None.")),
        ),
        h(
          "div",
          {},
          aliases.length > 0 && section("Also written", h("ul", { class: "aliases" }, aliases.map(aliasRow))),
          communities.length > 0 && section("Themes, broad to fine", h("ul", { class: "plain" }, communities.map((one) => h("li", {}, h("a", { href: link.theme(one.id) }, one.title), h("span", { class: "number" }, ` level ${one.level}`))))),
          section("Passages", more(byDocument(chunks), passageRow)),
        ),
      ),
    ),
  );
}

const section = (title, ...content) => h("section", {}, h("h2", {}, title), content);

/** A list that shows its first rows and a button for the rest. */
function more(rows, draw) {
  const list = h("ul", { class: "lined" }, rows.slice(0, AT_ONCE).map(draw));
  if (rows.length > AT_ONCE) {
    const all = h("button", { class: "link", type: "button", onclick: () => (all.parentElement.remove(), list.append(...rows.slice(AT_ONCE, 2000).map(draw))) }, `show ${number(rows.length - AT_ONCE)} more`);
    list.append(h("li", {}, all));
  }
  return list;
}

/** Passages of one document after the other, in one list each. */
function byDocument(chunks) {
  const found = new Map();
  for (const one of chunks) found.set(one.document, [...(found.get(one.document) ?? []), one]);
  return [...found.values()];
}

/** A document with the places in it: the words above a single passage, the places of several. */
function passageRow(chunks) {
  const [first] = chunks;
  const to = (one, text) => h("a", { href: link.read(one.document, null, null, one.id) }, text);
  const where = [first.heading !== first.title && first.heading, first.place].filter(Boolean).join(" · ");
  const places = chunks.slice(0, PLACES).map((one, at) => [at > 0 && " · ", to(one, one.place || one.heading)]);
  const left = chunks.length - PLACES;
  return h("li", {}, to(first, first.title || first.heading || "Passage"), h("p", { class: "places" }, chunks.length === 1 ? where : [places, left > 0 && ` and ${number(left)} more`]));
}

function relationshipRow(one, most) {
  return h(
    "li",
    { class: "relationship" },
    h("div", { class: "relationship-head" }, h("a", { href: link.entity(one.other) }, one.other_name), h("span", { class: "bar", title: `weight ${number(one.weight)}`, "aria-label": `weight ${number(one.weight)}`, role: "img" }, h("span", { style: { width: `${Math.max(3, (100 * one.weight) / most)}%` } }))),
    h("p", { class: "theme-line" }, longText(plain(one.description), 300)),
  );
}

function claimRow(one) {
  return h("li", {}, h("a", { class: "quiet", href: link.read(one.document, one.start, one.end, one.chunk) }, plain(one.text.slice(0, 600))), h("p", { class: "theme-line" }, [kind(one.type), one.status && one.status !== "TRUE" && kind(one.status), span(one.start_date, one.end_date)].filter(Boolean).join(" · ")));
}

function aliasRow(one) {
  const score = typeof one.score === "number" ? `${Math.round(one.score * 100)} %` : "";
  return h("li", {}, h("span", { class: "alias" }, one.name), h("p", { class: "theme-line" }, [one.evidence, score, one.by && `decided by ${one.by}`].filter(Boolean).join(" · ")));
}
