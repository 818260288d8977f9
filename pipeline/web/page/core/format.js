// Numbers, times and links, worded the same everywhere.

const numbers = new Intl.NumberFormat("en");

export const number = (value) => numbers.format(value ?? 0);

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
  if (!/^[A-Z]{3}$/.test(currency)) return numbers.format(value < 0.1 ? Number(value.toPrecision(2)) : Math.round(value * 100) / 100);
  return new Intl.NumberFormat("en", { style: "currency", currency, maximumSignificantDigits: value < 0.1 ? 2 : 4 }).format(value);
}

const ENDS = "(?<=^|[.!?:]\\s)"; // where a line begins, also one that was joined behind the sentence before it
const MARKS = [
  [/[^\S\n]{2,}/g, " "],
  [/\n{3,}/g, "\n\n"],
  [/^[^\S\n]*```.*$/gm, ""],
  [/(^|\s)\|?(?:\s*:?-{3,}:?\s*\|)+(?:\s*:?-{3,}:?)?(?=\s|$)/g, "$1"], // the line below the head of a table
  [new RegExp(`${ENDS}(?:[^\\S\\n]*>)+(?=\\s|$)[^\\S\\n]*`, "gm"), ""], // what a mail quotes
  [/(^|\s)>>+(?=\s|$)/g, "$1"],
  [new RegExp(`${ENDS}(?:#{1,6}|--)[^\\S\\n]+`, "gm"), ""],
  [/^[^\S\n]*[-*+•][^\S\n]+/gm, ""],
  [/!?\[([^\]\n]{0,300})\]\((?:[^()\s]|\([^()\s]{0,99}\)){0,500}\)/g, "$1"],
  [new RegExp(`${ENDS}\\|\\s+`, "gm"), ""], // a row of a table: its cells
  [/\s+\|(?=\s*(?:[.!?…]|$|\n))/gm, ""],
  [/\s+\|\s+/g, " · "],
  [/(?<![\w*])\*\*(?=\S)|(?<=\S)\*\*(?![\w*])/g, ""],
  [/(?<![\w*])\*([^\s*](?:[^*\n]{0,500}[^\s*])?)\*(?![\w*])/g, "$1"],
  [/(?<!\w)__?([^\s_](?:[^_\n]{0,500}[^\s_])?)__?(?!\w)/g, "$1"],
  [/`([^`\n]{1,500})`/g, "$1"],
];

/** A text as it is read, without the marks of Markdown, and of mail for what it quotes: for lists, where it is no longer as in its file. */
export const plain = (text) => MARKS.reduce((left, [mark, instead]) => left.replace(mark, instead), String(text ?? ""));

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
