"""docs/fallback.md for someone who ports a program to a small MPI: its commands do what it says, as they stand there. Only the folders /opt/small and
/opt/callsign are others, and the compiler; callsign was built and installed by the commands of the page before (build.py)."""

import os
import re
import shutil
import sqlite3
import unittest

import harness
import in_fortran
import page
import places

OTHER = """\
#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Comm twin;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    MPI_Comm_free(&twin);
    return MPI_Finalize();
}
"""
CALLS = {"c": "names and attributes\n", "f90": in_fortran.SAID, "other": ""}


class Page(unittest.TestCase):
    def setUp(self):
        workspace = harness.workspace()
        self.folder = workspace.__enter__()
        self.addCleanup(workspace.cleanup)
        programs = places.HERE / "programs"
        shutil.copy(programs / "names.c", self.folder / "program.c")
        shutil.copy(programs / "calls.f90", self.folder / "program.f90")
        (self.folder / "other.c").write_text(OTHER, encoding="utf-8")

    def test_what_the_page_says_works(self):
        ran = 0
        for part, language, text in page.blocks():
            if "cmake --install" in text:
                continue  # build.py has run it
            if language == "cmake":
                (self.folder / "CMakeLists.txt").write_text(page.here(text, part), encoding="utf-8")
            elif text.startswith("gfortran") and not places.FORTRAN:
                print("left out, because there is no Fortran compiler:", text)
            else:
                self.run_block(part, text)
                ran += 1
        self.assertGreaterEqual(ran, 6)

    def run_block(self, part, text):
        for line in page.commands(text):
            with self.subTest(line):
                before = self.traces()
                environment = harness.base_environment(CC=places.CC, CMAKE_GENERATOR=os.environ["CS_TEST_GENERATOR"])
                run = harness.run(["sh", "-c", page.here(line, part)], environment, self.folder)
                self.assertEqual(run.code, 0, run.stdout + run.stderr)
                # The first word that is no setting of the environment.
                program = re.sub(r"^(\S+=\S+ +)*", "", line)
                if re.match(r"(\./|build/|\S+ run )", program):
                    said = CALLS["other" if "other" in program else "f90" if "gfortran" in text else "c"]
                    self.assertEqual(run.stdout, said)
                    self.check_recorded(self.traces() - before, program)
                elif " report " in program:
                    self.assertRegex(run.stdout, r"communicator +MPI_Comm_dup +1 +\d+ +\d+ +1")  # it leaves one

    def traces(self):
        return set(self.folder.glob("*.callsign"))

    def check_recorded(self, made, program):
        """There is one trace more, which may still be a journal, and it has the duplicate that the program made."""
        run, = made
        harness.convert(run)
        trace, = run.glob("*.db")
        with sqlite3.connect(trace) as database:
            duplicates, = database.execute("SELECT count(*) FROM object JOIN function USING (function) WHERE function.name = 'MPI_Comm_dup' "
                                           "AND internal IS NOT 1").fetchone()
            outcome, = database.execute("SELECT outcome FROM process").fetchone()
        self.assertGreater(duplicates, 0, program)
        self.assertEqual(outcome, "finalized")


if __name__ == "__main__":
    unittest.main()
