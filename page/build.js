// Bundles the page's scripts: node build.js OUTPUT_FOLDER. CMake runs it where node is there, beside docs/queries.md.
//   page.js       the pictures
//   sql.js        sql.js with its WebAssembly, packed
//   policy.txt    the content security policy: these two scripts and nothing else
//   licences.txt  of what is bundled
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2];
if (!out) throw new Error("usage: node build.js OUTPUT_FOLDER");
mkdirSync(out, { recursive: true });

// Text that an HTML parser would take for the end of the script, or for a comment, stays out of it.
function checked(name, script) {
  if (/<\/script|<!--/i.test(script)) throw new Error(`${name} has text that ends a script element`);
  return script;
}

// The queries of docs/queries.md, each with the sentence before it.
function documented() {
  const text = readFileSync(join(here, "queries.md"), "utf8");
  return [...text.matchAll(/([^\n]+)\n\n```sql\n([\s\S]*?)\n```/g)].map(([, title, sql]) => ({
    title: title.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/`/g, "").slice(0, 110),
    sql,
  }));
}

const examples = { tables: documented(), pictures: JSON.parse(readFileSync(join(here, "examples.json"), "utf8")) };
const bundled = await build({
  entryPoints: [join(here, "main.js")],
  bundle: true,
  format: "iife",
  minify: true,
  charset: "ascii",
  target: ["chrome103", "firefox113", "safari16.4"],
  define: { __EXAMPLES__: JSON.stringify(examples) },
  write: false,
});
const page = checked("page.js", bundled.outputFiles[0].text);

const sqljs = join(here, "node_modules/sql.js");
const version = JSON.parse(readFileSync(join(sqljs, "package.json"), "utf8")).version;
const wasm = gzipSync(readFileSync(join(sqljs, "dist/sql-wasm-browser.wasm")), { level: 9 }).toString("base64");
const loader = readFileSync(join(sqljs, "dist/sql-wasm-browser.js"), "utf8");
const sql = checked("sql.js", `/* sql.js ${version}, MIT licence: see below */\n${loader}\nwindow.callsignSql = { start: initSqlJs, wasm: "${wasm}" };\n`);

const hash = (script) => `'sha256-${createHash("sha256").update(`\n${script}`, "utf8").digest("base64")}'`;
writeFileSync(join(out, "page.js"), page);
writeFileSync(join(out, "sql.js"), sql);
writeFileSync(join(out, "policy.txt"), `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src ${hash(page)} ${hash(sql)} 'wasm-unsafe-eval'`);
writeFileSync(join(out, "licences.txt"), `sql.js ${version} (https://sql.js.org), with SQLite, which is in the public domain\n\n${readFileSync(join(sqljs, "LICENSE"), "utf8")}`.replace(/[&<>]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c]));
