// Nodes, packages and cores with the ranks that made most of their calls there.
import { behind, html, tipped } from "./dom.js";
import { visible } from "./format.js";

const RANKS = 256; // shown at once
const ALIKE_LEAST = 4; // fewer nodes are all shown

function groups(rows, column) {
  const map = new Map();
  for (const row of rows) {
    if (!map.has(row[column])) map.set(row[column], []);
    map.get(row[column]).push(row);
  }
  return [...map].sort(([a], [b]) => (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b))));
}

function core([name, rows]) {
  const shared = rows.length > 1, moves = rows.reduce((total, row) => total + (row.moves ?? 0), 0);
  const title = name === null ? `processor ${rows[0].cpu ?? "?"}` : `core ${name}`;
  return tipped(html("div", { class: shared ? "core shared" : "core" }, html("small", {}, title), html("span", {}, rows.map((row) => `${row.rank}${row.moves ? "↔" : ""}`).join(" "))),
    [title, `${rows.length === 1 ? "rank" : "ranks"} ${rows.map((row) => row.rank).join(", ")}${shared ? ": they share it" : ""}`, moves ? `moved ${moves} times to another processor` : null]);
}

export function draw(host, data) {
  const nodes = groups(data.placement, "node");
  if (!nodes.length) {
    host.append(html("p", {}, "Not recorded."));
    return;
  }
  const show = ([node, rows]) => {
    const load = rows[0].load ?? 0;
    return html("div", { class: load > 1 ? "node crowded" : "node" },
      html("h3", {}, visible(node, 60), html("small", {}, ` ${rows.length} ${rows.length === 1 ? "rank" : "ranks"}`), load > 1 && html("strong", {}, ` oversubscribed ${load.toFixed(load % 1 ? 1 : 0)}×`)),
      ...groups(rows, "package").map(([name, list]) => html("div", { class: "package" }, html("small", {}, name === null ? "package not known" : `package ${name}`),
        html("div", { class: "cores" }, ...groups(list, list.some((row) => row.core !== null) ? "core" : "cpu").map(core)))),
      alike.has(node) && html("p", { class: "legend" }, `${alike.get(node).length} more like it: ${visible(alike.get(node).slice(0, 4).join(", "), 120)}${alike.get(node).length > 4 ? ", ..." : ""}`));
  };
  // Nodes of equal shape are shown once.
  const shapeOf = (rows) => JSON.stringify([rows[0].load, rows.map((row) => [row.package, row.core, row.cpu].join()).sort()]), first = new Map(), alike = new Map();
  for (const [node, rows] of nodes.length > ALIKE_LEAST ? nodes : []) {
    const shape = shapeOf(rows);
    if (first.has(shape)) alike.set(first.get(shape), [...(alike.get(first.get(shape)) ?? []), node]);
    else first.set(shape, node);
  }
  const others = new Set([...alike.values()].flat());
  nodes.splice(0, nodes.length, ...nodes.filter(([node]) => !others.has(node)));
  // Crowded nodes first, the others in their order.
  nodes.sort(([, a], [, b]) => (b[0].load > 1) - (a[0].load > 1));
  let ranks = 0;
  const count = Math.max(1, nodes.findIndex(([, rows]) => (ranks += rows.length) > RANKS));
  const begin = ranks > RANKS ? nodes.slice(0, count) : nodes, rest = nodes.slice(begin.length);
  const list = html("div", { class: "nodes" }, ...begin.map(show));
  if (rest.length) {
    const more = html("button", { type: "button", class: "more", onclick: () => more.replaceWith(...rest.map(show)) }, `${rest.length} more ${rest.length === 1 ? "node" : "nodes"}`);
    list.append(more);
  }
  host.append(list, html("p", { class: "legend" }, "A frame marks cores that several ranks share; ↔ a rank that was seen to move to another processor."),
    behind([["rank", (r) => r.rank], ["node", (r) => r.node, (v) => visible(v)], ["package", (r) => r.package], ["NUMA node", (r) => r.numa_node], ["core", (r) => r.core], ["processor", (r) => r.cpu],
      ["bound to", (r) => r.bound], ["moves", (r) => r.moves]], data.placement));
}
