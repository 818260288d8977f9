// The little of Markdown that answers use, as elements: headings, lists, tables, code, bold, emphasis, and citations [1, 2].
import { add, h } from "./dom.js";

const INLINE = /(`[^`\n]+`)|(\*\*[^*\n]+\*\*)|(?<![\w*])(\*[^*\s][^*\n]*\*)(?![\w*])|(\[\d+(?:\s*,\s*\d+)*\])/g;

/** Returns elements for a text; `cite(number)` makes the element of a citation. */
export function markdown(text, cite) {
  const out = [];
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  let paragraph = [];
  const flush = () => {
    if (paragraph.length) out.push(h("p", {}, inline(paragraph.join("\n"), cite)));
    paragraph = [];
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at];
    const heading = /^(#{1,6})\s+(.*)$/.exec(line);
    const item = /^\s*(?:[-*+•]|(\d+)[.)])\s+(.*)$/.exec(line);
    if (/^\s*```/.test(line)) {
      flush();
      const code = [];
      for (at++; at < lines.length && !/^\s*```/.test(lines[at]); at++) code.push(lines[at]);
      out.push(h("pre", {}, h("code", {}, code.join("\n"))));
    } else if (!item && /^(?: {4}|\t)\s*\S/.test(line)) {
      flush();
      let end = at;
      for (let below = at + 1; below < lines.length && (!lines[below].trim() || /^(?: {4}|\t)/.test(lines[below])); below++) if (lines[below].trim()) end = below;
      const [, code, cited] = /^([^]*?)((?: (?:\[\d+\])+)?)$/.exec(lines.slice(at, end + 1).join("\n"));
      out.push(h("pre", {}, h("code", {}, code), inline(cited, cite)));
      at = end;
    } else if (heading) {
      flush();
      out.push(h("h3", {}, inline(heading[2], cite)));
    } else if (item) {
      flush();
      const tag = item[1] ? "ol" : "ul";
      let list = out.at(-1);
      if (list?.localName !== tag || !list.classList.contains("bullets")) out.push((list = h(tag, { class: "bullets", start: item[1] })));
      list.append(h("li", {}, inline(item[2], cite)));
    } else if (cells(line) && cells(line).length === cells(lines[at + 1] ?? "")?.length) {
      flush();
      const rows = [];
      for (const n = cells(line).length; cells(lines[at] ?? "")?.length === n; at++) rows.push(cells(lines[at]));
      at--;
      out.push(table(rows.filter((row) => !row.every((cell) => /^:?-+:?$/.test(cell))), cite));
    } else if (line.startsWith("> ")) {
      flush();
      out.push(h("blockquote", {}, inline(line.slice(2), cite)));
    } else if (line.trim()) paragraph.push(line);
    else flush();
  }
  flush();
  return out;
}

/** Returns the cells of a line that is a row of a table, its citations in the last one; null for other lines. */
function cells(line) {
  const cited = /(?:\s*\[\d+(?:\s*,\s*\d+)*\])*\s*$/.exec(line)[0];
  const bare = line.slice(0, line.length - cited.length).trim();
  const parts = bare.startsWith("|") ? bare.replace(/^\||\|$/g, "").split("|") : bare.split(" | ");
  return parts.length > 1 ? [...parts.slice(0, -1), parts.at(-1).trim() + cited].map((part) => part.trim()) : null;
}

function table([head, ...rows], cite) {
  const line = (tag, row) => h("tr", {}, row.map((cell) => h(tag, {}, inline(cell, cite))));
  return h("div", { class: "scroll" }, h("table", { class: "rows" }, h("thead", {}, line("th", head)), h("tbody", {}, rows.map((row) => line("td", row)))));
}

function inline(text, cite) {
  const holder = document.createDocumentFragment();
  let last = 0;
  for (const found of text.matchAll(INLINE)) {
    const [whole, code, strong, emphasis, cited] = found;
    const before = text.slice(last, found.index);
    const word = cited ? (/\S{1,12} ?$/.exec(before)?.[0] ?? "") : "";
    add(holder, [before.slice(0, before.length - word.length)]);
    last = found.index + whole.length;
    if (code) holder.append(h("code", {}, code.slice(1, -1)));
    else if (strong) holder.append(h("strong", {}, inline(strong.slice(2, -2), cite)));
    else if (emphasis) holder.append(h("em", {}, emphasis.slice(1, -1)));
    else holder.append(h("span", { class: "cited-word" }, word, whole.match(/\d+/g).map((number) => cite(Number(number)))));
  }
  add(holder, [text.slice(last)]);
  return holder;
}
