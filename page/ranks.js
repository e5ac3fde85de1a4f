// A strip of all ranks: a bar is the share of the rank's time in MPI.
import { behind, drawing, html, roomOf, svg, tipped } from "./dom.js";
import { nameOf } from "./data.js";
import { brief, duration, number, percent, visible } from "./format.js";

const WIDTH = 1100, HEIGHT = 200, LEFT = 48, TOP = 22, BOTTOM = 34;

const APART = 10, APART_MOST = 5;
const LINES_MOST = 32, LINE = 22, NAME = 110, VALUE = 64; // of a picture with a line for each rank

// Ranks whose share is far from the median, the farthest first: among a thousand bars nobody would see one.
export function apart(rows, least) {
  const sorted = rows.map((row) => row.share).sort((a, b) => a - b), median = sorted[sorted.length >> 1];
  const distance = (row) => Math.abs(row.share - median);
  return rows.filter((row) => distance(row) > least).sort((a, b) => distance(b) - distance(a)).slice(0, APART_MOST);
}

// Neighbours on one node: [{node, from, to}].
function nodesOf(rows) {
  const nodes = [];
  rows.forEach((row, i) => {
    const last = nodes.at(-1);
    if (last && last.node === row.node) last.to = i + 1;
    else nodes.push({ node: row.node, from: i, to: i + 1 });
  });
  return nodes;
}

// What recording took, as far as the traces say.
function cost(rows) {
  const calls = rows.reduce((total, row) => total + row.calls, 0), lost = rows.reduce((total, row) => total + row.lost, 0);
  const longest = rows.reduce((a, b) => ((b.convert_seconds ?? -1) > (a.convert_seconds ?? -1) ? b : a));
  return `Recorded: ${number(calls)} calls, ${lost ? `${number(lost)} calls and facts lost` : "none lost"}. ${longest.convert_seconds === null
    ? "The traces were written after the run." : `MPI_Finalize took up to ${duration(longest.convert_seconds)} longer to write a trace (rank ${longest.rank}).`}`;
}

function tipOf(data, key, row) {
  const ended = row.outcome !== "finalized";
  return [`rank ${row.rank} on ${visible(row.node)}: ${row.outcome}`,
    `${percent(row.share)} ${key === null ? "in MPI without Init and Finalize" : `on ${brief(nameOf(data, key), 50)}`}`,
    key === null ? `${percent(row.lifecycle_percent)} in Init and Finalize` : duration(row.spent),
    `ran ${duration(row.seconds)}, ${number(row.calls)} calls`, ended && row.last_call ? `last call: ${row.last_call}` : null];
}

// A line for each rank: its time in MPI, in Init and Finalize, and outside.
function lines(data, key, rows, most, strange, width) {
  const picture = drawing(width, rows.length * LINE + 4, "Share of time in MPI by rank");
  picture.classList.add("fluid");
  const nodes = nodesOf(rows).length > 1, room = width - NAME - VALUE, x = (share) => NAME + (room * Math.min(share, most)) / most;
  rows.forEach((row, i) => {
    const y = i * LINE + 4, ended = row.outcome !== "finalized", far = strange.includes(row), lifecycle = key === null ? row.lifecycle_percent ?? 0 : 0;
    const name = `${ended ? `${row.outcome} ` : ""}${nodes ? `${brief(row.node, 10)} ` : ""}rank ${row.rank}`;
    const line = svg("g", {}, svg("rect", { x: 0, y: i * LINE, width, height: LINE, class: "clear" }),
      svg("text", { x: NAME - 8, y: y + 12, class: "end" }, far ? svg("tspan", { class: "strong" }, name) : name),
      svg("rect", { x: NAME, y, width: room, height: LINE - 6, class: "compute" }),
      svg("rect", { x: NAME, y, width: x(row.share) - NAME, height: LINE - 6, class: ended ? "bar alarm" : far ? "bar second" : "bar", data: { rank: row.rank } }),
      lifecycle > 0 && svg("rect", { x: x(row.share), y, width: Math.max(x(row.share + lifecycle) - x(row.share), 0), height: LINE - 6, class: "bar faint" }),
      svg("text", { x: width - 4, y: y + 12, class: "end" }, percent(row.share)));
    picture.append(tipped(line, tipOf(data, key, row)));
  });
  return picture;
}

