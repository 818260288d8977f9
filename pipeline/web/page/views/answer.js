// One answer while it is written: its text, its numbered quotes beside it, and the steps that led to it.
import { ask } from "../core/api.js";
import { announce, cut, fill, h, icon, problem } from "../core/dom.js";
import { count, kind, link, money, seconds } from "../core/format.js";
import { markdown } from "../core/markdown.js";

export class AnswerColumn {
  /** `asked` is the request; `trace(entities, communities)` draws on the map, `ask(question)` puts another question. */
  constructor(asked, { compared, currency, trace, ask: again }) {
    Object.assign(this, { asked, compared, currency, trace, again });
    this.text = "";
    this.entities = [];
    this.communities = [];
    this.outcome = h("div", { class: "outcome" });
    this.written = h("div", { class: "answer-text", dir: "auto" });
    this.quotes = h("ol", { class: "quotes" });
    this.steps = h("ol", { class: "steps" });
    this.stepCount = h("span", {}, "Steps");
    this.trail = h("details", { class: "trace" }, h("summary", {}, this.stepCount), this.steps);
    this.foot = h("p", { class: "actions answer-actions" });
    this.method = h("p", { class: "eyebrow" }, compared ? asked.method : "");
    this.state = h("p", { class: "answer-state" }, "Searching…");
    this.next = h("ul", { class: "follow-ups", "aria-label": "Questions that may follow" });
    this.element = h("div", { class: "answer" }, this.method, h("div", { class: "answer-columns" }, h("div", {}, this.outcome, this.written, this.state, this.foot, this.trail, this.next), this.quotes));
  }

  async run(signal) {
    const began = performance.now();
    try {
      for await (const event of ask(this.asked, signal)) this.take(event);
      if (!this.answer && !this.failed) this.fail({ cause: "The answer broke off.", consequence: "What is shown is not complete.", fix: "Ask again; a model's replies are not paid for twice." });
    } catch (error) {
      if (error.name === "AbortError") this.state.textContent = "Stopped.";
      else this.fail(error);
    }
    this.took = (performance.now() - began) / 1000;
    this.finish();
  }

  take(event) {
    if (event.event === "start") this.method.textContent = this.compared ? event.method : "";
    else if (event.event === "step") this.step(event);
    else if (event.event === "text") this.piece(event);
    else if (event.event === "answer") this.whole(event.answer);
    else if (event.event === "error") this.fail(event.error ?? event);
    else if (event.event === "needs_acceptance") this.fail({ cause: `This would cost ${money(event.estimate.cost, event.estimate.currency)}.`, consequence: "It was not asked.", fix: "Ask again and accept it." });
  }

  step({ kind: name, text, entities = [], communities = [], chunks = [] }) {
    this.entities = [...new Set([...this.entities, ...entities])];
    this.communities = [...new Set([...this.communities, ...communities])];
    const seen = [entities.length && count(entities.length, "entity", "entities"), chunks.length && count(chunks.length, "passage"), communities.length && count(communities.length, "report")].filter(Boolean).join(", ");
    const draw = () => this.trace(entities, communities);
    this.steps.append(
      h("li", {}, h("span", { class: "step-kind" }, kind(name)), " ", h("span", {}, cut(text, 400)), seen && h("span", { class: "number" }, ` (${seen})`), (entities.length > 0 || communities.length > 0) && h("button", { class: "link step-show", type: "button", onclick: draw }, "on the map")),
    );
    this.stepCount.textContent = count(this.steps.childElementCount, "step");
    this.state.textContent = cut(text, 90);
    if (entities.length || communities.length) this.trace(this.entities, this.communities);
  }

  piece({ text, begins }) {
    this.text = begins ? text : this.text + text;
    this.pending ??= requestAnimationFrame(() => {
      this.pending = null;
      if (!this.answer) fill(this.written, markdown(this.text, (number) => this.citation(number)));
    });
  }

