// All requests of the page: JSON by fetch, questions as JSON lines that arrive while they are written.

/** The id of the project whose page this is, from its address /p/{id}/. */
export const project = decodeURIComponent(/^\/p\/([^/]+)/.exec(location.pathname)?.[1] ?? "");
const base = `/api/v1/projects/${encodeURIComponent(project)}`;
const kept = new Map();

/** An error as the server words it: what was found, what follows, how to fix it. */
export class ApiError extends Error {
  constructor({ cause, consequence = "", fix = "" }, status = 0) {
    super(cause);
    Object.assign(this, { cause, consequence, fix, status });
  }
}

/** The token of the address (#token=...), kept for this tab and taken out of the address. */
function token() {
  const given = /[#&?]token=([^&]+)/.exec(location.hash);
  if (given) {
    sessionStorage.setItem("token", decodeURIComponent(given[1]));
    history.replaceState(null, "", location.pathname + location.search + "#/map");
  }
  return sessionStorage.getItem("token");
}

/** Keeps a token for this tab. */
export const setToken = (value) => sessionStorage.setItem("token", value);

const bearer = token();

/** An address with the token for whoever opens it in another tab; the page takes it out of the address again. The server reads
 * it only behind a question mark, where reports are opened. */
export const withToken = (address, mark = "#") =>
  bearer ? `${address}${mark}token=${encodeURIComponent(bearer)}` : address;

async function request(path, options = {}, root = base) {
  const headers = { Accept: "application/json", ...options.headers };
  if (bearer) headers.Authorization = `Bearer ${bearer}`;
  let response;
  try {
    response = await fetch(root + path, { ...options, headers, credentials: "same-origin" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError({ cause: "The server does not answer.", consequence: "Nothing can be shown.", fix: "Start it again with: graphstrata serve" });
  }
  if (!response.ok) throw new ApiError(await reason(response), response.status);
  return response;
}

async function reason(response) {
  const fallback = { cause: `The server answered ${response.status} ${response.statusText}.` };
  try {
    return (await response.json()).error ?? fallback;
  } catch {
    return fallback;
  }
}

function withQuery(path, query = {}) {
  const parts = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined && one !== null && one !== "") parts.append(key, one);
  }
  const text = parts.toString();
  return text ? `${path}?${text}` : path;
}

/** The projects that the server has: [{id, title, state, error}]. */
export async function projects() {
  return (await (await request("/api/v1/projects", {}, "")).json()).projects;
}

/** Reads JSON; what does not change while a generation lasts is asked once. */
export function get(path, query) {
  const address = withQuery(path, query);
  if (!kept.has(address)) {
    const reply = request(address).then((response) => response.json());
    kept.set(address, reply);
    reply.catch(() => kept.delete(address));
    if (kept.size > 300) kept.delete(kept.keys().next().value);
  }
  return kept.get(address);
}

/** Some rows of a table as objects, and how many it has. */
export async function rowsOf(table, query) {
  const { items, total } = await fresh(path("tables", table), query);
  return { items, total };
}

/** Reads JSON anew: for what changes while the page is open. */
export async function fresh(path, query) {
  return (await request(withQuery(path, query))).json();
}

export async function post(path, body = {}) {
  return (await request(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) })).json();
}

/** Puts a question and yields its events. Aborting `signal` closes the connection, which cancels it at the server. */
export async function* ask(body, signal) {
  const response = await request("/questions", {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/x-ndjson" },
    body: JSON.stringify(body),
    signal,
  });
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    rest += decoder.decode(value, { stream: !done });
    const lines = rest.split("\n");
    rest = lines.pop();
    for (const line of lines) if (line.trim()) yield JSON.parse(line);
    if (done) break;
  }
  if (rest.trim()) yield JSON.parse(rest);
}

export const path = (...parts) => "/" + parts.map(encodeURIComponent).join("/");
