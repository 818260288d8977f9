// Numbers, times and links, worded the same everywhere.

const plain = new Intl.NumberFormat("en");

export const number = (value) => plain.format(value ?? 0);

export const count = (value, one, many = `${one}s`) => `${number(value)} ${value === 1 ? one : many}`;

export function seconds(value) {
  if (value === null || value === undefined) return "";
  if (value < 0.0095) return "0 s";
  if (value < 10) return `${value.toFixed(value < 1 ? 2 : 1)} s`;
  if (value < 120) return `${Math.round(value)} s`;
  return `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
}

/** A sum; without the name of a currency the number alone. */
export function money(value, currency = "") {
  if (value === null || value === undefined) return "a price that is not known";
  if (!value) return "nothing";
  if (!/^[A-Z]{3}$/.test(currency)) return plain.format(value < 0.1 ? Number(value.toPrecision(2)) : Math.round(value * 100) / 100);
  return new Intl.NumberFormat("en", { style: "currency", currency, maximumSignificantDigits: value < 0.1 ? 2 : 4 }).format(value);
}

/** A type as it is read: "MILITARY ACTION" becomes "Military action". */
export function kind(type) {
  const text = String(type ?? "").replaceAll("_", " ").toLowerCase();
  return text ? text[0].toUpperCase() + text.slice(1) : "No type";
}

/** A date or span as the claim has it: days stay days, a whole year is the year. */
export function span(start, end) {
  const first = day(start);
  const last = day(end);
  if (!first || !last || first === last) return first || last;
  const year = /^(\d{4})-01-01$/.exec(start);
  if (year && end === `${year[1]}-12-31`) return year[1];
  const month = /^(\d{4}-\d{2})-01$/.exec(start);
  if (month && end?.startsWith(month[1]) && Number(end.slice(8)) >= 28) return day(month[1]);
  return `${first} – ${last}`;
}

const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];

function day(text) {
  const parts = /^(-?\d{1,6})(?:-(\d{2})(?:-(\d{2}))?)?/.exec(text ?? "");
  if (!parts) return text ?? "";
  const [, year, month, date] = parts;
  return [date && String(Number(date)), month && MONTHS[Number(month) - 1], String(Number(year))].filter(Boolean).join(" ");
}

/** A date as a number of years, for time lines and filters; null where there is none. */
export function yearOf(text) {
  const parts = /^(-?\d{1,6})(?:-(\d{2})(?:-(\d{2}))?)?/.exec(text ?? "");
  return parts ? Number(parts[1]) + (Number(parts[2] ?? 1) - 1) / 12 + (Number(parts[3] ?? 1) - 1) / 372 : null;
}

export const link = {
  entity: (id) => `#/entity/${encodeURIComponent(id)}`,
  theme: (id) => `#/themes/${encodeURIComponent(id)}`,
  onMap: (key, id) => `#/map?${key}=${encodeURIComponent(id)}`,
  /** Opens a document, at a span of it, or with `chunk` at a span that is counted in a chunk. */
  read: (document, start, end, chunk) => {
    const query = new URLSearchParams();
    if (chunk) query.set("chunk", chunk);
    if (start !== undefined && start !== null) for (const [key, value] of [["start", start], ["end", end]]) query.set(key, value);
    return `#/read/${encodeURIComponent(document)}${query.size ? `?${query}` : ""}`;
  },
  ask: (question) => `#/ask?q=${encodeURIComponent(question)}`,
};
