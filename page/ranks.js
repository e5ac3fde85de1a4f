// A strip of all ranks: a bar is the share of the rank's time in MPI.
import { behind, drawing, hideTip, html, keyed, roomOf, showTip, svg, tipped } from "./dom.js";
import { nameOf } from "./data.js";
import { brief, duration, number, percent, visible } from "./format.js";

const HEIGHT = 200, LEFT = 48, TOP = 22, BOTTOM = 34;

const APART = 10, APART_MOST = 5;
const LINES_MOST = 32, LINE = 22, NAME = 110, VALUE = 64; // of a picture with a line for each rank

// Ranks whose share is far from the median, the farthest first: among a thousand bars nobody would see one.
export function apart(rows, least) {
  const sorted = rows.map((row) => row.share).sort((a, b) => a - b), median = sorted[sorted.length >> 1];
  const distance = (row) => Math.abs(row.share - median);
  return rows.filter((row) => distance(row) > least).sort((a, b) => distance(b) - distance(a));
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

// What a rank did outside MPI, as far as the kernel's samples tell: shares of its time. One part if nothing was recorded.
const PARTS = { core: "computing on a core", delay: "waiting for a core", off: "off the core", unseen: "outside MPI" };

export function outside(row) {
  const whole = Math.max(0, 100 - (row.mpi_percent ?? 0)), seen = row.core_seconds === null || !(row.outside_seconds > 0) ? 0 : Math.min(1, (row.seen_percent ?? 0) / 100);
  const part = (seconds) => (seen > 0 && seconds !== null ? (Math.min(seconds / row.outside_seconds, 1) * seen * whole) : 0);
  const core = part(row.core_seconds), delay = part(row.delay_seconds), off = part(row.off_seconds);
  return { core, delay, off, unseen: Math.max(0, whole - core - delay - off) };
}

// The parts of a rank's bar from the left or from below: [class of the part, its share].
function partsOf(key, row) {
  const before = key === null ? [["bar", row.share], ["bar faint", row.lifecycle_percent ?? 0]] : [["bar", row.share]];
  return [...before, ...(key === null ? Object.entries(outside(row)).map(([name, share]) => [`out-${name}`, share]) : [])];
}

function tipOf(data, key, row) {
  const ended = row.outcome !== "finalized";
  return [`rank ${row.rank} on ${visible(row.node)}: ${row.outcome}`,
    `${percent(row.share)} ${key === null ? "in MPI without Init and Finalize" : `on ${brief(nameOf(data, key), 50)}`}`,
    key === null ? `${percent(row.lifecycle_percent)} in Init and Finalize` : duration(row.spent),
    ...(key === null ? Object.entries(outside(row)).filter(([, share]) => share >= 0.05).map(([name, share]) => `${percent(share)} ${name === "unseen" && row.core_seconds !== null ? "outside MPI, not sampled" : PARTS[name]}`) : []),
    `${ended ? "last seen after" : "ran"} ${duration(row.seconds)}, ${number(row.calls)} calls`, ended && row.last_call ? `last call: ${row.last_call}` : null];
}

// A line for each rank: its time in MPI, in Init and Finalize, and outside.
function lines(data, key, rows, most, strange, width) {
  const picture = drawing(width, rows.length * LINE + 4, "Share of time in MPI by rank");
  picture.classList.add("fluid");
  const nodes = nodesOf(rows).length > 1, room = width - NAME - VALUE, wide = (share) => (room * Math.min(share, most)) / most;
  rows.forEach((row, i) => {
    const y = i * LINE + 4, ended = row.outcome !== "finalized", far = strange.includes(row);
    const name = `${nodes ? `${brief(row.node, 10)} ` : ""}rank ${row.rank}${ended ? ` ${row.outcome}` : ""}`;
    const line = svg("g", {}, svg("rect", { x: 0, y: i * LINE, width, height: LINE, class: "clear" }),
      svg("text", { x: NAME - 8, y: y + 12, class: ended ? "end alarm" : "end" }, far ? svg("tspan", { class: "strong" }, name) : name),
      svg("rect", { x: NAME, y, width: room, height: LINE - 6, class: "compute" }));
    let x = NAME;
    partsOf(key, row).forEach(([part, share], j) => {
      const width = Math.max(0, Math.min(wide(share), NAME + room - x));
      if (width <= 0 && j > 0) return;
      line.append(svg("rect", { x, y, width, height: LINE - 6, class: j === 0 && far ? "bar second" : part, data: { rank: row.rank, share } }));
      if (j > 0 && width > 46 && part !== "out-unseen") line.append(svg("text", { x: x + width / 2, y: y + 12, class: "middle small" }, percent(share)));
      x += width;
    });
    line.append(svg("text", { x: width - 4, y: y + 12, class: "end" }, percent(row.share)));
    picture.append(tipped(line, tipOf(data, key, row)));
  });
  return picture;
}

// A strip of many ranks: a bar for each. All bars of a kind are one path, so that thousands of ranks are drawn at once.
function strip(data, key, rows, most, strange, width) {
  const room = width - LEFT - 10, tall = HEIGHT - TOP - BOTTOM, wide = room / rows.length;
  const y = (share) => TOP + tall * (1 - share / most);
  const picture = drawing(width, HEIGHT, "Share of time in MPI by rank");
  picture.classList.add("fluid");
  if (wide < 6) picture.setAttribute("shape-rendering", "crispEdges");
  for (const part of [0, 0.5, 1]) {
    picture.append(svg("line", { x1: LEFT, x2: width - 10, y1: y(part * most), y2: y(part * most), class: "grid" }),
      svg("text", { x: LEFT - 6, y: y(part * most) + 4, class: "end" }, `${(part * most).toPrecision(key === null ? 3 : 2).replace(/\.0+$/, "")} %`));
  }
  nodesOf(rows).forEach((node, i) => {
    const x = LEFT + node.from * wide, span = (node.to - node.from) * wide;
    if (i % 2) picture.append(svg("rect", { x, y: TOP, width: span, height: tall, class: "band" }));
    const name = visible(node.node, 60), short = name.length * 8 + 6 <= span ? name : /\d+$/.exec(name)?.[0] ?? "";
    if (short && short.length * 7 + 8 <= span) picture.append(svg("text", { x: x + span / 2, y: HEIGHT - 2, class: "middle quiet" }, short));
  });
  const gap = wide > 4 ? Math.min(3, wide * 0.15) : 0, paths = new Map();
  const at = (i) => LEFT + i * wide;
  rows.forEach((row, i) => {
    let from = 0;
    for (const [part, share] of partsOf(key, row)) {
      const until = Math.min(from + share, most), high = y(from) - y(until);
      if (high > 0.05) paths.set(part, `${paths.get(part) ?? ""}M${at(i).toFixed(2)} ${y(until).toFixed(2)}h${Math.max(wide - gap, 0.4).toFixed(2)}v${high.toFixed(2)}h${(-Math.max(wide - gap, 0.4)).toFixed(2)}z`);
      from = until;
    }
    if (row.outcome !== "finalized") picture.append(svg("path", { d: `M${at(i) + wide / 2 - 5} ${TOP - 12}h10l-5 9z`, class: "bar alarm" }));
  });
  for (const [part, d] of paths) picture.append(svg("path", { d, class: part }));
  for (const row of [...strange].reverse()) { // the text of the first one stands above all marks
    const i = rows.indexOf(row), x = LEFT + (i + 0.5) * wide, right = x > width - 160;
    if (wide < 3) picture.append(svg("rect", { x: x - 1.5, y: y(row.share), width: 3, height: (tall * row.share) / most, class: "bar second" }));
    picture.append(svg("path", { d: `M${x - 5} ${TOP - 11}h10l-5 9z`, class: "bar second" }));
    if (row === strange[0]) picture.append(svg("text", { x: right ? x - 9 : x + 9, y: TOP - 3, class: right ? "over end" : "over" }, `rank ${row.rank}: ${percent(row.share)}`));
  }
  const every = Math.max(1, 2 ** Math.ceil(Math.log2((rows.length * 50) / room)));
  rows.forEach((row, i) => {
    if (i % every === 0) picture.append(svg("text", { x: LEFT + (i + 0.5) * wide, y: HEIGHT - BOTTOM + 16, class: "middle" }, row.rank));
  });
  picture.addEventListener("pointermove", (event) => {
    const box = picture.getBoundingClientRect(), row = rows[Math.floor((((event.clientX - box.left) / box.width) * width - LEFT) / wide)];
    if (row) showTip(event, tipOf(data, key, row));
    else hideTip();
  });
  picture.addEventListener("pointerleave", hideTip);
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
  const far = rows.length > 2 ? apart(rows, key === null ? APART : most / 4) : [], strange = far.slice(0, APART_MOST);
  const picture = rows.length <= LINES_MOST ? lines(data, key, rows, most, strange, roomOf(host)) : strip(data, key, rows, most, strange, roomOf(host));
  const unfinished = rows.filter((row) => row.outcome !== "finalized").length;
  const least = rows.reduce((a, b) => (b.share < a.share ? b : a)), greatest = rows.reduce((a, b) => (b.share > a.share ? b : a));
  const divided = key === null ? Object.keys(PARTS).filter((part) => rows.some((row) => outside(row)[part] >= 0.05)) : [], sampled = divided.some((part) => part !== "unseen");
  host.append(picture, html("p", { class: "legend" },
    ...keyed("", key === null ? "in MPI" : "on this communicator"), ...(key === null ? keyed("faint", "in MPI_Init and MPI_Finalize") : rows.length <= LINES_MOST ? keyed("compute", "other time") : []),
    ...divided.flatMap((part) => keyed(part === "unseen" ? "compute" : `out-${part}`, part === "unseen" && sampled ? "outside MPI, not sampled" : PARTS[part])),
    ...(strange.length ? keyed("second", far.length > strange.length ? `in MPI: the ${strange.length} farthest of the ${number(far.length)} ranks that are far from the median` : "in MPI, far from the median") : []), sampled && " — computing, waiting for a core and off the core are outside MPI. ",
    unfinished ? ` ${unfinished} of ${rows.length} did not finalize: their time until they were last seen. ` : null,
    ` Share in MPI: least ${percent(least.share)} (rank ${least.rank}), most ${percent(greatest.share)} (rank ${greatest.rank})`),
  html("p", { class: "legend", id: "cost" }, cost(data.ranks)),
  behind([["rank", (r) => r.rank], ["node", (r) => r.node, visible], ["ended", (r) => r.outcome], ["time", (r) => r.seconds, duration],
    ["share %", (r) => r.share, (v) => v.toFixed(1)], ...(sampled ? ["core", "delay", "off"].map((part) => [`${PARTS[part]} %`, (r) => outside(r)[part], (v) => v.toFixed(1)]) : []), ["calls", (r) => r.calls, number], ["lost", (r) => r.lost, number], ["write s", (r) => r.convert_seconds, (v) => (v === null ? "" : v.toFixed(4))], ["last call", (r) => r.last_call]], rows));
}
