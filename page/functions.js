// A heat map of functions and communicators. It is a table: every figure can be read, selected and spoken.
import { breakable, choice, html, roomOf, tipped } from "./dom.js";
import { chosen, groupBy, nameOf } from "./data.js";
import { brief, bytes, duration, number, percent, visible } from "./format.js";

const ROWS = 18, COLUMNS = 9, NARROW = 720, FEW = 6; // columns of a narrow place, such as paper: it can be no wider
const MEASURES = { seconds: "Time", calls: "Calls", sent_bytes: "Bytes" };
const TEXT = { seconds: duration, calls: number, sent_bytes: bytes };
let measure = "seconds";

// Names that are built from the lineage are long: their end tells them apart.
function title(name) {
  const [, parent, rest] = /^(MPI_COMM_WORLD\.)?(.*)$/s.exec(name);
  return brief(`${parent ? "…" : ""}${rest}`, 34);
}

function shownOf(cells) {
  return cells.map((cell) => cell[measure]).filter((value) => value > 0);
}

export function draw(host, data, view) {
  const cells = chosen(data.cells, view.key);
  const descending = (rows) => rows.sort((a, b) => b[measure] - a[measure]).filter((row) => row[measure] > 0);
  const functions = descending(groupBy(cells, ["function"], [measure]));
  const columns = descending(groupBy(cells, ["key"], [measure]));
  const whole = columns.reduce((total, column) => total + column[measure], 0) || 1;
  const most = Math.max(1e-12, ...cells.map((cell) => cell[measure]));
  const values = shownOf(cells), least = Math.min(...values, most), decades = Math.log10(most / least);
  // Values that span decades are compared by their logarithm: else all but one would be pale.
  const shade = (value) => (decades > 2 ? Math.max(0, 1 + Math.log10(value / most) / Math.min(decades, 4)) : value / most);
  const at = new Map(cells.map((cell) => [`${cell.key} ${cell.function}`, cell]));
  const shownColumns = columns.slice(0, roomOf(host) < NARROW ? FEW : COLUMNS), shownRows = functions.slice(0, ROWS);
  const head = html("tr", {}, html("th", { scope: "col" }, "function"), html("th", { scope: "col", class: "number" }, "all"),
    ...shownColumns.map((column) => html("th", { scope: "col", class: "number", title: visible(nameOf(data, column.key)) },
      html("button", { type: "button", class: "plain", onclick: () => view.choose(column.key) }, ...breakable(title(nameOf(data, column.key)))))));
  const body = shownRows.map((row) => html("tr", {}, html("th", { scope: "row" }, visible(row.function)),
    html("td", { class: "number", data: { value: row[measure] } }, `${TEXT[measure](row[measure])}`),
    ...shownColumns.map((column) => {
      const cell = at.get(`${column.key} ${row.function}`);
      if (!cell || !cell[measure]) return html("td", { class: "number empty" });
      const box = html("td", { class: "number heat", data: { value: cell[measure], key: cell.key, function: cell.function } }, TEXT[measure](cell[measure]));
      box.style.setProperty("--heat", `${(10 + 38 * shade(cell[measure])).toFixed(1)}%`);
      return tipped(box, [`${cell.function} on ${visible(nameOf(data, cell.key), 80)}`, `${duration(cell.seconds)}, ${percent((cell[measure] * 100) / whole)} of all`,
        `${number(cell.calls)} calls of ${cell.ranks} ranks`, `${bytes(cell.sent_bytes)} sent, ${bytes(cell.received_bytes)} received`]);
    })));
  const left = functions.length - shownRows.length, leftColumns = columns.length - shownColumns.length;
  const hidden = [[left, "function"], [leftColumns, "communicator"]].filter(([count]) => count > 0).map(([count, word]) => `${count} smaller ${word}${count === 1 ? "" : "s"}`);
  host.append(choice("Measure", MEASURES, measure, (value) => { measure = value; view.redraw("functions"); }),
    html("div", { class: "table" }, html("table", { class: "heatmap" }, html("thead", {}, head), html("tbody", {}, ...body))),
    values.length > 1 ? html("p", { class: "legend" }, TEXT[measure](decades > 2 ? most / 10 ** Math.min(decades, 4) : 0), decades > 4 && " or less", html("span", { class: "ramp" }), TEXT[measure](most), decades > 2 && ": equal steps of colour are equal factors") : "",
    html("p", { class: "legend" }, hidden.length ? `${hidden.join(" and ")} ${left + leftColumns === 1 ? "is" : "are"} not shown.` : ""));
}
