// Loads an exported folder into DuckDB and asks it: duckdb.js MODULES FOLDER reads a JSON list of queries from stdin and prints for each its rows, or
// the first line of the error. Numbers that JSON would round are strings.
const fs = require("fs");
const [modules, folder] = process.argv.slice(2);
const { DuckDBInstance } = require("module").createRequire(modules + "/")("@duckdb/node-api");

async function main() {
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  const queries = JSON.parse(fs.readFileSync(0, "utf8"));
  process.chdir(folder);
  await connection.run(fs.readFileSync("load.sql", "utf8"));
  const answers = [];
  for (const query of queries) {
    try {
      const reader = await connection.runAndReadAll(query);
      answers.push({ columns: reader.columnNames(), rows: reader.getRowsJson() });
    } catch (error) {
      answers.push({ error: error.message.split("\n")[0] });
    }
  }
  console.log(JSON.stringify(answers));
}

main().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
