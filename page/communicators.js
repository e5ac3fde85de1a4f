// The lineage of communicators as an icicle, and as a list that can be clicked.
import { behind, breakable, choice, drawing, ending, html, roomOf, svg, tipped } from "./dom.js";
import { sum } from "./data.js";
import { bytes, duration, number, percent, visible } from "./format.js";

const LEVEL = 30, BOXES_LEAST = 8; // fewer communicators are a list alone
const MEASURES = { seconds: "Time", calls: "Calls", sent_bytes: "Bytes", objects: "Objects" };
const TEXT = { seconds: duration, calls: number, sent_bytes: bytes, objects: number };
let measure = "seconds";

export function forest(rows, column) {
  const nodes = new Map(rows.map((row) => [row.key, { row, children: [], own: row[column] ?? 0 }]));
  const roots = [];
  for (const node of nodes.values()) {
    const parent = node.row.parent === node.row.key ? null : nodes.get(node.row.parent);
    (parent ? parent.children : roots).push(node);
  }
  const weigh = (node) => (node.value = node.own + node.children.reduce((total, child) => total + weigh(child), 0));
  roots.forEach(weigh);
  const sort = (list) => {
    list.sort((a, b) => b.value - a.value || a.row.key - b.row.key);
    list.forEach((node) => sort(node.children));
  };
  sort(roots);
  return roots;
}

function describe(row) {
  return [visible(row.name), row.size === null ? null : `${row.size} ${row.size === 1 ? "process" : "processes"}${row.communicators > 1 ? `, ${row.communicators} such ${row.kind}s` : ""}`,
    row.created_by ? `${row.created_by}${row.location ? ` at ${visible(row.location)}` : ""}` : null,
    `${duration(row.seconds)} (${percent(row.percent)}), ${number(row.calls)} calls, ${bytes(row.sent_bytes)} sent`,
    row.freed < row.objects && !row.predefined ? `${row.objects - row.freed} of ${row.objects} objects not freed` : null];
}

function icicle(data, view, WIDTH) {
  const roots = forest(data.communicators, measure).filter((node) => node.value > 0);
  const whole = roots.reduce((total, node) => total + node.value, 0) || 1;
  const boxes = svg("g");
  let depth = 0;
  const place = (node, x, width, level) => {
    depth = Math.max(depth, level + 1);
    const { row } = node;
    const box = svg("g", { class: row.key === view.key ? "box chosen" : "box", tabindex: width > 2 ? 0 : null, role: "button", "aria-label": visible(row.name),
      onclick: () => view.choose(row.key), onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); view.choose(row.key); } } },
    svg("rect", { x, y: level * LEVEL, width: Math.max(width - 1, 0.6), height: LEVEL - 2, rx: 2, class: `level-${level % 3}`, data: { key: row.key } }));
    if (width > 40) box.append(...ending(visible(row.name), 7.4, x + 6, level * LEVEL + 19, width - 10));
    boxes.append(tipped(box, describe(row)));
    let at = x;
    for (const child of node.children) {
      const wide = (child.value / (node.value || 1)) * width;
      if (wide > 0.05) place(child, at, wide, level + 1);
      at += wide;
    }
  };
  let at = 0;
  for (const root of roots) {
    const width = (root.value / whole) * WIDTH;
    if (width > 0.05) place(root, at, width, 0);
    at += width;
  }
  const picture = drawing(WIDTH, Math.max(depth, 1) * LEVEL, `Communicators by ${MEASURES[measure]}`, boxes);
  picture.classList.add("icicle", "fluid");
  picture.setAttribute("role", "group"); // its boxes are buttons
  return picture;
}

export function draw(host, data, view) {
  const boxes = data.communicators.filter((row) => row[measure] > 0).length >= BOXES_LEAST;
  host.append(html("p", { class: "legend" }, boxes && "The wider a box, the larger its share, with all that was created from it. ", html("span", { class: "screen" }, "Click a communicator to see the rest of the page for it alone.")), choice("Measure", MEASURES, measure, (value) => { measure = value; view.redraw("communicators"); }), boxes ? icicle(data, view, roomOf(host)) : "", list(data, view),
    behind([["name", (r) => r.name, (v) => visible(v)], ["size", (r) => r.size], ["count", (r) => r.communicators], ["created by", (r) => r.created_by], ["where", (r) => r.location, (v) => visible(v)],
      ["calls", (r) => r.calls, number], ["time", (r) => r.seconds, duration], ["%", (r) => r.percent, (v) => v.toFixed(1)], ["sent", (r) => r.sent_bytes, bytes], ["received", (r) => r.received_bytes, bytes],
      ["objects", (r) => r.objects], ["freed", (r) => r.freed]], data.communicators));
}

const LINES_MOST = 14;

// A name that begins with the name of the line above: a narrow page leaves this beginning out.
function named(name, above) {
  const start = above && visible(above, 120).replace(/ and \d+ more$/, ""), whole = visible(name, 120);
  if (!start || !whole.startsWith(`${start}.`)) return breakable(whole);
  return [html("span", { class: "start" }, ...breakable(start)), ...breakable(whole.slice(start.length))];
}

// The tree line by line: names stay readable where boxes are too narrow.
function list(data, view) {
  const lines = [];
  const walk = (node, level, above) => {
    if (!node.value && node.row.key !== view.key) return; // nor what was created from it
    lines.push({ row: node.row, level, value: node.value, above });
    node.children.forEach((child) => walk(child, level + 1, node.row.name));
  };
  forest(data.communicators, measure).forEach((root) => walk(root, 0));
  const most = Math.max(...data.communicators.map((row) => row[measure] ?? 0)) || 1;
  const total = sum(data.communicators, measure) || 1;
  const line = ({ row, level, value, above }) => {
    const bar = html("span", { class: "meter" }, html("span"));
    bar.firstChild.style.width = `${((row[measure] ?? 0) / most) * 100}%`;
    const button = html("button", { type: "button", class: "line", "aria-pressed": row.key === view.key ? "true" : "false", title: row.created_by ?? "", data: { key: row.key }, onclick: () => view.choose(row.key) },
      html("span", { class: "name" }, ...named(row.name, above)), html("span", { class: "quiet" }, row.size === null ? "" : `${row.size} ${row.size === 1 ? "process" : "processes"}`),
      bar, html("span", { class: "number" }, TEXT[measure](row[measure])), html("span", { class: "number quiet" }, percent(((row[measure] ?? 0) / total) * 100)),
      html("span", { class: "number quiet", data: { inclusive: value } }, value > (row[measure] ?? 0) ? TEXT[measure](value) : ""));
    button.firstChild.style.paddingLeft = `${Math.min(level, 8) * 1.1}em`;
    return html("li", {}, button);
  };
  const shown = lines.slice(0, LINES_MOST), rest = lines.slice(LINES_MOST);
  const head = html("li", { class: "line head" }, ...["", "", "", `${MEASURES[measure]} on it`, "", "with children"].map((title) => html("span", { class: "number quiet" }, title)));
  const all = html("ul", { class: "tree" }, head, ...shown.map(line));
  if (rest.length) {
    const more = html("button", { type: "button", class: "more", onclick: () => { more.parentElement.replaceWith(...rest.map(line)); } }, `${rest.length} more`);
    all.append(html("li", {}, more));
  }
  return all;
}
