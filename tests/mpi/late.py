"""The late rank, and the first lines of the overview."""

import json
import os
import re
import unittest

import harness
import golden
import terminal


class Recorded(unittest.TestCase):
    ARGUMENTS = ()

    @classmethod
    def setUpClass(cls):
        workspace = harness.workspace()
        folder = workspace.__enter__()
        cls.addClassCleanup(workspace.__exit__, None, None, None)
        recorded = harness.mpirun(3, "late", *cls.ARGUMENTS, extra=harness.recording(folder))
        if recorded.code or recorded.messages():
            raise AssertionError(recorded.stderr)
        (cls.folder,) = harness.run_folders(folder)

    def answer(self, *words):
        result = harness.run([harness.COMMAND, words[0], self.folder, *words[1:]])
        self.assertEqual((result.code, result.stderr), (0, ""))
        return result.stdout

    def ask(self, sql):
        return json.loads(self.answer("query", sql, "--format", "json"))


class Late(Recorded):
    def test_rank_that_comes_last_is_named(self):
        (row,) = self.ask("SELECT * FROM balance WHERE communicator = 'solver' AND function = 'MPI_Barrier'")
        self.assertEqual((row["latest_rank"], row["least_rank"], row["ranks"], row["calls"]), (2, 2, 3, 12))
        self.assertGreater(row["waiting_seconds"], 2 * 4 * 0.2 / 2)
        self.assertAlmostEqual(row["waiting_seconds"], row["seconds"] - 3 * row["least_seconds"], places=6)

    def test_all_screens_have_the_same_figures(self):
        self.assertEqual(harness.figures_that_differ(self.folder), [])

    def test_nobody_is_late_where_nobody_waits_for_all(self):
        (row,) = self.ask("SELECT * FROM balance WHERE communicator = 'solver' AND function = 'MPI_Bcast'")
        self.assertIsNone(row["latest_rank"])

    def test_overview_begins_with_what_dominates(self):
        lines = [line for line in self.answer("report").splitlines() if ": report why" not in line]  # why.py has these
        lines = [re.sub(r"[\d.]+ %", "N %", line) for line in golden.steady(lines)]
        lines[0] = re.sub(r" on .*, ran ", " on NODE, MPI, DATE, ran ", lines[0])
        self.assertLess(next(i for i, line in enumerate(lines) if line.startswith("Rank 2 is late")), 3)  # behind too many ranks for the cores, on some machines
        golden.check(self, "overview", lines[:1] + [line for line in lines if line.startswith(("Rank 2 is late", "Time of ranks", "MPI time: "))])

    def test_start_and_end_are_not_in_the_percentages(self):
        rows = self.ask("SELECT communicator, percent FROM communicator_time")
        self.assertEqual(rows[-1], {"communicator": "(MPI_Init, MPI_Finalize)", "percent": None})
        self.assertAlmostEqual(sum(row["percent"] for row in rows[:-1]), 100)
        for view in ("function_time", "call_sites"):
            rows = self.ask(f"SELECT function, percent FROM {view}")
            self.assertEqual({row["function"] for row in rows if row["percent"] is None}, {"MPI_Init", "MPI_Finalize"})
            self.assertAlmostEqual(sum(row["percent"] or 0 for row in rows), 100)


class LateToObjects(Recorded):
    ARGUMENTS = ("objects",)

    def test_rank_that_comes_last_to_a_fence_and_to_a_collective_write_is_named(self):
        rows = self.ask("SELECT communicator, kind, function, size, ranks, calls, latest_rank, waiting_seconds FROM balance "
                        "WHERE function IN ('MPI_Win_fence', 'MPI_File_write_at_all')")
        told = {(row["communicator"], row["kind"], row["function"], row["size"], row["ranks"], row["calls"], row["latest_rank"]) for row in rows}
        self.assertEqual(told, {("queue", "window", "MPI_Win_fence", 3, 3, 15, 0), ("late.dat", "file", "MPI_File_write_at_all", 3, 3, 12, 1)})
        for row in rows:
            self.assertGreater(row["waiting_seconds"], 2 * 4 * 0.2 / 2)
        created = {row["function"]: row["communicator"] for row in self.ask("SELECT * FROM balance WHERE latest_rank IS NOT NULL")}
        self.assertEqual({name: created.get(name) for name in ("MPI_Win_allocate", "MPI_File_open", "MPI_Win_free")},
                         {"MPI_Win_allocate": "MPI_COMM_WORLD", "MPI_File_open": "MPI_COMM_WORLD", "MPI_Win_free": "queue"})

    def test_all_screens_have_the_same_figures(self):
        self.assertEqual(harness.figures_that_differ(self.folder), [])

    def test_time_of_windows_and_files_is_theirs(self):
        rows = {row["communicator"]: row for row in self.ask("SELECT * FROM communicator_time")}
        for name, kind, calls in (("queue", "window", 3 * (1 + 5 + 4 + 1)), ("late.dat", "file", 3 * (4 + 1))):
            self.assertEqual((rows[name]["kind"], rows[name]["calls"], rows[name]["size"]), (kind, calls, 3), name)
        self.assertEqual(rows["queue"]["parent"], "MPI_COMM_WORLD")
        self.assertGreater(rows["queue"]["seconds"], 2 * 4 * 0.2 / 2)
        for name in ("queue", "late.dat"):
            (spent,) = self.ask(f"SELECT sum(p.time_ns) / 1e9 AS seconds FROM profile p JOIN object o ON o.rank = p.rank AND o.object = p.object WHERE o.name = '{name}'")
            self.assertAlmostEqual(rows[name]["seconds"], spent["seconds"], places=6)
        self.assertAlmostEqual(sum(row["seconds"] for row in rows.values()), self.ask("SELECT sum(time_ns) / 1e9 AS seconds FROM profile")[0]["seconds"], places=6)

    def test_overview_fits_80_columns_with_names_whole(self):
        shown = terminal.show([harness.COMMAND, "report", self.folder.name], {**os.environ, "NO_COLOR": "1", "LC_ALL": "C.UTF-8", "TERM": "xterm"},
                              self.folder.parent, 60).decode()
        lines = shown.splitlines()
        self.assertGreater(len(lines), 30)
        for line in lines:
            self.assertLessEqual(len(line), 80)
        self.assertNotIn("\u2026", shown)
        for name in ("queue (window)", "late.dat (file)", "MPI_COMM_WORLD"):
            self.assertRegex(shown, rf"(?m)^{re.escape(name)} ")


if __name__ == "__main__":
    unittest.main()
