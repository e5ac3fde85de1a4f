"""A run that tests/support/scaled_run.py makes of a recorded one is a run like any other, with what was planted in it."""

import json
import sqlite3
import unittest

import harness
import scaled_run  # harness sets the path

RANKS, PER_NODE, LATE, LATE_SECONDS, LEAKING, LEAKED = 8, 4, 5, 30, 3, 7


class Scaled(unittest.TestCase):
    files = "rank"

    @classmethod
    def setUpClass(cls):
        workspace = harness.workspace()
        folder = workspace.__enter__()
        cls.addClassCleanup(workspace.cleanup)
        recorded = harness.mpirun(4, "collectives", extra=harness.recording(folder), cwd=folder)
        assert recorded.code == 0, recorded.stderr
        (cls.small,) = harness.run_folders(folder)
        harness.convert(cls.small)
        cls.run_folder = folder / "scaled.callsign"
        cls.make(cls.run_folder, cls.files)

    @classmethod
    def make(cls, run_folder, files):
        scaled_run.make(scaled_run.plan_of(cls.small, run_folder, RANKS, per_node=PER_NODE, files=files, late={LATE: LATE_SECONDS}, leak={LEAKING: LEAKED}))

    def ask(self, sql, run=None):
        answer = harness.run([harness.COMMAND, "query", run or self.run_folder, sql, "--format", "json"])
        self.assertEqual((answer.code, answer.stderr), (0, ""))
        return [tuple(row.values()) for row in json.loads(answer.stdout)]

    def test_every_rank_and_node_is_there(self):
        self.assertEqual(self.ask("SELECT rank, world_size, node FROM process ORDER BY rank"),
                         [(rank, RANKS, f"node{rank // PER_NODE:05d}") for rank in range(RANKS)])
        self.assertEqual(self.ask("SELECT count(*) FROM missing"), [(0,)])
        self.assertEqual(self.ask("SELECT rank, cpu FROM rank_processors ORDER BY rank"), [(rank, rank % PER_NODE) for rank in range(RANKS)])

    def test_communicators_have_all_their_members(self):
        self.assertEqual(self.ask("SELECT name, size, ranks, members FROM run_communicators WHERE name = 'MPI_COMM_WORLD'"),
                         [("MPI_COMM_WORLD", RANKS, RANKS, f"0-{RANKS - 1}")])
        self.assertEqual(self.ask("SELECT * FROM run_communicators WHERE ranks <> size AND remote_size IS NULL"), [])
        self.assertEqual(self.ask("SELECT * FROM disagreements"), [])

    def test_calls_are_those_of_the_recorded_ranks(self):
        per_function = "SELECT function, sum(calls) * {} AS calls, sum(sent_bytes) * {} AS sent FROM calls GROUP BY function ORDER BY function"
        self.assertEqual(self.ask(per_function.format(1, 1)), self.ask(per_function.format(2, 2), self.small))

    def test_late_rank_is_found(self):
        rank, seconds = self.ask("SELECT latest_rank, waiting_seconds FROM balance WHERE communicator = 'MPI_COMM_WORLD' ORDER BY 2 DESC LIMIT 1")[0]
        self.assertEqual(rank, LATE)
        self.assertAlmostEqual(seconds, (RANKS - 1) * LATE_SECONDS, delta=LATE_SECONDS)

    def test_leaks_are_found(self):
        self.assertEqual(self.ask("SELECT rank, count(*) FROM leaks WHERE name = 'planted' GROUP BY rank"), [(LEAKING, LEAKED)])


class ScaledNodes(Scaled):
    files = "node"

    def tables(self, run):
        merged = run.parent / f"{run.name}.db"
        answer = harness.run([harness.COMMAND, "merge", run, "-o", merged])
        self.assertEqual((answer.code, answer.stderr), (0, ""))
        db = sqlite3.connect(merged)
        names = [name for name, in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        found = {name: sorted(map(repr, db.execute(f"SELECT * FROM {name}"))) for name in names}
        db.close()
        return found

    def test_files_are_those_of_nodes(self):
        self.assertEqual(sorted(path.name for path in self.run_folder.iterdir()), ["node-node00000.db", "node-node00001.db"])

    def test_rows_are_those_of_rank_files(self):
        ranks = self.run_folder.parent / "ranks.callsign"
        self.make(ranks, "rank")
        mine, theirs = self.tables(self.run_folder), self.tables(ranks)
        self.assertEqual(mine.keys(), theirs.keys())
        for table, rows in theirs.items():
            self.assertEqual(mine[table], rows, table)

    def test_question_about_one_rank(self):
        answer = harness.run([harness.COMMAND, "query", "--rank", "6", self.run_folder, "SELECT rank, node FROM process", "--format", "json"])
        self.assertEqual((answer.code, answer.stderr), (0, ""))
        self.assertEqual(json.loads(answer.stdout), [{"rank": 6, "node": "node00001"}])


if __name__ == "__main__":
    unittest.main()
