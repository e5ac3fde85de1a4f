"""Traces that somebody made to deceive: nothing in them is run, or drives a terminal."""
import json
import os
import sqlite3
import unittest

import fixture
from support import COMMAND, CommandTest

import bounded  # in tests/support, whose path support.py sets
import otf2

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


class Outputs(CommandTest):
    """What others put in the place of an output is neither followed, nor overwritten, nor waited for."""

    def setUp(self):
        super().setUp()
        self.run_folder = fixture.make_run(self.folder, ranks=2)
        self.victim = self.folder / "victim"
        self.victim.write_text("precious")

    def commands(self, name):
        yield ("query", self.run_folder, "SELECT 1 AS one", "-o", name)
        yield ("check", self.run_folder, "--junit", name)
        yield ("compare", "--fail-on", "calls@MPI_Recv>1", "--junit", name, self.run_folder, "--", self.run_folder)
        yield ("report", self.run_folder, f"--html={name}")

    def test_link_in_the_place_of_an_output_is_replaced(self):
        for number, words in enumerate(self.commands(self.folder / "output")):
            output = self.folder / "output"
            output.symlink_to(self.victim)
            done = self.call(*words)
            self.assertEqual(done.returncode, 0, (words, done.stderr))
            self.assertEqual(self.victim.read_text(), "precious", words)
            self.assertTrue(output.is_file() and not output.is_symlink(), words)
            output.unlink()
        self.assertEqual([name for name in os.listdir(self.folder) if name.startswith("output")], [])

    def test_page_replaces_a_link_and_a_pipe_in_the_folder_of_the_run(self):
        page = self.run_folder / "report.html"
        for make in (lambda path: path.symlink_to(self.victim), os.mkfifo):
            for name in ("report.html", "report.html.part"):
                make(self.run_folder / name)
            self.answer("report", self.run_folder, "--html")
            self.assertIn("<html", page.read_text(encoding="utf-8"))
            self.assertEqual(self.victim.read_text(), "precious")
            for name in ("report.html", "report.html.part"):
                (self.run_folder / name).unlink()

    def test_new_outputs_follow_and_replace_nothing(self):
        for option in ("--perfetto", "--flamegraph", "--callgrind", "--csv"):
            (self.folder / "dangling").unlink(missing_ok=True)
            (self.folder / "dangling").symlink_to(self.folder / "elsewhere")
            self.call("export", self.run_folder, option, self.folder / "dangling")
            self.assertTrue((self.folder / "dangling").is_symlink(), option)
            self.assertFalse((self.folder / "elsewhere").exists(), option)

    def test_output_that_the_user_names_may_be_a_pipe_or_device(self):
        want = self.answer("query", self.run_folder, "SELECT 1 AS one", "-f", "csv")
        for name in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
            self.assertEqual(self.answer("query", self.run_folder, "SELECT 1 AS one", "-f", "csv", "-o", name), want)
        self.assertEqual(self.answer("query", self.run_folder, "SELECT 1", "-o", "/dev/null"), "")
        self.assertTrue(os.path.exists("/dev/null") and not os.path.isfile("/dev/null"))
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, reading)
        self.answer("query", self.run_folder, "SELECT 1 AS one", "-f", "csv", "-o", pipe)
        self.assertEqual(os.read(reading, 100).decode().split(), want.split())
        with open(self.folder / "redirected", "wb") as file:
            file.write(b"before\n")
            file.flush()
            bounded.run([COMMAND, "query", str(self.run_folder), "SELECT 1 AS one", "-f", "csv", "-o", "/dev/stdout"], stdout=file, timeout=60,
                        check=True, env=self.environment())
        self.assertEqual((self.folder / "redirected").read_text(), "before\n" + want)

    def test_replaced_output_keeps_its_permissions_and_a_failed_one_its_content(self):
        output = self.folder / "output"
        output.write_text("old")
        output.chmod(0o640)
        self.refuse("query", self.run_folder, "SELECT json('{') AS broken", "-o", output)
        self.assertEqual(output.read_text(), "old")
        self.answer("query", self.run_folder, "SELECT 1 AS one", "-o", output)
        self.assertEqual(output.stat().st_mode & 0o777, 0o640)

    def test_outputs_have_no_permission_that_the_traces_lack(self):
        mask = os.umask(0o022)
        self.addCleanup(os.umask, mask)
        for mode, want in ((0o644, 0o644), (0o600, 0o600), (0o640, 0o640)):
            (self.run_folder / "rank-00001.db").chmod(mode)
            (self.folder / "merged").unlink(missing_ok=True)
            for words in (*self.commands(self.folder / "output"), ("merge", self.run_folder, "-o", self.folder / "merged")):
                (self.folder / "output").unlink(missing_ok=True)
                self.assertEqual(self.call(*words).returncode, 0, words)
                made = self.folder / ("merged" if words[0] == "merge" else "output")
                self.assertEqual(oct(made.stat().st_mode & 0o777), oct(want), words)

    def give_away(self, run, owner, mode):
        os.chown(run, owner, owner)
        for trace in run.iterdir():
            os.chown(trace, owner, owner)
            trace.chmod(mode)

    @unittest.skipUnless(os.geteuid() == 0, "needs root")
    def test_folder_that_is_swapped_while_root_reads_gives_nothing_of_a_third_user(self):
        (self.folder / "third").mkdir()
        (self.folder / "innocent").mkdir()
        self.folder.chmod(0o755)
        run, ranks = fixture.make_run(self.folder / "innocent", ranks=17), 17
        third = fixture.make_run(self.folder / "third", ranks=ranks, name="secret of another")
        self.give_away(run, 12345, 0o644)
        self.give_away(third, 12346, 0o600)
        swap = {"LD_PRELOAD": os.environ["CS_TEST_SWAPPED"], "SWAPPED_FROM": str(run), "SWAPPED_TO": str(third), "TMPDIR": "/tmp",
                "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"}
        for words in (("query", run, "SELECT count(*) FROM process"), ("report", run, "--html")):
            done = self.call(*words, **swap)
            self.assertNotIn("secret", done.stdout)
        for path in run.iterdir():
            self.assertNotIn(b"secret", path.read_bytes(), path)
        self.give_away(third, 12345, 0o600)  # the look-alike: both are the owner's
        (run / "merged.db").unlink(missing_ok=True)
        self.assertEqual(self.call("query", run, "SELECT count(*) AS n FROM object WHERE name LIKE 'secret%'", "-f", "csv", **swap).stdout, "n\n17\n")
        merged = (run / "merged.db").stat()
        self.assertEqual((merged.st_uid, oct(merged.st_mode & 0o777)), (12345, oct(0o644)))

    @unittest.skipUnless(os.geteuid() == 0, "needs root")
    def test_root_writes_into_the_folder_of_another_user_as_that_user(self):
        os.chown(self.run_folder, 12345, 12345)
        for trace in self.run_folder.iterdir():
            os.chown(trace, 12345, 12345)
        self.folder.chmod(0o755)
        self.answer("report", self.run_folder, "--html")
        page = (self.run_folder / "report.html").stat()
        self.assertEqual((page.st_uid, page.st_gid), (12345, 12345))
        self.answer("query", self.run_folder, "SELECT 1 AS one", "-o", self.folder / "roots")  # its own folder
        self.assertEqual((self.folder / "roots").stat().st_uid, 0)


if __name__ == "__main__":
    unittest.main()
