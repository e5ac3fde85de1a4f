// The embedded rows, and which of them are chosen.

function rowsOf(lists) {
  if (!lists) return [];
  return lists.rows.map((row) => Object.fromEntries(lists.columns.map((column, i) => [column, row[i]])));
}

export function read() {
  const { pictures, tables, left_out: leftOut, locations } = JSON.parse(document.getElementById("data").textContent);
  const data = Object.fromEntries(Object.entries(pictures).map(([name, lists]) => [name, rowsOf(lists)]));
  data.ask = { pictures, tables, leftOut, locations };
  data.communicator = new Map(data.communicators.map((row) => [row.key, row]));
  return data;
}

export function nameOf(data, key) {
  return data.communicator.get(key)?.name ?? (key === 0 ? "(no communicator)" : "?");
}

// "#timeline&comm=47&time=1.5-2.5": the part to show, the communicator that everything is filtered by, and the seconds that the time line shows.
export function parseAddress(hash) {
  const address = { part: null, key: null, time: null };
  for (const word of hash.replace(/^#/, "").split("&")) {
    if (word.startsWith("comm=") && /^-?\d+$/.test(word.slice(5))) address.key = Number(word.slice(5));
    else if (/^time=\d+(\.\d+)?-\d+(\.\d+)?$/.test(word)) address.time = word.slice(5).split("-").map(Number);
    else if (/^[a-z-]+$/.test(word)) address.part = word;
  }
  return address;
}

export function writeAddress({ part, key, time }) {
  return "#" + [part, key === null ? null : `comm=${key}`, time ? `time=${time.map((seconds) => seconds.toFixed(9)).join("-")}` : null].filter(Boolean).join("&");
}

export function chosen(rows, key) {
  return key === null ? rows : rows.filter((row) => row.key === key);
}

export function sum(rows, column) {
  return rows.reduce((total, row) => total + (row[column] ?? 0), 0);
}

// Rows of equal words added up: groupBy(rows, ["function"], ["seconds", "calls"]).
export function groupBy(rows, words, figures) {
  const groups = new Map();
  for (const row of rows) {
    const name = JSON.stringify(words.map((word) => row[word]));
    let group = groups.get(name);
    if (!group) {
      group = Object.fromEntries(words.map((word) => [word, row[word]]));
      for (const figure of figures) group[figure] = 0;
      groups.set(name, group);
    }
    for (const figure of figures) group[figure] += row[figure] ?? 0;
  }
  return [...groups.values()];
}
