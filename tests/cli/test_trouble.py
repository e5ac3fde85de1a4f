"""What users and enemies hand to the command: nothing of it may end in a crash, a wrong answer or a driven terminal."""
import json
import os
import random
import shutil
import sqlite3
import subprocess
import unittest

import fixture
from support import COMMAND, SECONDS, CommandTest, bounded

ESCAPES = "\x1b]0;owned\x07\x1b[31mred\x9b2J\u202eevil\r\n"


class NoRun(CommandTest):
    def test_missing_path_is_named(self):
        for command in ("report", "query", "names", "seal"):
            self.refuse(command, "nowhere.callsign", saying="nowhere.callsign does not exist")

    def test_folder_that_is_no_run_is_named(self):
        self.refuse("report", self.folder / "tmp", saying="is not a callsign run: there is no rank-*.db in it")

    def test_folder_with_runs_in_it_names_one(self):
        fixture.make_run(self.folder)
        self.refuse("report", ".", saying="./solver.k3f9a2xq.callsign")

    def test_file_of_another_kind_is_named(self):
        (self.folder / "notes.txt").write_text("hello")
        self.refuse("query", "notes.txt", "SELECT 1", saying=("notes.txt", "neither a callsign trace nor a journal"))
        self.refuse("report", "/dev/null", saying="neither a folder nor a file")

    def test_other_database_is_named(self):
        with sqlite3.connect(self.folder / "other.db") as db:
            db.execute("CREATE TABLE process (rank)")
        self.refuse("report", "other.db", saying=("other.db", "not a callsign trace"))

    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_unreadable_folder_is_named(self):
        run = fixture.make_run(self.folder)
        run.chmod(0)
        self.addCleanup(run.chmod, 0o755)
        self.refuse("report", run, saying=str(run))


