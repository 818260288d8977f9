// The first view: what the corpus is about, beside the map of it.
import { get, path } from "../core/api.js";
import { announce, cut, fill, h, icon, problem } from "../core/dom.js";
import { count, kind, link, number, plain } from "../core/format.js";
import { colour, COLOURED } from "../core/palette.js";
import { go, live, replace } from "../core/router.js";
import { canDraw, GraphMap } from "../map/graph_map.js";
import { HELP, keyboard } from "../map/keyboard.js";
import { filterPanel } from "../map/filters.js";
import { MapModel } from "../map/model.js";

/** Entities that a map names at first: more labels than are ever drawn before the reader comes closer. */
const NAMED = 2000;

let now;

export async function show(main, { corpus, query }) {
  const level = corpus.themes[0]?.level ?? 0;
  const overview = h("div", { class: "overview" }, about(corpus, null));
  const stage = h("div", { class: "stage" }, h("p", { class: "waiting" }, "Drawing the map…"));
  fill(main, h("div", { class: "map-view" }, h("aside", { class: "side", "aria-label": "About this corpus" }, overview), stage));
  const model = new MapModel(await get("/map", { level, named: NAMED }), corpus.themes);
  fill(overview, about(corpus, model));
  now = { corpus, model, overview, stage, query: {} };
  giveRecurring(overview);
  if (!model.nodes.id.length) {
    fill(stage, h("p", { class: "notice" }, "There are no entities to draw yet."));
    return undefined;
  }
  if (!canDraw()) {
    await giveNames(model);
    fill(stage, asList(model));
    return undefined;
  }
  await draw(model);
  const named = giveNames(model);
  if (query.entity) await named;
  await update({ query });
  return () => now.map.stop();
}

/** Names what a large map left unnamed so that it was drawn sooner. */
async function giveNames(model) {
  if (model.isNamed) return;
  try {
    model.giveNames(await get("/map/names"));
    now?.map?.refresh();
  } catch (error) {
    announce(`Some entities have no names yet: ${error.cause ?? error.message}`);
  }
}

/** Says what recurs over the documents: that is counted over all facts, so the map does not wait for it. */
async function giveRecurring(overview) {
  try {
    now.recurring = (await get("/recurring")).items;
    const place = overview.querySelector(".recurring");
    if (place) fill(place, recurring(now.recurring));
  } catch (error) {
    announce(`What recurs is not known: ${error.cause ?? error.message}`);
  }
}

function recurring(items = []) {
  if (!items.length) return [];
  const [{ total, unit }] = items;
  const named = items.map((one) => {
    const beside = one.related.length ? `with ${one.related.join(", ")}` : "";
    const title = `in ${number(one.found_in)} of ${number(total)} ${unit}`;
    return h("li", { title: beside }, live() ? h("a", { href: link.ask(one.question) }, one.title) : h("bdi", {}, one.title), h("span", { class: "recurring-count", "aria-label": title }, number(one.found_in)));
  });
  return [h("h2", { class: "section" }, `What recurs, and in how many of ${count(total, unit.slice(0, -1))}`), h("ul", { class: "recurring-list" }, named)];
}

/** Follows the address: #/map?entity=... or ?theme=... selects. */
export async function update({ query }) {
  now.query = query;
  const { map, model } = now;
  if (!map) return;
  const node = model.nodeIndex.get(query.entity) ?? -1;
  const community = model.communityIndex.get(query.theme) ?? -1;
  if (node >= 0) await selectNode(node);
  else if (community >= 0) await selectCommunity(community);
  else {
    map.selectCommunity(-1);
    fill(now.overview, about(now.corpus, model));
  }
}

/** Name, size and top themes of the corpus; each theme with the colour that it has on the map. */
function about(corpus, model) {
  const { counts } = corpus;
  const themes = corpus.themes.map((theme) => {
    const index = model?.communityIndex.get(String(theme.community)) ?? -1;
    const mark = (on) => {
      if (!now?.map || index < 0) return;
      now.map.hoveredCommunity = on ? index : -1;
      now.map.sigma.scheduleRender();
    };
    return h(
      "li",
      { class: "theme", onpointerenter: () => mark(true), onpointerleave: () => mark(false) },
      dot(model && index >= 0 ? colour(model.rankOf(index)) : null),
      h("div", {}, h("a", { class: "theme-title", href: link.theme(theme.community) }, theme.title), h("p", { class: "theme-line" }, cut(plain(theme.summary), 130))),
      h("span", { class: "theme-size", title: count(theme.size, "entity", "entities") }, number(theme.size)),
    );
  });
  return [
    h("p", { class: "eyebrow" }, "What this corpus is about"),
    h("h1", {}, corpus.title),
    h("p", { class: "counts" }, `${count(counts.documents, "document")} · ${count(counts.entities, "entity", "entities")} · ${count(counts.relationships, "relationship")} · ${count(counts.communities, "theme")}`),
    live() && h("form", { class: "ask-line", onsubmit: askIt }, h("input", { name: "question", "aria-label": "Ask the corpus", placeholder: corpus.questions[0] ?? "Ask the corpus", autocomplete: "off" }), h("button", { class: "primary", type: "submit", "aria-label": "Ask" }, icon("send"))),
    h("div", { class: "recurring" }, recurring(now?.recurring)),
    corpus.documents?.length > 0 && h("p", { class: "counts" }, counts.documents > corpus.documents.length ? "Documents such as " : "Documents: ", corpus.documents.map((one, place) => [place > 0 && " · ", live() ? h("a", { href: link.read(one.id) }, one.title) : h("bdi", {}, one.title)])),
    h("h2", { class: "section" }, "Main themes"),
    themes.length ? h("ol", { class: "themes-list" }, themes) : h("p", {}, "There are no themes yet."),
    live() && corpus.questions.length > 0 && [h("h2", { class: "section" }, "Questions to begin with"), h("ul", { class: "suggested" }, corpus.questions.map((one) => h("li", {}, h("a", { href: link.ask(one) }, one))))],
  ];
}

