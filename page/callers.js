// A flame graph, root at the top: functions of the program by the MPI time below them. A click shows a function alone, the search marks names.
import { behind, drawing, ending, html, roomOf, svg, tipped } from "./dom.js";
import { sum } from "./data.js";
import { duration, number, percent, visible } from "./format.js";

const LINE = 22, LETTER = 7, THIN = 0.5;
const OPEN = 10, LINES = 400; // percent of the time from which on lines are open at first; lines of the table
const FEW = 5, SMALL = 0.5; // of the children of a line the first ones are shown, and those with this percentage of the time
let shown = [], sought = "", opened = null; // names of the functions down to the one that is shown alone; what is searched

function treeOf(rows) {
  const root = { name: "all", seconds: 0, calls: 0, children: new Map() };
  for (const row of rows) {
    let node = root;
    for (const name of [null, ...row.path.split(";")]) {
      if (name !== null) {
        if (!node.children.has(name)) node.children.set(name, { name, seconds: 0, calls: 0, children: new Map() });
        node = node.children.get(name);
      }
      node.seconds += row.seconds;
      node.calls += row.calls;
    }
    node.row = row;
  }
  return root;
}

// The time below functions whose name has the text, each counted once.
export function timeOf(node, text) {
  return node.name.toLowerCase().includes(text) ? node.seconds : [...node.children.values()].reduce((total, child) => total + timeOf(child, text), 0);
}

// One line for the children that are not shown.
function restOf(nodes, level, open, whole) {
  const seconds = sum(nodes, "seconds"), cell = html("span", { class: "name" }, html("button", { type: "button", class: "plain", onclick: open }, `${number(nodes.length)} more`));
  cell.style.paddingLeft = `${Math.min(level, 12) * 1.1}em`;
  return html("tr", { class: "rest" }, html("td", {}, cell), html("td", { class: "number" }, duration(seconds)), html("td", { class: "number" }, percent((seconds * 100) / whole)), html("td", { class: "number" }, number(sum(nodes, "calls"))), html("td"), html("td"), html("td"));
}

// The call tree as a table whose lines open: for an MPI function also the ranks with the least and the most time.
function treeTable(root) {
  const whole = root.seconds || 1, host = html("div", { class: "table" });
  if (!opened) {
    opened = new Set([""]);
    const open = (node, path) => {
      if ((node.seconds * 100) / whole < OPEN) return;
      opened.add(path);
      for (const child of node.children.values()) open(child, `${path};${child.name}`);
    };
    open(root, "");
  }
  const lines = [];
  const walk = (node, path, level) => {
    const many = node.children.size > 0, isOpen = opened.has(path), { row } = node;
    const toggle = () => { if (isOpen) opened.delete(path); else opened.add(path); host.replaceWith(treeTable(root)); };
    const name = visible(node.name, 120), label = html("span", { class: "name" }, many ? html("button", { type: "button", class: "plain", "aria-expanded": isOpen ? "true" : "false", onclick: toggle }, `${isOpen ? "▾" : "▸"} ${name}`) : name);
    label.style.paddingLeft = `${Math.min(level, 12) * 1.1 + (many ? 0 : 1.1)}em`;
    lines.push(html("tr", {}, html("td", {}, label), html("td", { class: "number", data: { value: node.seconds } }, duration(node.seconds)), html("td", { class: "number" }, percent((node.seconds * 100) / whole)), html("td", { class: "number" }, number(node.calls)),
      html("td", { class: "number" }, many ? "" : number(row?.ranks)), html("td", { class: "number" }, many || row?.least_rank == null ? "" : `${duration(row.least_seconds)} (${row.least_rank})`),
      html("td", { class: "number" }, many || row?.most_rank == null ? "" : `${duration(row.most_seconds)} (${row.most_rank})`)));
    if (!isOpen) return;
    const children = [...node.children.values()].sort((a, b) => b.seconds - a.seconds), all = `${path};*`;
    const count = opened.has(all) ? children.length : children.filter((child, i) => i < FEW || (child.seconds * 100) / whole >= SMALL).length, rest = children.slice(count);
    for (const child of children.slice(0, count)) if (lines.length < LINES) walk(child, `${path};${child.name}`, level + 1);
    if (rest.length) lines.push(restOf(rest, level + 1, () => { opened.add(all); host.replaceWith(treeTable(root)); }, whole));
  };
  walk(root, "", 0);
  const heads = ["function", "MPI time below", "%", "MPI calls", "ranks", "least (rank)", "most (rank)"];
  host.append(html("table", { class: "calltree" }, html("thead", {}, html("tr", {}, ...heads.map((title, i) => html("th", { scope: "col", class: i ? "number" : null }, title)))), html("tbody", {}, ...lines)));
  return host;
}

