// A histogram for each kind of transfer: one pair of bars for each power of two.
import { behind, drawing, html, keyed, roomOf, svg, tipped } from "./dom.js";
import { chosen, groupBy, sum } from "./data.js";
import { bytes, number, percent } from "./format.js";

const APART = 46, GAP = 16, HEIGHT = 190, LEFT = 40, TOP = 10, BOTTOM = 40;
const COUNTED = { "point-to-point": "messages", persistent: "messages", collective: "calls", "one-sided": "transfers", file: "transfers" }, KINDS = Object.keys(COUNTED);

function histogram(kind, rows, WIDTH) {
  const classes = Math.max(...rows.map((row) => row.size_class)) + 1, first = Math.min(...rows.map((row) => row.size_class));
  const messages = sum(rows, "messages") || 1, data = sum(rows, "bytes") || 1;
  const wide = (WIDTH - LEFT - 6) / Math.max(classes - first, 4), tall = HEIGHT - TOP - BOTTOM;
  const picture = drawing(WIDTH, HEIGHT, `Sizes, ${kind}`);
  for (const part of [0, 0.5, 1])
    picture.append(svg("line", { x1: LEFT, x2: WIDTH - 6, y1: TOP + tall * (1 - part), y2: TOP + tall * (1 - part), class: "grid" }),
      svg("text", { x: LEFT - 5, y: TOP + tall * (1 - part) + 4, class: "end small" }, `${part * 100} %`));
  for (const row of rows) {
    const x = LEFT + (row.size_class - first) * wide;
    const bar = (share, offset, name) => svg("rect", { x: x + wide * offset, y: TOP + tall * (1 - share), width: wide * 0.4, height: Math.max(tall * share, share > 0 ? 1 : 0), class: name });
    picture.append(tipped(svg("g", {}, svg("rect", { x, y: TOP, width: wide, height: tall, class: "clear" }), bar(row.messages / messages, 0.08, "bar"), bar(row.bytes / data, 0.5, "bar second")),
      [row.size_class === 0 ? "no data" : `${bytes(row.least_bytes)} to ${bytes(row.most_bytes)}`, `${number(row.messages)} messages or calls (${percent((row.messages * 100) / messages)})`,
        `${bytes(row.bytes)} (${percent((row.bytes * 100) / data)})`]));
  }
  const every = Math.max(1, Math.ceil(APART / wide));
  for (let i = first, last = 0; i < classes; i++) {
    const text = i === 0 ? "0" : bytes(2 ** (i - 1)).replace(/\.0+ /, " "), x = Math.min(LEFT + (i - first + 0.5) * wide, WIDTH - text.length * 3.2);
    if ((i - first) % every || (last && x - last < APART)) continue;
    picture.append(svg("text", { x, y: HEIGHT - BOTTOM + 16, class: "middle small" }, text));
    last = x;
  }
  return html("figure", {}, html("figcaption", {}, `${kind}: ${number(sum(rows, "messages"))} ${COUNTED[kind]}, ${bytes(sum(rows, "bytes"))}`), picture);
}

export function draw(host, data, { key }) {
  const rows = groupBy(chosen(data.sizes, key), ["kind", "size_class", "least_bytes", "most_bytes"], ["messages", "bytes"]);
  rows.sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || a.size_class - b.size_class);
  if (!rows.length) {
    host.append(html("p", {}, "No message, collective call or transfer was recorded."));
    return;
  }
  const room = roomOf(host), width = window.matchMedia("(max-width: 760px)").matches ? room : (room - GAP) / 2; // as .multiples in page.css
  const kinds = KINDS.map((kind) => [kind, rows.filter((row) => row.kind === kind)]).filter(([, list]) => list.length);
  host.append(html("div", { class: "multiples" }, ...kinds.map(([kind, list]) => histogram(kind, list, width))),
    html("p", { class: "legend" }, ...keyed("", "share of messages or calls"), ...keyed("second", "share of bytes")),
    behind([["kind", (r) => r.kind], ["from", (r) => r.least_bytes, bytes], ["to", (r) => r.most_bytes, bytes], ["messages", (r) => r.messages, number], ["bytes", (r) => r.bytes, bytes]], rows));
}
