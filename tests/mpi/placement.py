"""Ranks that are bound for real, as the trace and the report have it. Run for each flavour."""

import os
import pathlib
import sys
import unittest

import harness

LAUNCHER = os.path.join(harness.PROGRAMS, "bound")
IMPOSSIBLE = 77


def numa_node_of(cpu):
    """None: the kernel does not say."""
    for path in pathlib.Path(f"/sys/devices/system/cpu/cpu{cpu}").glob("node[0-9]*"):
        return int(path.name[4:])
    return None


class Placement(unittest.TestCase):
    def setUp(self):
        temporary = harness.workspace()
        self.folder = temporary.__enter__()
        self.addCleanup(temporary.cleanup)

    def need(self, holds, reason):
        if not holds:
            print(f"SKIPPED: {self.id()}: {reason}", file=sys.stderr)
            self.skipTest(reason)

    def record(self, np, *words):
        """The run's folder. words: how it is bound."""
        tried = harness.run([LAUNCHER, *words, "--", "true"])
        self.need(tried.code != IMPOSSIBLE, tried.stderr.strip())
        program = ("--", os.path.join(harness.PROGRAMS, "apart"))
        bare = harness.mpirun(np, LAUNCHER, *words, *program, cwd=self.folder)
        recorded = harness.mpirun(np, LAUNCHER, *words, *program, extra=harness.recording(self.folder), cwd=self.folder)
        self.assertEqual(bare.code, 0, bare.stderr)
        self.assertEqual(harness.unaffected(bare, recorded), [])
        self.assertEqual(harness.compare(self.folder, np), [])
        (run,) = harness.run_folders(self.folder)
        return run

    def command(self, *words):
        result = harness.run([harness.COMMAND, *words])
        self.assertEqual((result.code, result.stderr), (0, ""))
        return result.stdout.splitlines()

    def ask(self, run, sql):
        return self.command("query", run, sql, "--format", "csv")[1:]

    def test_a_rank_on_each_processor_is_bound_to_a_core(self):
        self.need(len(os.sched_getaffinity(0)) > 1, "one processor")
        run = self.record(2, "cpu=each")
        self.assertEqual(self.ask(run, "SELECT rank, allowed, bound, moves FROM bindings ORDER BY rank"), ["0,1,core,0", "1,1,core,0"])
        self.assertEqual(self.ask(run, "SELECT count(DISTINCT cpu) FROM bindings"), ["2"])
        self.assertRegex(self.command("report", run, "placement")[0], r"^2 ranks on 1 node, .*; all bound to a core$|: all bound to a core$")

    def test_ranks_bound_to_one_processor_are_too_many_for_it(self):
        run = self.record(2, "cpu=first")
        lines = self.command("report", run, "placement")
        self.assertRegex(lines[0], r"^2 ranks on 1 node, 1 (core|processor): oversubscribed 2x; .*all bound to a core$")
        self.assertRegex("\n".join(lines), r"(?m) 0,1 +2 +core$")
        # On a busy machine, words about waiting for a core come behind.
        self.assertEqual([line[:len(lines[0])] for line in self.command("report", run) if ": oversubscribed" in line], [lines[0]])

    def test_ranks_that_may_run_everywhere_are_bound_nowhere(self):
        self.need(len(os.sched_getaffinity(0)) > 1, "one processor")
        run = self.record(2, "cpu=all")
        self.assertTrue(self.command("report", run, "placement")[0].endswith("no rank bound"))

    def test_the_memory_policy_is_the_kernels(self):
        run = self.record(2, "cpu=first", "memory=0")
        (cpu,) = self.ask(run, "SELECT DISTINCT cpu FROM bindings")
        node = numa_node_of(cpu)
        elsewhere = "" if node is None else str(int(node != 0))
        self.assertEqual(self.ask(run, "SELECT memory_policy, memory_elsewhere FROM bindings"), [f"bind 0,{elsewhere}"] * 2)

    def test_without_the_kernels_description_one_note_says_so(self):
        run = self.record(2, "cpu=all", "hide")
        self.assertEqual(self.ask(run, "SELECT count(*) FROM meta WHERE key = 'note.placement'"), ["2"])
        self.assertEqual(self.ask(run, "SELECT count(*) FROM processor WHERE core IS NULL AND package IS NULL AND core_cpus IS NULL"),
                         self.ask(run, "SELECT count(*) FROM processor"))
        lines = self.command("report", run, "placement")
        self.assertRegex(lines[0], r"^2 ranks on 1 node, \d+ processors?: ")
        self.assertEqual(lines[1], "Unknown for ranks 0,1: the kernel does not report which processors share a core or a package")
        self.assertRegex("\n".join(lines), r"(?m)^node +processors +ranks\b")


if __name__ == "__main__":
    unittest.main()
