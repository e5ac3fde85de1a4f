// An SQL box over the tables and views of the trace, as far as the page has them, and over the rows of the pictures.
import { chart } from "./chart.js";
import { choice, html, table } from "./dom.js";
import { bytes, duration, visible } from "./format.js";

const EXAMPLES = __EXAMPLES__;
const ROWS_MOST = 500;
const SHAPES = { table: "Table", chart: "Chart" };

async function wasm() {
  const packed = Uint8Array.from(atob(window.callsignSql.wasm), (character) => character.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

const quoted = (name) => `"${name.replaceAll('"', '""')}"`;

function fill(db, name, lists) {
  if (!lists) return;
  db.run(`CREATE TABLE ${quoted(name)} (${lists.columns.map(quoted).join(", ")})`);
  const insert = db.prepare(`INSERT INTO ${quoted(name)} VALUES (${lists.columns.map(() => "?").join(", ")})`);
  for (const row of lists.rows) insert.run(row);
  insert.free();
}

// Ranks as ranges: "0-3,7", as the command's ranges() writes them.
export function ranges(numbers) {
  const sorted = [...new Set(numbers.map(Number))].sort((a, b) => a - b);
  const parts = [];
  for (let i = 0; i < sorted.length;) {
    let last = i;
    while (last + 1 < sorted.length && sorted[last + 1] === sorted[last] + 1) last++;
    parts.push(last === i ? `${sorted[i]}` : `${sorted[i]}${last === i + 1 ? "," : "-"}${sorted[last]}`);
    i = last + 1;
  }
  return parts.join(",");
}

// The functions that callsign query adds to SQLite.
function addFunctions(db, locations) {
  const where = new Map((locations?.rows ?? []).map(([site, location]) => [String(site), location]));
  const unless = (work) => (value) => (value === null ? null : work(value));
  db.create_function("duration", unless((ns) => duration(Number(ns) / 1e9)));
  db.create_function("bytes", unless(bytes));
  db.create_function("pattern", unless((text) => String(text).replace(/\d+/g, "#")));
  db.create_function("location", unless((site) => where.get(String(site)) ?? (String(site) === "0" ? "" : "?")));
  db.create_aggregate("ranges", { init: () => [], step: (list, value) => (value === null ? list : [...list, value]), finalize: (list) => (list.length ? ranges(list) : null) });
}

async function open({ pictures, tables, locations }) {
  const SQL = await window.callsignSql.start({ wasmBinary: await wasm() });
  const db = new SQL.Database();
  db.run("BEGIN");
  for (const [name, lists] of Object.entries(tables ?? {})) fill(db, name, lists);
  for (const [name, lists] of Object.entries(pictures)) fill(db, `picture_${name}`, lists);
  db.run("COMMIT");
  addFunctions(db, locations);
  return db;
}

function csv(columns, rows) {
  const field = (value) => (/[",\r\n]/.test(String(value ?? "")) ? `"${String(value).replaceAll('"', '""')}"` : String(value ?? ""));
  return [columns, ...rows].map((row) => row.map(field).join(",")).join("\r\n");
}

export function draw(host, data) {
  if (!window.callsignSql) return false;
  const { pictures, tables, leftOut } = data.ask;
  const examples = tables ? EXAMPLES.tables : EXAMPLES.pictures;
  const box = html("textarea", { id: "sql", rows: 5, spellcheck: "false", "aria-label": "SQL" });
  box.value = examples[0].sql;
  const answer = html("div", { class: "answer", "aria-live": "polite" });
  let db = null, as = "table";
  const ask = async () => {
    try {
      db ??= await open(data.ask);
      const [result] = db.exec(box.value);
      const rows = result?.values ?? [], columns = result?.columns ?? [];
      const drawn = chart(columns, rows);
      if (!drawn) as = "table";
      const shown = as === "chart" ? drawn : table(columns.map((title, i) => [visible(title), (row) => row[i], (value) => visible(value)]), rows.slice(0, ROWS_MOST));
      const save = html("a", { class: "button", download: "answer.csv", href: URL.createObjectURL(new Blob([csv(columns, rows)], { type: "text/csv" })) }, "CSV");
      answer.replaceChildren(html("p", { class: "legend" }, `${rows.length} ${rows.length === 1 ? "row" : "rows"}${rows.length > ROWS_MOST && as === "table" ? `; ${ROWS_MOST} are shown` : ""} `, save),
        drawn ? choice("Answer as", SHAPES, as, (value) => { as = value; ask(); }) : "", shown);
    } catch (error) {
      answer.replaceChildren(html("p", { class: "error" }, visible(error.message)));
    }
  };
  box.addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) ask(); });
  const list = html("select", { "aria-label": "Examples", onchange: (event) => { box.value = examples[event.target.value].sql; ask(); } },
    ...examples.map((example, i) => html("option", { value: i }, example.title)));
  const names = (rows, prefix = "") => Object.keys(rows).map((name) => prefix + name).join(", ");
  host.append(html("section", { id: "sql-box" }, html("h2", {}, "Ask in SQL"),
    html("p", { class: "lead" }, tables ? "The tables and views of the trace, with the functions ranges, duration, bytes, pattern and location."
      : "The rows behind the pictures. Of larger runs the page does not have the tables and views themselves: callsign query answers."),
    html("p", {}, list), box, html("p", {}, html("button", { type: "button", class: "button", onclick: ask }, "Run"), html("span", { class: "quiet" }, " or Ctrl-Enter")),
    html("details", {}, html("summary", {}, "Tables"), html("p", { class: "legend" }, tables ? `${names(tables)}, ` : "", names(pictures, "picture_")),
      leftOut?.length ? html("p", { class: "legend" }, `Not on the page: ${leftOut.join(", ")}. callsign query has them.`) : null), answer));
  return true;
}
