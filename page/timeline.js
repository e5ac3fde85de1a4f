// What each rank did when: a lane for each rank, with waits, messages and the critical path.
import { behind, choice, drawing, hideTip, html, roomOf, showTip, svg } from "./dom.js";
import { nameOf } from "./data.js";
import { bytes, duration, number, visible } from "./format.js";

const LEFT = 74, TOP = 22, COLORS = 7, MESSAGES_MOST = 200, PARTS_MOST = 150, TALL = 260;
const BY = { class: "Kind", function: "Function", communicator: "Communicator" };
// Kinds of functions with a colour of their own, which is the same in every run.
const CLASSES = ["collective", "point-to-point", "completion", "one-sided", "io", "communicator", "lifecycle"];
const EDGES = 0.15; // more of the time before and after the program's own calls is not shown at first
let by = "class", shown = null, begun = false; // the time that is shown, in seconds; null: all

// Few lanes fill the height that there is.
function laneHeight(lanes) {
  return Math.max(12, Math.min(40, Math.floor(TALL / lanes)));
}

// Kinds have their own colours; of others, the names that take most time.
function colorsOf(rows, label) {
  const spent = new Map();
  for (const row of rows) spent.set(label(row), (spent.get(label(row)) ?? 0) + row.inside_seconds);
  const found = [...spent].sort((a, b) => b[1] - a[1]).map(([name]) => name), names = by === "class" ? CLASSES : found;
  const of = new Map(found.map((name) => [name, names.includes(name) ? Math.min(names.indexOf(name), COLORS) : COLORS]));
  return { names: names.slice(0, COLORS).filter((name) => of.has(name)), of, more: found.some((name) => of.get(name) === COLORS) };
}

function ticks(from, until) {
  const step = 10 ** Math.floor(Math.log10((until - from) / 4)), every = [1, 2, 5, 10].map((n) => n * step).find((n) => (until - from) / n <= 8);
  const found = [];
  for (let at = Math.ceil(from / every) * every; at <= until; at += every) found.push(at);
  return { at: found, digits: Math.max(0, -Math.floor(Math.log10(every) + 1e-9)) };
}

// At first MPI_Init and MPI_Finalize are out of view if they would fill much of it, unless a rank is stuck there.
function firstView(rows, whole) {
  const inner = rows.filter((row) => row.class !== "lifecycle");
  if (!inner.length || rows.some((row) => row.open && row.class === "lifecycle")) return null;
  const from = inner.reduce((least, row) => Math.min(least, row.from_seconds), Infinity), until = inner.reduce((most, row) => Math.max(most, row.until_seconds), -Infinity);
  const length = until - from, edge = length / 50, view = [Math.max(whole[0], from - edge), Math.min(whole[1], until + edge)];
  return length > 0 && whole[1] - whole[0] - (view[1] - view[0]) > EDGES * (whole[1] - whole[0]) ? view : null;
}

function zoom(whole, factor, shift) {
  const [from, until] = shown ?? whole, middle = (from + until) / 2 + shift * (until - from), half = ((until - from) * factor) / 2;
  const next = [Math.max(whole[0], middle - half), Math.min(whole[1], middle + half)];
  shown = next[1] - next[0] >= (whole[1] - whole[0]) * 0.999 || next[1] - next[0] < 1e-7 ? (factor > 1 ? null : shown) : next;
}

function buttons(whole, redraw) {
  const button = (text, title, act) => html("button", { type: "button", class: "button", title, "aria-label": title, onclick: () => { act(); redraw(); } }, text);
  return html("span", { class: "zoom", role: "group", "aria-label": "Zoom" }, button("+", "Zoom in", () => zoom(whole, 0.5, 0)), button("−", "Zoom out", () => zoom(whole, 2, 0)),
    button("←", "Earlier", () => zoom(whole, 1, -0.4)), button("→", "Later", () => zoom(whole, 1, 0.4)), button("All", "Show all", () => { shown = null; }));
}

