// The matrix of source and dest, on a canvas because it may have a quarter of a million cells.
import { behind, choice, hideTip, html, showTip } from "./dom.js";
import { chosen, groupBy, sum } from "./data.js";
import { bytes, number, percent } from "./format.js";

const OFFSETS_LEAST = 16, OFFSETS_MOST = 6; // lines of the matrix; differences
const SIDE = 520, LEFT = 64, TOP = 44;
const MEASURES = { bytes: "Bytes", messages: "Messages" };
const TEXT = { bytes, messages: number };
const DISTANCES = ["self", "core", "package", "node", "remote"];
let measure = "bytes";

function colors() {
  const style = getComputedStyle(document.documentElement);
  const read = (name) => style.getPropertyValue(name).trim();
  return { accent: read("--accent"), ink: read("--ink"), quiet: read("--quiet"), line: read("--line"), surface: read("--surface") };
}

// Ranks at which another node begins.
function borders(ranks) {
  return ranks.filter((row, i) => i > 0 && row.node !== ranks[i - 1].node).map((row) => row.rank);
}

// The shades between the least and the most: equal steps are equal factors.
function shades(cells) {
  const most = Math.max(...cells.map((cell) => cell[measure]), 1), least = Math.min(...cells.map((cell) => cell[measure] || most));
  const range = Math.min(20, Math.max(2, Math.log2(most / least) * 1.2));
  return { most, least: Math.max(least, most / 2 ** range), of: (value) => 0.1 + 0.75 * Math.max(0, 1 + Math.log2(value / most) / range) };
}

function key(cells) {
  const { least, most } = shades(cells);
  if (least === most) return html("p", { class: "legend" }, `${TEXT[measure](most)} in every coloured cell.`);
  return html("p", { class: "legend" }, TEXT[measure](Math.round(least)), html("span", { class: "ramp traffic" }), TEXT[measure](most), ": equal steps of colour are equal factors. White: nothing.");
}

function paint(canvas, cells, count, bin, data) {
  const scale = Math.max(1, window.devicePixelRatio || 1), width = LEFT + SIDE + 12, height = TOP + SIDE + 8;
  canvas.width = width * scale;
  canvas.height = height * scale;
  canvas.style.aspectRatio = `${width} / ${height}`;
  canvas.style.maxWidth = `${width}px`;
  const context = canvas.getContext("2d"), color = colors(), side = SIDE / count;
  context.scale(scale, scale);
  context.fillStyle = color.surface;
  context.fillRect(0, 0, width, height);
  const shade = shades(cells); // a neighbour exchange is seen beside one large transfer
  context.fillStyle = color.accent;
  const gap = side > 12 ? 1 : 0;
  for (const cell of cells) {
    if (!cell[measure]) continue;
    context.globalAlpha = shade.of(cell[measure]);
    context.fillRect(LEFT + (cell.dest / bin) * side, TOP + (cell.source / bin) * side, Math.max(side - gap, 2), Math.max(side - gap, 2));
  }
  context.globalAlpha = 1;
  if (side >= 60) {
    context.fillStyle = color.ink;
    context.font = "12px system-ui, sans-serif";
    context.textAlign = "center";
    for (const cell of cells) context.fillText(TEXT[measure](cell[measure]), LEFT + (cell.dest / bin + 0.5) * side, TOP + (cell.source / bin + 0.5) * side + 4);
  }
  context.strokeStyle = color.line;
  context.strokeRect(LEFT - 0.5, TOP - 0.5, SIDE + 1, SIDE + 1);
  context.strokeStyle = color.ink;
  context.globalAlpha = 0.35;
  for (const rank of borders(data.ranks)) {
    const at = (rank / bin) * side;
    context.beginPath();
    context.moveTo(LEFT + at, TOP);
    context.lineTo(LEFT + at, TOP + SIDE);
    context.moveTo(LEFT, TOP + at);
    context.lineTo(LEFT + SIDE, TOP + at);
    context.stroke();
  }
  context.globalAlpha = 1;
  context.fillStyle = color.quiet;
  context.font = "12px system-ui, sans-serif";
  context.textAlign = "left";
  context.fillText("dest →", LEFT, 14);
  context.fillText("source ↓", 2, TOP - 8);
  const every = Math.max(1, 2 ** Math.ceil(Math.log2(count / 12)));
  for (let i = 0; i < count; i += every) {
    context.textAlign = "center";
    context.fillText(String(i * bin), LEFT + (i + 0.5) * side, TOP - 8);
    context.textAlign = "right";
    context.fillText(String(i * bin), LEFT - 6, TOP + (i + 0.5) * side + 4);
  }
}

