// The answer of the SQL box as bars: a label and a figure for each row.
import { drawing, html, svg, tipped } from "./dom.js";
import { brief, number, visible } from "./format.js";

const WIDTH = 1100, LEFT = 390, RIGHT = 110, LINE = 22, BARS = 30;

const isFigure = (value) => typeof value === "number" && Number.isFinite(value);

// The columns that have numbers only, and the columns that name a row. null: there is nothing to draw.
export function columnsToDraw(columns, rows) {
  const figures = columns.map((_, i) => i).filter((i) => rows.some((row) => isFigure(row[i])) && rows.every((row) => row[i] === null || isFigure(row[i])));
  const words = columns.map((_, i) => i).filter((i) => rows.some((row) => typeof row[i] === "string"));
  // Without words the first number names the row, as `rank` does.
  const labels = words.length ? words.slice(0, 2) : figures.length > 1 ? [figures.shift()] : [];
  return figures.length ? { figures, labels } : null;
}

function text(value) {
  return Number.isInteger(value) ? number(value) : value.toPrecision(4);
}

function bars(columns, rows, labels, figure) {
  const shown = rows.slice(0, BARS), values = shown.map((row) => row[figure] ?? 0);
  const least = Math.min(0, ...values), span = Math.max(0, ...values) - least || 1;
  const x = (value) => LEFT + ((value - least) / span) * (WIDTH - LEFT - RIGHT);
  const picture = drawing(WIDTH, shown.length * LINE + 8, `${visible(columns[figure])} by row`);
  shown.forEach((row, i) => {
    const y = i * LINE + LINE / 2 + 4, value = row[figure];
    const name = labels.map((label) => row[label]).filter((part) => part !== null).join("  ") || `row ${i + 1}`;
    const line = svg("g", {}, svg("rect", { x: 0, y: y - LINE / 2, width: WIDTH, height: LINE, class: "clear" }), svg("text", { x: LEFT - 10, y: y + 4, class: "end" }, brief(name, 52)));
    if (value !== null)
      line.append(svg("rect", { x: x(Math.min(value, 0)), y: y - 7, width: Math.max(Math.abs(x(value) - x(0)), 1), height: 14, class: "bar", data: { value } }),
        svg("text", { x: x(Math.max(value, 0)) + 6, y: y + 4 }, text(value)));
    picture.append(tipped(line, columns.map((column, j) => `${visible(column)}: ${visible(String(row[j] ?? "NULL"), 80)}`)));
  });
  return picture;
}

// A chart with a button for each column of numbers. null: the answer has none.
export function chart(columns, rows) {
  const found = columnsToDraw(columns, rows);
  if (!found) return null;
  const host = html("div", { class: "chart" });
  const show = (figure) => host.replaceChildren(
    html("p", { class: "choice", role: "group", "aria-label": "Column" }, ...found.figures.map((each) =>
      html("button", { type: "button", "aria-pressed": each === figure ? "true" : "false", onclick: () => show(each) }, visible(columns[each], 40)))),
    bars(columns, rows, found.labels, figure),
    html("p", { class: "legend" }, rows.length > BARS ? `The first ${BARS} of ${rows.length} rows.` : ""));
  show(found.figures[0]);
  return host;
}
