// Bundles graph.js into the page's vendor folder, and writes beside it the licences and the hash of what it wrote.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { copyFileSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const vendor = join(here, "..", "pipeline", "web", "page", "vendor");
const font = "@fontsource-variable/source-serif-4";

const result = await build({
  absWorkingDir: here,
  entryPoints: ["graph.js"],
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2020",
  legalComments: "none",
  metafile: true,
  write: false,
});

const packages = [...new Set(Object.keys(result.metafile.inputs).map(packageOf).filter(Boolean))].sort();
const described = packages.map(read);
const banner = `// ${described.map((one) => `${one.name} ${one.version} (${one.license})`).join(", ")}. Built by \`make page\`; licences in LICENSES.txt.\n`;
const text = banner + result.outputFiles[0].text;

writeFileSync(join(vendor, "graph.js"), text);
copyFileSync(join(here, "node_modules", font, "files", "source-serif-4-latin-wght-normal.woff2"), join(vendor, "source-serif-4.woff2"));
writeFileSync(join(vendor, "SHA256SUMS"), ["graph.js", "source-serif-4.woff2"].map(hashOf).join(""));
writeFileSync(join(vendor, "LICENSES.txt"), [...packages, font].map(read).map(licenceOf).join("\n"));
console.log(`${banner.slice(3).trim()}\n${text.length} characters`);

function packageOf(input) {
  const path = input.split("node_modules/").pop();
  return path === input ? "" : path.split("/").slice(0, path.startsWith("@") ? 2 : 1).join("/");
}

function read(name) {
  return JSON.parse(readFileSync(join(here, "node_modules", name, "package.json"), "utf8"));
}

function hashOf(file) {
  return `${createHash("sha256").update(readFileSync(join(vendor, file))).digest("hex")}  ${file}\n`;
}

function licenceOf({ name, version }) {
  const folder = join(here, "node_modules", name);
  const file = readdirSync(folder).find((one) => /^licen[sc]e/i.test(one));
  if (!file) throw new Error(`${name} has no licence file`);
  return `${name} ${version}\n${"=".repeat(60)}\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
}