function askIt(event) {
  event.preventDefault();
  const input = event.target.elements.question;
  const question = input.value.trim() || (input.placeholder !== "Ask the corpus" ? input.placeholder : "");
  if (question) go(link.ask(question));
}

export const dot = (value) => h("span", { class: "dot", "aria-hidden": "true", style: value ? { background: value } : {} });

async function draw(model) {
  const map = new GraphMap(model);
  now.map = map;
  const legend = h("details", { class: "legend", name: "over-map", "data-over-map": true });
  const status = h("p", { class: "map-status", role: "status" });
  const filters = filterPanel(now.corpus, model, (passes, least, text) => {
    map.filter(passes, least);
    status.textContent = text;
  });
  map.element.tabIndex = 0;
  map.element.setAttribute("role", "application");
  map.element.setAttribute("aria-label", `Map of ${count(model.nodes.id.length, "entity", "entities")} in ${count(model.tops.length, "theme")}. ${HELP}`);
  fill(now.stage, map.element, controls(map), legend, filters.element, status, h("a", { class: "visually-hidden", href: "#/themes" }, "The map as a list of themes"));
  map.start();
  keyboard(map, { pick: (node) => choose({ entity: model.nodes.id[node] }), open: (node) => go(link.entity(model.nodes.id[node])), clear: () => choose({}) });
  map.addEventListener("pick", ({ detail }) => {
    if (detail.node !== undefined) choose({ entity: model.nodes.id[detail.node] });
    else if (detail.community !== undefined) choose({ theme: now.model.communities.id[detail.community] });
    else choose({});
  });
  map.addEventListener("open", ({ detail }) => go(link.entity(model.nodes.id[detail.node])));
  const colours = () => fill(legend, legendRows(model));
  addEventListener("schemechange", colours);
  colours();
}

function choose(query) {
  const [[key, id] = []] = Object.entries(query);
  replace(key ? link.onMap(key, id) : "#/map");
  update({ query });
}

function legendRows(model) {
  const top = model.tops.slice(0, COLOURED);
  const rows = top.map((community) => h("li", {}, dot(colour(model.rankOf(community))), cut(model.communities.title[community], 46)));
  if (model.tops.length > top.length) rows.push(h("li", {}, dot(null), count(model.tops.length - top.length, "smaller theme")));
  return [
    h("summary", {}, h("span", { class: "legend-dots", "aria-hidden": "true" }, top.slice(0, 5).map((community) => dot(colour(model.rankOf(community))))), "Legend"),
    h("ul", {}, rows),
    h("p", {}, "A dot is an entity, larger with more relationships. A circle is a theme; its colour is that of the broadest theme it is part of."),
    h("p", {}, model.edges.source?.length ? "A line is a relationship." : "A line gathers the relationships between two themes; those of one entity appear when it is selected."),
  ];
}

function controls(map) {
  const button = (sign, label, act) => h("button", { class: "icon-button", type: "button", "aria-label": label, title: label, onclick: act }, icon(sign));
  const { levels, level } = map.model;
  const output = h("output", { class: "level-name" }, levelName(level, levels));
  const slider = h("input", {
    type: "range",
    min: 0,
    max: levels - 1,
    step: 1,
    value: level,
    id: "level",
    "aria-label": "Level of the themes, from broad to fine",
    oninput: async () => {
      output.textContent = levelName(Number(slider.value), levels);
      const wished = slider.value;
      const reply = await get("/map", { level: wished, named: NAMED });
      if (slider.value !== wished) return;
      now.model = new MapModel(reply, now.corpus.themes);
      await giveNames(now.model);
      map.setModel(now.model);
      announce(`${count(now.model.shown.length, "theme")} at ${levelName(Number(wished), levels)}`);
    },
  });
  return h(
    "div",
    { class: "map-controls" },
    levels > 1 && h("div", { class: "level", "data-over-map": true }, h("label", { for: "level" }, "Themes"), slider, output),
    h("div", { class: "zoom", "data-over-map": true, role: "group", "aria-label": "Zoom" }, button("plus", "Zoom in", () => map.zoom(1.6)), button("minus", "Zoom out", () => map.zoom(1 / 1.6)), button("whole", "Show all", () => map.whole())),
  );
}

