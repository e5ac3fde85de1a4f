"""`callsign export`: tables as CSV files, read back value by value."""
import csv
import json
import sqlite3
import unittest

import fixture
from support import COMMAND, SECONDS, CommandTest, bounded

HOSTILE = ["", " ", "a,b", 'say "hi"', "line\r\nbreak\rand\nmore", "NULL", "\\N", "#comment", "=1+1", "\x1b]0;owned\x07", "\u202e", "\U0001f600", "\ufeff",
           "'", ";", "|", "\t", "NA", "nan", "0x10", "1e5", "007", "x" * 60_000]
LARGE = 2**63 - 1


def parse(text):
    """RFC 4180, and None for an empty field without quotes, which module csv does not tell from an empty text."""
    rows, row, at = [], [], 0
    while at < len(text):
        if text[at] == '"':
            value, at = "", at + 1
            while True:
                end = text.index('"', at)
                value += text[at:end]
                at = end + 1
                if text[at] != '"':
                    break
                value, at = value + '"', at + 1
        else:
            end = min(found for found in (text.find(",", at), text.find("\r\n", at)) if found >= 0)
            value, at = text[at:end] or None, end
        row.append(value)
        if text[at] == ",":
            at += 1
        else:
            assert text[at:at + 2] == "\r\n", text[at:at + 20]
            rows.append(row)
            row, at = [], at + 2
    return rows


def as_text(value):
    """The text in the file for an SQLite value."""
    return None if value is None else value.hex() if isinstance(value, bytes) else repr(value) if isinstance(value, float) else str(value)


def hostile(db):
    for number, name in enumerate(HOSTILE):
        fixture.insert(db, "object", rank=0, object=100 + number, kind="window", name=name, uid=LARGE - number, handle=-2**63 + number,
                       internal=0, predefined=0, adopted=0)


