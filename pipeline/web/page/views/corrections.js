// Merge, split, rename, retype: shown first what would change, then written to corrections.yaml.
import { get, post } from "../core/api.js";
import { fill, h, longText, problem } from "../core/dom.js";
import { count } from "../core/format.js";

/** The form for one entity. */
export function corrections(entity) {
  const outcome = h("div", { class: "correction-outcome", "aria-live": "polite" });
  const fields = h("div", { class: "correction-fields" });
  let body = () => null;

  const acts = {
    merge: {
      label: "Merge with another",
      draw() {
        const other = nameField("The other entity", "merge-other");
        const into = h("select", { id: "merge-into" }, h("option", { value: "own" }, entity.name), h("option", { value: "other" }, "the other's name"));
        body = () => other.input.value.trim() && { merge: [entity.name, other.input.value.trim()], into: into.value === "own" ? entity.name : other.input.value.trim() };
        return [other.element, h("label", { class: "field", for: "merge-into" }, h("span", {}, "Name that remains"), into)];
      },
    },
    split: {
      label: "Split off names",
      draw() {
        const names = (entity.aliases ?? []).map((one) => one.name);
        if (!names.length) {
          body = () => null;
          return [h("p", {}, "It is written in one way only, so there is nothing to split off.")];
        }
        const boxes = names.map((name) => h("label", { class: "check" }, h("input", { type: "checkbox", value: name }), name));
        body = () => {
          const chosen = boxes.map((box) => box.querySelector("input")).filter((box) => box.checked).map((box) => box.value);
          return chosen.length && { split: entity.name, names: chosen };
        };
        return [h("fieldset", {}, h("legend", {}, "Names that mean something else"), boxes)];
      },
    },
    rename: {
      label: "Rename",
      draw() {
        const name = h("input", { id: "rename-to", value: entity.name, maxlength: 200, autocomplete: "off" });
        body = () => name.value.trim() && name.value.trim() !== entity.name && { rename: entity.name, to: name.value.trim() };
        return [h("label", { class: "field", for: "rename-to" }, h("span", {}, "New name"), name)];
      },
    },
    retype: {
      label: "Change the type",
      draw() {
        const type = h("input", { id: "retype-type", value: entity.type ?? "", maxlength: 80, list: "known-types", autocomplete: "off" });
        const known = h("datalist", { id: "known-types" });
        get("/map", { level: 0 }).then((map) => known.append(...map.nodes.types.map((one) => h("option", { value: one })))).catch((error) => fill(outcome, problem(error)));
        body = () => type.value.trim() && type.value.trim() !== entity.type && { retype: entity.name, type: type.value.trim() };
        return [h("label", { class: "field", for: "retype-type" }, h("span", {}, "Type"), type), known];
      },
    },
  };

  const tabs = Object.entries(acts).map(([key, act], place) => h("label", { class: "segment" }, h("input", { type: "radio", name: "correction", value: key, checked: place === 0, onchange: () => choose(key) }), h("span", {}, act.label)));

  function choose(key) {
    fill(outcome);
    fill(fields, acts[key].draw());
  }

  async function preview(event) {
    event.preventDefault();
    const wished = body();
    if (!wished) return fill(outcome, h("p", {}, "There is nothing to change yet."));
    try {
      const { changes, rows } = await post("/corrections/preview", wished);
      const apply = h("button", { class: "primary", type: "button", onclick: () => write(wished, apply) }, "Write to corrections.yaml");
      return fill(
        outcome,
        h("h3", {}, "What would change"),
        h("ul", { class: "bullets" }, changes.map((line) => h("li", {}, longText(line, 400)))),
        h("p", { class: "theme-line" }, Object.entries(rows ?? {}).map(([table, number]) => `${table.replaceAll("_", " ")}: ${count(number, "row")}`).join(", ")),
        h("p", { class: "actions" }, apply),
      );
    } catch (error) {
      return fill(outcome, problem(error));
    }
  }

  async function write(wished, button) {
    button.disabled = true;
    try {
      const { written, next } = await post("/corrections", wished);
      fill(outcome, h("p", { class: "done" }, `Written to ${written}. It takes effect with the next run: `, h("code", {}, next)));
    } catch (error) {
      fill(outcome, problem(error));
    }
  }

  choose("merge");
  return h("form", { class: "correction", onsubmit: preview }, h("div", { class: "segments", role: "radiogroup", "aria-label": "Correction" }, tabs), fields, h("p", { class: "actions" }, h("button", { class: "button", type: "submit" }, "Preview")), outcome);
}

/** A field for the name of an entity, with the names that the search finds. */
function nameField(label, id) {
  const list = h("datalist", { id: `${id}-names` });
  let timer = 0;
  const input = h("input", { id, list: `${id}-names`, maxlength: 200, autocomplete: "off", oninput: soon });
  function soon() {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      if (!input.value.trim()) return;
      const { items } = await get("/search", { q: input.value.trim(), limit: 12 });
      fill(list, items.filter((one) => one.kind === "entity").map((one) => h("option", { value: one.name }, one.detail)));
    }, 150);
  }
  return { input, element: h("label", { class: "field", for: id }, h("span", {}, label), input, list) };
}
