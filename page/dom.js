// Elements are made here and nowhere else. Texts become text nodes: nothing from a trace is ever parsed as markup.
const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "data") Object.assign(element.dataset, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function html(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

// A picture that grows with the page; `label` is what a screen reader says.
export function drawing(width, height, label, ...children) {
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label, class: "drawing" }, ...children);
}

// A name in a box of a drawing, or its end after three dots if it is too long. Screen readers and axe compare the text with the box's label: it stays whole,
// and a nested drawing cuts it.
export function ending(name, letter, x, y, width) {
  if (name.length * letter <= width) return [svg("text", { x, y }, name)];
  return [svg("path", { d: `M${x + 1} ${y}h0m4 0h0m4 0h0`, class: "dots" }), svg("svg", { x: x + 12, width: width - 12, height: "100%" }, svg("text", { x: width - 12, y, class: "end" }, name))];
}

let fixed = null;

// All drawings get this width; null: that of their place.
export function layOut(width) {
  fixed = width;
}

// The width of a drawing that fits its place without being scaled: its text stays as large as the page's.
export function roomOf(host) {
  return fixed ?? Math.max(320, Math.min(1100, host.clientWidth || 1100));
}

// One box that follows the pointer and shows what is under it.
const tip = html("div", { id: "tip", role: "status", hidden: true });

// beside: a box in the window that must stay visible, such as the lane that the pointer is in.
export function showTip(event, lines, beside = { top: event.clientY - 4, bottom: event.clientY + 10 }) {
  if (!tip.isConnected) document.body.append(tip);
  tip.replaceChildren(...lines.filter(Boolean).map((line) => html("div", {}, line)));
  tip.hidden = false;
  const room = document.documentElement.clientWidth - tip.offsetWidth - 12, below = beside.bottom + 6, above = beside.top - tip.offsetHeight - 6;
  tip.style.left = `${Math.max(4, Math.min(event.clientX + 14, room))}px`;
  tip.style.top = `${below + tip.offsetHeight > window.innerHeight && above > 0 ? above : below}px`;
}

export function hideTip() {
  tip.hidden = true;
}

export function tipped(element, lines) {
  element.addEventListener("pointermove", (event) => showTip(event, lines));
  element.addEventListener("pointerleave", hideTip);
  return element;
}

// A sign of a legend and its words; the sign stays beside the first word. A space without a break would not do: browsers break beside boxes.
export function keyed(name, text) {
  const [first, ...rest] = text.split(" ");
  return [html("span", { class: "entry" }, html("span", { class: "keyed" }, html("span", { class: `key ${name}` }), ` ${first}`), rest.map((word) => ` ${word}`).join("")), " "];
}

// A long name may be broken where its parts end.
export function breakable(text) {
  return text.split(/(?<=[._/]|::|\](?!\.))/).flatMap((part, i) => (i ? [html("wbr"), part] : [part]));
}

// A row of buttons of which one is pressed.
export function choice(label, options, chosen, choose) {
  const buttons = Object.entries(options).map(([value, text]) =>
    html("button", { type: "button", "aria-pressed": value === chosen ? "true" : "false", onclick: () => choose(value) }, text));
  return html("div", { class: "choice", role: "group", "aria-label": label }, ...buttons);
}

const ROWS_MOST = 1000;

// The table behind a picture: made when it is opened. columns: [title, value of a row, text of the value].
export function behind(columns, rows) {
  const details = html("details", { class: "behind" }, html("summary", {}, `Table (${rows.length} ${rows.length === 1 ? "row" : "rows"})`));
  details.addEventListener("toggle", () => {
    if (details.open && details.childElementCount === 1) details.append(table(columns, rows));
  });
  return details;
}

export function table(columns, rows) {
  const numeric = columns.map(([, value]) => rows.some((row) => typeof value(row) === "number"));
  const cell = ([, value, text], row, i) => {
    const raw = value(row);
    return html("td", { class: numeric[i] ? "number" : null, data: { value: raw ?? "" } }, text ? text(raw, row) : String(raw ?? ""));
  };
  const head = html("tr", {}, ...columns.map(([title], i) => html("th", { scope: "col", class: numeric[i] ? "number" : null }, title)));
  const body = rows.slice(0, ROWS_MOST).map((row) => html("tr", {}, ...columns.map((column, i) => cell(column, row, i))));
  return html("div", { class: "table" },
    html("table", {}, html("thead", {}, head), html("tbody", {}, ...body)),
    rows.length > ROWS_MOST && html("p", {}, `and ${rows.length - ROWS_MOST} more`));
}
