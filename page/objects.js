// Live objects over time, one small chart for each call site that creates them, and the stacks of leaks.
import { behind, drawing, html, svg, tipped } from "./dom.js";
import { number, visible } from "./format.js";

const WIDTH = 260, HEIGHT = 56;

function sitesOf(rows) {
  const sites = new Map();
  for (const row of rows) {
    if (!sites.has(row.number)) sites.set(row.number, { ...row, steps: [] });
    sites.get(row.number).steps.push(row);
  }
  return [...sites.values()];
}

function curve(site, end) {
  const x = (seconds) => (seconds / end) * WIDTH, y = (live) => HEIGHT - 3 - (live / Math.max(site.peak, 1)) * (HEIGHT - 8);
  let path = `M0 ${y(0)}`, before = 0;
  for (const step of site.steps) {
    const from = x(step.until_seconds - end / 60);
    path += `L${from.toFixed(1)} ${y(before).toFixed(1)}`;
    if (step.peak_live > Math.max(before, step.live)) path += `L${((from + x(step.until_seconds)) / 2).toFixed(1)} ${y(step.peak_live).toFixed(1)}`;
    path += `L${x(step.until_seconds).toFixed(1)} ${y(step.live).toFixed(1)}`;
    before = step.live;
  }
  path += `L${WIDTH} ${y(before)}`;
  return drawing(WIDTH, HEIGHT, `Live ${site.kind}s over time`, svg("path", { d: `${path}L${WIDTH} ${y(0)}L0 ${y(0)}Z`, class: site.not_freed ? "area alarm" : "area" }),
    svg("path", { d: path, class: site.not_freed ? "curve alarm" : "curve" }));
}

// Several call paths lead to one line.
function pathOf(site, sites) {
  const same = sites.filter((each) => ["kind", "created_by", "location"].every((word) => each[word] === site[word]));
  return same.length > 1 ? `, call path ${same.indexOf(site) + 1} of ${same.length}` : "";
}

// Only what leaks, or is created again and again, has a course. false: nothing does.
export function draw(host, data) {
  const sites = sitesOf(data.live), end = data.live[0]?.end_seconds ?? 1;
  const unfinished = data.ranks.some((row) => row.outcome !== "finalized"); // what these had is no leak
  const shown = sites.filter((site) => (site.not_freed && !unfinished) || site.created > site.ranks), once = sites.length - shown.length;
  if (!shown.length && (unfinished || !data.leaks.length)) return false;
  const text = (site) => [`peak ${number(site.peak)}, ${number(site.created)} created`, site.not_freed ? html("strong", {}, `, ${number(site.not_freed)} ${unfinished ? "live at the end" : "never freed"}`) : ", all freed"];
  host.append(html("div", { class: "sparks" }, ...shown.map((site) => tipped(html("figure", { class: site.not_freed && !unfinished ? "leaking" : "", data: { notFreed: site.not_freed, peak: site.peak } },
    html("figcaption", {}, html("strong", {}, visible(site.kind)), ` ${visible(site.created_by)} `, html("span", { class: "where" }, visible(site.location, 80), pathOf(site, shown))), curve(site, end),
    html("p", {}, ...text(site))), [`${site.created_by} at ${visible(site.location)}`]))),
  leaks(data, unfinished), once ? html("p", { class: "legend" }, `${once} other call ${once === 1 ? "site creates an object" : "sites create objects"} once on a rank and ${once === 1 ? "frees it" : "free them"}.`) : "",
  behind([["kind", (r) => r.kind], ["created by", (r) => r.created_by], ["where", (r) => r.location, (v) => visible(v)], ["until s", (r) => r.until_seconds, (v) => v.toFixed(3)], ["live", (r) => r.live], ["peak", (r) => r.peak_live]], data.live));
  return true;
}

function leaks(data, unfinished) {
  const stacks = new Map();
  for (const row of data.leaks) {
    if (!stacks.has(row.number)) stacks.set(row.number, []);
    stacks.get(row.number).push(row);
  }
  if (!stacks.size) return "";
  return html("div", {}, html("h3", {}, unfinished ? "Live at the end: where it was created" : "Never freed: where it was created"), ...[...stacks.values()].map((frames) => html("details", { class: "stack" },
    html("summary", {}, `${number(frames[0].objects)} ${visible(frames[0].kind)}${frames[0].objects === 1 ? "" : "s"} by ${visible(frames[0].created_by)} at ${visible(frames[0].location, 120)}, ${frames[0].ranks} ${frames[0].ranks === 1 ? "rank" : "ranks"}`),
    html("ol", { start: 0 }, ...frames.map((frame) => html("li", {}, visible(frame.location)))))));
}
