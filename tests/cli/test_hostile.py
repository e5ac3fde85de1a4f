"""Traces that somebody made to deceive: nothing in them is run, or drives a terminal."""
import contextlib
import csv
import html.parser
import io
import json
import os
import shutil
import sqlite3
import struct
import tempfile
import unittest
import xml.etree.ElementTree

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

    def test_name_of_10_megabytes_is_cut(self):
        run = fixture.make_run(self.folder, ranks=1, name="start\u202e" + "\u00e4" * 5_000_000 + "end")
        for words in (("report", run), ("report", run, "objects"), ("query", run, "object"), ("hang", run)):
            done = self.call(*words)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertLess(len(done.stdout), 200_000, words)
            if "start" in done.stdout:
                self.assertRegex(done.stdout, r"start\\u\{202e\}\u00e4+\.\.\.\u00e4+\.\.\.")
                self.assertEqual(done.stderr, "callsign: texts of more than 1000 bytes are shown without their middle; --format csv or json has them whole\n")
        for path in (run, run / "rank-00000.db"):
            [row] = self.ask(path, "SELECT name, length(CAST(name AS BLOB)) AS bytes FROM object WHERE object = 3")
            self.assertRegex(row["name"], "\\Astart\u202e\u00e4+[.]{3}\\Z")
            self.assertIn(row["bytes"], (65535, 65536))
        self.call("report", run, "--no-sql", f"--html={self.folder / 'page.html'}")
        self.assertLess((self.folder / "page.html").stat().st_size, 4_000_000)

    def test_longest_name_and_long_list_of_members_are_whole(self):
        name, members = "n" * 65536, ",".join(str(2 * rank) for rank in range(100_000))
        run = fixture.make_run(self.folder, ranks=2, name=name, extra=lambda db: db.execute("UPDATE communicator SET members = ?", [members]))
        for path in (run, run / "rank-00000.db"):
            self.assertEqual(self.ask(path, "SELECT DISTINCT o.name, c.members FROM object o JOIN communicator c USING (rank, object) WHERE object = 3"),
                             [{"name": name, "members": members}])

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

    def test_what_a_user_adds_to_a_trace_does_nothing(self):
        def change(db):
            db.execute("CREATE TRIGGER t AFTER INSERT ON profile BEGIN DELETE FROM process; END")
            db.execute("CREATE INDEX mine ON profile (calls)")
            db.execute("CREATE TABLE notes (text, long AS (zeroblob(1e9)))")
            db.execute("ANALYZE")
        run = fixture.make_run(self.folder, ranks=1)
        fixture.make_trace(run / "rank-00001.db", 1, 2, extra=change)
        for path, ranks in ((run, 2), (run / "rank-00001.db", 1)):
            self.assertEqual(self.ask(path, "SELECT count(*) AS n FROM process"), [{"n": ranks}])

    def test_computed_columns_are_not_read(self):
        evil = "hex(zeroblob(1e8))"
        for change in (f"ALTER TABLE process ADD COLUMN evil AS ({evil})",
                       f"DROP TABLE naming; CREATE TABLE naming (rank INT, object INT, at_ns INT, name AS ({evil}), origin, thread, site, function, kind, error, rule)"):
            run = fixture.make_run(self.folder, ranks=1)
            fixture.make_trace(run / "rank-00001.db", 1, 2, extra=lambda db, change=change: db.executescript(change))
            for path in (run, run / "rank-00001.db"):
                done = self.call("query", path, "SELECT count(*) AS n FROM process", "-f", "csv")
                self.assertRegex(done.stderr, r"rank-00001\.db is damaged: it has no table \w+ as callsign makes it")
                self.assertEqual(done.stdout, "n\n1\n" if path == run else "")
            shutil.rmtree(run)

    def test_a_merged_file_of_a_version_with_other_comments_is_read(self):
        def rewrite(change):
            def extra(db):
                db.execute("PRAGMA writable_schema = ON")
                db.execute(f"UPDATE sqlite_schema SET sql = {change} WHERE name = 'naming'")
            path = self.folder / "other.db"
            path.unlink(missing_ok=True)
            fixture.make_trace(path, 0, 1, schema=fixture.MERGED, extra=extra)
            return self.call("query", path, "SELECT count(*) AS n FROM process", "-f", "csv")

        self.assertEqual(rewrite("replace(sql, ' -- ', ' -- other ')").stdout, "n\n1\n")
        for name, changed in ((" INT, -- ", " INT DEFAULT 7, -- "), ("rank INT", "more INT, rank INT")):
            self.assertIn("it has no table naming as callsign makes it", rewrite(f"replace(sql, '{name}', '{changed}')").stderr)

    def endless(self, path):
        """Leads a table many times to the same page, on each of eight levels."""
        with contextlib.closing(sqlite3.connect(path)) as db:
            [size] = db.execute("PRAGMA page_size").fetchone()
            [root] = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'naming'").fetchone()
        pages = bytearray(path.read_bytes())

        def interior(page):
            return memoryview(pages)[(page - 1) * size:page * size]

        self.assertEqual(interior(root)[0], 5, "an interior page of a table")
        count = int.from_bytes(interior(root)[3:5], "big")
        places = [int.from_bytes(interior(root)[12 + 2 * i:14 + 2 * i], "big") for i in range(count)]
        leaves = [int.from_bytes(interior(root)[at:at + 4], "big") for at in places]
        for page, child in zip([root, *leaves[:8]], leaves[:9]):
            cells = 60
            interior(page)[:] = bytes(size)
            interior(page)[:12] = struct.pack(">BHHHBI", 5, 0, cells, size - 5 * cells, 0, child)
            for cell in range(cells):
                at = size - 5 * (cell + 1)
                interior(page)[12 + 2 * cell:14 + 2 * cell] = at.to_bytes(2, "big")
                interior(page)[at:at + 5] = child.to_bytes(4, "big") + b"\1"
        path.write_bytes(pages)

    def test_table_with_more_rows_than_its_file_has_room_for_ends(self):
        def fill(db):
            for number in range(6000):
                fixture.insert(db, "naming", rank=1, object=3, at_ns=number, name="x" * 100, origin="program")
        run = fixture.make_run(self.folder, ranks=1)
        fixture.make_trace(run / "rank-00001.db", 1, 2, extra=fill)
        self.endless(run / "rank-00001.db")
        for path in (run, run / "rank-00001.db"):
            done = self.call("query", path, "SELECT count(*) AS n FROM process", "-f", "csv")
            self.assertRegex(done.stderr, "rank-00001.db is damaged: " + ("table naming: it has more rows than its size allows" if path == run else ""))
            self.assertEqual(done.stdout, "n\n1\n" if path == run else "")

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
        yield ("report", self.run_folder, "--no-sql", f"--html={name}")

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
            self.answer("report", self.run_folder, "--html", "--no-sql")
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
        for name in ("/dev/stdout", "/proc/self/fd/1"):
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
        for mode in (0o644, 0o640):
            (self.run_folder / "rank-00001.db").chmod(mode)
            made = self.folder / f"output{mode}"
            for words in (("query", self.run_folder, "SELECT 1", "-o", made), ("merge", self.run_folder, "-o", made), ("export", self.run_folder, "--flamegraph", made)):
                made.unlink(missing_ok=True)
                self.assertEqual(self.call(*words).returncode, 0, words)
                self.assertEqual(oct(made.stat().st_mode & 0o777), oct(mode), words)
        self.answer("export", self.run_folder, "--csv", self.folder / "tables")
        self.assertEqual(oct((self.folder / "tables").stat().st_mode & 0o777), oct(0o750))
        self.assertEqual(oct((self.folder / "tables/object.csv").stat().st_mode & 0o777), oct(0o640))

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
        self.call("report", run, "--html", "--no-sql", **swap)
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
        self.answer("report", self.run_folder, "--html", "--no-sql")
        page = (self.run_folder / "report.html").stat()
        self.assertEqual((page.st_uid, page.st_gid), (12345, 12345))
        self.folder.chmod(0o700)  # closed to that user
        self.assertEqual(self.ask(self.run_folder, "SELECT count(*) AS n FROM process"), [{"n": 2}])
        self.answer("query", self.run_folder, "SELECT 1 AS one", "-o", self.folder / "roots")  # its own folder
        self.assertEqual((self.folder / "roots").stat().st_uid, 0)


