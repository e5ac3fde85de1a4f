// The matrix of source and dest, by rank or by node, and what it cannot show: how far apart the ranks are that exchange data.
import { behind, choice, drawing, hideTip, html, roomOf, showTip, svg } from "./dom.js";
import { chosen, groupBy, sum } from "./data.js";
import { brief, bytes, number, percent, visible } from "./format.js";

const OFFSETS_LEAST = 16, OFFSETS_MOST = 10, PAIRS_MOST = 8, NODES_LEAST = 64; // ranks; lines of lists; ranks from which on nodes are shown first
const WIDEST = 600, TOP = 40, CELLS_MOST = 4096; // more cells are drawn as one image
const BESIDE = 296; // pixels of the lists beside the matrix, with the gap (.beside in page.css)
const MEASURES = { bytes: "Bytes", messages: "Messages" };
const TEXT = { bytes, messages: number };
const DISTANCES = ["self", "core", "package", "node", "remote"];
const LINES = { ranks: "Ranks", nodes: "Nodes" };
let measure = "bytes", by = null;

// Ranks at which another node begins.
function borders(ranks) {
  return ranks.filter((row, i) => i > 0 && row.node !== ranks[i - 1].node).map((row) => row.rank);
}

// The shades from `from` to the most: equal steps are equal factors. Cells with less have the shade of `from`.
function shades(cells) {
  const most = Math.max(...cells.map((cell) => cell[measure]), 1), least = Math.min(...cells.map((cell) => cell[measure] || most));
  const range = Math.min(20, Math.max(2, Math.log2(most / least) * 1.2));
  return { most, least, from: most / 2 ** range, of: (value) => 0.1 + 0.75 * Math.max(0, 1 + Math.log2(value / most) / range) };
}

function key(cells) {
  const { least, most, from } = shades(cells);
  if (least === most) return html("p", { class: "legend" }, `${TEXT[measure](most)} in every coloured cell.`);
  return html("p", { class: "legend" }, TEXT[measure](Math.round(from)), least < from && " or less", html("span", { class: "ramp traffic" }), TEXT[measure](most), ": equal steps of colour are equal factors. No colour: nothing.");
}

// So many cells that they are points: an image instead of elements.
function imageOf(cells, count, shade) {
  const canvas = html("canvas", { width: count, height: count }), context = canvas.getContext("2d"), thick = count > 256 ? 2 : 1;
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--accent").trim();
  for (const cell of cells) {
    if (!cell[measure]) continue;
    context.globalAlpha = shade.of(cell[measure]);
    context.fillRect(cell.column, cell.row, thick, thick);
  }
  return canvas.toDataURL("image/png");
}

