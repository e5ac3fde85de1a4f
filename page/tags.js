// The tags of messages on a ruler from 0 to MPI_TAG_UB. Equal steps are equal factors.
import { behind, drawing, html, svg, tipped } from "./dom.js";
import { chosen, groupBy, nameOf } from "./data.js";
import { brief, number, visible } from "./format.js";

const WIDTH = 1100, LEFT = 300, GUARANTEED = 32767, LINES = 12, LINE = 24;

export function draw(host, data, { key }) {
  const rows = chosen(data.tags, key);
  if (!rows.length) {
    host.append(html("p", {}, "No message with a tag was counted."));
    return;
  }
  const limit = data.tags[0].tag_ub, largest = Math.max(...data.tags.map((row) => row.largest_tag));
  const table = behind([["communicator", (r) => nameOf(data, r.key), (v) => visible(v)], ["direction", (r) => r.direction], ["tag", (r) => r.tag], ["last", (r) => r.last_tag], ["messages", (r) => r.messages, number]], rows);
  if (largest <= GUARANTEED) {
    host.append(html("p", {}, `The largest tag is ${largest}: every MPI allows it.`), table);
    return;
  }
  const end = Math.max(limit ?? 0, largest, GUARANTEED);
  const x = (tag) => LEFT + (Math.log2(tag + 1) / Math.log2(end + 1)) * (WIDTH - LEFT - 12);
  const lines = groupBy(rows, ["key"], ["messages"]).sort((a, b) => b.messages - a.messages).slice(0, LINES);
  const height = lines.length * LINE + 44, most = Math.log2(2 + Math.max(...rows.map((row) => row.messages)));
  const picture = drawing(WIDTH, height, "Tags of messages", svg("rect", { x: x(GUARANTEED), y: 0, width: WIDTH - 12 - x(GUARANTEED), height: height - 34, class: "beyond" }));
  lines.forEach((line, i) => {
    const y = i * LINE + LINE / 2 + 2;
    picture.append(svg("text", { x: LEFT - 10, y: y + 4, class: "end" }, brief(nameOf(data, line.key), 38)), svg("line", { x1: LEFT, x2: WIDTH - 12, y1: y, y2: y, class: "grid" }));
    for (const row of rows.filter((each) => each.key === line.key)) {
      const wide = Math.max(4, x(row.last_tag) - x(row.tag)), tall = 5 + 13 * (Math.log2(1 + row.messages) / most);
      picture.append(tipped(svg("rect", { x: x(row.tag) - 2, y: y - tall / 2, width: wide, height: tall, rx: 1.5, class: row.largest_tag > GUARANTEED ? "tag alarm" : "tag" }),
        [visible(nameOf(data, row.key), 80), row.tag === row.last_tag ? `tag ${row.tag}` : `tags ${row.tag} to ${row.last_tag}`, `${number(row.messages)} messages, ${row.direction}`]));
    }
  });
  for (const [tag, text, name] of [[0, "0", "start"], [GUARANTEED, "32767: every MPI", "middle"], [limit, limit && limit > GUARANTEED * 8 ? `MPI_TAG_UB here: ${limit}` : null, "end"]])
    if (text) picture.append(svg("line", { x1: x(tag), x2: x(tag), y1: 0, y2: height - 32, class: "median" }), svg("text", { x: x(tag), y: height - 16, class: name }, text));
  host.append(picture, html("p", { class: "legend" }, `The largest tag is ${largest}: not every MPI allows it. The higher a mark, the more messages.`,
    data.tags[0].lines > data.tags.length ? ` The page has the ${data.tags.length} of ${data.tags[0].lines} tags with the most messages.` : ""),
  table);
}
