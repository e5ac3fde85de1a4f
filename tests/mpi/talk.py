"""The reports of who talks to whom and with which tags, of a program whose messages are known. Run for each flavour."""

import json
import re
import unittest

import harness
import golden


class Talk(unittest.TestCase):
    def setUp(self):
        workspace = harness.workspace()
        self.folder = workspace.__enter__()
        self.addCleanup(workspace.__exit__, None, None, None)

    def record(self, *arguments):
        bare = harness.mpirun(4, "talk", *arguments)
        recorded = harness.mpirun(4, "talk", *arguments, extra=harness.recording(self.folder))
        self.assertEqual(bare.code, 0, bare.stderr)
        self.assertEqual(harness.unaffected(bare, recorded), [])
        self.assertEqual(harness.compare(self.folder, 4), [])
        (self.run_folder,) = harness.run_folders(self.folder)

    def report(self, *names):
        result = harness.run([harness.COMMAND, "report", self.run_folder, *names])
        self.assertEqual((result.code, result.stderr), (0, ""))
        return result.stdout.splitlines()

    def findings(self):
        result = harness.run([harness.COMMAND, "report", self.run_folder, "--format", "json"])
        self.assertEqual((result.code, result.stderr), (0, ""))
        return json.loads(result.stdout)["findings"]

    def test_traffic_is_what_the_program_sent(self):
        self.record()
        lines = self.report("traffic")
        table = lines.index("")
        self.assertEqual([" ".join(line.split()[:6]) for line in lines[table + 4:table + 7]],
                         ["MPI_COMM_WORLD 1 message 1 3 11.7", "pair # 2 message 3 7", "pair 0 1 put 1 1"])
        # The distance of ranks depends on the machine.
        steady = [re.sub(", on one (core|package|node)$", "", line) for line in lines]
        golden.check(self, "traffic", steady[:table] + steady[table + 7:])

    def test_tags_are_told_with_their_bounds(self):
        self.record()
        lines = self.report("tags")
        table = lines.index("")
        steady = [re.sub(r"\(here \d+\)$", "(here N)", line) for line in golden.steady(lines[:table])]
        golden.check(self, "tags", [steady[0], *steady[2:]])
        rows = [re.split(" +on_", line)[0].split() for line in lines[table + 4:]]
        self.assertEqual(rows, [["MPI_COMM_WORLD", "1", "send", "40000", "40000", "3"], ["MPI_COMM_WORLD", "1", "receive", "40000", "40000", "3"],
                                ["pair", "1", "1", "send", "78", "78", "1"], ["pair", "0", "1", "send", "77", "77", "1"], ["pair", "0", "1", "send", "1", "1", "5"], ["pair", "0", "1", "receive", "1", "1", "5"]])

    def test_overview_tells_of_both_unless_the_program_asked_for_the_bound(self):
        self.record()
        found = {row["kind"]: row for row in self.findings()}
        self.assertEqual((found["data_between_ranks"]["subject"], found["data_between_ranks"]["bytes"]), ("both", 12572))
        self.assertEqual((found["data_between_ranks"]["communicator"], round(found["data_between_ranks"]["percent"], 1)), ("MPI_COMM_WORLD", 95.5))
        self.assertEqual([found["not_received"][name] for name in ("communicator", "messages", "bytes", "pairs")], ["pair 1", 1, 4, 1])
        self.assertEqual((found["tag_too_large"]["communicator"], found["tag_too_large"]["tag"]), ("MPI_COMM_WORLD", 40000))

    def test_program_that_asked_for_the_bound_may_use_it(self):
        self.record("ask")
        line = golden.steady(self.report("tags"))[0]
        golden.check(self, "tags", [re.sub(r"MPI_TAG_UB \(\d+\)", "MPI_TAG_UB (N)", line)])
        self.assertNotIn("tag_too_large", [row["kind"] for row in self.findings()])


if __name__ == "__main__":
    unittest.main()
