"""`callsign export`, read by DuckDB: the tables have the same rows, and the queries of docs/queries.md the same answers."""
import json
import os
import pathlib
import re
import shutil
import sys
import unittest

import fixture
import test_export
from support import CommandTest, bounded

HERE = pathlib.Path(__file__).resolve().parent
# scripts/setup installs it there.
MODULES = pathlib.Path(os.environ.get("CALLSIGN_NODE") or pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "callsign/node")
SECONDS = 120

if not shutil.which("node") or not (MODULES / "node_modules/@duckdb/node-api").is_dir():
    print(f"no node, or no @duckdb/node-api in {MODULES} (scripts/setup installs them): DuckDB was not tested")
    sys.exit(77)


def normal(value):
    """A value as both write it: numbers as numbers, reals to twelve digits."""
    if isinstance(value, str) and re.fullmatch(r"-?(0|[1-9]\d*)(\.\d+)?(e[-+]?\d+)?", value):
        value = float(value) if re.search(r"[.e]", value) else int(value)
    return repr(float(f"{value:.12g}")) if isinstance(value, (int, float)) and abs(value) < 2**53 else repr(value)


class DuckDB(CommandTest):
    def load(self, run, queries, *options):
        self.answer("export", run, "--csv", "tables", *options)
        done = bounded.run(["node", HERE / "duckdb.js", MODULES, self.folder / "tables"], input=json.dumps(queries), capture_output=True, text=True, timeout=SECONDS)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)

    def check_every_table(self, *options):
        run = fixture.make_run(self.folder, ranks=1, extra=test_export.hostile)
        self.answer("merge", run, "-o", "all.db")
        tables = [row["name"] for row in self.ask("all.db", "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'computed%'")]
        answers = self.load("all.db", [f'FROM "{table}"' for table in tables], *options)
        for table, answer in zip(tables, answers):
            with self.subTest(table):
                rows = self.ask("all.db", f"SELECT * FROM {table}")
                self.assertEqual([list(map(shown, row)) for row in answer["rows"]], [list(map(shown, row.values())) for row in rows])

    def test_every_table_has_the_rows_of_the_run(self):
        self.check_every_table()

    def test_compressed_files_are_read_too(self):
        self.check_every_table("--zstd")

    def test_lost_rows_are_noticed(self):
        self.answer("export", fixture.make_run(self.folder, ranks=2), "--csv", "tables")
        profile = self.folder / "tables/profile.csv"
        profile.write_bytes(b"".join(profile.read_bytes().splitlines(keepends=True)[:-1]))
        done = bounded.run(["node", HERE / "duckdb.js", MODULES, self.folder / "tables"], input="[]", capture_output=True, text=True, timeout=SECONDS)
        self.assertEqual(done.returncode, 1)
        self.assertIn("profile: 9 rows were read, 10 were written", done.stderr)

    def test_queries_of_the_docs_have_the_same_answers(self):
        """But for those of which docs/export.md says that they are SQLite's own."""
        run = fixture.make_run(self.folder, ranks=3)
        fixture.make_trace(run / "rank-00003.db", 3, outcome="died")
        page = (fixture.TREE / "docs/export.md").read_text(encoding="utf-8")
        queries = re.findall(r"```sql\n(.*?)```", (fixture.TREE / "docs/queries.md").read_text(encoding="utf-8"), re.S)
        errors, empty = set(), 0
        for query, answer in zip(queries, self.load(run, queries, "--views")):
            with self.subTest(query):
                if "error" in answer:
                    if "Cannot compare values of type BIGINT and type VARCHAR" in answer["error"]:
                        self.assertEqual(self.ask(run, "SELECT * FROM attributes"), [])  # the types of a view without rows are guessed
                        continue
                    self.assertRegex(answer["error"], "must appear in the GROUP BY clause|max\\(DOUBLE, DOUBLE\\)|GROUP BY clause cannot contain aggregates")
                    errors.add(query)
                    continue
                rows = self.ask(run, query)
                empty += not rows
                if "calls / ranks" in query or "json_each" in query:  # reals of integers; texts in quotes
                    continue
                if "LIMIT" in query:  # of equals, any
                    self.assertEqual(len(answer["rows"]), len(rows))
                    continue
                self.assertEqual(sorted(sorted_lists(row) for row in answer["rows"]), sorted(sorted_lists(row.values()) for row in rows))
        self.assertIn(f"{len(queries) - len(errors)} of the {len(queries)} queries", page)
        self.assertLess(empty, len(queries) * 2 // 3)


def shown(value):
    """A value as a text; node leaves a byte order mark out."""
    return None if value is None else str(value).lstrip("\ufeff")


def sorted_lists(row):
    """A row whose lists, which have no order, are sorted."""
    return [normal(",".join(sorted(value.split(","))) if isinstance(value, str) and "," in value else value) for value in row]


if __name__ == "__main__":
    unittest.main()