class Usage(CommandTest):
    def test_every_command_has_a_help_that_fits_a_screen_and_ends_with_an_example(self):
        for command in ("report", "query", "merge", "names", "seal", "version", "run"):
            text = self.answer(command, "--help")
            self.assertLessEqual(max(map(len, text.splitlines())), 80, command)
            self.assertLessEqual(len(text.splitlines()), 50, command)
            self.assertRegex(text.rstrip().splitlines()[-1], r"^ +\S", command)
            self.assertEqual(text, self.answer("help", command))

    def test_unknown_commands_and_options_are_usage_errors(self):
        self.refuse("frobnicate", code=2, saying="frobnicate")
        for command in ("report", "query", "merge", "names", "seal", "version"):
            self.assertEqual(self.call(command, "--frobnicate").returncode, 2)
        for command in ("report", "query", "seal"):
            self.refuse(command, code=2, saying="which run?")
        self.refuse("report", "x", "--rows", "many", code=2, saying="many")

    def installed(self, *libraries):
        """A tree with the command and files of these names among its libraries; what its `version` tells of flavours."""
        for name in ("bin", "lib"):
            (self.folder / name).mkdir()
        shutil.copy(COMMAND, self.folder / "bin" / "callsign")
        for name in libraries:
            (self.folder / "lib" / name).touch()
        done = bounded.run([self.folder / "bin" / "callsign", "version"], capture_output=True, text=True, timeout=SECONDS)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [line for line in done.stdout.splitlines() if "/lib" in line]

    def test_version_lists_flavours_and_no_other_library(self):
        lines = self.installed("libcallsign.so", "libcallsign-mpich.so", "libcallsign-front-mpich.so", "libcallsign-seal.so",
                               "libcallsign-unwind.so", "libcallsign-resolve.so")
        self.assertEqual(lines, [f"flavours    {self.folder}/lib/libcallsign-mpich.so (mpich)"])

    def test_version_says_that_no_flavour_is_there(self):
        lines = self.installed("libcallsign.so", "libcallsign-unwind.so", "libcallsign-resolve.so")
        self.assertEqual(lines, [f"flavours    none in {self.folder}/lib: nothing can be recorded"])

    def test_version_names_callsign_and_sqlite(self):
        self.assertRegex(self.answer("version"), r"(?s)callsign +\d+\.\d+\.\d+.*SQLite +3\.")

    def test_full_output_device_is_trouble(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = bounded.run([COMMAND, "report", fixture.make_run(self.folder)], stdout=full,
                                  stderr=subprocess.PIPE, text=True, timeout=SECONDS)
        self.assertEqual(done.returncode, 1)
        self.assertIn("No space left", done.stderr)


class Damaged(CommandTest):
    def check_others_are_shown(self, run, *saying):
        done = self.call("report", run)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        for text in ("rank-00001.db", *saying):
            self.assertIn(text, done.stderr)
        self.assertIn("3 ranks", done.stdout)
        self.assertIn("No trace of rank 1", done.stdout)

    def test_truncated_rank_is_left_out(self):
        run = fixture.make_run(self.folder)
        rank = run / "rank-00001.db"
        os.truncate(rank, rank.stat().st_size // 8192 * 4096)
        self.check_others_are_shown(run)

    def test_rank_of_random_bytes_is_left_out(self):
        run = fixture.make_run(self.folder)
        (run / "rank-00001.db").write_bytes(random.Random(1).randbytes(20000))
        self.check_others_are_shown(run)

    def test_empty_rank_is_left_out(self):
        run = fixture.make_run(self.folder)
        (run / "rank-00001.db").write_bytes(b"")
        self.check_others_are_shown(run)

    def test_any_damaged_page_hides_its_rank_only(self):
        run = fixture.make_run(self.folder, ranks=3)
        victim = run / "rank-00001.db"
        whole = victim.read_bytes()
        dice = random.Random(3)
        for begin in range(0, len(whole), 4096):
            with self.subTest(page=begin // 4096):
                victim.write_bytes(whole[:begin] + dice.randbytes(4096) + whole[begin + 4096:])
                for words in (("report", run), ("query", run, "SELECT group_concat(rank) AS ranks FROM process", "-f", "csv")):
                    done = self.call(*words)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertRegex(done.stderr, r"\Acallsign: .*/rank-00001\.db is damaged: .*; left out\n\Z")
                    if words[0] == "query":
                        self.assertEqual(done.stdout.split(), ["ranks", '"0,2"'])
                    else:
                        self.assertIn("1 of 3 rank files could not be read", done.stdout)

    def test_several_damaged_ranks_hide_themselves_only(self):
        run = fixture.make_run(self.folder, ranks=5)
        for rank in (0, 2, 3):
            victim = run / f"rank-{rank:05d}.db"
            size = victim.stat().st_size
            with open(victim, "r+b") as file:
                file.seek(size - 4096)  # of a table
                file.write(random.Random(rank).randbytes(4096))
        done = self.call("query", run, "SELECT rank, clock_offset_ns FROM process", "-f", "csv")
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (0, 3), done.stderr)
        self.assertEqual(done.stdout.split(), ["rank,clock_offset_ns", "1,0", "4,3000000"])  # by the clock of one that is there

    def test_what_is_no_file_is_left_out_and_blocks_nobody(self):
        run = fixture.make_run(self.folder, ranks=2)
        os.mkfifo(run / "rank-00002.db")
        os.mkfifo(run / "rank-00003.journal")
        os.mkfifo(run / "rank-00000.db-journal")  # SQLite's own, beside a good trace
        os.mkfifo(run / "rank-00001.db-wal")
        (run / "rank-00004.db").mkdir()
        for words, code in ((("report", run), 0), (("query", run, "processes"), 0), (("seal", run), 1)):
            done = self.call(*words)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertEqual(sorted(done.stderr.splitlines()),
                             [f"callsign: {run}/rank-0000{name} is not a regular file; left out" for name in ("2.db", "3.journal", "4.db")])
        self.assertIn("3 of 5 rank files could not be read", self.call("report", run).stdout)

    def test_damage_anywhere_never_crashes_the_command(self):
        run = fixture.make_run(self.folder, ranks=2)
        whole = (run / "rank-00001.db").read_bytes()
        dice = random.Random(2)
        for _ in range(25):
            broken = bytearray(whole)
            for _ in range(dice.choice((1, 10, 1000))):
                broken[dice.randrange(100, len(broken))] = dice.randrange(256)
            (run / "rank-00001.db").write_bytes(broken)
            for path in (run, run / "rank-00001.db"):
                done = self.call("report", path)
                self.assertIn(done.returncode, (0, 1), done.stderr)

    def test_single_damaged_trace_is_refused(self):
        run = fixture.make_run(self.folder, ranks=1)
        rank = run / "rank-00000.db"
        os.truncate(rank, rank.stat().st_size // 8192 * 4096)
        self.refuse("report", rank, saying=("rank-00000.db", "damaged"))

    def test_newer_trace_asks_for_a_newer_callsign(self):
        run = fixture.make_run(self.folder, ranks=1)
        fixture.make_trace(run / "rank-00001.db", 1, extra=lambda db: db.execute("PRAGMA user_version = 99"))
        self.refuse("report", run / "rank-00001.db", saying=("newer callsign", "99"))
        done = self.call("report", run)
        self.assertIn("newer callsign", done.stderr)
        self.assertIn("solver: 1 rank ", done.stdout)

    def test_trace_that_lacks_a_column_is_left_out(self):
        run = fixture.make_run(self.folder, ranks=1)
        fixture.make_trace(run / "rank-00001.db", 1, 2, extra=lambda db: db.executescript(
            "DROP TABLE pcontrol; CREATE TABLE pcontrol (rank INT, at_ns INT)"))
        done = self.call("query", run, "SELECT count(*) AS n FROM process", "-f", "csv")
        self.assertEqual(done.stdout, "n\n1\n")
        self.assertIn("rank-00001.db is damaged: table pcontrol", done.stderr)

    def make_older(self, db):
        """As the first version of the schema was."""
        for (view,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'view'").fetchall():
            db.execute(f"DROP VIEW {view}")
        db.execute("DROP TABLE rule")
        for table, column in (("object", "detail"), ("object", "uid"), ("naming", "rule"), ("object", "adopted")):
            db.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
        for table, column, former in (("object", "created_ns", "born_ns"), ("keyval", "created_ns", "born_ns"), ("keyval", "created", "made"),
                                      ("process", "last_seen_ns", "seen_ns"), ("process", "found_dead_ns", "found_ns"), ("thread", "state", "doing")):
            db.execute(f"ALTER TABLE {table} RENAME COLUMN {column} TO {former}")
        db.execute("PRAGMA user_version = 1")

    def test_trace_of_an_older_callsign_is_read_without_what_it_lacks(self):
        run = fixture.make_run(self.folder, ranks=1)
        fixture.make_trace(run / "rank-00001.db", 1, 2, extra=self.make_older)
        for path, objects in ((run, 10), (run / "rank-00001.db", 5)):
            self.assertEqual(self.ask(path, "SELECT count(*) AS n, sum(adopted) AS adopted FROM object"), [{"n": objects, "adopted": 0}])
            self.assertEqual(self.ask(path, "SELECT count(detail) AS n, count(DISTINCT created_ns) AS times FROM object WHERE rank = 1"),
                             [{"n": 0, "times": 4}])
            self.assertIn("rows", self.answer("report", path))

    def test_two_files_of_the_same_rank_are_not_added_up(self):
        run = fixture.make_run(self.folder, ranks=1)
        shutil.copy(run / "rank-00000.db", run / "rank-00001.db")
        done = self.call("query", run, "SELECT sum(calls) AS n FROM profile", "-f", "json")
        self.assertEqual(json.loads(done.stdout), [{"n": 1211}])
        self.assertIn("rank-00001.db says that it is rank 0", done.stderr)


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

    def test_paths_cannot_drive_the_terminal(self):
        evil = self.folder / "\x1b[31mevil"
        evil.mkdir()
        run = fixture.make_run(evil, ranks=1, name=ESCAPES)
        for words in (("seal", run), ("merge", run, "-o", evil / "all.db"), ("report", run, run), ("seal", evil / "none")):
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

    def test_views_of_a_trace_are_replaced_by_ours(self):
        def change(db):
            db.execute("DROP VIEW communicator_time")
            db.execute("CREATE VIEW communicator_time AS SELECT 'lies' AS communicator")
        run = fixture.make_run(self.folder, ranks=1)
        fixture.make_trace(run / "rank-00001.db", 1, 2, extra=change)
        for path in (run, run / "rank-00001.db"):
            text = self.answer("query", path, "SELECT communicator FROM communicator_time")
            self.assertIn("rows", text)
            self.assertNotIn("lies", text)

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
            db.execute("UPDATE frame SET module = '/dev/zero', offset = -1")
            db.execute("INSERT INTO site (site, caller, frame) VALUES (1, 2, 11), (2, 1, 11)")
        run = fixture.make_run(self.folder, ranks=1)
        fixture.make_trace(run / "rank-00001.db", 1, 2, extra=change)
        for path in (run, run / "rank-00001.db"):
            self.assertIn(self.call("report", path).returncode, (0, 1))
            self.assertEqual(self.call("query", path, "stacks").returncode, 0)

    def test_pipe_as_module_does_not_block(self):
        pipe = self.folder / "module.so"
        os.mkfifo(pipe)
        run = fixture.make_run(self.folder, ranks=1, extra=lambda db: db.execute("UPDATE frame SET module = ?", [str(pipe)]))
        self.assertIn("module.so+0x1234", self.answer("report", run))


class Journals(CommandTest):
    def test_journal_of_a_dead_process_is_sealed_when_met(self):
        run = fixture.make_run(self.folder, ranks=3)
        fixture.make_journal(run / "rank-00003.journal", rank=3)
        text = self.answer("report", run)
        self.assertIn("Rank 3 died in MPI_Recv on MPI_COMM_WORLD from rank 1, tag 7, at 0x1234, entered after 4.00 s", text)
        self.assertTrue((run / "rank-00003.db").exists())
        self.assertFalse((run / "rank-00003.journal").exists())

    def test_journal_of_a_living_process_is_shown_and_left(self):
        run = fixture.make_run(self.folder, ranks=3)
        living = subprocess.Popen(["sleep", "60"])
        try:
            fixture.make_living_journal(run / "rank-00003.journal", living, rank=3)
            text = self.answer("report", run)
            sealed = self.call("seal", run)
        finally:
            living.kill()
            living.wait()
        self.assertIn("1 process still runs", text)
        self.assertIn("Rank 3 is running, in MPI_Recv", text)
        self.assertEqual(sealed.returncode, 0)
        self.assertIn("rank-00003.journal", sealed.stderr)
        self.assertTrue((run / "rank-00003.journal").exists())
        self.assertFalse((run / "rank-00003.db").exists())
        self.assertEqual(list(self.temporary.iterdir()), [])

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_folder_that_cannot_be_written_is_read_all_the_same(self):
        run = fixture.make_run(self.folder, ranks=3)
        fixture.make_journal(run / "rank-00003.journal", rank=3)
        run.chmod(0o555)
        self.addCleanup(run.chmod, 0o755)
        self.assertIn("Rank 3 died", self.answer("report", run))
        self.assertTrue((run / "rank-00003.journal").exists())

    @unittest.skipUnless(os.geteuid() == 0, "only root can act for others")
    def test_root_reads_what_its_owner_may_not_seal(self):
        run = fixture.make_run(self.folder, ranks=3)
        fixture.make_journal(run / "rank-00003.journal", rank=3)
        os.chown(run / "rank-00003.journal", 54321, 54321)
        done = self.call("report", run)  # in a folder of root's
        self.assertEqual(done.returncode, 0)
        self.assertIn("Rank 3 died", done.stdout)
        self.assertRegex(done.stderr, r"\Acallsign: cannot write the trace .*/rank-00003\.db: Permission denied\n\Z")
        self.assertEqual(sorted(path.name for path in run.iterdir())[3:], ["rank-00003.journal"])

    def test_seal_says_how_each_process_ended(self):
        run = fixture.make_run(self.folder, ranks=1)
        fixture.make_journal(run / "rank-00001.journal", rank=1, outcome="aborted")
        fixture.make_journal(run / "rank-00002.journal", rank=2)
        lines = self.answer("seal", run).splitlines()
        self.assertEqual(len(lines), 2)
        self.assertTrue(lines[0].endswith("rank-00001.db: rank 1 aborted in MPI_Recv on MPI_COMM_WORLD"), lines)
        self.assertTrue(lines[1].endswith("rank-00002.db: rank 2 died in MPI_Recv on MPI_COMM_WORLD"), lines)
        self.assertIn("nothing to seal, 3 traces", self.answer("seal", run))

    def linked_journal(self, name, **options):
        """A run whose rank 1 has its journal in a folder of the node, under this name."""
        run = fixture.make_run(self.folder, ranks=1)
        local = self.folder / "local"
        local.mkdir()
        fixture.make_journal(local / name, rank=1, **options)
        (run / "rank-00001.journal").symlink_to(local / name)
        return run, local / name

    def test_journal_on_storage_of_the_node_is_sealed_into_the_run(self):
        run, journal = self.linked_journal("callsign-77-here-5.journal")
        self.answer("report", run)
        self.assertEqual(sorted(path.name for path in run.iterdir()), ["rank-00000.db", "rank-00001.db"])
        self.assertFalse(journal.exists())

    def test_other_links_are_not_followed(self):
        run, journal = self.linked_journal("secret.journal")
        done = self.call("seal", run)
        self.assertEqual(done.returncode, 1)
        self.assertIn("it is a symbolic link", done.stderr)
        self.assertTrue(journal.exists())

    @unittest.skipUnless(os.geteuid() == 0, "only root can make links of others")
    def test_link_of_another_user_is_not_followed(self):
        run, journal = self.linked_journal("callsign-77-here-5.journal")
        os.chown(run / "rank-00001.journal", 12345, 12345, follow_symlinks=False)
        done = self.call("seal", run)
        self.assertEqual(done.returncode, 1)
        self.assertIn("leads to a journal of another user: it is not read", done.stderr)
        self.assertTrue(journal.exists())

    def test_seal_keeps_the_journal_if_asked(self):
        journal = self.folder / "rank-00001.journal"
        fixture.make_journal(journal, rank=1)
        self.answer("seal", "--keep", journal)
        self.assertTrue(journal.exists())
        self.assertTrue(journal.with_suffix(".db").exists())

    def test_path_may_be_as_long_as_the_system_allows(self):
        deep = self.folder
        while len(str(deep)) < 1500:
            deep /= "a_folder_of_a_batch_system_that_likes_long_names"
        deep.mkdir(parents=True)
        run = fixture.make_run(self.folder, ranks=2).rename(deep / "long.callsign")
        fixture.make_journal(run / "rank-00002.journal", rank=2)
        self.assertIn("Rank 2 died", self.answer("report", run))
        self.assertTrue((run / "rank-00002.db").exists())
        self.assertIn("3 ranks", self.answer("report", ".", cwd=run))
        self.assertIn("finalized", self.answer("query", "rank-00001.db", "processes", cwd=run))
        fixture.make_journal(run / "rank-00003.journal", rank=3)
        self.assertIn("rank 3 died", self.answer("seal", ".", cwd=run))

    def test_single_journal_can_be_asked(self):
        fixture.make_journal(self.folder / "rank-00001.journal", rank=1)
        self.assertIn("died", self.answer("query", "rank-00001.journal", "processes"))

    def test_broken_journal_is_named_and_the_rest_is_shown(self):
        run = fixture.make_run(self.folder, ranks=3)
        (run / "rank-00003.journal").write_bytes(b"CSJOURN\n" + bytes(5000))
        done = self.call("report", run)
        self.assertEqual(done.returncode, 0)
        self.assertIn("rank-00003.journal", done.stderr)
        self.assertIn("3 ranks", done.stdout)
        self.assertEqual(self.call("seal", run).returncode, 1)

    def test_journal_beside_another_file_is_read_and_that_file_stays(self):
        run = fixture.make_run(self.folder, ranks=2)
        fixture.make_journal(run / "rank-00002.journal", rank=2)
        others = {"notes": b"not a trace" * 20, "empty": b""}
        with sqlite3.connect(self.folder / "other.db") as db:
            db.execute("CREATE TABLE process (rank)")
        others["database"] = (self.folder / "other.db").read_bytes()
        for what, content in others.items():
            (run / "rank-00002.db").write_bytes(content)
            for words in (("report", run), ("query", run / "rank-00002.journal", "processes")):
                with self.subTest(what=what, words=words[0]):
                    done = self.call(*words)
                    self.assertEqual(done.returncode, 0)
                    self.assertRegex(done.stderr, r"\Acallsign: .*/rank-00002\.db is no callsign trace: the journal beside it is read.*\n\Z")
                    self.assertRegex(done.stdout, "(?i)rank 2 died|died")
            self.refuse("seal", run, saying="rank-00002.db is no callsign trace")
            self.assertEqual((run / "rank-00002.db").read_bytes(), content)
        (run / "rank-00002.db").unlink()
        self.assertIn("rank 2 died", self.answer("seal", run))

    def test_processes_without_a_rank_do_not_hide_each_other(self):
        run = fixture.make_run(self.folder, ranks=1)
        for node in ("node1", "node-2.cluster"):
            fixture.make_journal(run / f"process-{node}-5001.journal", rank=-1, size=-1)
        for _ in range(2):
            self.assertEqual(self.ask(run, "SELECT count(*) AS n FROM process WHERE rank < 0"), [{"n": 2}])
        fixture.make_journal(run / "process-node1.b-5001.journal", rank=-1, size=-1)
        self.assertEqual(self.ask(run, "SELECT count(*) AS n FROM process WHERE rank < 0"), [{"n": 3}])

    def test_journal_of_another_node_that_says_how_it_ended_is_sealed_for_good(self):
        run = fixture.make_run(self.folder, ranks=1)
        fixture.make_journal(run / "rank-00001.journal", rank=1, outcome="finalized", node="elsewhere")
        text = self.answer("report", run)
        self.assertNotIn("still runs", text)
        self.assertNotIn("running", text)
        self.assertEqual(sorted(path.suffix for path in run.iterdir()), [".db", ".db"])


if __name__ == "__main__":
    unittest.main()
