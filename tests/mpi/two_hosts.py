"""Runs on two simulated hosts: where each rank was, as the trace and the reports have it. Run for each flavour."""

import sys
import unittest

import harness
import hosts


class TwoHosts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        reason = "the launcher is not to be looked at by the sanitizer" if harness.SANITIZER else hosts.trouble()
        if reason:
            print(f"SKIPPED: {reason}", file=sys.stderr)
            raise unittest.SkipTest(reason)
        cls.hosts = hosts.Hosts(2)
        cls.hosts.__enter__()
        cls.addClassCleanup(cls.hosts.__exit__)

    def setUp(self):
        temporary = harness.workspace()
        self.folder = temporary.__enter__()
        self.addCleanup(temporary.cleanup)

    def record(self, np, *program):
        """Bare and recorded; the run's folder."""
        bare = harness.mpirun_on(self.hosts, np, *program, cwd=self.folder)
        recorded = harness.mpirun_on(self.hosts, np, *program, extra=harness.recording(self.folder), cwd=self.folder)
        self.assertEqual(bare.code, 0, bare.stderr)
        self.assertEqual(harness.unaffected(bare, recorded), [])
        (run,) = harness.run_folders(self.folder)
        return run

    def ask(self, run, sql):
        result = harness.run([harness.COMMAND, "query", run, sql, "--format", "csv"])
        self.assertEqual((result.code, result.stderr), (0, ""))
        return result.stdout.splitlines()[1:]

    def test_each_rank_has_the_node_and_the_processor_name_of_its_host(self):
        run = self.record(4, "ring")
        self.assertEqual(harness.compare(self.folder, 4), [])
        self.assertEqual(self.ask(run, "SELECT rank, node, processor_name FROM placements ORDER BY rank"),
                         ["0,csa,csa", "1,csa,csa", "2,csb,csb", "3,csb,csb"])


if __name__ == "__main__":
    unittest.main()