// A square of `count` lines and columns. cells: {row, column, bytes, messages}; marks: lines before which another node begins.
function matrix(cells, { count, width, label, names, marks, tip }) {
  const left = Math.min(90, Math.max(...names.map((name) => name.length)) * 7 + 16), size = width - left - 2, side = size / count, shade = shades(cells);
  const picture = drawing(width, TOP + size + 2, label), x = (i) => left + i * side, y = (i) => TOP + i * side;
  picture.classList.add("fluid", "matrix");
  const gap = side > 12 ? 1 : 0, shown = cells.filter((cell) => cell[measure]);
  if (shown.length > CELLS_MOST) picture.append(svg("image", { href: imageOf(shown, count, shade), x: left, y: TOP, width: size, height: size, preserveAspectRatio: "none" }));
  else
    for (const cell of shown) {
      const strong = shade.of(cell[measure]);
      picture.append(svg("rect", { x: x(cell.column).toFixed(2), y: y(cell.row).toFixed(2), width: Math.max(side - gap, 2).toFixed(2), height: Math.max(side - gap, 2).toFixed(2), class: "cell", "fill-opacity": strong.toFixed(3), data: { value: cell[measure] } }));
      if (side >= 52) picture.append(svg("text", { x: x(cell.column + 0.5), y: y(cell.row + 0.5) + 4, class: strong > 0.55 ? "middle on" : "middle" }, TEXT[measure](cell[measure])));
    }
  picture.append(svg("rect", { x: left - 0.5, y: TOP - 0.5, width: size + 1, height: size + 1, class: "edge" }));
  for (const mark of marks) picture.append(svg("path", { d: `M${x(mark)} ${TOP}V${TOP + size}M${left} ${y(mark)}H${left + size}`, class: "border" }));
  const widest = Math.max(...names.map((name) => name.length)) * 7 + 10, everyColumn = Math.max(1, 2 ** Math.ceil(Math.log2(widest / side))), every = Math.max(1, 2 ** Math.ceil(Math.log2(16 / side)));
  picture.append(svg("text", { x: 2, y: 12, class: "quiet" }, "source ↓"), svg("text", { x: Math.max(left, 70), y: 12, class: "quiet" }, "dest →"));
  names.forEach((name, i) => {
    if (i % everyColumn === 0) picture.append(svg("text", { x: x(i + 0.5), y: TOP - 8, class: "quiet middle" }, name));
    if (i % every === 0) picture.append(svg("text", { x: left - 6, y: y(i + 0.5) + 4, class: "quiet end" }, name));
  });
  const at = new Map(cells.map((cell) => [cell.row * count + cell.column, cell]));
  picture.addEventListener("pointermove", (event) => {
    const box = picture.getBoundingClientRect(), zoom = width / box.width;
    const column = Math.floor(((event.clientX - box.left) * zoom - left) / side), row = Math.floor(((event.clientY - box.top) * zoom - TOP) / side);
    if (column < 0 || row < 0 || column >= count || row >= count) return hideTip();
    const cell = at.get(row * count + column);
    return showTip(event, [tip(row, column), cell ? `${bytes(cell.bytes)} in ${number(cell.messages)} messages` : "nothing"]);
  });
  picture.addEventListener("pointerleave", hideTip);
  return picture;
}

// Pairs of nodes, differences of ranks and single pairs: of the cells, or of the rows that the page has besides if ranks share cells.
function groups(data, key, cells, bin) {
  if (bin > 1) {
    const rows = chosen(data.traffic_groups, key), of = (part, words) => groupBy(rows.filter((row) => row.part === part), words, ["messages", "bytes"]);
    return { nodes: of("nodes", ["source", "dest"]), differences: of("difference", ["dest"]), pairs: of("pair", ["source", "dest"]) };
  }
  const first = new Map(), home = new Map();
  for (const row of data.ranks) {
    if (!first.has(row.node)) first.set(row.node, row.rank);
    home.set(row.rank, first.get(row.node));
  }
  return { nodes: groupBy(cells.filter((cell) => home.has(cell.source) && home.has(cell.dest)).map((cell) => ({ ...cell, source: home.get(cell.source), dest: home.get(cell.dest) })), ["source", "dest"], ["messages", "bytes"]),
    differences: groupBy(cells.map((cell) => ({ ...cell, dest: Math.abs(cell.dest - cell.source) })), ["dest"], ["messages", "bytes"]), pairs: cells };
}

function byNode(data, cells, width) {
  const nodes = [];
  for (const row of data.ranks) if (!nodes.some((node) => node.node === row.node)) nodes.push({ node: row.node, rank: row.rank });
  const line = new Map(nodes.map((node, i) => [node.rank, i])), most = Math.max(...nodes.map((node) => visible(node.node).length));
  return matrix(cells.map((cell) => ({ ...cell, row: line.get(cell.source), column: line.get(cell.dest) })), { count: nodes.length, width, label: `${MEASURES[measure]} from node to node`, names: nodes.map((node) => (most > 10 ? brief(node.node, 10) : visible(node.node))),
    marks: [], tip: (row, column) => `${visible(nodes[row].node, 60)} → ${visible(nodes[column].node, 60)}` });
}

function byRank(data, cells, bin, range, width) {
  const last = Math.max(...data.ranks.map((row) => row.rank), ...cells.map((cell) => Math.max(cell.source, cell.dest))), count = Math.floor(last / bin) + 1;
  return matrix(cells.map((cell) => ({ ...cell, row: cell.source / bin, column: cell.dest / bin })), { count, width, label: `${MEASURES[measure]} from source to dest`, names: Array.from({ length: count }, (_, i) => `${i * bin}`),
    marks: borders(data.ranks).map((rank) => rank / bin), tip: (row, column) => `${range(row * bin)} → ${range(column * bin)}` });
}

