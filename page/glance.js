// The most important figures of the run: what a reader wants before any picture, and the first page on paper.
import { breakable, html } from "./dom.js";
import { groupBy, sum } from "./data.js";
import { bytes, number, percent, visible } from "./format.js";
import { outside } from "./ranks.js";

const LONG = 8; // characters

// The mean of a share over all ranks, each with the time that it ran.
export function mean(rows, share) {
  const time = (row) => (row.mpi_percent > 0 ? (row.mpi_seconds * 100) / row.mpi_percent : row.seconds), whole = rows.reduce((total, row) => total + time(row), 0);
  return whole > 0 ? rows.reduce((total, row) => total + (share(row) ?? 0) * time(row), 0) / whole : 0;
}

// [name, figure, what it is of]
export function figures(data) {
  const { ranks } = data, found = [], nodes = new Set(ranks.map((row) => row.node)).size, whole = sum(data.cells, "seconds");
  if (!ranks.length) return found;
  found.push(["Ranks", number(ranks.length), `${number(nodes)} ${nodes === 1 ? "node" : "nodes"}`]);
  const unfinished = ranks.some((row) => row.outcome !== "finalized"); // what these had is no leak
  found.push(["In MPI", percent(mean(ranks, (row) => row.other_percent)), `and ${percent(mean(ranks, (row) => row.lifecycle_percent))} in Init and Finalize${unfinished ? ", until last seen" : ""}`]);
  const parts = ranks.map(outside), part = (name) => mean(ranks.map((row, i) => ({ ...row, part: parts[i][name] })), (row) => row.part);
  if (ranks.some((row) => row.core_seconds !== null)) {
    found.push(["Computing on a core", percent(part("core")), "of the time of all ranks"]);
    if (part("delay") >= 1) found.push(["Waiting for a core", percent(part("delay")), "outside MPI"]);
  }
  const [first] = groupBy(data.cells, ["function"], ["seconds"]).sort((a, b) => b.seconds - a.seconds);
  if (first?.seconds > 0) found.push(["Most MPI time", percent((first.seconds * 100) / whole), visible(first.function, 40)]);
  const [line] = groupBy(data.sites, ["location"], ["seconds"]).sort((a, b) => b.seconds - a.seconds);
  if (line?.seconds > 0) found.push(["Line with most of it", percent((line.seconds * 100) / whole), visible(line.location, 60)]);
  const messages = data.sizes.filter((row) => row.kind === "point-to-point" || row.kind === "persistent"), collective = data.sizes.filter((row) => row.kind === "collective");
  if (messages.length) found.push(["Messages", number(sum(messages, "messages")), bytes(sum(messages, "bytes"))]);
  if (collective.length) found.push(["Collective calls", number(sum(collective, "messages")), bytes(sum(collective, "bytes"))]);
  const leaked = sum([...new Map(data.leaks.map((row) => [row.number, row])).values()], "objects");
  if (leaked && !unfinished) found.push(["Never freed", number(leaked), "objects"]);
  return found;
}

export function draw(host, data) {
  host.querySelector("h2").after(html("dl", { class: "glance" }, ...figures(data).map(([name, figure, of]) => html("div", {}, html("dt", {}, name), html("dd", {}, html("strong", { class: figure.length > LONG ? "long" : null }, figure), html("span", { class: "quiet" }, ...breakable(of)))))));
}
