// Themes: the tree of communities, and the report on the one chosen, each citation a link to its passage.
import { get, path } from "../core/api.js";
import { announce, fill, h, icon, longText, problem } from "../core/dom.js";
import { count, kind, link, number, plain } from "../core/format.js";
import { replace } from "../core/router.js";

const AT_ONCE = 200;
/** Ids of communities are numbers in tables and text in addresses; none, or -1, is the whole. */
const keyed = (id) => (id === null || id === undefined || id === -1 ? "" : String(id));
let now;

export async function show(main, { argument }) {
  const { tree } = await get("/themes");
  const children = new Map();
  for (const one of tree) {
    const parent = keyed(one.parent);
    if (!children.has(parent)) children.set(parent, []);
    children.get(parent).push(one);
  }
  const report = h("article", { class: "report" });
  const byId = new Map(tree.map((one) => [String(one.community), one]));
  now = { report, byId, links: new Map(), branches: new Map() };
  const filter = h("input", { type: "search", "aria-label": "Filter themes by title", placeholder: "Filter themes", oninput: () => narrow(filter.value, tree, list, children) });
  const list = h("div", { class: "tree" });
  fill(list, branch(children, ""));
  fill(
    main,
    h(
      "div",
      { class: "two-columns" },
      h("nav", { class: "column-list", "aria-label": "Tree of themes" }, h("div", { class: "column-head" }, h("h2", {}, count(tree.length, "theme")), filter), list),
      h("div", { class: "column-body" }, report),
    ),
  );
  const first = argument || keyed(children.get("")?.[0]?.community);
  if (!first) return fill(report, h("h1", {}, "No themes yet"), h("p", {}, "Themes are communities of entities; this index has none."));
  if (!argument) replace(link.theme(first));
  await update({ argument: first, chosen: Boolean(argument) });
  return undefined;
}

/** Shows another report beside the same tree. */
export async function update({ argument, chosen = true }) {
  const id = keyed(argument) || now.byId.keys().next().value;
  if (id === undefined) return;
  for (const [one, anchor] of now.links) {
    if (one === id) anchor.setAttribute("aria-current", "true");
    else anchor.removeAttribute("aria-current");
  }
  unfold(id);
  now.shown = id;
  fill(now.report, h("p", { class: "waiting" }, "Loading…"));
  try {
    const report = await get(path("communities", id));
    if (now.shown === id) fill(now.report, written(report));
    document.title = report.title;
    announce(report.title);
  } catch (error) {
    if (now.shown === id) fill(now.report, problem(error));
  }
  if (innerWidth >= 864) scrollTo(0, 0);
  else if (chosen) now.report.scrollIntoView({ block: "start" });
}

/** One level of the tree; long lists show their first part and a button. */
function branch(children, parent) {
  const rows = children.get(parent) ?? [];
  const list = h("ul", { class: parent ? "tree-inner" : "tree-outer" });
  const grow = (from) => {
    for (const one of rows.slice(from, from + AT_ONCE)) list.append(row(one, children));
    if (rows.length > from + AT_ONCE) {
      const more = h("button", { class: "link", type: "button", onclick: () => (more.parentElement.remove(), grow(from + AT_ONCE)) }, `${number(rows.length - from - AT_ONCE)} more`);
      list.append(h("li", {}, more));
    }
  };
  grow(0);
  return list;
}

function row(one, children) {
  const anchor = h("a", { href: link.theme(one.community) }, h("span", { class: "tree-title" }, one.title || "Untitled"), h("span", { class: "number", title: count(one.size, "entity", "entities") }, number(one.size)));
  now.links.set(keyed(one.community), anchor);
  const item = h("li", {});
  if (children.get(keyed(one.community))?.length) {
    const inner = h("div", { hidden: true });
    const toggle = h("button", { class: "twist", type: "button", "aria-expanded": "false", "aria-label": `Parts of ${one.title}` }, icon("next"));
    const set = (open) => {
      if (open && !inner.firstChild) inner.append(branch(children, keyed(one.community)));
      inner.hidden = !open;
      toggle.setAttribute("aria-expanded", String(open));
    };
    toggle.addEventListener("click", () => set(inner.hidden));
    now.branches.set(keyed(one.community), set);
    item.append(h("div", { class: "tree-row" }, toggle, anchor), inner);
  } else item.append(h("div", { class: "tree-row" }, h("span", { class: "twist", "aria-hidden": "true" }), anchor));
  return item;
}

