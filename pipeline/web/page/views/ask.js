// Ask: a question by one method or two beside each other, its answer as it is written, and its way on the map.
import { get, post } from "../core/api.js";
import { fill, h, icon, problem } from "../core/dom.js";
import { link, money, number } from "../core/format.js";
import { replace } from "../core/router.js";
import { canDraw, GraphMap } from "../map/graph_map.js";
import { MapModel } from "../map/model.js";
import { AnswerColumn } from "./answer.js";

const FILTERS = 6;
const FORMS = ["", "multiple paragraphs", "one paragraph", "one sentence", "list"];

let page;

export async function show(main, { corpus, query }) {
  page = new AskPage(corpus);
  fill(main, page.element);
  if (query.q) page.begin(query.q);
  else page.question.focus({ preventScroll: true });
  return () => page.leave();
}

export async function update({ query }) {
  if (query.q) page.begin(query.q);
}

class AskPage {
  constructor(corpus) {
    this.corpus = corpus;
    this.conversation = [];
    this.running = null;
    this.turns = h("div", { class: "turns" });
    this.question = h("textarea", { id: "question", rows: 2, maxlength: 4000, placeholder: "What do you want to know?", "aria-label": "Question", onkeydown: (event) => this.key(event) });
    this.options = options(corpus);
    this.note = h("div", { class: "ask-note", "aria-live": "polite" });
    this.send = h("button", { class: "primary", type: "submit" }, icon("send"), "Ask");
    this.stop = h("button", { class: "button", type: "button", hidden: true, onclick: () => this.running?.abort() }, icon("stop"), "Stop");
    this.again = h("button", { class: "link ask-again", type: "button", hidden: true, onclick: () => this.renew() }, "New conversation");
    this.form = h("form", { class: "ask-form", onsubmit: (event) => (event.preventDefault(), this.submit()) }, this.question, this.options.element, h("div", { class: "ask-buttons" }, this.send, this.stop), this.again, this.note);
    this.suggested = h("div", { class: "ask-suggested" }, corpus.questions.length > 0 && [h("h2", { class: "section" }, "Questions made from the main themes"), h("ul", { class: "suggested" }, corpus.questions.map((one) => h("li", {}, h("a", { href: link.ask(one), onclick: (event) => (event.preventDefault(), this.begin(one)) }, one))))]);
    this.way = h("div", { class: "way", "aria-label": "The way of the answer on the map" });
    const intro = corpus.model ? `Answers are written by ${corpus.model}.` : "No model is set up: answers are sentences of the texts, word for word.";
    this.element = h("div", { class: "ask" }, h("div", { class: "ask-main" }, h("h1", {}, "Ask"), h("p", { class: "counts" }, intro), this.turns, this.form, this.suggested), h("aside", { class: "ask-side" }, this.way));
  }

  leave() {
    this.running?.abort();
    this.map?.stop();
    page = null;
  }

