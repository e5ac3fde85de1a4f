"""An MPI for several ranks without PMPI_ names, names and attributes (double.py): programs that are linked with callsign have them on every rank."""

import sqlite3
import unittest

import places
import harness

TREE, DOUBLE = places.TREES["two_ranks"], places.TWO_RANKS
LIB = TREE / "lib"
SERVED = ", ".join(f"{what} of {kind}" for what in ("names", "attributes") for kind in ("communicators", "datatypes", "windows"))

# Attributes of windows on each rank, as in the trace: callsign notes them when windows are made.
WINDOWS = [("allocate", "separate", 64, 1), ("create", "separate", 40, 4), ("shared", "unified", 16, 8), ("dynamic", "separate", 0, 1)]

# The attributes of MPI_COMM_SELF, then those of MPI_COMM_WORLD; the newest value first.
AT_FINALIZE = [f"{comm} {number}" for comm in ("self", "world") for number in (3, 2, 1)]


class TwoRanks(unittest.TestCase):
    def setUp(self):
        workspace = harness.workspace()
        self.folder = workspace.__enter__()
        self.addCleanup(workspace.cleanup)

    def program(self, name, sources, options):
        path = self.folder / name
        places.run([places.CC, "-g", "-O1", "-std=gnu11", *options, f"-I{places.SOURCE / 'include'}", f"-I{TREE / 'gen' / 'mpi'}", f"-I{DOUBLE}",
                    *sources, "-Wl,--no-as-needed", f"-L{LIB}", "-lcallsign", DOUBLE / "libtwo.so.1", f"-Wl,-rpath,{LIB}:{DOUBLE}", "-o", path])
        return path

    def test_programs_cannot_be_built_without_callsign(self):
        source = places.HERE / "programs" / "lacking.c"
        for macro in ("OF_COMMUNICATORS", "OF_DATATYPES", "OF_WINDOWS", "TWIN"):
            command = [places.CC, "-std=gnu11", f"-D{macro}", f"-I{DOUBLE}", source, DOUBLE / "libtwo.so.1", "-o", self.folder / "lacking"]
            run = harness.run(command)
            self.assertNotEqual(run.code, 0, macro)
            self.assertIn("undefined reference", run.stderr)
        run = harness.run([places.CC, "-std=gnu11", f"-I{DOUBLE}", source, DOUBLE / "libtwo.so.1", "-o", self.folder / "lacking"])
        self.assertEqual((run.code, run.stderr), (0, ""))

    def test_both_ranks_have_names_and_attributes(self):
        program = self.program("two_ranks", [places.HERE / "programs" / "two_ranks.c"], ["-Wall", "-Wextra", "-Werror"])
        (self.folder / "out").mkdir()
        said = sorted(f"rank {rank}: {words}" for rank in (0, 1) for words in ("names and attributes", "at the end"))
        for record in ("off", "on"):
            run = harness.mpirun(2, program, extra={"CALLSIGN_RECORD": record, "CALLSIGN_OUTPUT": str(self.folder / "out")}, cwd=self.folder)
            self.assertEqual((run.code, run.lines(), run.stderr), (0, said, ""), record)
        ranks = [self.check_trace(path) for path in harness.databases(self.folder).values()]
        self.assertEqual(sorted(ranks), [0, 1])

    def check_trace(self, path):
        with sqlite3.connect(path) as database:
            rank, = database.execute("SELECT rank FROM process").fetchone()
            meta = dict(database.execute("SELECT key, value FROM meta"))
            names = sorted(name for name, in database.execute("SELECT name FROM object WHERE name_origin = 'program'"))
            windows = database.execute("SELECT flavor, model, size_bytes, displacement_unit_bytes FROM window").fetchall()
            left = [name for name, in database.execute("SELECT name FROM object WHERE name_origin = 'program' AND freed_ns IS NULL")]
        self.assertEqual(meta["served_by_callsign"], SERVED)
        self.assertEqual(names, sorted(["twin", "later", f"half of rank {rank}", "row", "board", "left behind"]))
        self.assertEqual(left, ["left behind"])
        self.assertEqual(sorted(windows), sorted(WINDOWS))
        return rank

    def test_names_and_attributes_are_as_the_standard_has_them(self):
        """All the probes of tests/mpi/conformance."""
        program = self.conformance()
        run = harness.mpirun(1, program, extra={"CALLSIGN_RECORD": "off"}, cwd=self.folder)
        found = [line.split("\t") for line in run.stdout.splitlines() if line[:1].isdigit()]
        self.assertEqual((run.code, run.stdout.splitlines()[-1:]), (0, ["end"]), run.stdout[-500:] + run.stderr[-2000:])
        self.assertEqual([fields[1:] for fields in found if fields[2] != fields[3]], [])
        self.assertGreaterEqual(len(found), 80)

    def test_attributes_are_deleted_when_mpi_ends(self):
        run = harness.mpirun(2, self.conformance(), "finalize", extra={"CALLSIGN_RECORD": "off"}, cwd=self.folder)
        self.assertEqual(run.lines(), sorted(2 * [*AT_FINALIZE, "end"]))

    def conformance(self):
        sources = sorted((places.HERE.parent / "mpi" / "conformance").glob("*.c"))
        return self.program("conformance", sources, ["-w", "-include", "callsign/mpi_names.h"])


if __name__ == "__main__":
    unittest.main()