# One list for every output: each text would be seen if it became more than text.
TEXTS = ["<script>alert(1)</script>", "\"><img src=x onerror=alert(2)>", "'onmouseover='alert(3)", "]]></script><b id=owned>&amp;&#0;", "</title></style><!--",
         ESCAPES, "\u202egnp.exe\u2066\ufeff\uffff\u2028", "a,b;\"c\"\td\n=cmd|'/c'!A1", "|`*_[x](javascript:alert(4))\\", "fn=(9) x\ncalls=1 0\n;y 5", "(9) z", "\x00\x01\x7f\x85\x9c",
         "{{7*7}}${alert(5)}%s%n%d", "-e", "nonb" + "\u00e4" * 300]
FIRST = 100  # their numbers in the tables


class Texts(CommandTest):
    """A run whose names, functions, files, modules and kinds are hostile: a real parser reads each output."""

    @classmethod
    def setUpClass(cls):
        shared = tempfile.mkdtemp(prefix="callsign-test-")
        cls.addClassCleanup(shutil.rmtree, shared)
        cls.run_folder = fixture.make_run(shared, ranks=1, node=ESCAPES, extra=cls.fill)

    @staticmethod
    def fill(db):
        [rank] = db.execute("SELECT rank FROM process").fetchone()
        db.execute("PRAGMA ignore_check_constraints = ON")
        db.execute("UPDATE process SET program = ?, arguments = ?", [TEXTS[1], TEXTS[7]])
        for number, text in enumerate(TEXTS, FIRST):
            fixture.insert(db, "function", function=number, name=text, **{"class": "collective"})
            fixture.insert(db, "frame", frame=number, module=fixture.module_number(db, text, None), offset=16, function=text, file=text, line=number)
            fixture.insert(db, "site", site=fixture.SITE + number, frame=number)
            fixture.insert(db, "object", rank=rank, object=number, kind="communicator", name=text, name_origin="program", parent=1, function=fixture.SPLIT,
                           site=fixture.SITE + number, created_ns=10**9, predefined=0, internal=0, adopted=0)
            fixture.insert(db, "communicator", rank=rank, object=number, size=2, own_rank=rank, topology=text)
            fixture.insert(db, "profile", rank=rank, communicator=number, object=0, function=number, site=fixture.SITE + number, size_class=4, calls=10,
                           time_ns=10**9, min_ns=10**8, max_ns=10**8, sent_bytes=8, received_bytes=8)
            fixture.insert(db, "misuse", rank=rank, at_ns=5, kind=text, object=number, function=number, value=1, site=fixture.SITE + number, other_site=0)

    def output(self, *words):
        """Standard output as text; only UTF-8 may be in it, whatever the exit code is."""
        return self.call(*words, text=False).stdout.decode("utf-8")

    def assert_visible(self, text):
        self.assertTrue(text)
        self.assertEqual([c for c in text if c != "\n" and (ord(c) < 32 or 0x7f <= ord(c) < 0xa0 or c in "\u202e\u2066\u2028\ufeff")], [], text[:2000])

    def test_terminals_and_markdown_see_no_control_character(self):
        for words in (("report", self.run_folder, "objects", "functions", "call_sites"), ("check", self.run_folder), ("query", self.run_folder, "SELECT name FROM object"), ("report", self.run_folder),
                      ("compare", self.run_folder, "--", self.run_folder), ("compare", "--markdown", self.run_folder, "--", self.run_folder)):
            self.assert_visible(self.output(*words))

    def test_csv_has_the_texts(self):
        # A database of SQLite ends a text at NUL for some functions; the rest must be whole.
        want = [text for text in TEXTS if "\0" not in text]
        rows = list(csv.reader(io.StringIO(self.output("query", self.run_folder, f"SELECT name FROM object WHERE rank = 0 AND object >= {FIRST} ORDER BY object", "-f", "csv"), newline=""), strict=True))
        self.assertEqual([row[0] for row in rows[1:] if row[0] in want], want)
        self.assertEqual({len(row) for row in rows}, {1})
        self.call("export", self.run_folder, "--csv", self.folder / "tables")
        json.loads((self.folder / "tables/schema.json").read_text(encoding="utf-8"))
        for path in (self.folder / "tables").glob("*.csv"):
            with open(path, newline="", encoding="utf-8") as file:
                rows = list(csv.reader(file, strict=True))
            self.assertEqual(len({len(row) for row in rows}), 1, path)
            if path.name == "object.csv":
                self.assertTrue(set(want) <= {row[rows[0].index("name")] for row in rows})

    def test_json_has_the_texts(self):
        for words in (("query", self.run_folder, "object", "-f", "json"), ("report", self.run_folder, "-f", "json"),
                      ("compare", "-f", "json", self.run_folder, "--", self.run_folder)):
            texts = list(self.texts_in(json.loads(self.output(*words))))
            if "object" in words:
                self.assertTrue({text for text in TEXTS if "\0" not in text} <= set(texts))

    def texts_in(self, value):
        if isinstance(value, (list, dict)):
            for item in value.values() if isinstance(value, dict) else value:
                yield from self.texts_in(item)
        else:
            yield value

    def test_junit_has_the_texts(self):
        self.call("check", self.run_folder, "--junit", self.folder / "check.xml")
        self.call("compare", "--fail-on", "calls@MPI_Recv>1", "--junit", self.folder / "compare.xml", self.run_folder, "--", self.run_folder)
        cases = xml.etree.ElementTree.parse(self.folder / "check.xml").getroot().findall("testcase")
        self.assertGreaterEqual(len(cases), len(TEXTS))
        self.assertTrue(any("<script>alert(1)" in case.get("classname") for case in cases))
        self.assertEqual({child.tag for case in cases for child in case}, {"failure"})
        xml.etree.ElementTree.parse(self.folder / "compare.xml")

    def test_page_has_no_element_of_theirs(self):
        self.call("report", self.run_folder, "--no-sql", f"--html={self.folder / 'page.html'}")
        page = Elements()
        page.feed((self.folder / "page.html").read_text(encoding="utf-8"))
        self.assertEqual([tag for tag in page.tags if tag in ("img", "b")], [])
        self.assertEqual([name for name in page.attributes if name.startswith("on")], [])
        self.assertTrue(page.data)
        for text in page.data:
            json.loads(text)

    def test_call_paths_have_a_line_each(self):
        self.call("export", self.run_folder, "--flamegraph", self.folder / "folded")
        self.call("export", self.run_folder, "--callgrind", self.folder / "callgrind")
        for line in (self.folder / "folded").read_text(encoding="utf-8").splitlines():
            self.assertRegex(line, r"^[^\x00-\x1f]* \d+$")  # a text may end at a NUL
        self.assert_visible((self.folder / "folded").read_text(encoding="utf-8"))
        text = (self.folder / "callgrind").read_text(encoding="utf-8")
        self.assert_visible(text)
        for line in text.splitlines():
            self.assertRegex(line, r"^($|# callgrind format$|(version|creator|positions|events?|summary|totals|desc|cmd|pid): ?.*$|"
                             r"(fn|cfn|fl|cfi|ob|cob)=(?!\(\d).*$|calls=\d+ \d+$|\d+( \d+)+$)")


class Elements(html.parser.HTMLParser):
    """The elements of a page and its blocks of data."""

    def __init__(self):
        super().__init__()
        self.tags, self.attributes, self.data, self.in_data = [], [], [], False

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]
        self.in_data = tag == "script" and dict(attrs).get("type") == "application/json"

    def handle_endtag(self, tag):
        self.in_data = False

    def handle_data(self, data):
        if self.in_data:
            self.data.append(data)


if __name__ == "__main__":
    unittest.main()
