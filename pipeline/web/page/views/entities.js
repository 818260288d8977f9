// All entities, the best connected first, by type and by what their names hold.
import { rowsOf } from "../core/api.js";
import { announce, cut, fill, h, problem, tableHead } from "../core/dom.js";
import { count, kind, link, number, plain } from "../core/format.js";

const PAGE = 50;

export async function show(main) {
  const state = { text: "", offset: 0 };
  const rows = h("tbody", {});
  const foot = h("p", { class: "pager" });
  let timer = 0;
  const field = h("input", { type: "search", placeholder: "Filter by name", "aria-label": "Names that hold", oninput: soon });

  function soon() {
    clearTimeout(timer);
    timer = setTimeout(() => load({ text: field.value.trim(), offset: 0 }), 150);
  }

  async function load(change) {
    Object.assign(state, change);
    const wished = { ...state };
    try {
      const reply = await rowsOf("entities", { columns: "id,title,type,description,degree", sort: "-degree", offset: state.offset, limit: PAGE, filter: state.text ? `title:contains:${state.text}` : undefined });
      if (wished.text !== state.text || wished.offset !== state.offset) return;
      draw(reply);
    } catch (error) {
      fill(foot, problem(error));
    }
  }

  function draw({ items: found, total }) {
    fill(rows, found.map((one) => h("tr", {}, h("th", { scope: "row" }, h("a", { href: link.entity(one.id) }, one.title)), h("td", {}, kind(one.type)), h("td", { class: "number" }, number(one.degree)), h("td", { class: "wide" }, cut(plain(one.description), 170)))));
    const last = Math.min(state.offset + PAGE, total);
    const step = (label, to, off) => h("button", { class: "button", type: "button", disabled: off, onclick: () => load({ offset: to }) }, label);
    fill(foot, step("Previous", Math.max(0, state.offset - PAGE), state.offset === 0), h("span", {}, total ? `${number(state.offset + 1)} to ${number(last)} of ${number(total)}` : "none"), step("Next", state.offset + PAGE, last >= total));
    announce(count(total, "entity", "entities"));
  }

  fill(
    main,
    h("div", { class: "page" }, h("div", { class: "page-head" }, h("h1", {}, "Entities"), field), h("div", { class: "scroll" }, h("table", { class: "rows" }, tableHead(["Name", "Type"], ["Relationships"], ["Description"]), rows)), foot),
  );
  await load({});
}