class Export(CommandTest):
    def setUp(self):
        super().setUp()
        self.run_folder = fixture.make_run(self.folder, ranks=2, extra=lambda db: hostile(db) if db.execute("SELECT rank FROM process").fetchone() == (0,) else None)

    def read(self, name, folder="tables"):
        return parse((self.folder / folder / f"{name}.csv").read_bytes().decode("utf-8"))

    def listing(self):
        return sorted(path.name for path in self.folder.iterdir() if path.name not in ("tmp", self.run_folder.name))

    def test_every_row_of_every_table_is_that_of_the_database(self):
        self.answer("merge", self.run_folder, "-o", "all.db")
        self.assertRegex(self.answer("export", "all.db", "--csv", "tables"), r"\A\d+ tables in tables, [0-9.]+ KiB, [0-9.]+ m?s\n\Z")
        schema = json.loads((self.folder / "tables/schema.json").read_text(encoding="utf-8"))
        db = sqlite3.connect(self.folder / "all.db")
        self.addCleanup(db.close)
        tables = [name for name, in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'computed%'")]
        self.assertEqual([table["name"] for table in schema["tables"]], tables)
        for table in schema["tables"]:
            with self.subTest(table["name"]):
                cursor = db.execute(f"SELECT * FROM {table['name']}")
                head, *rows = self.read(table["name"])
                self.assertEqual(head, [column[0] for column in cursor.description])
                self.assertEqual(head, [column["name"] for column in table["columns"]])
                wanted = [list(map(as_text, row)) for row in cursor]
                self.assertEqual(rows, wanted)
                self.assertEqual(table["rows"], len(rows))
                with open(self.folder / "tables" / table["file"], encoding="utf-8", newline="") as file:
                    plain = list(csv.reader(file))
                self.assertEqual(plain[1:], [[value or "" for value in row] for row in wanted])
        names = [row[5] for row in self.read("object") if row[2] == "window"]
        self.assertEqual(names, HOSTILE)

    def test_views_are_written_when_asked_and_types_are_those_of_the_values(self):
        self.answer("export", self.run_folder, "--csv", "tables", "--views")
        for view in ("communicator_time", "leaks", "processes"):
            rows = self.ask(self.run_folder, f"SELECT * FROM {view}")
            head, *found = self.read(view)
            self.assertEqual(head, list(rows[0]))
            self.assertEqual(len(found), len(rows))
        schema = json.loads((self.folder / "tables/schema.json").read_text(encoding="utf-8"))
        types = {(table["name"], column["name"]): column["type"] for table in schema["tables"] for column in table["columns"]}
        self.assertEqual(set(types.values()), {"int64", "float64", "string"})
        for column, wanted in ((("object", "uid"), "int64"), (("object", "name"), "string"), (("profile", "time_ns"), "int64"), (("pcontrol", "level"), "int64"),
                               (("communicator_time", "seconds"), "float64"), (("tags", "messages"), "int64"), (("churn", "creating_seconds"), "float64"),
                               (("communicator_time", "communicator"), "string"), (("meta", "value"), "string")):
            self.assertEqual(types[column], wanted, column)

    def test_column_of_other_values_than_declared_becomes_a_text(self):
        path = self.run_folder / "rank-00001.db"
        with sqlite3.connect(path) as db:
            db.execute("UPDATE process SET pid = 'x,y'")
        db.close()
        self.answer("export", self.run_folder, "--csv", "tables")
        schema = json.loads((self.folder / "tables/schema.json").read_text(encoding="utf-8"))
        [process] = [table for table in schema["tables"] if table["name"] == "process"]
        self.assertEqual([column["type"] for column in process["columns"] if column["name"] == "pid"], ["string"])

    def test_bytes_that_are_no_text_do_not_spoil_the_file(self):
        with sqlite3.connect(self.run_folder / "rank-00000.db") as db:
            db.execute("UPDATE object SET name = CAST(x'61ff62c3' AS TEXT) WHERE object = 3")
            db.execute("UPDATE object SET name = CAST(x'610062' AS TEXT) WHERE object = 4")
            db.execute("UPDATE object SET detail = x'00ff' WHERE object = 3")
        db.close()
        self.answer("export", self.run_folder, "--csv", "tables")
        rows = {row[1]: row for row in self.read("object") if row[0] == "0"}
        self.assertEqual((rows["3"][5], rows["4"][5], rows["3"][-1]), ("a\ufffdb\ufffd", "a\ufffdb", "00ff"))

    def test_folder_must_be_new_or_empty(self):
        full = self.folder / "full"
        full.mkdir()
        (full / "kept").write_text("mine")
        self.refuse("export", self.run_folder, "--csv", "full", saying=("full", "not empty"))
        self.refuse("export", self.run_folder, "--csv", full / "kept", saying="not a folder")
        self.refuse("export", self.run_folder, "--csv", "no/such", saying="no/such")
        self.assertEqual((full / "kept").read_text(), "mine")
        empty = self.folder / "empty"
        empty.mkdir(mode=0o750)
        self.answer("export", self.run_folder, "--csv", "empty/")
        self.assertEqual(empty.stat().st_mode & 0o777, 0o750)
        self.assertTrue((empty / "process.csv").exists())
        self.refuse("export", self.run_folder, "--csv", "empty", saying="not empty")
        (self.folder / "link").symlink_to("target")
        self.refuse("export", self.run_folder, "--csv", "link", saying="link")

    def test_nothing_is_left_of_an_export_that_fails(self):
        bad = self.folder / "bad.db"
        bad.write_bytes(b"SQLite format 3\0" + b"x" * 5000)
        before = self.listing()
        self.refuse("export", bad, "--csv", "tables", saying="bad.db")
        script = 'trap "" XFSZ; ulimit -f 8; exec "$@"'
        for option in ([], ["--zstd"]):
            done = bounded.run(["sh", "-c", script, "sh", COMMAND, "export", self.run_folder, "--csv", "tables", *option], capture_output=True, text=True,
                               timeout=SECONDS, env=self.environment(), cwd=self.folder)
            if option and done.returncode == 0:
                continue  # it is small when it is compressed
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertRegex(done.stderr, r"\Acallsign: cannot write [\w.]+: .*\n\Z")
            self.assertEqual(self.listing(), before)

    def test_interrupted_export_leaves_nothing(self):
        """The signal comes at any moment: before, while or after the files are written."""
        before = self.listing()
        for number, moment in enumerate(("0.01", "0.03", "0.05", "0.1", "0.2")):
            name = f"tables{number}"
            done = bounded.run(["sh", "-c", f'"$@" & sleep {moment}; kill -TERM $!; wait $!', "sh", COMMAND, "export", self.run_folder, "--csv", name, "--views"],
                               capture_output=True, text=True, timeout=SECONDS, env=self.environment(), cwd=self.folder)
            self.assertIn(self.listing(), (before, sorted([*before, name])), done.stderr)
            if name in self.listing():
                self.assertTrue((self.folder / name / "load.sql").exists())
            before = self.listing()

    def test_wrong_arguments_are_usage_errors(self):
        self.refuse("export", code=2, saying="give one format")
        self.refuse("export", self.run_folder, code=2, saying="--csv")
        self.refuse("export", self.run_folder, self.run_folder, "--csv", "tables", code=2, saying="one run")
        self.refuse("export", self.run_folder, "--csv", "", saying="name a folder")


class Compressed(CommandTest):
    def test_compressed_files_have_the_same_rows(self):
        run = fixture.make_run(self.folder, ranks=2)
        done = self.call("export", run, "--csv", "packed", "--zstd")
        if "libzstd.so.1" in done.stderr:
            self.assertEqual((done.returncode, (self.folder / "packed").exists()), (1, False))
            self.skipTest("no libzstd here")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.answer("export", run, "--csv", "plain")
        names = sorted(path.name for path in (self.folder / "plain").glob("*.csv"))
        self.assertEqual(sorted(path.name for path in (self.folder / "packed").glob("*.csv.zst")), [name + ".zst" for name in names])
        try:
            bounded.run(["zstd", "--version"], capture_output=True)
        except FileNotFoundError:
            self.skipTest("no command zstd here")
        for name in names:
            content = bounded.run(["zstd", "-dc", self.folder / "packed" / (name + ".zst")], capture_output=True, check=True).stdout
            self.assertEqual(content, (self.folder / "plain" / name).read_bytes(), name)


if __name__ == "__main__":
    unittest.main()
