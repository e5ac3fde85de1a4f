// An SQL box over the rows of the page: each list of rows is a table of that name.
import { html, table } from "./dom.js";
import { visible } from "./format.js";

const EXAMPLES = __EXAMPLES__;
const ROWS_MOST = 500;

async function wasm() {
  const packed = Uint8Array.from(atob(window.callsignSql.wasm), (character) => character.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

const quoted = (name) => `"${name.replaceAll('"', '""')}"`;

async function open(raw) {
  const SQL = await window.callsignSql.start({ wasmBinary: await wasm() });
  const db = new SQL.Database();
  db.run("BEGIN");
  for (const [name, lists] of Object.entries(raw)) {
    if (!lists) continue;
    db.run(`CREATE TABLE ${quoted(name)} (${lists.columns.map(quoted).join(", ")})`);
    const insert = db.prepare(`INSERT INTO ${quoted(name)} VALUES (${lists.columns.map(() => "?").join(", ")})`);
    for (const row of lists.rows) insert.run(row);
    insert.free();
  }
  db.run("COMMIT");
  return db;
}

function csv(columns, rows) {
  const field = (value) => (/[",\r\n]/.test(String(value ?? "")) ? `"${String(value).replaceAll('"', '""')}"` : String(value ?? ""));
  return [columns, ...rows].map((row) => row.map(field).join(",")).join("\r\n");
}

export function draw(host, data) {
  if (!window.callsignSql) return;
  const box = html("textarea", { id: "sql", rows: 5, spellcheck: "false", "aria-label": "SQL" });
  box.value = EXAMPLES[0].sql;
  const answer = html("div", { class: "answer", "aria-live": "polite" });
  let db = null;
  const ask = async () => {
    try {
      db ??= await open(data.raw);
      const [result] = db.exec(box.value);
      const rows = result?.values ?? [], columns = result?.columns ?? [];
      const shown = table(columns.map((title, i) => [visible(title), (row) => row[i], (value) => visible(value)]), rows.slice(0, ROWS_MOST));
      const save = html("a", { class: "button", download: "answer.csv", href: URL.createObjectURL(new Blob([csv(columns, rows)], { type: "text/csv" })) }, "CSV");
      answer.replaceChildren(html("p", { class: "legend" }, `${rows.length} ${rows.length === 1 ? "row" : "rows"}${rows.length > ROWS_MOST ? `; ${ROWS_MOST} are shown` : ""} `, save), shown);
    } catch (error) {
      answer.replaceChildren(html("p", { class: "error" }, visible(error.message)));
    }
  };
  box.addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) ask(); });
  const examples = html("select", { "aria-label": "Examples", onchange: (event) => { box.value = EXAMPLES[event.target.value].sql; ask(); } },
    ...EXAMPLES.map((example, i) => html("option", { value: i }, example.title)));
  host.append(html("section", { id: "sql-box" }, html("h2", {}, "Ask in SQL"),
    html("p", { class: "lead" }, `The rows behind the pictures are tables: ${Object.keys(data.raw).join(", ")}. The whole trace answers callsign query.`),
    html("p", {}, examples), box, html("p", {}, html("button", { type: "button", class: "button", onclick: ask }, "Run"), html("span", { class: "quiet" }, " or Ctrl-Enter")), answer));
}
