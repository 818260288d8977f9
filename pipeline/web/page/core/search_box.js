// The search box: names of entities, themes and documents as they are typed; a combobox by the ARIA pattern.
import { get } from "./api.js";
import { announce, fill, h, icon, problem } from "./dom.js";
import { count, kind, link } from "./format.js";
import { go, live, route } from "./router.js";

const KINDS = { entity: "entity", community: "theme", document: "document" };

export function searchBox() {
  const list = h("ul", { class: "suggestions", id: "suggestions", role: "listbox", "aria-label": "Suggestions", hidden: true });
  const input = h("input", {
    type: "search",
    id: "search",
    placeholder: "Search names, themes, documents",
    autocomplete: "off",
    spellcheck: "false",
    role: "combobox",
    "aria-label": "Search names, themes, documents",
    "aria-autocomplete": "list",
    "aria-expanded": "false",
    "aria-controls": "suggestions",
    oninput: soon,
    onkeydown: key,
    onfocus: () => input.value.trim() && look(),
    onblur: () => setTimeout(close, 150),
  });
  let timer = 0;
  let turn = 0;
  let active = -1;

  function soon() {
    clearTimeout(timer);
    timer = setTimeout(look, 120);
  }

  async function look() {
    const text = input.value.trim();
    const mine = ++turn;
    if (!text) return close();
    try {
      const { items } = await get("/search", { q: text, limit: 10 });
      if (mine === turn) show(items, text);
    } catch (error) {
      if (mine === turn) open([h("li", { class: "suggestion-none" }, problem(error))]);
    }
  }

  function show(items, text) {
    const rows = items.map((item) => option(placeOf(item), item.name, item.kind === "entity" ? item.detail.replace(/^\p{Lu}[\p{Lu}_ ]+(?=,|$)/u, kind) : KINDS[item.kind] ?? item.kind, item.kind));
    if (live()) rows.push(option(link.ask(text), `Ask: ${text}`, "question", "ask"));
    rows.forEach((row, index) => row.setAttribute("id", `suggestion-${index}`));
    open(rows.length ? rows : [h("li", { class: "suggestion-none" }, "Nothing has this name.")]);
    announce(count(items.length, "suggestion"));
  }

  function option(address, name, detail, kind) {
    const pick = () => {
      close();
      input.value = "";
      input.blur();
      go(address);
    };
    return h("li", { role: "option", "aria-selected": "false", class: `suggestion is-${kind}`, onpointerdown: (event) => event.preventDefault(), onclick: pick }, h("span", { class: "suggestion-name" }, name), h("span", { class: "suggestion-detail" }, detail ?? ""));
  }

  function open(rows) {
    fill(list, rows);
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    mark(-1);
  }

  function close() {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }

  function mark(index) {
    active = index;
    [...list.children].forEach((row, place) => row.setAttribute("aria-selected", String(place === index)));
    if (index >= 0) {
      input.setAttribute("aria-activedescendant", list.children[index].id);
      list.children[index].scrollIntoView({ block: "nearest" });
    } else input.removeAttribute("aria-activedescendant");
  }

  async function key(event) {
    const rows = list.querySelectorAll("[role=option]");
    if (event.key === "Escape") close();
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (list.hidden) await look();
      else if (rows.length) mark((active + (event.key === "ArrowDown" ? 1 : rows.length + (active < 0 ? 0 : -1))) % rows.length);
    } else if (event.key === "Enter") {
      event.preventDefault();
      clearTimeout(timer);
      if (active < 0) await look();
      list.children[Math.max(active, 0)]?.click();
    }
  }

  addEventListener("keydown", (event) => {
    const typing = /^(input|textarea|select)$/i.test(document.activeElement?.tagName ?? "");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      input.focus();
    }
  });
  return h("div", { class: "search", role: "search" }, icon("search"), input, list);
}

/** Where a suggestion leads: on the map it stays on the map. */
function placeOf({ kind, id }) {
  if (kind === "document") return link.read(id);
  if (route().view === "map") return link.onMap(kind === "entity" ? "entity" : "theme", id);
  return kind === "entity" ? link.entity(id) : link.theme(id);
}
