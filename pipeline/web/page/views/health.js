// Health: what the last runs did, what failed, what it cost, what the next run would do, and whether the tables pass all checks.
import { fresh, post } from "../core/api.js";
import { add, announce, fill, h, longText, problem, tableHead } from "../core/dom.js";
import { count, money, number, seconds } from "../core/format.js";

export async function show(main, { corpus }) {
  const status = h("section", {});
  const runs = h("section", {});
  const failures = h("section", {});
  const costs = h("section", {});
  const checks = h("div", { "aria-live": "polite" });
  const verify = h("button", { class: "button", type: "button", onclick: () => check(verify, checks) }, "Verify the tables");
  fill(main, h("div", { class: "page health" }, h("h1", {}, "Health"), h("div", { class: "health-columns" }, h("div", {}, status, runs), h("div", {}, failures, costs, h("section", {}, h("h2", {}, "Verify"), h("p", { class: "theme-line" }, "Reads every table and checks hashes, references and spans."), h("p", { class: "actions" }, verify), checks)))));
  const shown = (section, reply, draw) => reply.then((found) => fill(section, draw(found))).catch((error) => fill(section, problem(error)));
  const load = (section, path, draw, query) => shown(section, fresh(path, query), draw);
  const paid = fresh("/costs");
  const ran = Promise.all([fresh("/runs"), paid.catch(() => ({ items: [] }))]);
  const now = () => load(status, "/status", drawStatus);
  await Promise.all([now(), shown(runs, ran, ([{ items }, { items: calls, currency }]) => drawRuns(items, calls, currency, corpus.generation)), load(failures, "/failures", drawFailures, { limit: 100 }), shown(costs, paid, drawCosts)]);
  const timer = setInterval(() => document.hidden || now(), 5000);
  return () => clearInterval(timer);
}

function drawStatus({ running, next }) {
  const out = [];
  if (running) {
    const progress = running.total ? `${number(running.done)} of ${number(running.total)}` : running.message;
    out.push(h("h2", {}, "Running now"), h("p", {}, [running.stage, progress].filter(Boolean).join(": ")), h("progress", { max: running.stages || 1, value: running.stages_done, "aria-label": "Stages done" }), h("p", { class: "theme-line" }, `${number(running.stages_done)} of ${count(running.stages, "stage")} done, begun ${running.started}`));
    return out;
  }
  out.push(h("h2", {}, "The next run"));
  if (!next) return [...out, h("p", {}, "It cannot be said what the next run would do.")];
  const documents = Object.entries(next.documents ?? {}).filter(([key, value]) => value && key !== "unchanged").map(([key, value]) => `${number(value)} ${key}`);
  if (next.trouble) out.push(h("p", { class: "bad" }, longText(next.trouble, 400)));
  if (next.up_to_date) out.push(h("p", { class: "good" }, `Nothing to do: all ${number(next.documents?.unchanged ?? 0)} documents are as they were.`));
  else out.push(h("p", {}, documents.length ? `Documents: ${documents.join(", ")}.` : "The documents are as they were."), next.stages?.length > 0 && [h("p", {}, "It would work on these stages:"), h("ul", { class: "lined" }, byReason(next.stages))]);
  return out;
}

/** The name of a stage as the command line has it: "load documents" for s10_load_documents. */
const named = (stage) => stage.replace(/^s\d+_/, "").replaceAll("_", " ");

/** Stages that are out of date, those with the same reason together. */
function byReason(stages) {
  const groups = new Map();
  for (const { stage, reason } of stages) groups.set(reason, [...(groups.get(reason) ?? []), stage]);
  return [...groups].map(([reason, names]) => h("li", {}, h("p", {}, reason || "Out of date"), h("p", { class: "stage-names" }, names.map(named).join(", "))));
}