// Dragging over the picture selects a time; with Shift, or turned sideways, it and the wheel move what is shown; Ctrl and the wheel zoom.
function selectable(picture, width, whole, toTime, redraw, soon) {
  let begun = null;
  const mark = svg("rect", { class: "selection", y: TOP, width: 0, height: 0 });
  const at = (event) => { const box = picture.getBoundingClientRect(); return Math.min(Math.max(((event.clientX - box.left) / box.width) * width, LEFT), width); };
  picture.append(mark);
  picture.addEventListener("pointerdown", (event) => { begun = at(event); });
  picture.addEventListener("pointermove", (event) => {
    if (begun === null) return;
    const now = at(event);
    for (const [name, value] of Object.entries({ x: Math.min(begun, now), width: Math.abs(now - begun), height: picture.viewBox.baseVal.height - TOP })) mark.setAttribute(name, value);
  });
  picture.addEventListener("pointerup", (event) => {
    const end = at(event), [from, until] = [begun, end].sort((a, b) => a - b), moved = toTime(begun) - toTime(end);
    begun = null;
    mark.setAttribute("width", 0);
    if (from === null || until - from < 5) return;
    if (event.shiftKey && shown) move(whole, moved);
    else shown = [toTime(from), toTime(until)];
    redraw();
  });
  picture.addEventListener("wheel", (event) => {
    const [from, until] = shown ?? whole;
    if (event.ctrlKey || event.metaKey) {
      const time = toTime(at(event)), factor = event.deltaY > 0 ? 1.5 : 1 / 1.5;
      const next = [Math.max(whole[0], time - (time - from) * factor), Math.min(whole[1], time + (until - time) * factor)];
      if (next[1] - next[0] > 1e-7) shown = next[0] <= whole[0] && next[1] >= whole[1] ? null : next;
    } else if (shown && (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))) {
      move(whole, ((event.deltaX || event.deltaY) / 500) * (until - from));
    } else return; // the page scrolls
    event.preventDefault();
    soon();
  }, { passive: false });
  const keys = { "+": () => zoom(whole, 0.5, 0), "-": () => zoom(whole, 2, 0), ArrowLeft: () => zoom(whole, 1, -0.1), ArrowRight: () => zoom(whole, 1, 0.1), 0: () => { shown = null; } };
  picture.addEventListener("keydown", (event) => {
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keys[event.key]();
    soon();
  });
}

// Several turns of a wheel within one frame are drawn once; browsers limit how often an address may change.
let frame = 0, later = 0;
function onNextFrame(draw, keep) {
  clearTimeout(later);
  later = setTimeout(keep, 300);
  frame ||= requestAnimationFrame(() => { frame = 0; draw(); });
}

function move(whole, by) {
  const step = Math.max(whole[0] - shown[0], Math.min(whole[1] - shown[1], by));
  shown = [shown[0] + step, shown[1] + step];
}

// Where in a lane a row is drawn: [from, until, part of the height above it, its part]. Short calls that share rows are stacked, so that the area of a
// colour is time: boxes that lie over each other would have colours that mean nothing.
export function stacked(rows) {
  const places = new Map();
  let group = [], end = 0;
  const close = () => {
    const from = Math.min(...group.map((row) => row.from_seconds)), until = Math.max(...group.map((row) => row.until_seconds));
    let above = 0;
    for (const row of group) {
      const part = Math.min(1 - above, row.inside_seconds / Math.max(until - from, 1e-12));
      places.set(row, [from, until, above, part]);
      above += part;
    }
    group = [];
  };
  for (const row of rows) {
    if (row.calls <= 1) {
      places.set(row, [row.from_seconds, row.until_seconds, 0, 1]);
      continue;
    }
    if (group.length && (group[0].rank !== row.rank || group[0].thread !== row.thread || row.from_seconds >= end)) close();
    if (!group.length) end = row.until_seconds;
    group.push(row);
  }
  if (group.length) close();
  return places;
}

const PEERS = { "-1": "any rank", "-2": "MPI_PROC_NULL", "-3": "MPI_ROOT" };

// What a rank waited for within a call.
function waitsOf(data, row) {
  const waits = data.timeline_waits.filter((wait) => wait.rank === row.rank && wait.from_seconds >= row.from_seconds - 1e-9 && wait.until_seconds <= row.until_seconds + 1e-9);
  const seconds = waits.reduce((total, wait) => total + wait.until_seconds - wait.from_seconds, 0), causes = [...new Set(waits.map((wait) => wait.cause))].sort((a, b) => a - b);
  return waits.length ? `waits ${duration(seconds)} for ${causes.length === 1 ? "rank" : "ranks"} ${causes.slice(0, 8).join(", ")}${causes.length > 8 ? ", ..." : ""}` : null;
}

function describe(data, row) {
  const rest = [row.peer === null ? null : `peer ${PEERS[row.peer] ?? row.peer}`, row.tag === null || row.tag < 0 ? null : `tag ${row.tag}`, row.bytes === null ? null : bytes(row.bytes)].filter(Boolean);
  return [`rank ${row.rank}: ${row.function}${row.key ? ` on ${visible(nameOf(data, row.key), 80)}` : ""}`, row.location ? `at ${visible(row.location, 100)}` : null, rest.join(", "),
    row.open ? `not returned: the rank ended by ${row.until_seconds.toFixed(6)} s` : row.calls > 1 ? `${number(row.calls)} calls, together ${duration(row.inside_seconds)}, in ${duration(row.until_seconds - row.from_seconds)}` : duration(row.inside_seconds), waitsOf(data, row), `from ${row.from_seconds.toFixed(6)} s`];
}

