// Starts the page: reads what the corpus is, draws the frame, and shows the view that the address names.
import { fresh, get, projects, setToken } from "./core/api.js";
import { fill, h, problem } from "./core/dom.js";
import { live, route } from "./core/router.js";
import { keptScheme, setScheme, shell } from "./core/shell.js";

const VIEWS = {
  map: () => import("./views/map.js"),
  themes: () => import("./views/themes.js"),
  entities: () => import("./views/entities.js"),
  entity: () => import("./views/entity.js"),
  documents: () => import("./views/documents.js"),
  read: () => import("./views/reader.js"),
  ask: () => import("./views/ask.js"),
  health: () => import("./views/health.js"),
};

const main = document.getElementById("main");
let leave = () => {};
let turn = 0;
let shown = "";

setScheme(keptScheme());
start();

async function start() {
  let corpus;
  try {
    corpus = await get("");
  } catch (error) {
    const needed = error.status === 401 || error.status === 403;
    const empty = /^no index in /.test(error.cause ?? "");
    if (empty) setInterval(() => fresh("").then(() => location.reload(), () => {}), 3000); // the first run may be under way
    return fill(main, h("div", { class: "notice" }, h("h1", {}, empty ? "Nothing is indexed here yet" : "This index cannot be opened"), problem(error), needed && tokenForm()));
  }
  const mark = shell(corpus.title, await projects().catch(() => []));
  addEventListener("hashchange", () => show(corpus, mark));
  show(corpus, mark);
  if (live()) follow(corpus);
}

/** A server that others can reach needs a token; it is kept for this tab. */
function tokenForm() {
  const field = h("input", { type: "password", id: "token", autocomplete: "off" });
  const onsubmit = (event) => {
    event.preventDefault();
    setToken(field.value.trim());
    location.reload();
  };
  return h("form", { class: "token-form", onsubmit }, h("label", { class: "field", for: "token" }, h("span", {}, "Token of this server"), field), h("button", { class: "primary", type: "submit" }, "Open"));
}

async function show(corpus, mark) {
  const mine = ++turn;
  const { view, argument, query } = route();
  const load = VIEWS[view];
  mark(view);
  if (!load) return fill(main, h("div", { class: "notice" }, h("h1", {}, "There is no such view"), h("p", {}, h("a", { href: "#/map" }, "To the map"))));
  const module = await load();
  if (mine !== turn) return;
  const key = module.keyOf?.(argument) ?? view;
  if (shown === key && module.update) return module.update({ corpus, argument, query });
  leave();
  leave = () => {};
  shown = key;
  main.className = `view-${view}`;
  document.title = corpus.title;
  fill(main, h("p", { class: "waiting", role: "status" }, "Loading…"));
  try {
    const done = await module.show(main, { corpus, argument, query, current: () => mine === turn || shown === key });
    if (mine !== turn && shown !== key) return typeof done === "function" && done();
    if (typeof done === "function") leave = done;
  } catch (error) {
    if (mine === turn) fill(main, h("div", { class: "notice" }, problem(error)));
  }
  if (view !== "read" && mine === turn) scrollTo(0, 0);
  const heading = main.querySelector("h1");
  if (heading && heading.textContent !== corpus.title) document.title = `${heading.textContent} · ${corpus.title}`;
  // Who has begun to type a search while the view was loading goes on with that.
  const searching = document.activeElement?.id === "search";
  if (mine > 1 && !searching) main.focus({ preventScroll: true });
}

/** A run that publishes a new generation makes what is shown old: said, not done behind the reader's back. */
function follow(corpus) {
  const look = async () => {
    if (document.hidden) return;
    try {
      const { generation } = await fresh("");
      if (generation !== corpus.generation && !document.querySelector(".renewed")) {
        document.body.append(h("div", { class: "renewed", role: "status" }, "The index was renewed. ", h("button", { type: "button", onclick: () => location.reload() }, "Show the new one")));
      }
    } catch {
      // The next view that needs the server says what is wrong.
    }
  };
  setInterval(look, 60000);
  document.addEventListener("visibilitychange", look);
}