export function draw(host, data, { redraw }) {
  const rows = data.callers, root = treeOf(rows);
  if (!rows.length) {
    host.append(html("p", {}, "No MPI call was recorded."));
    return;
  }
  // The way down to the function that is shown alone; those above it fill the width.
  const way = [root];
  for (const name of shown) if (way.at(-1).children.has(name)) way.push(way.at(-1).children.get(name));
  shown = way.slice(1).map((node) => node.name);
  const width = roomOf(host), boxes = [], whole = root.seconds || 1;
  let depth = 0;
  const place = (node, x, wide, level, path) => {
    depth = Math.max(depth, level + 1);
    const found = sought && node.name.toLowerCase().includes(sought), name = visible(node.name, 200), above = level < way.length - 1;
    const again = () => { shown = level === 0 ? [] : path; redraw("callers"); };
    const box = svg("g", { class: `box${found ? " chosen" : ""}${above ? " above" : ""}`, tabindex: 0, role: "button", "aria-label": `${name}: ${duration(node.seconds)}`, onclick: again,
      onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); again(); } } },
    svg("rect", { x, y: level * LINE, width: Math.max(wide - 1, 0.4), height: LINE - 1, rx: 2, class: `level-${level % 3}` }));
    if (wide > 4 * LETTER) box.append(...ending(name, LETTER, x + 4, level * LINE + 15, wide - 6));
    boxes.push(tipped(box, [name, `${duration(node.seconds)}, ${percent((node.seconds * 100) / whole)} of MPI time`, `${number(node.calls)} MPI calls`]));
    if (above) return place(way[level + 1], 0, width, level + 1, [...path, way[level + 1].name]);
    let at = x;
    for (const child of [...node.children.values()].sort((a, b) => b.seconds - a.seconds)) {
      const part = (child.seconds / (node.seconds || 1)) * wide;
      if (part > THIN) place(child, at, part, level + 1, [...path, child.name]);
      at += part;
    }
  };
  place(root, 0, width, 0, []);
  const picture = drawing(width, depth * LINE, "MPI time by caller", ...boxes);
  picture.classList.add("icicle", "fluid");
  picture.setAttribute("role", "group"); // its boxes are buttons
  const answer = html("span", { class: "quiet", role: "status" }, sought ? ` ${percent((timeOf(root, sought) * 100) / whole)} of MPI time` : "");
  const search = html("input", { type: "search", value: sought, placeholder: "Search functions", "aria-label": "Search functions", onchange: () => { sought = search.value.trim().toLowerCase(); redraw("callers"); } });
  const flat = rows.every((row) => row.path.split(";").length < 3);
  host.append(html("div", { class: "tools" }, search, answer, way.length > 1 && html("button", { type: "button", class: "button", onclick: () => { shown = []; redraw("callers"); } }, "Show all")), picture,
    html("p", { class: "legend" }, "The wider a box, the more MPI time is below it. ", html("span", { class: "screen" }, "Click a function to see it alone."), flat && " Only the innermost caller is known: callsign run --stacks calls records them all.",
      rows[0].paths > rows.length && ` The page has the ${number(rows.length)} of ${number(rows[0].paths)} paths with the most time.`),
    treeTable(root),
    behind([["path", (r) => r.path, (v) => visible(v.replaceAll(";", " > "), 400)], ["calls", (r) => r.calls, number], ["time", (r) => r.seconds, duration], ["%", (r) => (r.seconds * 100) / (sum(rows, "seconds") || 1), (v) => v.toFixed(1)]], rows));
}
