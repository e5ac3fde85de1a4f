// The distribution over ranks: from the rank with the least to the one with the most, with the quartiles.
import { behind, drawing, html, keyed, roomOf, svg, tipped } from "./dom.js";
import { chosen, nameOf, sum } from "./data.js";
import { brief, duration, number, visible } from "./format.js";

const LINE = 30, ROWS = 16, SHARE = 0.01, NARROW = 700, LETTER = 6;

export function imbalance(row) {
  const mean = row.seconds / row.ranks;
  return row.most_seconds > 0 ? ((row.most_seconds - mean) / row.most_seconds) * 100 : 0;
}

export function draw(host, data, { key }) {
  const rows = chosen(data.cells, key).filter((row) => row.ranks > 1 && row.seconds > 0)
    .map((row) => ({ ...row, spread: row.most_seconds - row.least_seconds, imbalance: imbalance(row), name: nameOf(data, row.key) }))
    .sort((a, b) => b.spread - a.spread);
  if (!rows.length) {
    host.append(html("p", {}, "No function was called by several ranks."));
    return;
  }
  // One scale for all: what takes little time cannot be far apart.
  const whole = sum(chosen(data.cells, key), "seconds"), large = rows.filter((row) => row.seconds >= SHARE * whole), shown = (large.length ? large : rows).slice(0, ROWS);
  const width = roomOf(host), narrow = width < NARROW, left = narrow ? 140 : 0.3 * width + 60, right = narrow ? 70 : 250;
  const longest = Math.max(...shown.map((row) => row.most_seconds)), x = (seconds) => left + (seconds / longest) * (width - left - right);
  const picture = drawing(width, shown.length * LINE + 26, "Distribution of time over ranks");
  picture.append(svg("text", { x: left, y: 14, class: "quiet" }, "0"), svg("text", { x: width - right, y: 14, class: "quiet end" }, duration(longest)),
    ...[["most", 68], ...(narrow ? [] : [["imbalance", 150], ["ranks", right - 6]])].map(([text, at]) => svg("text", { x: width - right + at, y: 14, class: "quiet end" }, text)));
  picture.classList.add("fluid");
  shown.forEach((row, i) => {
    const y = 26 + i * LINE + LINE / 2;
    const line = svg("g", {}, svg("rect", { x: 0, y: y - LINE / 2, width: width, height: LINE, class: i % 2 ? "band" : "clear" }),
      svg("text", { x: left - 12, y: y - 1, class: "end" }, row.function),
      svg("text", { x: left - 12, y: y + 11, class: "end quiet small" }, brief(row.name, Math.floor((left - 14) / LETTER))),
      svg("line", { x1: x(row.least_seconds), x2: Math.max(x(row.most_seconds), x(row.least_seconds) + 1), y1: y, y2: y, class: "span" }),
      svg("rect", { x: x(row.quarter_seconds), y: y - 5, width: Math.max(x(row.three_quarters_seconds) - x(row.quarter_seconds), 1), height: 10, class: "quartiles" }),
      svg("circle", { cx: x(row.least_seconds), cy: y, r: 5, class: "least" }),
      svg("circle", { cx: x(row.most_seconds), cy: y, r: 5, class: "most" }),
      svg("line", { x1: x(row.median_seconds), x2: x(row.median_seconds), y1: y - 8, y2: y + 8, class: "median" }),
      svg("text", { x: width - right + 68, y: y + 4, class: "end" }, duration(row.most_seconds)),
      narrow ? null : svg("text", { x: width - right + 150, y: y + 4, class: "end" }, `${row.imbalance.toFixed(1)} %`),
      narrow ? null : svg("text", { x: width - 6, y: y + 4, class: "end quiet small" }, `${row.least_rank} … ${row.most_rank}`));
    picture.append(tipped(line, [`${row.function} on ${visible(row.name, 80)}`, `least ${duration(row.least_seconds)}, rank ${row.least_rank}`, `a quarter of the ranks up to ${duration(row.quarter_seconds)}, half up to ${duration(row.median_seconds)}, three quarters up to ${duration(row.three_quarters_seconds)}`,
      `most ${duration(row.most_seconds)}, rank ${row.most_rank}`, `mean ${duration(row.seconds / row.ranks)} of ${row.ranks} ranks`]));
  });
  host.append(picture, html("p", { class: "legend" }, ...keyed("least", "least"), ...keyed("quartiles", "the middle half of the ranks"), ...keyed("median", "median"), ...keyed("most", "most. The largest difference in time comes first."),
    shown.length < rows.length && `${rows.length - shown.length} functions with less than 1 % of the time are in the table alone. `, "Imbalance: by how much of the longest time the mean is below it. In calls that wait for all ranks, the rank with the least time came last."),
  behind([["communicator", (r) => r.name, (v) => visible(v)], ["function", (r) => r.function], ["ranks", (r) => r.ranks], ["calls", (r) => r.calls, number], ["time", (r) => r.seconds, duration], ["least", (r) => r.least_seconds, duration],
    ["rank", (r) => r.least_rank], ["quarter", (r) => r.quarter_seconds, duration], ["median", (r) => r.median_seconds, duration], ["three quarters", (r) => r.three_quarters_seconds, duration], ["most", (r) => r.most_seconds, duration], ["rank", (r) => r.most_rank], ["imbalance %", (r) => r.imbalance, (v) => v.toFixed(1)]], rows));
}
