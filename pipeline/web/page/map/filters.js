// What the map shows: types, a document, a span of time, the least weight of a relationship.
import { get } from "../core/api.js";
import { fill, h, icon, problem } from "../core/dom.js";
import { count, kind, number } from "../core/format.js";

/** Returns {element}; `apply(passes, leastWeight, text)` is called at each change, `passes` null when all are shown. */
export function filterPanel(corpus, model, apply) {
  const types = new Set(model.nodes.types.map((_, index) => index));
  let inDocument = null;
  let inTime = null;
  let least = 0;
  const weights = [...(model.edges.weight ?? model.bundles.weight ?? [])].sort((a, b) => a - b);
  const failed = h("div", {});

  function changed() {
    const all = types.size === model.nodes.types.length && !inDocument && !inTime;
    const passes = (node) => types.has(model.nodes.type[node]) && (!inDocument || inDocument.has(model.nodes.id[node])) && (!inTime || inTime.has(model.nodes.id[node]));
    const shown = all ? model.nodes.id.length : model.nodes.id.filter((_, node) => passes(node)).length;
    apply(all ? null : passes, least, all && !least ? "" : `${number(shown)} of ${count(model.nodes.id.length, "entity", "entities")} shown`);
  }

  const sums = model.nodes.types.map((_, type) => model.nodes.type.filter((one) => one === type).length);
  const boxes = model.nodes.types.map((type, index) => {
    const onchange = (event) => {
      if (event.target.checked) types.add(index);
      else types.delete(index);
      changed();
    };
    return h("label", { class: "check" }, h("input", { type: "checkbox", checked: true, onchange }), h("span", {}, kind(type)), h("span", { class: "number" }, number(sums[index])));
  });

  const documents = h("select", { id: "filter-document", onchange: byDocument }, h("option", { value: "" }, "all documents"));
  get("/documents", { limit: 500 })
    .then(({ items }) => documents.append(...items.map((one) => h("option", { value: one.id }, one.title.slice(0, 90)))))
    .catch((error) => fill(failed, problem(error)));

  async function byDocument() {
    inDocument = documents.value ? await members({ document: documents.value }) : null;
    changed();
  }

  const from = h("input", { type: "text", inputmode: "numeric", pattern: "-?[0-9]{1,4}(-[0-9]{2}(-[0-9]{2})?)?", placeholder: "from, as 1429", "aria-label": "From year or date", onchange: byTime });
  const to = h("input", { type: "text", inputmode: "numeric", pattern: "-?[0-9]{1,4}(-[0-9]{2}(-[0-9]{2})?)?", placeholder: "to", "aria-label": "To year or date", onchange: byTime });

  async function byTime() {
    if (!from.checkValidity() || !to.checkValidity()) return;
    inTime = from.value || to.value ? await members({ since: from.value, until: to.value }) : null;
    changed();
  }

  async function members(query) {
    fill(failed);
    try {
      return new Set((await get("/map/members", query)).ids);
    } catch (error) {
      fill(failed, problem(error));
      return null;
    }
  }

  const leastShown = h("output", {}, "any");
  const weight = h("input", { type: "range", id: "filter-weight", min: 0, max: 20, step: 1, value: 0, oninput: byWeight });

  function byWeight() {
    const place = Number(weight.value) / 20;
    least = place ? (weights[Math.floor(place ** 0.5 * (weights.length - 1))] ?? 0) : 0;
    leastShown.textContent = place ? `at least ${number(Math.round(least * 10) / 10)}` : "any";
    changed();
  }

  function reset() {
    boxes.forEach((box, index) => {
      box.querySelector("input").checked = true;
      types.add(index);
    });
    inDocument = inTime = null;
    least = 0;
    documents.value = from.value = to.value = "";
    weight.value = 0;
    leastShown.textContent = "any";
    fill(failed);
    changed();
  }

  const element = h(
    "details",
    { class: "filters", name: "over-map", "data-over-map": true },
    h("summary", {}, icon("filter"), h("span", {}, "Filter")),
    h(
      "div",
      { class: "filters-body" },
      h("fieldset", {}, h("legend", {}, "Type"), h("div", { class: "checks" }, boxes)),
      h("label", { class: "field" }, h("span", {}, "Document"), documents),
      h("fieldset", { class: "pair" }, h("legend", {}, "Dated claims"), from, to),
      weights.length > 0 && h("label", { class: "field", for: weight.id }, h("span", {}, "Weight of relationships: ", leastShown), weight),
      failed,
      h("button", { type: "button", class: "button", onclick: reset }, "Show everything"),
    ),
  );
  return { element };
}