/** The last runs, the latest with its stages: what each took, and what it paid, which is known of the run that made the index. */
function drawRuns(items, calls, currency, generation) {
  const [last] = items ?? [];
  if (!last) return [h("h2", {}, "Last runs"), h("p", {}, "No run is recorded.")];
  const paid = new Map();
  if (last.generation === generation) for (const one of calls) paid.set(one.stage, (paid.get(one.stage) ?? 0) + (one.cost ?? 0));
  const most = Math.max(...(last.stages ?? []).map((one) => one.seconds ?? 0), 0.001);
  return [
    h("h2", {}, "Last run"),
    h("p", { class: "theme-line" }, [last.run, last.status, last.ended, seconds(last.seconds), last.calls ? count(last.calls, "call") : "no calls", last.cost ? money(last.cost, currency) : ""].filter(Boolean).join(" · ")),
    last.stages?.length > 0 && h("table", { class: "rows stages" }, tableHead(["Stage"], ["Time", "", "Rows", ...(paid.size ? ["Cost"] : [])]), h("tbody", {}, last.stages.map((one) => stage(one, most, !paid.size ? null : paid.has(one.stage) ? money(paid.get(one.stage), currency) : "")))),
    items.length > 1 && [h("h2", {}, "Before that"), h("ul", { class: "lined" }, items.slice(1, 12).map((one) => h("li", {}, [one.run, one.status, one.ended, seconds(one.seconds)].filter(Boolean).join(" · "))))],
  ];
}

function stage(one, most, cost) {
  const share = Math.max(1, (100 * (one.seconds ?? 0)) / most);
  return h("tr", {}, h("th", { scope: "row", title: one.stage }, named(one.stage)), h("td", { class: "number" }, seconds(one.seconds)), h("td", { class: "stage-bar" }, h("span", { class: "bar" }, h("span", { style: { width: `${share}%` } }))), h("td", { class: "number" }, one.rows === undefined || one.rows === null ? (one.state ?? "") : number(one.rows)), cost !== null && h("td", { class: "number" }, cost));
}

function drawFailures({ items, total }) {
  const head = h("h2", {}, "Failures");
  if (!items?.length) return [head, h("p", { class: "good" }, "None: every item was done.")];
  return [head, h("p", {}, `${count(total ?? items.length, "item")} could not be done or were left out.`), h("ul", { class: "lined" }, items.map((one) => h("li", {}, h("p", {}, h("code", {}, one.workflow ?? ""), " ", longText(one.item ?? "", 120)), h("p", { class: "theme-line" }, longText(one.reason ?? "", 300)))))];
}

function drawCosts({ items, total_cost: total, currency, questions_today: today, spent_so_far: spent, max_cost_per_question: each, max_cost_per_day: day }) {
  const caps = [each !== null && `a question may cost ${money(each, currency)}`, day !== null && `a day ${money(day, currency)}`].filter(Boolean).join(", ");
  const head = [h("h2", {}, "Calls and costs"), (today > 0 || caps) && h("p", {}, [`Questions today: ${money(today, currency)}`, caps].filter(Boolean).join("; "), "."), spent && h("p", {}, `All runs and questions so far: ${spent}.`)];
  if (!items?.length) return [head, h("p", {}, "The index was made without a model.")];
  return [head, h("p", {}, `The index: ${money(total, currency)}.`), h("div", { class: "scroll" }, h("table", { class: "rows" }, tableHead(["Task", "Model"], ["Calls", "From cache", "Tokens", "Cost"]), h("tbody", {}, items.map((one) => h("tr", {}, h("th", { scope: "row" }, one.task), h("td", {}, one.model), h("td", { class: "number" }, number(one.calls)), h("td", { class: "number" }, number(one.cached)), h("td", { class: "number" }, number((one.tokens_in ?? 0) + (one.tokens_out ?? 0))), h("td", { class: "number" }, money(one.cost, currency)))))))];
}

async function check(button, host) {
  button.disabled = true;
  fill(host, h("p", { class: "waiting" }, "Reading every table…"));
  try {
    const { ok, checks } = await post("/verify");
    const row = (one) => add(h("li", {}), [h("span", { class: one.ok ? "good" : "bad" }, one.ok ? "✓ " : "✗ "), one.name, one.detail && h("p", { class: "theme-line" }, longText(one.detail, 400))]);
    const list = (some) => h("ul", { class: "lined" }, some.map(row));
    const good = checks.filter((one) => one.ok);
    fill(host, h("p", { class: ok ? "good" : "bad" }, ok ? "All checks hold." : "Some checks fail."), list(checks.filter((one) => !one.ok)), h("details", {}, h("summary", {}, `${count(good.length, "check")} found no fault`), list(good)));
    announce(ok ? "All checks hold" : "Some checks fail");
  } catch (error) {
    fill(host, problem(error));
  }
  button.disabled = false;
}
