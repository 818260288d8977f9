// What is around every view: name of the corpus, search, ways to the views, light and dark.
import { project } from "./api.js";
import { fill, h, icon } from "./dom.js";
import { live } from "./router.js";
import { searchBox } from "./search_box.js";

const VIEWS = [
  ["map", "Map"],
  ["themes", "Themes"],
  ["entities", "Entities"],
  ["documents", "Documents"],
  ["ask", "Ask"],
  ["health", "Health"],
];
const LIVE = ["ask", "health"];
const BELONGS = { entity: "entities", read: "documents" };
const SCHEMES = { "": "as the system", light: "light", dark: "dark" };

/** Draws header and navigation; returns a function that marks the view shown. */
export function shell(title, projects) {
  const links = VIEWS.filter(([view]) => live() || !LIVE.includes(view)).map(([view, label]) => h("a", { href: `#/${view}`, "data-view": view }, icon(view), h("span", {}, label)));
  fill(
    document.querySelector("header.top"),
    h("a", { class: "skip", href: "#/map", onclick: toMain }, "Skip to content"),
    h("a", { class: "brand", href: "#/map" }, h("span", { class: "brand-mark", "aria-hidden": "true" }), h("span", { class: "brand-name" }, title)),
    projects.length > 1 && projectChoice(projects),
    searchBox(),
    h("nav", { class: "views", "aria-label": "Views" }, links),
    schemeButton(),
  );
  return (view) => {
    for (const link of links) {
      if (link.dataset.view === (BELONGS[view] ?? view)) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  };
}

function toMain(event) {
  event.preventDefault();
  document.getElementById("main").focus();
}

function projectChoice(projects) {
  const options = projects.map((one) => h("option", { value: one.id, selected: one.id === project }, one.title));
  const onchange = (event) => location.assign(`/p/${encodeURIComponent(event.target.value)}/`);
  return h("select", { class: "project-choice", "aria-label": "Project", onchange }, options);
}

function schemeButton() {
  const button = h("button", { class: "icon-button scheme", type: "button", onclick: next }, icon("sun"));
  function label() {
    const text = `Colours: ${SCHEMES[document.documentElement.dataset.scheme ?? ""]}`;
    button.setAttribute("aria-label", text);
    button.title = text;
  }
  function next() {
    const order = Object.keys(SCHEMES);
    const now = order[(order.indexOf(document.documentElement.dataset.scheme ?? "") + 1) % order.length];
    setScheme(now);
    label();
  }
  label();
  return button;
}

/** Sets light, dark, or "" for the system's choice; kept for the next visit where the browser keeps things. */
export function setScheme(scheme) {
  if (scheme) document.documentElement.dataset.scheme = scheme;
  else delete document.documentElement.dataset.scheme;
  try {
    localStorage.setItem("scheme", scheme);
  } catch {
    // A browser that keeps nothing shows the choice until it is closed.
  }
  dispatchEvent(new Event("schemechange"));
}

export function keptScheme() {
  try {
    return localStorage.getItem("scheme") ?? "";
  } catch {
    return "";
  }
}