  whole(answer) {
    this.answer = answer;
    if (!this.compared && answer.method) this.method.textContent = `Method: ${answer.method}`;
    const sources = answer.sources ?? [];
    this.written.classList.toggle("is-no-answer", answer.outcome !== "answered");
    const [said, heading] = sources.length ? [answer.text_with_notes ?? "", ""] : withoutHeading(answer.text_with_notes ?? "");
    fill(this.written, markdown(said, (number) => this.citation(number)));
    const rest = (answer.closest ?? []).filter((one) => !sources.some((source) => source.number === one.number && source.start === one.start));
    const close = rest.map((one) => this.quote(one, true));
    const folded = () => h("li", {}, h("details", {}, h("summary", { class: "quotes-rest" }, `${count(close.length, "passage")} beside these`), h("ol", { class: "quotes" }, close)));
    fill(this.quotes, sources.map((one) => this.quote(one)), close.length > 0 && (sources.length ? folded() : [h("li", { class: "quotes-rest" }, heading || "Closest passages"), close]));
    this.quotes.hidden = !this.quotes.childElementCount;
    const missing = (answer.missing ?? []).filter((one) => !answer.text?.includes(one));
    if (missing.length) fill(this.outcome, h("p", { class: "theme-line" }, `Not in the corpus: ${missing.join(", ")}.`));
    announce(`Answer with ${count(sources.length, "source")}`);
  }

  citation(number) {
    const open = () => {
      const quote = this.quotes.querySelector(`[data-number="${number}"]`);
      for (const one of this.quotes.children) one.classList.toggle("lit", one === quote);
      quote?.scrollIntoView({ block: "nearest" });
      quote?.querySelector("a")?.focus({ preventScroll: true });
    };
    return h("button", { class: "cite", type: "button", "aria-label": `Source ${number}`, onclick: open }, String(number));
  }

  quote(source, close = false) {
    const [start, end] = [source.text_start, source.text_end];
    const id = source.document ?? source.document_id;
    const address = id ? link.read(id, start, end, start === null ? source.chunk : undefined) : source.chunk?.startsWith("http") ? source.chunk : "#/documents";
    return h(
      "li",
      { class: close ? "quote is-close" : "quote", "data-number": source.number },
      h("a", { href: address }, h("span", { class: "quote-number" }, close ? "≈" : String(source.number)), h("span", { class: "quote-title" }, source.title || source.file || "Source")),
      h("blockquote", {}, close ? passage(source) : cut(source.quote, 420)),
      h("p", { class: "theme-line" }, h("bdi", {}, source.file ?? ""), source.file && source.place && ", ", source.place),
    );
  }

  fail(error) {
    this.failed = true;
    fill(this.outcome, problem(error));
  }

  finish() {
    const { answer } = this;
    if (!this.failed && answer) this.state.textContent = "";
    if (this.failed) this.state.textContent = "";
    this.trail.hidden = !this.steps.childElementCount;
    if (!answer) return;
    const copy = h("button", { class: "button", type: "button", onclick: () => this.copy(copy) }, icon("copy"), "Copy with sources");
    const cost = answer.usage?.cost;
    fill(this.next, (answer.follow_ups ?? []).map((one) => h("li", {}, h("button", { class: "link", type: "button", onclick: () => this.again(one) }, one))));
    fill(this.foot, copy, (answer.suggestions ?? []).map((one) => h("button", { class: "button", type: "button", onclick: () => this.again(one) }, `Did you mean ${one}?`)), h("span", { class: "theme-line" }, [seconds(this.took), cost ? money(cost, this.currency) : ""].filter(Boolean).join(", ")));
  }

  async copy(button) {
    const text = asMarkdown(this.asked.question, this.answer);
    try {
      await navigator.clipboard.writeText(text);
      button.lastChild.textContent = "Copied";
    } catch {
      const area = h("textarea", { rows: 10, readonly: true, value: text, "aria-label": "The answer as Markdown" });
      button.replaceWith(area);
      area.select();
    }
  }
}

/** A passage, cut around what is closest to the question in it, which is marked. */
function passage({ quote, nearest }) {
  const at = nearest ? quote.indexOf(nearest) : -1;
  if (at < 0) return cut(quote, 420, true);
  const before = quote.slice(0, at), behind = quote.slice(at + nearest.length);
  const begins = Math.max(0, before.lastIndexOf(" ", at - 120));
  return [begins ? "…" : "", before.slice(begins), h("mark", {}, nearest), behind.match(/^\s*/)[0], cut(behind, 240, true)];
}

/** What is said where nothing answers, and the words that lead to the passages, in the language of the question. */
function withoutHeading(text) {
  const [, said, heading] = /^(.*[.。!?])\s*([^.。!?]+)[:：]\s*$/s.exec(text) ?? [null, text, ""];
  return [said, heading];
}

/** The answer with its numbered sources, for a document of the reader's own. */
export function asMarkdown(question, answer) {
  const sources = (answer.sources ?? []).map((one) => `[${one.number}] ${one.title || one.file}${one.place ? `, ${one.place}` : ""}: "${cut(one.quote, 300)}"`);
  return [`## ${question}`, answer.text_with_notes, sources.join("\n")].filter(Boolean).join("\n\n") + "\n";
}