/** The number that the command and its option --level call it by, and what the ends of the slider are. */
const levelName = (level, levels) => `level ${level}${level === 0 ? ", broadest" : level === levels - 1 ? ", finest" : ""}`;

async function selectNode(node) {
  const { map, model, overview } = now;
  const id = model.nodes.id[node];
  if (map.selected !== node) {
    map.select(node);
    map.say(node);
    if (model.hasAllEdges) map.approachNode(node);
  }
  fill(overview, back(), h("p", { class: "eyebrow" }, kind(model.typeOf(node))), h("h1", {}, model.nodes.name[node]), h("p", { class: "waiting" }, "Loading…"));
  let entity;
  try {
    entity = await get(path("entities", id));
  } catch (error) {
    return fill(overview, back(), problem(error));
  }
  if (map.selected !== node) return undefined;
  if (!model.hasAllEdges) {
    map.select(node, entity.relationships.slice(0, 200).map((one) => [model.nodeIndex.get(one.other), one.weight]).filter(([other]) => other !== undefined));
    map.approachNode(node);
  }
  const near = entity.relationships.slice(0, 12).map((one) =>
    h("li", {}, h("a", { href: link.onMap("entity", one.other) }, one.other_name), h("p", { class: "theme-line" }, cut(plain(one.description), 120))),
  );
  return fill(
    overview,
    back(),
    h("p", { class: "eyebrow" }, kind(entity.type)),
    h("h1", {}, entity.name),
    h("p", { class: "lead" }, cut(plain(entity.description), 420)),
    h("p", { class: "actions" }, h("a", { class: "button primary", href: link.entity(entity.id) }, "All that is known"), live() && h("a", { class: "button", href: link.ask(`What is known of ${entity.name}?`) }, "Ask")),
    entity.communities[0] && h("p", { class: "part-of" }, "Part of ", h("a", { href: link.theme(entity.communities[0].id) }, entity.communities[0].title)),
    h("h2", { class: "section" }, `Nearest of ${count(entity.totals?.relationships ?? entity.relationships.length, "relationship")}`),
    near.length ? h("ul", { class: "neighbours" }, near) : h("p", {}, "It has no relationships."),
  );
}

async function selectCommunity(community) {
  const { map, overview } = now;
  const model = now.model;
  const id = model.communities.id[community];
  if (map.selectedCommunity !== community) {
    map.selectCommunity(community);
    map.approachCommunity(community);
    announce(`${model.communities.title[community]}, ${count(model.communities.size[community], "entity", "entities")}`);
  }
  const members = model.members(community).slice(0, 14);
  const draw = (report) =>
    fill(
      overview,
      back(),
      h("p", { class: "eyebrow" }, dot(colour(model.rankOf(community))), `Theme of ${count(model.communities.size[community], "entity", "entities")}`),
      h("h1", {}, model.communities.title[community]),
      report && h("p", { class: "lead" }, cut(plain(report.summary), 520)),
      h("p", { class: "actions" }, h("a", { class: "button primary", href: link.theme(id) }, "Read the report")),
      h("h2", { class: "section" }, "Main entities"),
      h("ul", { class: "neighbours" }, members.map((node) => h("li", {}, h("a", { href: link.onMap("entity", model.nodes.id[node]) }, model.nodes.name[node]), h("span", { class: "theme-line" }, ` ${kind(model.typeOf(node))}`)))),
    );
  draw(null);
  const report = await get(path("communities", id)).catch(() => null);
  if (map.selectedCommunity === community) draw(report);
}

const back = () => h("button", { class: "link back", type: "button", onclick: () => choose({}) }, icon("back"), "All themes");

/** In place of the map where nothing can be drawn: themes with their entities. */
function asList(model) {
  const rows = model.tops.map((community) =>
    h(
      "section",
      {},
      h("h2", {}, dot(colour(model.rankOf(community))), h("a", { href: link.theme(model.communities.id[community]) }, model.communities.title[community])),
      h("p", {}, model.members(community).slice(0, 20).flatMap((node, place) => [place ? ", " : "", h("a", { href: link.entity(model.nodes.id[node]) }, model.nodes.name[node])])),
    ),
  );
  document.documentElement.dataset.ready = "list";
  return h("div", { class: "map-list" }, h("p", { class: "waiting" }, "This browser draws no WebGL, so the map is a list of its themes."), rows);
}
