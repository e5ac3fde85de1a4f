"""CALLSIGN_FILES=node: the last rank of a node that ends writes one file for all ranks of the node. Run for each flavour."""

import contextlib
import csv
import fcntl
import io
import os
import shutil
import sqlite3
import subprocess
import unittest

import harness
from harness import bounded

import scaled_run  # noqa: E402  (harness sets the path)

REPEATS = 5


class Recorded(unittest.TestCase):
    def setUp(self):
        temporary = harness.workspace()
        self.folder = temporary.__enter__()
        self.addCleanup(temporary.cleanup)

    def record(self, *program, np=4, **settings):
        extra = {**harness.recording(self.folder), "CALLSIGN_FILES": "node", **settings}
        result = harness.mpirun(np, *program, extra=extra, cwd=self.folder)
        self.assertEqual(result.messages(), [])
        return result

    def run_of(self, *program, np=4, **settings):
        self.record(*program, np=np, **settings)
        (run,) = harness.run_folders(self.folder)
        return run

    def command(self, *words, code=0):
        result = harness.run([harness.COMMAND, *words], harness.base_environment(), self.folder)
        self.assertEqual(result.code, code, result.stderr)
        return result

    def ask(self, run, sql, *options):
        rows = csv.reader(io.StringIO(self.command("query", *options, run, sql, "-f", "csv").stdout))
        return [tuple(row) for row in rows][1:]

    def names(self, run):
        return sorted(path.name for path in run.iterdir() if not path.name.startswith("."))

    def node(self):
        return f"node-{os.uname().nodename}"