export function draw(host, data, view) {
  const rows = chosen(data.traffic, view.key);
  if (!rows.length) {
    host.append(html("p", {}, "No message between two known ranks was recorded."));
    return;
  }
  const bin = rows[0].bin;
  const cells = groupBy(rows, ["source", "dest"], ["messages", "bytes"]);
  const last = Math.max(...data.ranks.map((row) => row.rank), ...cells.map((cell) => Math.max(cell.source, cell.dest)));
  const count = Math.floor(last / bin) + 1;
  const range = (rank) => (bin === 1 ? `${rank}` : `${rank}-${rank + bin - 1}`);
  const canvas = html("canvas", { role: "img", "aria-label": `${MEASURES[measure]} from source to dest` });
  paint(canvas, cells, count, bin, data);
  const at = new Map(cells.map((cell) => [`${cell.source} ${cell.dest}`, cell]));
  canvas.addEventListener("pointermove", (event) => {
    const box = canvas.getBoundingClientRect(), zoom = (LEFT + SIDE + 12) / box.width;
    const column = Math.floor((((event.clientX - box.left) * zoom - LEFT) / SIDE) * count), row = Math.floor((((event.clientY - box.top) * zoom - TOP) / SIDE) * count);
    if (column < 0 || row < 0 || column >= count || row >= count) return hideTip();
    const cell = at.get(`${row * bin} ${column * bin}`);
    return showTip(event, [`${range(row * bin)} → ${range(column * bin)}`, cell ? `${bytes(cell.bytes)} in ${number(cell.messages)} messages` : "nothing"]);
  });
  canvas.addEventListener("pointerleave", hideTip);
  const pairs = [...cells].sort((a, b) => b[measure] - a[measure]);
  host.append(choice("Measure", MEASURES, measure, (value) => { measure = value; view.redraw("traffic"); }),
    html("div", { class: "beside" }, html("div", {}, canvas, key(cells), bin > 1 && html("p", { class: "legend" }, `${bin} ranks share a row and a column.`)),
      html("div", {}, distances(data, view.key), offsets(cells, bin, count), heaviest(pairs, range))),
    behind([["source", (r) => r.source, range], ["dest", (r) => r.dest, range], ["messages", (r) => r.messages, number], ["bytes", (r) => r.bytes, bytes]], pairs));
}

function distances(data, key) {
  const rows = groupBy(chosen(data.distances, key), ["distance"], ["messages", "bytes"]);
  const whole = sum(rows, measure) || 1;
  const order = (row) => (DISTANCES.indexOf(row.distance) + 6) % 6;
  rows.sort((a, b) => order(a) - order(b));
  return html("div", {}, html("h3", {}, "By distance"), html("ul", { class: "meters" }, ...rows.map((row) => {
    const bar = html("span", { class: "meter" }, html("span"));
    bar.firstChild.style.width = `${(row[measure] * 100) / whole}%`;
    return html("li", { data: { distance: row.distance ?? "", value: row[measure] } }, html("span", { class: "name" }, row.distance ?? "not known"), bar, html("span", { class: "number" }, TEXT[measure](row[measure])),
      html("span", { class: "number quiet" }, percent((row[measure] * 100) / whole)));
  })));
}

// How far apart the ranks are that talk: in a large matrix, neighbours are a line one pixel wide.
function offsets(cells, bin, count) {
  if (count < OFFSETS_LEAST) return "";
  const rows = groupBy(cells.map((cell) => ({ ...cell, apart: Math.abs(cell.dest - cell.source) })), ["apart"], ["messages", "bytes"]).sort((a, b) => b[measure] - a[measure]);
  const whole = sum(rows, measure) || 1, shown = rows.slice(0, OFFSETS_MOST), rest = sum(rows.slice(OFFSETS_MOST), measure);
  const name = ({ apart }) => (bin === 1 ? `${apart}` : `${Math.max(0, apart - bin + 1)} to ${apart + bin - 1}`);
  const line = (text, value) => {
    const bar = html("span", { class: "meter" }, html("span"));
    bar.firstChild.style.width = `${(value * 100) / whole}%`;
    return html("li", {}, html("span", { class: "name" }, text), bar, html("span", { class: "number" }, TEXT[measure](value)), html("span", { class: "number quiet" }, percent((value * 100) / whole)));
  };
  return html("div", {}, html("h3", {}, "By difference of the ranks"), html("ul", { class: "meters offsets" }, ...shown.map((row) => line(name(row), row[measure])), rest > 0 && line("others", rest)));
}

function heaviest(pairs, range) {
  const most = pairs[0][measure] || 1;
  return html("div", {}, html("h3", {}, "Heaviest pairs"), html("ul", { class: "meters pairs" }, ...pairs.slice(0, 8).map((cell) => {
    const bar = html("span", { class: "meter" }, html("span"));
    bar.firstChild.style.width = `${(cell[measure] * 100) / most}%`;
    return html("li", {}, html("span", { class: "name" }, `${range(cell.source)} → ${range(cell.dest)}`), bar, html("span", { class: "number" }, TEXT[measure](cell[measure])));
  })));
}