// The number of each row of a list.
const numbers = new Map();
function numberOf(list) {
  if (!numbers.has(list)) numbers.set(list, new Map(list.map((row, i) => [row, i])));
  return numbers.get(list);
}

let placed = null;
const placesOf = (rows) => (placed ??= stacked(rows));

export function draw(host, data, { key, time, redraw, keepTime }) {
  const rows = data.timeline, again = () => { keepTime(shown); redraw("timeline"); };
  const soon = () => onNextFrame(() => {
    const focused = document.activeElement?.classList.contains("timeline");
    redraw("timeline");
    if (focused) document.querySelector("svg.timeline")?.focus({ preventScroll: true });
  }, () => keepTime(shown));
  if (!rows.length) {
    host.append(html("p", {}, "The run has no events."));
    return;
  }
  const label = { class: (row) => row.class ?? "other", function: (row) => row.function, communicator: (row) => (row.key ? nameOf(data, row.key) : "(no communicator)") }[by];
  const WIDTH = roomOf(host);
  const whole = [rows.reduce((least, row) => Math.min(least, row.from_seconds), Infinity), rows.reduce((most, row) => Math.max(most, row.until_seconds), -Infinity)];
  if (whole[1] - whole[0] < 1e-9) whole[1] = whole[0] + 1e-9;
  if (!begun) shown = time ?? firstView(rows, whole);
  begun = true;
  if (shown && !(shown[0] < shown[1] && shown[0] < whole[1] && shown[1] > whole[0])) shown = null;
  const [from, until] = shown ?? whole;
  const lanes = [...new Set(rows.map((row) => row.rank))].sort((a, b) => a - b), lane = new Map(lanes.map((rank, i) => [rank, i]));
  const height = laneHeight(lanes.length), x = (seconds) => LEFT + ((Math.min(Math.max(seconds, from), until) - from) / (until - from)) * (WIDTH - LEFT);
  const y = (rank) => TOP + lane.get(rank) * height, inView = (a, b) => b >= from && a <= until;
  const colors = colorsOf(rows, label);
  const picture = drawing(WIDTH, TOP + lanes.length * height + 4, `What each rank did from ${from.toFixed(6)} s to ${until.toFixed(6)} s`);
  picture.classList.add("timeline", "fluid");
  picture.setAttribute("tabindex", 0);
  const { at, digits } = ticks(from, until);
  for (const time of at) picture.append(svg("line", { x1: x(time), x2: x(time), y1: TOP - 4, y2: TOP + lanes.length * height, class: "grid" }), svg("text", { x: x(time), y: 12, class: "quiet small middle" }, `${time.toFixed(digits).replace(/^-(?=[0.]+$)/, "")} s`));
  const ends = new Map();
  for (const row of rows) ends.set(row.rank, [Math.min(ends.get(row.rank)?.[0] ?? Infinity, row.from_seconds), Math.max(ends.get(row.rank)?.[1] ?? -Infinity, row.until_seconds)]);
  for (const [rank, [begin, end]] of ends) if (inView(begin, end)) picture.append(svg("rect", { x: x(begin), y: y(rank) + 2, width: Math.max(x(end) - x(begin), 0), height: height - 4, class: "compute" }));
  const every = Math.ceil(10 / height);
  lanes.forEach((rank, i) => i % every === 0 && picture.append(svg("text", { x: LEFT - 8, y: y(rank) + height / 2 + 4, class: "end small" }, `rank ${rank}`)));
  const drawn = new Set(), places = placesOf(rows); // narrow calls: one for each point of a lane is enough
  const box = (row, i) => {
    const [begin, end, above, part] = places.get(row);
    if (!inView(begin, end)) return;
    const wide = x(end) - x(begin);
    if (wide < 0.5 && row.calls <= 1) {
      const place = `${row.rank} ${Math.floor(x(begin) * 2)}`;
      if (drawn.has(place)) return;
      drawn.add(place);
    }
    const faint = key !== null && row.key !== key, tall = height - 4;
    picture.append(svg("rect", { x: x(begin).toFixed(2), y: (y(row.rank) + 2 + above * tall).toFixed(2), width: Math.max(wide, 0.4).toFixed(2), height: (part * tall).toFixed(2), class: `${row.open ? "open " : ""}call c${colors.of.get(label(row))}`,
      "fill-opacity": (faint ? 0.15 : 1) * (row.open ? 0.35 : 1), data: { row: i } }));
  };
  rows.forEach((row, i) => row.calls > 1 && box(row, i)); // below single calls
  rows.forEach((row, i) => row.calls <= 1 && box(row, i));
  const waits = data.timeline_waits.filter((wait) => lane.has(wait.rank) && inView(wait.from_seconds, wait.until_seconds) && (key === null || wait.key === key));
  waits.forEach((wait) => picture.append(svg("rect", { x: x(wait.from_seconds).toFixed(2), y: y(wait.rank) + height - 5, width: Math.max(x(wait.until_seconds) - x(wait.from_seconds), 0.6).toFixed(2), height: 4, class: "waits",
    data: { wait: numberOf(data.timeline_waits).get(wait) } })));
  const parts = data.timeline_path.filter((part) => lane.has(part.rank) && inView(part.from_seconds, part.until_seconds)).sort((a, b) => a.step - b.step);
  parts.forEach((part, i) => {
    const level = y(part.rank) + 2, next = parts[i + 1];
    picture.append(svg("line", { x1: x(part.from_seconds), x2: x(part.until_seconds), y1: level, y2: level, class: "critical" }));
    if (parts.length <= PARTS_MOST && next?.step === part.step + 1 && part.from_seconds >= from) picture.append(svg("line", { x1: x(part.from_seconds), x2: x(part.from_seconds), y1: level, y2: y(next.rank) + 2, class: "critical" }));
  });
  const messages = data.timeline_messages.filter((one) => lane.has(one.source) && lane.has(one.dest) && inView(one.sent_seconds, one.received_seconds) && (key === null || one.key === key));
  const near = messages.length <= MESSAGES_MOST;
  if (near) messages.forEach((one) => picture.append(svg("line", { x1: x(one.sent_seconds), y1: y(one.source) + height / 2, x2: x(one.received_seconds), y2: y(one.dest) + height / 2, class: "message", data: { message: numberOf(data.timeline_messages).get(one) } })));
  picture.addEventListener("pointermove", (event) => {
    const { row, wait, message } = event.target.dataset ?? {}, laneOf = (rank) => {
      const box = picture.getBoundingClientRect(), scale = box.width / WIDTH;
      return { top: box.top + y(rank) * scale, bottom: box.top + (y(rank) + height) * scale };
    };
    if (row !== undefined) showTip(event, describe(data, rows[row]), laneOf(rows[row].rank));
    else if (wait !== undefined) {
      const one = data.timeline_waits[wait];
      showTip(event, [`rank ${one.rank} waits ${duration(one.until_seconds - one.from_seconds)} in ${one.function} for rank ${one.cause}`, `${one.kind.replaceAll("_", " ")}, until ${one.cause_function}`], laneOf(one.rank));
    } else if (message !== undefined) {
      const one = data.timeline_messages[message];
      showTip(event, [`${one.source} → ${one.dest}, tag ${one.tag}, ${bytes(one.bytes)}`, `${one.send_function} at ${one.sent_seconds.toFixed(6)} s, received at ${one.received_seconds.toFixed(6)} s`]);
    } else hideTip();
  });
  picture.addEventListener("pointerleave", hideTip);
  selectable(picture, WIDTH, whole, (at) => from + ((at - LEFT) / (WIDTH - LEFT)) * (until - from), again, soon);
  const legend = colors.names.flatMap((name) => [html("span", { class: `key c${colors.of.get(name)}` }), ` ${visible(name, 60)} `]);
  host.append(html("div", { class: "tools" }, choice("Colour", BY, by, (value) => { by = value; again(); }), buttons(whole, again)), picture,
    html("p", { class: "legend" }, ...legend, colors.more && html("span", { class: `key c${COLORS}` }), colors.more && " other "),
    html("p", { class: "legend" }, html("span", { class: "key waits" }), " waits for another rank ", html("span", { class: "key critical" }), " critical path ", html("span", { class: "key message" }), " message ", html("span", { class: "key compute" }), " outside MPI", rows.some((row) => row.open) && html("span", { class: "key open" }), rows.some((row) => row.open) && " not returned: drawn until the rank was found dead or the job ended", ". ", near ? `${number(messages.length)} messages. ` : `Zoom in to see messages: ${number(messages.length)} are in view. `,
      shown && `The picture shows ${duration(until - from)} of ${duration(whole[1] - whole[0])}. `, "Drag, or Ctrl and the wheel, to zoom; Shift and the wheel to move; the keys +, -, 0 and arrows do both. Calls that are too short to draw share a box, whose height is their part of that time."),
    behind([["rank", (r) => r.rank], ["function", (r) => r.function], ["where", (r) => r.location ?? "", (v) => visible(v)], ["communicator", (r) => (r.key ? nameOf(data, r.key) : ""), (v) => visible(v)], ["from s", (r) => r.from_seconds, (v) => v.toFixed(6)], ["until s", (r) => r.until_seconds, (v) => v.toFixed(6)],
      ["calls", (r) => r.calls, number], ["time", (r) => r.inside_seconds, duration]], rows));
}
