// Lines of the program by MPI time.
import { behind, html, tipped } from "./dom.js";
import { chosen, groupBy, sum } from "./data.js";
import { bytes, duration, number, percent, visible } from "./format.js";

const LINES = 20;

// The source text of a line, if the page has it (--with-source).
function sourceOf(location) {
  return [...document.querySelectorAll("details.source")].find((each) => each.dataset.location === visible(location));
}

function where(location) {
  const source = sourceOf(location), text = visible(location, 90);
  if (!source) return html("span", { class: "where" }, text);
  return html("a", { class: "where", href: "#source", onclick: (event) => {
    event.preventDefault();
    source.open = true;
    source.scrollIntoView({ block: "center" });
  } }, text);
}

export function draw(host, data, { key }) {
  const rows = groupBy(chosen(data.sites, key), ["function", "location"], ["calls", "seconds", "sent_bytes"]);
  rows.sort((a, b) => b.seconds - a.seconds);
  const whole = sum(chosen(data.cells, key), "seconds") || 1, most = rows[0]?.seconds || 1;
  if (!rows.length) {
    host.append(html("p", {}, "No call was recorded."));
    return;
  }
  host.append(html("ul", { class: "meters sites" }, ...rows.slice(0, LINES).map((row) => {
    const bar = html("span", { class: "meter" }, html("span"));
    bar.firstChild.style.width = `${(row.seconds * 100) / most}%`;
    return tipped(html("li", { data: { value: row.seconds } }, html("span", { class: "name" }, visible(row.function)), where(row.location), bar,
      html("span", { class: "number" }, duration(row.seconds)), html("span", { class: "number quiet" }, percent((row.seconds * 100) / whole))),
    [`${row.function} at ${visible(row.location)}`, `${number(row.calls)} calls, ${duration(row.seconds / Math.max(row.calls, 1))} each`, `${bytes(row.sent_bytes)} sent`]);
  })), data.sites.length && data.sites[0].lines > data.sites.length ? html("p", { class: "legend" }, `The page has the ${data.sites.length} of ${data.sites[0].lines} lines with the most time.`) : "",
  behind([["function", (r) => r.function], ["where", (r) => r.location, (v) => visible(v)], ["calls", (r) => r.calls, number], ["time", (r) => r.seconds, duration],
    ["%", (r) => (r.seconds * 100) / whole, (v) => v.toFixed(1)], ["sent", (r) => r.sent_bytes, bytes]], rows));
}
