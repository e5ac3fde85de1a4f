// Bundles the page's scripts: node build.js OUTPUT_FOLDER. CMake runs it where node is there, beside docs/queries.md.
//   page.js       the pictures
//   sql.js        sql.js with its WebAssembly, packed; none if npm did not install it: the page then has no SQL box
//   policy.txt    the content security policy: these two scripts and nothing else
//   licences.txt  of what is bundled
// The variable ESBUILD names an esbuild of the system; else it is that of npm.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

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
const page = checked("page.js", execFileSync(process.env.ESBUILD || join(here, "node_modules/.bin/esbuild"), [join(here, "main.js"), "--bundle",
  "--format=iife", "--minify", "--charset=ascii", "--target=chrome103,firefox113,safari16.4", `--define:__EXAMPLES__=${JSON.stringify(examples)}`],
{ encoding: "utf8" }));

const scripts = [page];
const sqljs = join(here, "node_modules/sql.js");
if (existsSync(sqljs)) {
  const version = JSON.parse(readFileSync(join(sqljs, "package.json"), "utf8")).version;
  const wasm = gzipSync(readFileSync(join(sqljs, "dist/sql-wasm-browser.wasm")), { level: 9 }).toString("base64");
  const loader = readFileSync(join(sqljs, "dist/sql-wasm-browser.js"), "utf8");
  scripts.push(checked("sql.js", `/* sql.js ${version}, MIT licence: see below */\n${loader}\nwindow.callsignSql = { start: initSqlJs, wasm: "${wasm}" };\n`));
  writeFileSync(join(out, "sql.js"), scripts[1]);
  writeFileSync(join(out, "licences.txt"), `sql.js ${version} (https://sql.js.org), with SQLite, which is in the public domain\n\n${readFileSync(join(sqljs, "LICENSE"), "utf8")}`.replace(/[&<>]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c]));
}

const hash = (script) => `'sha256-${createHash("sha256").update(`\n${script}`, "utf8").digest("base64")}'`;
writeFileSync(join(out, "page.js"), page);
const webAssembly = scripts.length > 1 ? " 'wasm-unsafe-eval'" : "";
writeFileSync(join(out, "policy.txt"), `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src ${scripts.map(hash).join(" ")}${webAssembly}`);
