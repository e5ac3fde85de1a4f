"""The reports of who talks to whom and with which tags, of a program whose messages are known. Run for each flavour."""

import re
import unittest

import harness


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

    def test_traffic_is_what_the_program_sent(self):
        self.record()
        lines = self.report("traffic")
        self.assertEqual(lines[:5], [
            "12.3 KiB in 11 messages: all stays on a node; 95.5 % is on MPI_COMM_WORLD; rank 0 has the most, 2 times the mean",
            "To and from MPI_PROC_NULL: 2 messages, rank 3",
            "One-sided: put 64 B in 1",
            "1 pair does not agree, by 1 message and 4 B: never received",
            "  3 -> 2 on pair 1: sent 1, 4 B; received 0, 0 B"])
        self.assertEqual([" ".join(line.split()[:6]) for line in lines[9:12]], ["MPI_COMM_WORLD 1 message 1 3 11.7", "pair # 2 message 3 7", "pair 0 1 put 1 1"])
        pairs = lines[lines.index("The heaviest pairs:") + 1:][:5]
        self.assertEqual([re.sub(", (core|package|node)$", "", line) for line in pairs], [
            "  0 -> 2 on MPI_COMM_WORLD: 11.7 KiB in 3 messages", "  0 -> 1 on pair 0: 500 B in 5 messages", "  0 -> 1 on pair 0: 64 B in 1 of put",
            "  1 -> 0 on pair 0: 4 B in 1 message", "  3 -> 2 on pair 1: 4 B in 1 message"])
        self.assertEqual(lines[-4:], ["     0 | *@ |", "     1 |-   |", "     2 |    |", "     3 |  - |"])

    def test_tags_are_told_with_their_bounds(self):
        self.record()
        lines = self.report("tags")
        self.assertRegex(lines[0], r"^The largest tag is 40000, on MPI_COMM_WORLD, sent from on_world( \(inlined into main\))? talk\.c:\d+: above 32767, the only bound that every MPI "
                         r"guarantees, and the program never asked for MPI_TAG_UB, here \d+$")
        self.assertRegex(lines[2], r"^Sent and never received on pair 1: tag 78, 1 message, from on_pair( \(inlined into main\))? talk\.c:\d+$")
        rows = [re.split(" +on_", line)[0].split() for line in lines[lines.index("Which tags messages have") + 3:]]
        self.assertEqual(rows, [["MPI_COMM_WORLD", "1", "send", "40000", "40000", "3"], ["MPI_COMM_WORLD", "1", "receive", "40000", "40000", "3"],
                                ["pair", "1", "1", "send", "78", "78", "1"], ["pair", "0", "1", "send", "77", "77", "1"], ["pair", "0", "1", "send", "1", "1", "5"], ["pair", "0", "1", "receive", "1", "1", "5"]])

    def test_overview_tells_of_both_unless_the_program_asked_for_the_bound(self):
        self.record()
        text = "\n".join(self.report())
        self.assertIn("\nPoint-to-point messages and one-sided transfers between ranks: 12.3 KiB, 95.5 % of it on MPI_COMM_WORLD\n", text)
        self.assertIn("\nSent and received do not agree between 1 pair of ranks, by 1 message and 4 B: see the report traffic\n", text)
        self.assertIn("\nThe program uses tags up to 40000, on MPI_COMM_WORLD, and never asked for MPI_TAG_UB: every MPI allows 32767 only\n", text)

    def test_program_that_asked_for_the_bound_may_use_it(self):
        self.record("ask")
        self.assertRegex(self.report("tags")[0], r": above 32767, but the program asked for MPI_TAG_UB \(\d+\) and stays within$")
        self.assertNotIn("tags up to", "\n".join(self.report("verdict")))


if __name__ == "__main__":
    unittest.main()