  key(event) {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      this.submit();
    }
  }

  begin(question) {
    this.question.value = question;
    this.submit();
  }

  renew() {
    this.conversation = [];
    fill(this.turns);
    this.form.classList.remove("is-docked");
    this.again.hidden = true;
    this.suggested.hidden = false;
    replace("#/ask");
    this.question.focus();
  }

  async submit() {
    const question = this.question.value.trim();
    if (!question || this.running) return;
    const asked = { question, ...this.options.value(), conversation: this.conversation.slice(-6) };
    const methods = [asked.method, this.options.second()].filter(Boolean);
    fill(this.note);
    this.running = new AbortController();
    this.busy(true);
    try {
      if (this.corpus.model && !(await this.accepted(asked, methods))) return;
      replace(link.ask(question));
      await this.answer(asked, methods);
    } catch (error) {
      if (error.name !== "AbortError") fill(this.note, problem(error));
    } finally {
      this.running = null;
      this.busy(false);
    }
  }

  busy(on) {
    this.send.disabled = on;
    this.stop.hidden = !on;
    this.again.hidden = on || !this.turns.childElementCount;
  }

  /** What the question would cost is shown first; asked only where it costs something. */
  async accepted(asked, methods) {
    const estimates = await Promise.all(methods.map((method) => post("/questions/estimate", { ...asked, method })));
    this.currency = estimates[0].currency;
    if (estimates.every((one) => one.free)) return true;
    const calls = estimates.reduce((sum, one) => sum + one.calls, 0);
    const tokens = estimates.reduce((sum, one) => sum + one.tokens_in + one.tokens_out, 0);
    const cost = estimates.reduce((sum, one) => sum + (one.cost ?? 0), 0);
    return new Promise((decide) => {
      const done = (value) => () => {
        fill(this.note);
        decide(value);
      };
      this.running.signal.addEventListener("abort", done(false));
      const yes = h("button", { class: "primary", type: "button", onclick: done(true) }, "Ask");
      fill(this.note, h("div", { class: "estimate" }, h("p", {}, `At most ${number(calls)} calls and ${number(tokens)} tokens, ${money(cost, estimates[0].currency)}.`), yes, h("button", { class: "button", type: "button", onclick: done(false) }, "Leave it")));
      yes.focus();
    });
  }

  async answer(asked, methods) {
    const columns = methods.map((method) => new AnswerColumn({ ...asked, method, accept_cost: Boolean(this.corpus.model) }, { compared: methods.length > 1, currency: this.currency, trace: (entities, communities) => this.trace(entities, communities), ask: (question) => this.begin(question) }));
    const turn = h("section", { class: "turn", "aria-label": asked.question }, h("h2", { class: "turn-question", tabindex: -1 }, asked.question), h("div", { class: columns.length > 1 ? "columns is-two" : "columns" }, columns.map((one) => one.element)));
    this.turns.append(turn);
    this.suggested.hidden = true;
    this.form.classList.add("is-docked");
    this.options.element.open = false;
    this.question.value = "";
    turn.scrollIntoView({ block: "start" });
    this.drawWay();
    await Promise.all(columns.map((one) => one.run(this.running.signal)));
    const first = columns.find((one) => one.answer);
    if (first) this.conversation.push({ question: asked.question, answer: first.answer.text });
  }

  /** The map beside the answers, drawn when the first answer is asked for. */
  async drawWay() {
    if (this.map || this.drawing || !canDraw() || innerWidth < 1100) return;
    this.drawing = true;
    try {
      const model = new MapModel(await get("/map", { level: this.corpus.themes[0]?.level ?? 0 }), this.corpus.themes);
      if (!model.nodes.id.length || page !== this) return;
      this.map = new GraphMap(model);
      fill(this.way, h("h2", { class: "section" }, "The way of the answer"), h("div", { class: "way-map" }, this.map.element), h("p", { class: "theme-line" }, "Ringed: the entities that the search went through."));
      this.map.element.setAttribute("role", "img");
      this.map.element.setAttribute("aria-label", "Map of the entities that the search went through; the steps say the same in words");
      this.map.start();
      this.map.addEventListener("pick", ({ detail }) => detail.node !== undefined && (location.hash = link.entity(model.nodes.id[detail.node])));
      if (this.lastTrace) this.map.trace(...this.lastTrace);
    } catch (error) {
      fill(this.way, problem(error));
    }
  }

  trace(entities, communities) {
    this.lastTrace = [entities, communities];
    this.map?.trace(entities, communities);
  }
}

/** The choices of method, second method, effort, form and metadata. */
function options(corpus) {
  const choice = (methods, first) => [first !== undefined && h("option", { value: "" }, first), ...methods.map((one) => h("option", { value: one.name, title: one.description }, one.name))];
  const description = h("p", { class: "theme-line", id: "method-description" });
  const describe = () => (description.textContent = corpus.methods.find((one) => one.name === method.value)?.description ?? "");
  const method = h("select", { id: "method", "aria-describedby": "method-description", onchange: describe }, choice(corpus.methods));
  if (corpus.method) method.value = corpus.method;
  const second = h("select", { id: "second" }, choice(corpus.methods, "no second method"));
  const effort = h("select", { id: "effort" }, h("option", { value: "" }, "as set up"), corpus.efforts.map((one) => h("option", { value: one }, one)));
  const form = h("select", { id: "form" }, FORMS.map((one) => h("option", { value: one }, one || "as it fits")));
  const filters = (corpus.filters ?? []).slice(0, FILTERS).map(({ column, values }, place) => {
    const list = h("datalist", { id: `filter-${place}` }, values.map((value) => h("option", { value })));
    return { column, field: h("input", { list: list.id, placeholder: "any", autocomplete: "off" }), list };
  });
  const condition = h("input", { id: "condition", placeholder: corpus.filters?.length ? "date >= 2024 and status = open" : "title contains trial", autocomplete: "off", spellcheck: "false" });
  describe();
  const field = (label, control, ...more) => h("label", { class: "field" }, h("span", {}, label), control, more);
  const element = h(
    "details",
    { class: "ask-options", open: innerWidth > 700 },
    h("summary", {}, "Method, effort, form"),
    h("div", { class: "ask-fields" }, field("Method", method), field("Compare with", second), field("Effort", effort), field("Form", form), filters.map((one) => field(one.column, one.field, one.list)), field("Condition on metadata", condition)),
    description,
  );
  return {
    element,
    second: () => (second.value && second.value !== method.value ? second.value : null),
    value: () => ({ method: method.value, effort: effort.value || null, form: form.value || null, where: where(filters, condition.value.trim()) }),
  };
}

/** The condition that the fields make together, in the words of the option --where. */
function where(filters, condition) {
  const quoted = (text) => (text.includes('"') ? `'${text.replaceAll("'", "")}'` : `"${text}"`);
  const given = filters.filter((one) => one.field.value.trim()).map((one) => `\`${one.column}\` = ${quoted(one.field.value.trim())}`);
  if (condition) given.push(given.length ? `(${condition})` : condition);
  return given.join(" and ") || null;
}
