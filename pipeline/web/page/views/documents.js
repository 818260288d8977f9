// The documents of the corpus, each a way into the reader.
import { fresh } from "../core/api.js";
import { fill, h, tableHead } from "../core/dom.js";
import { link, number } from "../core/format.js";

const PAGE = 100;

export async function show(main) {
  const rows = h("tbody", {});
  const foot = h("p", { class: "pager" });
  const table = h("table", { class: "rows" });
  fill(
    main,
    h("div", { class: "page" }, h("h1", {}, "Documents"), h("div", { class: "scroll" }, table), foot),
  );
  const load = async (offset) => {
    const { items, total } = await fresh("/documents", { offset, limit: PAGE });
    const dated = items.some((one) => one.date);
    fill(table, tableHead(["Title", ...(dated ? ["Date"] : [])], ["Characters", "Chunks"], ["File"]), rows);
    fill(rows, items.map((one) => h("tr", {}, h("th", { scope: "row" }, h("a", { href: link.read(one.id) }, one.title || "Untitled")), dated && h("td", { class: "date" }, one.date ?? ""), h("td", { class: "number" }, number(one.characters)), h("td", { class: "number" }, number(one.chunks)), h("td", { class: "wide" }, h("bdi", {}, one.place)))));
    const step = (label, to, off) => h("button", { class: "button", type: "button", disabled: off, onclick: () => load(to) }, label);
    if (total > PAGE) fill(foot, step("Previous", offset - PAGE, offset === 0), `${number(offset + 1)} to ${number(Math.min(offset + PAGE, total))} of ${number(total)}`, step("Next", offset + PAGE, offset + PAGE >= total));
  };
  await load(0);
}