// A strip of many ranks: a bar for each.
function strip(data, key, rows, most, strange) {
  const room = WIDTH - LEFT - 10, tall = HEIGHT - TOP - BOTTOM, wide = room / rows.length;
  const y = (share) => TOP + tall * (1 - share / most);
  const picture = drawing(WIDTH, HEIGHT, "Share of time in MPI by rank");
  if (wide < 6) picture.setAttribute("shape-rendering", "crispEdges");
  for (const part of [0, 0.5, 1]) {
    picture.append(svg("line", { x1: LEFT, x2: WIDTH - 10, y1: y(part * most), y2: y(part * most), class: "grid" }),
      svg("text", { x: LEFT - 6, y: y(part * most) + 4, class: "end" }, `${(part * most).toPrecision(key === null ? 3 : 2).replace(/\.0+$/, "")} %`));
  }
  nodesOf(rows).forEach((node, i) => {
    const x = LEFT + node.from * wide, width = (node.to - node.from) * wide;
    if (i % 2) picture.append(svg("rect", { x, y: TOP, width, height: tall, class: "band" }));
    const name = visible(node.node, 60), short = name.length * 8 + 6 <= width ? name : /\d+$/.exec(name)?.[0] ?? "";
    if (short && short.length * 7 <= width) picture.append(svg("text", { x: x + width / 2, y: HEIGHT - 2, class: "middle quiet" }, short));
  });
  const gap = wide > 4 ? Math.min(3, wide * 0.15) : 0;
  for (const [i, row] of rows.entries()) {
    const x = LEFT + i * wide, width = Math.max(wide - gap, 0.4);
    const ended = row.outcome !== "finalized";
    const bar = svg("g", {}, svg("rect", { x, y: TOP, width: wide, height: tall, class: "clear" }));
    if (key === null && row.lifecycle_percent > 0)
      bar.append(svg("rect", { x, y: y(Math.min(100, row.share + row.lifecycle_percent)), width, height: (tall * Math.min(row.lifecycle_percent, 100 - row.share)) / most, class: "bar faint" }));
    bar.append(svg("rect", { x, y: y(row.share), width, height: (tall * row.share) / most, class: ended ? "bar alarm" : "bar", data: { rank: row.rank } }));
    if (ended) bar.append(svg("path", { d: `M${x + wide / 2 - 5} ${TOP - 12}h10l-5 9z`, class: "bar alarm" }));
    picture.append(tipped(bar, tipOf(data, key, row)));
  }
  for (const row of strange) {
    const i = rows.indexOf(row), x = LEFT + (i + 0.5) * wide, right = x > WIDTH - 160;
    if (wide < 3) picture.append(svg("rect", { x: x - 1.5, y: y(row.share), width: 3, height: (tall * row.share) / most, class: "bar second" }));
    picture.append(svg("path", { d: `M${x - 5} ${TOP - 11}h10l-5 9z`, class: "bar second" }));
    if (row === strange[0]) picture.append(svg("text", { x: right ? x - 9 : x + 9, y: TOP - 3, class: right ? "end" : null }, `rank ${row.rank}: ${percent(row.share)}`));
  }
  const every = Math.max(1, 2 ** Math.ceil(Math.log2(rows.length / 16)));
  rows.forEach((row, i) => {
    if (i % every === 0) picture.append(svg("text", { x: LEFT + (i + 0.5) * wide, y: HEIGHT - BOTTOM + 16, class: "middle" }, row.rank));
  });
  return picture;
}

export function draw(host, data, { key }) {
  const spent = new Map();
  if (key !== null) for (const row of data.rank_times) if (row.key === key) spent.set(row.rank, row.seconds);
  const rows = data.ranks.map((row) => {
    const share = key === null ? row.other_percent : ((spent.get(row.rank) ?? 0) * 100) / row.seconds;
    return { ...row, share: Number.isFinite(share) ? share : 0, spent: key === null ? null : spent.get(row.rank) ?? 0 };
  });
  if (!rows.length) return;
  const most = key === null ? 100 : Math.max(1e-9, ...rows.map((row) => row.share));
  const strange = rows.length > 2 ? apart(rows, key === null ? APART : most / 4) : [];
  const picture = rows.length <= LINES_MOST ? lines(data, key, rows, most, strange, roomOf(host)) : strip(data, key, rows, most, strange);
  const unfinished = rows.filter((row) => row.outcome !== "finalized").length;
  const least = rows.reduce((a, b) => (b.share < a.share ? b : a)), greatest = rows.reduce((a, b) => (b.share > a.share ? b : a));
  host.append(picture, html("p", { class: "legend" },
    html("span", { class: "key" }), key === null ? " in MPI " : " on this communicator ",
    key === null && html("span", { class: "key faint" }), key === null && " in MPI_Init and MPI_Finalize ", rows.length <= LINES_MOST && html("span", { class: "key compute" }), rows.length <= LINES_MOST && (key === null ? " outside MPI " : " other time "),
    strange.length ? html("span", { class: "key second" }) : null, strange.length ? " far from the median " : null,
    unfinished ? html("span", { class: "key alarm" }) : null, unfinished ? ` did not finalize: ${unfinished} of ${rows.length} ` : null,
    ` — least ${percent(least.share)} (rank ${least.rank}), most ${percent(greatest.share)} (rank ${greatest.rank})`),
  html("p", { class: "legend", id: "cost" }, cost(data.ranks)),
  behind([["rank", (r) => r.rank], ["node", (r) => r.node, visible], ["ended", (r) => r.outcome], ["time", (r) => r.seconds, duration],
    ["share %", (r) => r.share, (v) => v.toFixed(1)], ["calls", (r) => r.calls, number], ["lost", (r) => r.lost, number], ["write s", (r) => r.convert_seconds, (v) => (v === null ? "" : v.toFixed(4))], ["last call", (r) => r.last_call]], rows));
}