@unittest.skipIf(harness.SANITIZER, "the recording needs the launcher preloaded with the sanitizer")
class Nodes(Recorded):
    def tables(self, path):
        """The rows of all tables but those about callsign's own work."""
        db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        names = [name for name, in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'materialized_*'")]
        found = {name: sorted(map(repr, db.execute(f"SELECT * FROM {name}"))) for name in names}
        db.close()
        return found

    ALL = ("SELECT count(*), count(DISTINCT rank) FROM process", [("4", "4")])

    def test_a_command_waits_while_another_process_converts(self):
        run = self.run_of("counting", "5", CALLSIGN_CONVERT="later")
        folder = os.open(next(run.glob("node-*.journals")), os.O_RDONLY)
        self.addCleanup(os.close, folder)
        fcntl.flock(folder, fcntl.LOCK_EX)
        asked = bounded.start([harness.COMMAND, "query", run, self.ALL[0], "-f", "csv"], env=harness.base_environment(), text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        with self.assertRaises(subprocess.TimeoutExpired):
            asked.wait(0.5)
        self.assertEqual(self.names(run), [f"{self.node()}.journals"])
        fcntl.flock(folder, fcntl.LOCK_UN)
        self.assertEqual(bounded.communicate(asked, harness.TIMEOUT)[0].splitlines()[1:], ["4,4"])
        self.assertEqual(self.names(run), [f"{self.node()}.db"])

    def test_commands_at_once_read_all_ranks(self):
        run = self.run_of("counting", "5", CALLSIGN_CONVERT="later")
        asked = [bounded.start([harness.COMMAND, "query", run, self.ALL[0], "-f", "csv"], env=harness.base_environment(), text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(4)]
        for process in asked:
            stdout, stderr = bounded.communicate(process, harness.TIMEOUT)
            self.assertEqual((stdout.splitlines()[1:], stderr), (["4,4"], ""))
        self.assertEqual(self.names(run), [f"{self.node()}.db"])

    def test_a_trace_of_a_rank_beside_that_of_its_node_hides_nothing(self):
        run = self.run_of("counting", "5", CALLSIGN_CONVERT="later")
        shutil.copytree(run, self.folder / "kept")
        self.assertEqual(self.ask(run, self.ALL[0]), self.ALL[1])
        for rank in (0, 2):
            (journal,) = (self.folder / "kept").glob(f"node-*.journals/rank-0000{rank}.journal")
            self.command("convert", "--keep", journal)
            (made,) = (self.folder / "kept").glob(f"**/rank-0000{rank}.db")
            shutil.copy(made, run)
        self.assertEqual(self.ask(run, self.ALL[0]), self.ALL[1])

    def test_endless_view_of_a_stranger_stops_no_conversion(self):
        run = self.run_of("counting", "5", CALLSIGN_CONVERT="later")
        with contextlib.closing(sqlite3.connect(run / f"{self.node()}.db")) as db:
            db.executescript("PRAGMA application_id = 0x43414c4c; PRAGMA user_version = %d; CREATE VIEW process (rank, pid, run_hash) AS"
                             " WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT i, i, i FROM n" % scaled_run.model_tables.VERSION)
        asked = self.command("query", run, self.ALL[0], "-f", "csv")
        self.assertEqual(asked.stdout.splitlines()[1:], ["4,4"])
        self.assertIn(f"{self.node()}.db is damaged: it has no table process", asked.stderr)
        self.assertEqual(self.names(run), [f"{self.node()}.2.db", f"{self.node()}.db"])

    def test_last_rank_writes_one_file(self):
        run = self.run_of("counting", "5")
        self.assertEqual(self.names(run), [f"{self.node()}.db"])
        self.assertEqual(self.ask(run, "SELECT rank, outcome, lost, damaged FROM process ORDER BY rank"),
                         [(str(rank), "finalized", "0", "0") for rank in range(4)])
        self.assertEqual(self.ask(run, "SELECT count(*) FROM process WHERE convert_ns > 0"), [("1",)])
        for rank in range(4):
            self.assertEqual(self.ask(run, "SELECT rank, init_ns, clock_offset_ns FROM process", "--rank", rank), [(str(rank), "0", "0")])
        self.assertIn("4 ranks", self.command("report", run).stdout)
        self.assertIn("there is no file of rank 4", self.command("query", "--rank", "4", run, "process", code=1).stderr)
        self.assertEqual(self.names(run), [f"{self.node()}.db"])

    def test_rows_are_those_of_rank_files(self):
        run = self.run_of("communicators", CALLSIGN_CONVERT="later")
        journals = run / f"{self.node()}.journals"
        self.assertEqual(len(list(journals.iterdir())), 4)
        ranks = self.folder / "ranks.callsign"
        shutil.copytree(run, ranks)
        for journal in (ranks / journals.name).iterdir():
            journal.rename(ranks / journal.name)
        (ranks / journals.name).rmdir()
        for each in (run, ranks):
            self.command("convert", each)
            self.command("merge", each, "-o", self.folder / f"{each.name}.db")
        self.assertEqual(self.names(run), [f"{self.node()}.db"])
        self.assertEqual(self.names(ranks), [f"rank-{rank:05}.db" for rank in range(4)])
        mine, theirs = (self.tables(self.folder / f"{each.name}.db") for each in (run, ranks))
        self.assertEqual(mine.keys(), theirs.keys())
        for table, rows in theirs.items():
            self.assertEqual(mine[table], rows, table)
        self.assertTrue(mine["profile"])
        node = self.tables(run / f"{self.node()}.db")
        self.assertTrue(node["summary"] and node["rank_time"])
        for view in ("communicators", "balance", "leaks", "findings"):
            self.assertEqual(*(self.command("query", each, view, "-f", "csv").stdout for each in (run, ranks)), view)

    def test_ranks_that_end_together_lose_nothing(self):
        for number in range(REPEATS):
            self.record("counting", "1", CALLSIGN_RUN=f"{number}.callsign")
        for run in harness.run_folders(self.folder):
            self.assertEqual(self.names(run), [f"{self.node()}.db"])
            self.assertEqual(self.ask(run, "SELECT count(*), count(DISTINCT rank), min(outcome) FROM process"), [("4", "4", "finalized")])
        self.assertEqual(len(harness.run_folders(self.folder)), REPEATS)

    def test_killed_ranks_are_converted_by_the_command(self):
        run = self.run_of("ending", "kill", np=2)
        self.assertEqual(self.names(run), [f"{self.node()}.journals"])
        report = self.command("report", run)
        self.assertEqual(report.stderr, "")
        self.assertIn("died", report.stdout)
        self.assertEqual(self.names(run), [f"{self.node()}.db"])

    def test_running_ranks_are_read(self):
        command = [*harness.launcher(4), os.path.join(harness.PROGRAMS, "hung"), "deadlock", "90"]
        env = harness.base_environment(**harness.recording(self.folder), CALLSIGN_FILES="node", CALLSIGN_RUN="live.callsign")
        run = self.folder / "out/live.callsign"
        with harness.bounded.start(command, env=env, start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL) as process:
            try:
                for _ in harness.bounded.moments(40):
                    said = harness.run([harness.COMMAND, "hang", run]).stdout
                    if "Deadlock: ranks 0-3" in said:
                        break
                self.assertIn("Deadlock: ranks 0-3 wait for each other", said)
                self.assertEqual(self.ask(run, "SELECT outcome FROM process", "--rank", "2"), [("running",)])
                self.assertEqual(self.names(run), [f"{self.node()}.journals"])
            finally:
                harness.bounded.end(process)
        for _ in harness.bounded.moments(20):
            outcomes = self.ask(run, "SELECT DISTINCT outcome FROM process")
            if outcomes == [("died",)]:
                break
        self.assertEqual(outcomes, [("died",)])
        self.assertEqual(self.names(run), [f"{self.node()}.db"])

    def test_hang_reads_killed_ranks(self):
        run = self.run_of("ending", "kill", np=2)
        self.assertIn("rank", self.command("hang", run).stdout)

    def test_convert_says_how_each_rank_ended(self):
        run = self.run_of("ending", "kill", np=2)
        said = self.command("convert", run).stdout.splitlines()
        for rank in (0, 1):
            self.assertTrue([line for line in said if f"rank-{rank:05}.journal -> " in line and f"{self.node()}.db: rank {rank} died" in line], said)

    def test_journal_beside_its_trace_is_not_read_again(self):
        run = self.run_of("counting", "2", CALLSIGN_KEEP_JOURNAL="yes")
        self.assertEqual(self.names(run), [f"{self.node()}.db", f"{self.node()}.journals"])
        self.assertEqual(self.ask(run, "SELECT count(*), count(DISTINCT rank) FROM process"), [("4", "4")])
        self.assertEqual(self.names(run), [f"{self.node()}.db", f"{self.node()}.journals"])

    def test_forked_child_does_not_disturb(self):
        run = self.run_of("forking", "exit", np=2)
        self.assertEqual(self.names(run), [f"{self.node()}.db"])
        self.assertEqual(self.ask(run, "SELECT rank, outcome, damaged FROM process ORDER BY 1"), [("0", "finalized", "0"), ("1", "finalized", "0")])

    @unittest.skipUnless(harness.FLAVOUR == "openmpi", "MPICH itself reads the number of processes from the environment")
    def test_large_runs_have_a_file_for_each_node(self):
        program = os.path.join(harness.PROGRAMS, "counting")
        for size, names in (("257", [f"{self.node()}.db"]), ("256", ["rank-00000.db", "rank-00001.db"])):
            run = self.folder / f"out/{size}.callsign"
            self.record("/usr/bin/env", f"OMPI_COMM_WORLD_SIZE={size}", program, "2", np=2, CALLSIGN_FILES="auto", CALLSIGN_RUN=run.name)
            self.assertEqual(self.names(run), names)

    def test_small_runs_have_a_file_for_each_rank(self):
        run = self.run_of("counting", "2", np=2, CALLSIGN_FILES="auto")
        self.assertEqual(self.names(run), ["rank-00000.db", "rank-00001.db"])


@unittest.skipIf(harness.SANITIZER, "the recording needs the launcher preloaded with the sanitizer")
class Elsewhere(Recorded):
    def setUp(self):
        super().setUp()
        self.local = self.folder / "local"
        self.local.mkdir()

    def record(self, *program, np=4, **settings):
        return super().record(*program, np=np, CALLSIGN_JOURNAL=str(self.local), **settings)

    def test_nothing_is_left_there(self):
        run = self.run_of("counting", "5")
        self.assertEqual(self.names(run), [f"{self.node()}.db"])
        self.assertEqual(list(self.local.iterdir()), [])

    def test_what_is_converted_later_is_brought_into_the_run(self):
        run = self.run_of("counting", "5", CALLSIGN_CONVERT="later")
        self.assertEqual([path.is_symlink() for path in sorted(run.glob("rank-*.journal"))], [False] * 4)
        self.assertEqual(self.ask(run, "SELECT count(*) FROM process"), [("4",)])

    def test_killed_ranks_are_found_on_their_node_only(self):
        run = self.run_of("ending", "kill", np=2)
        link = run / f"{self.node()}.journals"
        self.assertTrue(link.is_symlink())
        away = self.folder / "of another node"
        self.local.rename(away)
        for command in ("report", "convert"):
            self.assertEqual(self.command(command, run, code=1).stderr.splitlines()[0],
                             f"callsign: the journals of node {os.uname().nodename} are on that node, in {os.readlink(link)}: run `callsign convert` there")
        away.rename(self.local)
        self.assertIn("died", self.command("report", run).stdout)
        self.assertEqual(self.names(run), [f"{self.node()}.db"])
        self.assertEqual(list(self.local.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