export function draw(host, data, view) {
  const rows = chosen(data.traffic, view.key);
  if (!rows.length) {
    host.append(html("p", {}, "No message between two known ranks was recorded."));
    return;
  }
  const bin = rows[0].bin, cells = groupBy(rows, ["source", "dest"], ["messages", "bytes"]), parts = groups(data, view.key, cells, bin);
  const several = new Set(data.ranks.map((row) => row.node)).size > 1 && parts.nodes.length > 0, now = several ? by ?? (data.ranks.length > NODES_LEAST ? "nodes" : "ranks") : "ranks";
  const range = (rank) => (bin === 1 ? `${rank}` : `${rank}-${rank + bin - 1}`), beside = window.matchMedia("(min-width: 761px)").matches ? BESIDE : 0, width = Math.min(WIDEST, roomOf(host) - beside);
  const again = (change) => (value) => { change(value); view.redraw("traffic"); };
  const pairs = [...cells].sort((a, b) => b[measure] - a[measure]), whole = sum(cells, measure) || 1;
  const picture = now === "nodes" ? byNode(data, parts.nodes, width) : byRank(data, cells, bin, range, width);
  host.append(html("div", { class: "tools" }, choice("Measure", MEASURES, measure, again((value) => { measure = value; })), several && choice("Lines", LINES, now, again((value) => { by = value; }))),
    html("div", { class: "beside" }, html("div", {}, picture, key(now === "nodes" ? parts.nodes : cells), now === "ranks" && bin > 1 && html("p", { class: "legend" }, `${bin} ranks share a row and a column.`)),
      html("div", {}, distances(data, view.key), data.ranks.length >= OFFSETS_LEAST && differences(parts.differences, whole), heaviest(parts.pairs))),
    behind([["source", (r) => r.source, range], ["dest", (r) => r.dest, range], ["messages", (r) => r.messages, number], ["bytes", (r) => r.bytes, bytes]], pairs));
}

// A line with a bar. share: of the width, in percent.
function line(name, value, share, shares = true, marks = {}) {
  const bar = html("span", { class: "meter" }, html("span"));
  bar.firstChild.style.width = `${share}%`;
  return html("li", { data: { ...marks, value } }, html("span", { class: "name" }, name), bar, html("span", { class: "number" }, TEXT[measure](value)), shares && html("span", { class: "number quiet" }, percent(share)));
}

function distances(data, key) {
  const rows = groupBy(chosen(data.distances, key), ["distance"], ["messages", "bytes"]);
  const whole = sum(rows, measure) || 1;
  const order = (row) => (DISTANCES.indexOf(row.distance) + 6) % 6;
  rows.sort((a, b) => order(a) - order(b));
  return html("div", {}, html("h3", {}, "By distance"), html("ul", { class: "meters" }, ...rows.map((row) => line(row.distance ?? "not known", row[measure], (row[measure] * 100) / whole, true, { distance: row.distance ?? "" }))));
}

// How far apart the ranks are that exchange data: in a large matrix, neighbours are a line one pixel wide.
function differences(rows, whole) {
  rows.sort((a, b) => b[measure] - a[measure]);
  const shown = rows.slice(0, OFFSETS_MOST), rest = whole - sum(shown, measure);
  return html("div", {}, html("h3", {}, "By difference of the ranks, |dest - source|"), html("ul", { class: "meters offsets" }, ...shown.map((row) => line(`${row.dest}`, row[measure], (row[measure] * 100) / whole, true, { difference: row.dest })),
    rest > 0 && rows.length > shown.length && line("others", rest, (rest * 100) / whole)));
}

function heaviest(cells) {
  const pairs = [...cells].sort((a, b) => b[measure] - a[measure]), most = pairs[0]?.[measure] || 1;
  return html("div", {}, html("h3", {}, "Heaviest pairs"), html("ul", { class: "meters pairs" }, ...pairs.slice(0, PAIRS_MOST).map((cell) => line(`${cell.source} → ${cell.dest}`, cell[measure], (cell[measure] * 100) / most, false))));
}
