// Builds elements. Text is only ever set as text nodes and attributes by name, so nothing from a corpus becomes markup.

const SAFE_LINK = /^(#|https?:\/\/|\/)/;
const LONG = 4000;

/** Returns an element. `on*` attributes must be functions, `style` an object of properties, `href` a link of this page or http. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "style") for (const [key, one] of Object.entries(value)) element.style.setProperty(key, one);
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "href") SAFE_LINK.test(value) && element.setAttribute("href", value);
    else if (["value", "checked", "disabled", "selected", "hidden", "open", "indeterminate"].includes(name)) element[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  add(element, children);
  return element;
}

export function add(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(printable(String(child))));
  }
  return element;
}

/** The head of a table: names of columns of texts, then of numbers, then of texts again. */
export function tableHead(texts, numbers, more = []) {
  const cell = (one, className) => h("th", { scope: "col", class: className }, one);
  return h("thead", {}, h("tr", {}, texts.map((one) => cell(one)), numbers.map((one) => cell(one, "number")), more.map((one) => cell(one, "wide"))));
}

/** Replaces what an element holds. */
export function fill(element, ...children) {
  element.replaceChildren();
  return add(element, children);
}

/** Control characters, but tab and line feed, as their pictures: one for one, so that offsets stay. */
export function printable(text) {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, (one) => (one === "\u007f" ? "\u2421" : String.fromCharCode(0x2400 + one.charCodeAt(0))));
}

/** A text of unknown length: its beginning, and a button that shows some more at a time. */
export function longText(text, limit = LONG) {
  text = String(text ?? "");
  if (text.length <= limit * 1.3) return [text];
  let shown = wordEnd(text, limit);
  const holder = h("span", {}, text.slice(0, shown));
  const button = h("button", { class: "link", type: "button", onclick: more }, moreLabel());
  function moreLabel() {
    return `show more (${(text.length - shown).toLocaleString("en")} characters)`;
  }
  function more() {
    const next = Math.min(text.length, shown + 20000);
    holder.append(printable(text.slice(shown, next)));
    shown = next;
    if (shown === text.length) button.remove();
    else button.textContent = moreLabel();
  }
  return [holder, " ", button];
}

/** A short form of a text for one line; with `lines` its lines stay, but for empty ones. */
export function cut(text, limit = 160, lines = false) {
  const begins = String(text ?? "").slice(0, limit * 4);
  const tidy = (lines ? begins.replace(/[^\S\n]+/g, " ").replace(/\s*\n\s*/g, "\n") : begins.replace(/\s+/g, " ")).trim();
  return tidy.length > limit ? `${tidy.slice(0, wordEnd(tidy, limit - 1)).trimEnd()}…` : tidy;
}

/** The end of the last whole word before `limit`; of a text without spaces, or a long word, `limit`. */
function wordEnd(text, limit) {
  const space = text.slice(0, limit + 1).search(/\s\S*$/);
  return space > Math.max(0, limit - 30) ? space : limit;
}

const SHAPES = {
  map: "M9 4 3 6.5v13.5l6-2.5 6 2.5 6-2.5V4l-6 2.5zM9 4v13.5M15 6.5V20",
  themes: "M4 6h16M8 12h12M12 18h8",
  entities: "M12 4a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM5 15a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5ZM19 15a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5ZM10.500 9.500 6.500 15.200M13.500 9.500l4 5.700",
  documents: "M6 3h8l5 5v13H6zM14 3v5h5M9 13h7M9 17h5",
  ask: "M4 5h16v11H10l-5 4v-4H4zM8 9.500h8M8 12.500h5",
  health: "M3 12h4l2.500-7 5 14 2.500-7h4",
  search: "M10.500 4a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13ZM15.500 15.500 21 21",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  whole: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  filter: "M4 5h16l-6 8v6l-4-2v-4z",
  close: "M6 6l12 12M18 6 6 18",
  back: "M14 5l-7 7 7 7",
  next: "M10 5l7 7-7 7",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  edit: "M4 20l1-4L16 5l3 3L8 19z",
  send: "M4 12 20 4l-5 16-3-7z",
  stop: "M7 7h10v10H7z",
};

/** A drawn sign, without meaning for a screen reader: its button carries the label. */
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", SHAPES[name]);
  svg.append(path);
  return svg;
}

/** What a view shows where something could not be had: cause, consequence, fix. */
export function problem(error) {
  return h(
    "div",
    { class: "problem", role: "alert" },
    h("p", { class: "problem-cause" }, longText(error.cause ?? error.message ?? String(error), 600)),
    error.consequence && h("p", {}, longText(error.consequence, 600)),
    error.fix && h("p", { class: "problem-fix" }, longText(error.fix, 600)),
  );
}

let announcer;

/** Says a short sentence to a screen reader. */
export function announce(text) {
  announcer ??= document.body.appendChild(h("div", { class: "visually-hidden", role: "status", "aria-live": "polite" }));
  announcer.textContent = text;
}
