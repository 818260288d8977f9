// The same requests as core/api.js, answered from the data in the file itself: for a page that is sent to somebody.
import { unitsOf } from "../core/offsets.js";

const STRETCH = 60000;

export class ApiError extends Error {
  constructor({ cause, consequence = "", fix = "" }) {
    super(cause);
    Object.assign(this, { cause, consequence, fix });
  }
}

const data = JSON.parse(document.getElementById("data").textContent);

export const path = (...parts) => "/" + parts.map(encodeURIComponent).join("/");

const absent = (what) => new ApiError({ cause: `${what} is not in this file.`, consequence: "It holds the map, the themes and the entities of a corpus, as they were when it was written.", fix: "Open the corpus itself with: graphstrata serve" });

/** Answers a request for `address` from the file; rejects with an ApiError for what it does not hold. */
export async function get(address, query = {}) {
  const [, kind = "", id = ""] = address.split("/").map(decodeURIComponent);
  if (!kind) return data.overview;
  if (address === "/recurring") return data.recurring;
  if (address === "/map") return mapOf(data.levels[Number(query.level ?? 0)] ?? data.levels[0]);
  if (address === "/map/members") return members(query);
  if (address === "/themes") return data.themes;
  if (address === "/search") return { items: search(query.q ?? "", Number(query.limit ?? 12)) };
  if (address === "/documents") return { items: data.documents.map(({ text, marks, chunk_spans: spans, ...one }) => one), total: data.documents.length };
  const found = { communities: () => data.reports[id], reports: () => data.reports[id], entities: () => data.entities[id], documents: () => stretch(id, Number(query.start ?? 0)), chunks: () => chunkOf(id) }[kind]?.();
  if (found) return found;
  throw absent(kind === "documents" || kind === "chunks" ? "The text of this document" : "This");
}

export const fresh = get;

export const rowsOf = async (table, query) => entities(query);

export async function post() {
  throw absent("The way to ask and to correct");
}

export async function* ask() {
  yield { event: "error", error: absent("The way to ask") };
}

export const project = "";

export const setToken = () => {};

export const projects = async () => [];

const mapOf = ({ level, leaf, bundles }) => ({ ...data.map, level, bundles, nodes: { ...data.map.nodes, leaf } });

/** A stretch of a document's text with its marks, as the server gives it; undefined where the file has no texts. */
function stretch(id, start) {
  const found = data.documents.find((one) => one.id === id && one.text !== undefined);
  if (!found) return undefined;
  const units = unitsOf(found.text);
  const end = Math.min(start + STRETCH, found.characters);
  const marks = found.marks.filter((one) => one.start < end && one.end > start);
  return { ...found, length: found.characters, start, end, marks, text: found.text.slice(units(start), units(end)) };
}

function chunkOf(id) {
  for (const one of data.documents) {
    const span = one.chunk_spans?.find((chunk) => chunk.id === id);
    if (span) return { ...span, document: one.id };
  }
  return undefined;
}

function search(text, limit) {
  const wanted = text.toLowerCase();
  const { nodes, communities } = data.map;
  const rank = (name) => {
    const at = name.toLowerCase().indexOf(wanted);
    return at < 0 ? -1 : at === 0 ? 0 : /\s/.test(name[at - 1]) ? 1 : 2;
  };
  const found = [];
  nodes.name.forEach((name, node) => found.push({ kind: "entity", id: nodes.id[node], name, detail: nodes.types[nodes.type[node]], order: rank(name), size: nodes.degree[node] }));
  communities.title.forEach((name, index) => found.push({ kind: "community", id: communities.id[index], name, detail: "", order: rank(name), size: 0 }));
  for (const one of data.documents) found.push({ kind: "document", id: one.id, name: one.title, detail: "", order: rank(one.title), size: 0 });
  return found.filter((one) => one.order >= 0).sort((a, b) => a.order - b.order || b.size - a.size).slice(0, limit);
}

function entities({ filter = "", offset = 0, limit = 50 }) {
  const wanted = String(filter).replace(/^title:contains:/, "").toLowerCase();
  const { nodes } = data.map;
  const rows = nodes.id.map((id, node) => ({ id, title: nodes.name[node], type: nodes.types[nodes.type[node]], degree: nodes.degree[node], description: data.entities[id]?.description ?? "" })).filter((one) => one.title.toLowerCase().includes(wanted));
  rows.sort((a, b) => b.degree - a.degree);
  return { items: rows.slice(offset, offset + limit), total: rows.length };
}

/** Entities that a document names, or whose dated claims overlap a span of time. */
function members({ document: id, since, until }) {
  const all = Object.values(data.entities);
  if (id) return { ids: all.filter((one) => one.chunks.some((chunk) => chunk.document === id)).map((one) => one.id) };
  const inside = (claim) => claim.start_date && (!since || (claim.end_date ?? claim.start_date) >= since) && (!until || claim.start_date.slice(0, until.length) <= until);
  return { ids: all.filter((one) => one.claims.some(inside)).map((one) => one.id) };
}
