"""Readers of the table under many conditions, by chance. Here they are few; by hand, some thousands:

    cd build/release && CS_TEST_TIMES=25 CS_TEST_SEED=7 ctest -V -R debugger.mpich.campaigns

docs/debugging.md says what came of that.
"""

import os
import signal
import unittest

from session import SHOWN, Session, bounded  # sets the path of the package

import mutations

TIMES, SEED = int(os.environ.get("CS_TEST_TIMES", "1")), int(os.environ.get("CS_TEST_SEED", "20"))


class Mutated(Session):
    """The live table of a core, damaged in many ways."""

    def setUp(self):
        super().setUp()
        handler = signal.getsignal(signal.SIGALRM)
        self.addCleanup(signal.signal, signal.SIGALRM, handler)

    def test_damaged_table_is_shown_or_refused_in_time(self):
        outcomes = mutations.campaign(str(self.core()), 400 * TIMES, SEED, 2 * bounded.factor())
        self.assertEqual({outcome: example for outcome, example in outcomes.items() if outcome.startswith("WRONG")}, {}, f"seed {SEED}")
        self.assertGreater(outcomes["shown"][0], 100)
        self.assertGreater(len(outcomes), 4)

    def each(self, times, seed):
        """A core, damaged in one way after the other."""
        path = self.core()
        for what, damaged in mutations.each(str(path), times, seed):
            with damaged:
                yield what, path

    def test_command_survives_what_is_in_a_core(self):
        for what, path in self.each(6 * TIMES, SEED + 1):
            done = self.callsign("core", str(path))
            said = f"{what}, seed {SEED + 1}: {done.stderr}"
            self.assertIn(done.code, (0, 1), said)
            self.assertEqual(len(done.stderr.splitlines()), done.code, said)
            self.assertEqual(bool(done.stdout), done.code == 0, said)

    def test_gdb_survives_what_is_in_a_core(self):
        for what, path in self.each(4 * TIMES, SEED + 2):
            with self.subTest(what):
                self.damaged_core_in_gdb(path)

    def damaged_core_in_gdb(self, path):
        text = self.gdb("bt", "p *grid", "p *grid", "info mpi", "info mpi all", "up", "mpi where rows", "mpi members rows", "mpi name stale",
                        "mpi waiting", "echo the end\\n", arguments=[SHOWN, path])
        self.assertIn("the end\n", text)


if __name__ == "__main__":
    unittest.main()
