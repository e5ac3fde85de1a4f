"""Traces that somebody made to deceive: nothing in them is run, or drives a terminal."""
import json
import os
import sqlite3
import unittest

import fixture
from support import CommandTest

import otf2  # in tests/support, whose path support.py sets

ESCAPES = "\x1b]0;owned\x07\x1b[31mred\x9b2J\u202eevil\r\n"


class Hostile(CommandTest):
    def test_names_cannot_drive_the_terminal(self):
        run = fixture.make_run(self.folder, name=ESCAPES, node=ESCAPES)
        outputs = [self.on_terminal("report", run, NO_COLOR="1"), self.on_terminal("query", run, "communicators", NO_COLOR="1"),
                   self.on_terminal("query", run, "communicators", "--format", "csv", NO_COLOR="1")]
        outputs.append(self.call("report", run, text=False).stdout)
        for output in outputs:
            text = output.decode()
            self.assertIn("\\x1b]0;", text)
            for bad in "\x1b\x07\x9b\u202e":
                self.assertNotIn(bad, text)

    def test_json_on_a_terminal_escapes_what_deceives_and_stays_json(self):
        run = fixture.make_run(self.folder, ranks=1)
        name = "".join(map(chr, (0x202e, 0x2066, 0x2028, 0x200b, 0xe0041, 0x1f600, 0xe4)))
        sql = f"SELECT '{name}' AS name"
        shown = self.on_terminal("query", run, sql, "-f", "json", NO_COLOR="1").decode()
        self.assertIn('"\\u202e\\u2066\\u2028\\u200b\\udb40\\udc41\U0001f600\u00e4"', shown)
        self.assertEqual(json.loads(shown), [{"name": name}])
        self.assertIn(f'"{name}"', self.answer("query", run, sql, "-f", "json"))  # a file or a program gets it as it is

    def test_name_of_10_megabytes_does_not_make_a_report_of_hundreds(self):
        run = fixture.make_run(self.folder, ranks=1, name="start\u202e" + "\u00e4" * 5_000_000 + "end")
        for words in (("report", run), ("report", run, "objects"), ("query", run, "object"), ("hang", run)):
            done = self.call(*words)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertLess(len(done.stdout), 200_000, words)
            if "start" in done.stdout:
                self.assertRegex(done.stdout, r"start\\u\{202e\}\u00e4+\.\.\.\u00e4+end")
                self.assertEqual(done.stderr, "callsign: texts of more than 1000 bytes are shown without their middle; --format csv or json has them whole\n")
        self.assertEqual(len(self.ask(run, "SELECT name FROM object WHERE object = 3")[0]["name"]), 5_000_009)

    def test_paths_cannot_drive_the_terminal(self):
        evil = self.folder / "\x1b[31mevil"
        evil.mkdir()
        run = fixture.make_run(evil, ranks=1, name=ESCAPES)
        for words in (("convert", run), ("merge", run, "-o", evil / "all.db"), ("report", run, run), ("convert", evil / "none")):
            fixture.make_journal(run / "rank-00001.journal", rank=1)
            for output in (self.on_terminal(*words, NO_COLOR="1"), self.call(*words, text=False).stdout):
                self.assertNotIn("\x1b", output.decode(), words)
            (run / "rank-00001.db").unlink(missing_ok=True)

    def test_names_cannot_become_commands_in_the_suggestion(self):
        run = fixture.make_run(self.folder, name="$(touch owned)\";`touch owned`'")
        with sqlite3.connect(run / "rank-00000.db") as db:
            db.execute("UPDATE object SET freed_ns = 1")
        last = self.answer("report", run / "rank-00000.db").rstrip().splitlines()[-1]
        self.assertNotIn("touch", last)

    def replace_table(self, table, definition):
        def change(db):
            db.execute(f"DROP TABLE {table}")
            db.execute(definition)
        run = fixture.make_run(self.folder, ranks=1)
        fixture.make_trace(run / "rank-00001.db", 1, 2, extra=change)
        return run

    def test_view_in_place_of_a_table_is_not_run(self):
        run = self.replace_table("profile", "CREATE VIEW profile AS SELECT 1 AS rank, 1 AS communicator, 1 AS function, "
                                 "1 AS site, 0 AS size_class, 666 AS calls, 1 AS time_ns, 1 AS min_ns, 1 AS max_ns, "
                                 "0 AS sent_bytes, 0 AS received_bytes")
        for path in (run, run / "rank-00001.db"):
            done = self.call("query", path, "SELECT sum(calls) AS n FROM profile")
            self.assertNotIn("666", done.stdout)
            self.assertIn("rank-00001.db is damaged: it has no table profile", done.stderr)

    def test_virtual_table_in_place_of_a_table_is_not_read(self):
        run = self.replace_table("meta", "CREATE VIRTUAL TABLE meta USING fts5(key, value)")
        self.assertIn("it has no table meta", self.call("report", run).stderr)

    def check_no_lies(self, *paths):
        for path in paths:
            text = self.answer("query", path, "SELECT communicator FROM communicator_time")
            self.assertIn("rows", text)
            self.assertNotIn("lies", text)

    def test_views_of_a_trace_are_replaced_by_ours(self):
        def add(db):
            db.execute("CREATE VIEW communicator_time AS SELECT 'lies' AS communicator")
            db.execute("CREATE VIEW call_times AS SELECT 'lies' AS rank")

        run = fixture.make_run(self.folder, ranks=1)
        fixture.make_trace(run / "rank-00001.db", 1, 2, extra=add)
        self.check_no_lies(run, run / "rank-00001.db")

    def test_views_of_a_merged_run_are_replaced_by_ours(self):
        def change(db):
            db.execute("DROP VIEW communicator_time")
            db.execute("CREATE VIEW communicator_time AS SELECT 'lies' AS communicator")

        fixture.make_trace(self.folder / "all.db", 0, 1, schema=fixture.MERGED, extra=change)
        self.check_no_lies(self.folder / "all.db")

    def test_triggers_and_generated_columns_do_nothing(self):
        def change(db):
            db.execute("CREATE TRIGGER t AFTER INSERT ON profile BEGIN DELETE FROM process; END")
            db.execute("ALTER TABLE process ADD COLUMN evil AS (hex(zeroblob(9)))")
        run = fixture.make_run(self.folder, ranks=1)
        fixture.make_trace(run / "rank-00001.db", 1, 2, extra=change)
        for path, ranks in ((run, 2), (run / "rank-00001.db", 1)):
            self.assertEqual(self.ask(path, "SELECT count(*) AS n FROM process"), [{"n": ranks}])

    def test_values_of_the_wrong_type_and_size_are_shown_as_they_are(self):
        def change(db):
            db.execute("PRAGMA ignore_check_constraints = ON")
            db.execute("UPDATE process SET world_size = 9223372036854775807, zero_utc_ns = -9223372036854775808, "
                       "node = x'ff00', mpi_ns = 'much'")
            db.execute("UPDATE profile SET time_ns = 9e300, calls = 'many', site = 'here'")
            db.execute("UPDATE module SET path = '/dev/zero'")
            db.execute("UPDATE frame SET offset = -1")
            db.execute("INSERT INTO site (site, caller, frame) VALUES (1, 2, 11), (2, 1, 11)")
        run = fixture.make_run(self.folder, ranks=1)
        fixture.make_trace(run / "rank-00001.db", 1, 2, extra=change)
        for path in (run, run / "rank-00001.db"):
            self.assertIn(self.call("report", path).returncode, (0, 1))
            self.assertEqual(self.call("query", path, "stacks").returncode, 0)

    @unittest.skipUnless(otf2.is_here(), "otf2-tools is not installed")
    def test_ranks_of_a_damaged_trace_do_not_become_places_in_memory(self):
        for at, (change, said) in enumerate([
                (f"UPDATE process SET rank = {2**40 + 1}", "it has a rank"),
                ("UPDATE process SET world_size = 9223372036854775807", "it has a rank"),
                ("UPDATE process SET world_size = 'many'", None), ("UPDATE process SET rank = -7", None)]):
            def damage(db):
                db.execute("PRAGMA ignore_check_constraints = ON")
                db.execute(change + " WHERE rank = 1")
            path = self.folder / f"rank-{at}.db"
            fixture.make_trace(path, 1, 2, extra=damage)
            result = self.call("export", path, "--otf2", self.folder / f"traces-{at}")
            with self.subTest(change=change):
                self.assertIn(result.returncode, (0, 1))
                if said:
                    self.assertEqual(result.returncode, 1)
                    self.assertIn(said, result.stderr)

    def test_pipe_as_module_does_not_block(self):
        pipe = self.folder / "module.so"
        os.mkfifo(pipe)
        run = fixture.make_run(self.folder, ranks=1, extra=lambda db: db.execute("UPDATE module SET path = ?", [str(pipe)]))
        self.assertIn("module.so+0x1234", self.answer("report", run))


if __name__ == "__main__":
    unittest.main()
