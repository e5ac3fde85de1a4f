// What each rank did when: a lane for each rank, with waits, messages and the critical path.
import { behind, choice, drawing, hideTip, html, keyed, roomOf, showTip, svg } from "./dom.js";
import { nameOf } from "./data.js";
import { bytes, duration, number, visible } from "./format.js";

const LEFT = 74, TOP = 22, COLORS = 7, MESSAGE = 6, PARTS_MOST = 150, TALL = 260, EDGE = 30;
const BY = { class: "Kind", function: "Function", communicator: "Communicator" };
// Kinds of functions with a colour of their own, which is the same in every run.
const CLASSES = ["collective", "point-to-point", "completion", "one-sided", "io", "communicator", "lifecycle"];
const MARGIN = 1; // while the picture moves, so many times its length is drawn before and after it
const STRETCH = 2; // boxes are drawn again if a zoom makes them wider or narrower than that
const REST = 150; // milliseconds without a move, after which the picture is drawn as it is
const LATE = 0.05; // of the run: the part without events is named if it is longer
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

// length: of the time that a picture shows; from and until may be longer.
function ticks(from, until, length) {
  const step = 10 ** Math.floor(Math.log10(length / 4)), every = [1, 2, 5, 10].map((n) => n * step).find((n) => length / n <= 8);
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
  let begun = null, last = null, moved = false;
  const mark = svg("rect", { class: "selection", y: TOP, width: 0, height: 0 });
  const at = (event) => { const box = picture.getBoundingClientRect(); return Math.min(Math.max(((event.clientX - box.left) / box.width) * width, LEFT), width); };
  picture.append(mark);
  picture.addEventListener("pointerdown", (event) => { begun = last = at(event); picture.setPointerCapture(event.pointerId); });
  picture.addEventListener("pointermove", (event) => {
    if (begun === null) return;
    const now = at(event);
    if (event.shiftKey && shown) {
      move(whole, toTime(last) - toTime(now));
      moved = true;
      soon();
    } else if (!moved) for (const [name, value] of Object.entries({ x: Math.min(begun, now), width: Math.abs(now - begun), height: picture.viewBox.baseVal.height - TOP })) mark.setAttribute(name, value);
    last = now;
  });
  const end = (event) => {
    const [from, until] = [begun, at(event)].sort((a, b) => a - b), selected = event.type === "pointerup" && begun !== null && !moved && until - from >= 5;
    begun = null;
    moved = false;
    mark.setAttribute("width", 0);
    if (!selected) return;
    shown = [toTime(from), toTime(until)];
    redraw();
  };
  for (const name of ["pointerup", "pointercancel"]) picture.addEventListener(name, end);
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

// Several turns of a wheel within one frame are drawn once.
let frame = 0, rest = 0;
function onNextFrame(draw) {
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
  const rows = data.timeline;
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
  const lanes = [...new Set(rows.map((row) => row.rank))].sort((a, b) => a - b), lane = new Map(lanes.map((rank, i) => [rank, i]));
  const height = laneHeight(lanes.length), tall = height - 4, bottom = TOP + lanes.length * height, y = (rank) => TOP + lane.get(rank) * height, view = () => shown ?? whole;
  const begin = whole[0] > LATE * whole[1] ? `The events begin at ${duration(whole[0])}: earlier ones were not kept. ` : "";
  const colors = colorsOf(rows, label), places = placesOf(rows), ends = new Map();
  for (const row of rows) ends.set(row.rank, [Math.min(ends.get(row.rank)?.[0] ?? Infinity, row.from_seconds), Math.max(ends.get(row.rank)?.[1] ?? -Infinity, row.until_seconds)]);
  const ordered = [...rows.keys()].sort((a, b) => (rows[b].calls > 1) - (rows[a].calls > 1)); // below single calls
  const waits = data.timeline_waits.filter((wait) => lane.has(wait.rank) && (key === null || wait.key === key)), parts = data.timeline_path.filter((part) => lane.has(part.rank)).sort((a, b) => a.step - b.step);
  const messages = data.timeline_messages.filter((one) => lane.has(one.source) && lane.has(one.dest) && (key === null || one.key === key));
  const scale = svg("g"), boxes = svg("g"), words = html("span");
  // Nested drawings cut what moves.
  const part = (left, tall, what) => svg("svg", { x: left, width: WIDTH - left, height: tall, viewBox: `${left} 0 ${WIDTH - left} ${tall}` }, what);
  const picture = drawing(WIDTH, bottom + 4, "", part(LEFT - EDGE, TOP - 6, scale), part(LEFT, bottom + 4, boxes));
  picture.classList.add("timeline", "fluid");
  picture.setAttribute("tabindex", 0);
  const every = Math.ceil(10 / height);
  lanes.forEach((rank, i) => i % every === 0 && picture.append(svg("text", { x: LEFT - 8, y: y(rank) + height / 2 + 4, class: "end small" }, `rank ${rank}`)));

  // The boxes of a time, at the scale of the view.
  let drawn = null, near = true, inView = 0;
  const paint = (from, until) => {
    const [left, right] = view(), pace = (WIDTH - LEFT) / (right - left), cut = (seconds) => Math.min(Math.max(seconds, from), until), x = (seconds) => LEFT + (cut(seconds) - left) * pace;
    const { at, digits } = ticks(from, until, right - left), made = at.map((time) => svg("line", { x1: x(time), x2: x(time), y1: TOP - 4, y2: bottom, class: "grid" })), narrow = new Set(), touches = (a, b) => b >= from && a <= until; // narrow calls: one for each point of a lane is enough
    for (const [rank, [begin, end]] of ends) if (touches(begin, end)) made.push(svg("rect", { x: x(begin), y: y(rank) + 2, width: x(end) - x(begin), height: tall, class: "compute" }));
    for (const i of ordered) {
      const row = rows[i], [begin, end, above, part] = places.get(row);
      if (!touches(begin, end)) continue;
      const at = x(begin), wide = x(end) - at;
      if (wide < 0.5 && row.calls <= 1) {
        const place = `${row.rank} ${Math.floor(at * 2)}`;
        if (narrow.has(place)) continue;
        narrow.add(place);
      }
      const opacity = (key !== null && row.key !== key ? 0.15 : 1) * (row.open ? 0.35 : 1);
      made.push(svg("rect", { x: at.toFixed(2), y: (y(row.rank) + 2 + above * tall).toFixed(2), width: Math.max(wide, 0.4).toFixed(2), height: (part * tall).toFixed(2), class: `${row.open ? "open " : ""}call c${colors.of.get(label(row))}`,
        "fill-opacity": opacity < 1 && opacity, "data-row": i }));
    }
    for (const wait of waits)
      if (touches(wait.from_seconds, wait.until_seconds)) made.push(svg("rect", { x: x(wait.from_seconds).toFixed(2), y: y(wait.rank) + height - 5, width: Math.max(x(wait.until_seconds) - x(wait.from_seconds), 0.6).toFixed(2), height: 4, class: "waits", "data-wait": numberOf(data.timeline_waits).get(wait) }));
    const path = parts.filter((part) => touches(part.from_seconds, part.until_seconds)), joined = parts.filter((part) => part.until_seconds >= left && part.from_seconds <= right).length <= PARTS_MOST;
    path.forEach((part, i) => {
      const level = y(part.rank) + 2, next = path[i + 1];
      made.push(svg("line", { x1: x(part.from_seconds), x2: x(part.until_seconds), y1: level, y2: level, class: "critical" }));
      if (joined && next?.step === part.step + 1 && part.from_seconds >= from) made.push(svg("line", { x1: x(part.from_seconds), x2: x(part.from_seconds), y1: level, y2: y(next.rank) + 2, class: "critical" }));
    });
    inView = messages.filter((one) => one.received_seconds >= left && one.sent_seconds <= right).length;
    near = inView <= (WIDTH - LEFT) / MESSAGE; // else they hide the lanes
    for (const one of near ? messages : []) {
      const { sent_seconds: sent, received_seconds: received } = one, source = y(one.source) + height / 2, dest = y(one.dest) + height / 2;
      const level = (seconds) => (received === sent ? source : source + ((cut(seconds) - sent) / (received - sent)) * (dest - source)); // a message that is cut keeps its slope
      if (touches(sent, received)) made.push(svg("line", { x1: x(sent), y1: level(sent), x2: x(received), y2: received === sent ? dest : level(received), class: "message", "data-message": numberOf(data.timeline_messages).get(one) }));
    }
    boxes.replaceChildren(...made);
    scale.replaceChildren(...at.map((time) => svg("text", { x: x(time), y: 12, class: "quiet small middle" }, `${time.toFixed(digits).replace(/^-(?=[0.]+$)/, "")} s`)));
    drawn = { from, until, left, pace, at };
  };
  // Moves what is drawn to where the view is.
  const place = () => {
    const [from, until] = view(), factor = (WIDTH - LEFT) / (until - from) / drawn.pace, x = (seconds) => LEFT + ((seconds - from) / (until - from)) * (WIDTH - LEFT), shift = x(drawn.left) - LEFT;
    const stretched = Math.abs(factor - 1) > 1e-6;
    boxes.style.transform = stretched ? `translate(${x(drawn.left) - factor * LEFT}px, 0) scale(${factor}, 1)` : shift ? `translate(${shift}px, 0)` : "";
    scale.style.transform = stretched || !shift ? "" : `translate(${shift}px, 0)`;
    if (stretched) drawn.at.forEach((time, i) => scale.children[i].setAttribute("x", x(time))); // words keep their form
  };
  const show = () => {
    const [from, until] = view();
    for (const group of [boxes, scale]) group.classList.remove("moving");
    paint(from, until);
    place();
    picture.setAttribute("aria-label", `What each rank did from ${from.toFixed(6)} s to ${until.toFixed(6)} s`);
    words.textContent = `${begin}${!inView ? "" : near ? `${number(inView)} messages. ` : `Zoom in to see messages: ${number(inView)} are in view. `}${shown ? `The picture shows ${duration(until - from)} of ${duration(whole[1] - whole[0])}. ` : ""}`;
  };
  // Browsers limit how often an address may change.
  const settle = () => {
    clearTimeout(rest);
    keepTime(shown);
    if (picture.isConnected) show();
  };
  const slide = () => {
    const [from, until] = view(), length = until - from, factor = (WIDTH - LEFT) / length / drawn.pace, least = length * 1e-6;
    hideTip();
    for (const group of [boxes, scale]) group.classList.add("moving");
    if (from < drawn.from - least || until > drawn.until + least || factor > STRETCH || factor < 1 / STRETCH) paint(Math.max(whole[0], from - MARGIN * length), Math.min(whole[1], until + MARGIN * length));
    place();
    clearTimeout(rest);
    rest = setTimeout(settle, REST); // from here on: a slow browser must not settle before it has moved
  };
  const soon = () => {
    clearTimeout(rest);
    onNextFrame(slide);
  };
  show();
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
  selectable(picture, WIDTH, whole, (at) => view()[0] + ((at - LEFT) / (WIDTH - LEFT)) * (view()[1] - view()[0]), settle, soon);
  const open = rows.some((row) => row.open), legend = colors.names.flatMap((name) => keyed(`c${colors.of.get(name)}`, visible(name, 60)));
  host.append(html("div", { class: "tools" }, choice("Colour", BY, by, (value) => { by = value; redraw("timeline"); }), buttons(whole, settle)), picture,
    html("p", { class: "legend" }, ...legend, ...(colors.more ? keyed(`c${COLORS}`, "other") : [])),
    html("p", { class: "legend" }, ...keyed("waits", "waits for another rank"), ...keyed("critical", "critical path"), ...keyed("message", "message"), ...keyed("compute", `outside MPI${open ? "" : "."}`),
      ...(open ? keyed("open", "not returned: drawn until the rank was found dead or the job ended.") : []), words,
      html("span", { class: "screen" }, "Drag, or Ctrl and the wheel, to zoom; Shift and the wheel, or Shift and a drag, to move; the keys +, -, 0 and arrows do both. "), "Calls that are too short to draw share a box, whose height is their part of that time."),
    behind([["rank", (r) => r.rank], ["function", (r) => r.function], ["where", (r) => r.location ?? "", (v) => visible(v)], ["communicator", (r) => (r.key ? nameOf(data, r.key) : ""), (v) => visible(v)], ["from s", (r) => r.from_seconds, (v) => v.toFixed(6)], ["until s", (r) => r.until_seconds, (v) => v.toFixed(6)],
      ["calls", (r) => r.calls, number], ["time", (r) => r.inside_seconds, duration]], rows));
}