/** Opens the tree down to a community, and its own branch. */
function unfold(id) {
  const way = [];
  for (let at = id; at && way.length < 50; at = keyed(now.byId.get(at)?.parent)) way.unshift(at);
  for (const one of way) now.branches.get(one)?.(true);
  const anchor = now.links.get(id);
  anchor?.setAttribute("aria-current", "true");
  if (innerWidth >= 864) anchor?.scrollIntoView({ block: "nearest" });
}

function narrow(text, tree, list, children) {
  const wanted = text.trim().toLowerCase();
  now.links.clear();
  now.branches.clear();
  if (!wanted) return fill(list, branch(children, ""));
  const found = tree.filter((one) => one.title.toLowerCase().includes(wanted)).slice(0, AT_ONCE);
  announce(count(found.length, "theme"));
  return fill(list, h("ul", { class: "tree-outer" }, found.map((one) => row(one, new Map()))), !found.length && h("p", { class: "waiting" }, "No title holds these words."));
}

function written(report) {
  const parts = report.children ?? [];
  return [
    h("nav", { class: "trail", "aria-label": "Broader themes" }, trail(report)),
    h("h1", {}, report.title),
    h("p", { class: "counts" }, count(report.size, "entity", "entities"), " · ", report.rank !== null && [h("span", { title: report.rank_explanation }, `importance ${number(Math.round(report.rank * 10) / 10)} of 10`), " · "], h("a", { href: link.onMap("theme", report.community) }, "show on the map")),
    report.summary ? h("p", { class: "lead" }, longText(plain(report.summary))) : h("p", {}, "No report was written on this theme; its entities are below."),
    (report.findings ?? []).map((finding, place) =>
      h("section", { class: "finding" }, h("h2", {}, plain(finding.summary) || `Finding ${place + 1}`), finding.explanation !== finding.summary && h("p", { class: "prose" }, longText(plain(finding.explanation))), citations(finding.citations ?? [])),
    ),
    parts.length > 0 && [h("h2", { class: "section" }, "Parts of this theme"), h("ul", { class: "parts" }, parts.map((one) => h("li", {}, h("a", { href: link.theme(one.community ?? one) }, one.title ?? now.byId.get(keyed(one))?.title ?? "Part"), one.size !== undefined && h("span", { class: "number" }, ` ${number(one.size)}`))))],
    report.entities?.length > 0 && [h("h2", { class: "section" }, "Entities"), h("ul", { class: "chips" }, report.entities.map((one) => h("li", {}, h("a", { class: "chip", href: link.entity(one.id), title: kind(one.type) }, one.name))))],
  ];
}

function trail(report) {
  const way = [];
  for (let at = keyed(report.parent); at && way.length < 20; at = keyed(now.byId.get(at)?.parent)) way.unshift(at);
  return way.map((id) => h("a", { href: link.theme(id) }, now.byId.get(id)?.title ?? "Broader theme"));
}

/** What a finding rests on: each opens its passage, or its row where it has no single passage. */
export function citations(list) {
  if (!list.length) return null;
  const target = (one) => {
    if (one.document) return link.read(one.document, one.start, one.end, one.chunk);
    if (one.kind === "report" || one.kind === "community") return link.theme(one.id);
    return link.entity(one.id);
  };
  return h(
    "ul",
    { class: "citations", "aria-label": "Sources of this finding" },
    list.map((one) => h("li", {}, h("a", { href: target(one) }, h("span", { class: "citation-kind" }, kind(one.kind)), h("span", { class: "citation-label" }, one.label ?? one.id)))),
  );
}
