"""The reports on attributes and on what was freed early, of programs whose questions are known."""

import json
import pathlib
import re
import unittest

import harness
import golden

SOURCE = pathlib.Path(__file__).resolve().parent / "programs/asked.c"


class Asked(unittest.TestCase):
    def setUp(self):
        workspace = harness.workspace()
        self.folder = workspace.__enter__()
        self.addCleanup(workspace.__exit__, None, None, None)

    def record(self, ranks, program, *arguments):
        self.recorded = harness.mpirun(ranks, program, *arguments, extra=harness.recording(self.folder))
        self.assertEqual((self.recorded.code, self.recorded.messages()), (0, []), self.recorded.stderr)
        (self.run_folder,) = harness.run_folders(self.folder)

    def report(self, *arguments):
        result = harness.run([harness.COMMAND, "report", self.run_folder, *arguments])
        self.assertEqual((result.code, result.stderr), (0, ""))
        return result.stdout

    def named(self, text):
        """The text with the keys called as they are in the source."""
        for number, line in enumerate(SOURCE.read_text(encoding="utf-8").splitlines(), 1):
            if name := re.search(r"/\* (\w+) \*/$", line):
                text = re.sub(rf"(the )?key created at [^\"\n]*?asked\.c:{number}\b", name[1], text)
                text = re.sub(rf'"[^"\n]*asked\.c:{number}"', f'"{name[1]}"', text)
        return text

    def test_report_says_what_was_asked_by_whom_and_the_answer(self):
        self.record(2, "asked", self.folder / "file")
        tag_ub = re.search(r"rank 0: MPI_TAG_UB (\d+)", self.recorded.stdout)[1]
        rows = json.loads(self.named(self.report("attributes", "--format", "json")))
        self.assertTrue(all(row["site"] for row in rows))
        told = [(row["operation"], row["key"] or row["key_location"], row["object"], row["answer"] or row["value_kind"], row["calls"], row["ranks"])
                for row in rows]
        refused = [row for row in told if row[3].startswith(("MPI_ERR_", "code "))]
        self.assertEqual([row[:3] + row[4:] for row in refused], [("set", "MPI_TAG_UB", "MPI_COMM_WORLD", 2, "0,1")])
        self.assertCountEqual([row for row in told if row not in refused], [
            ("get", "MPI_TAG_UB", "MPI_COMM_WORLD", tag_ub, 6, "0,1"), ("get", "found", "row 0", "not set", 2, "0,1"),
            ("get", "found", "row 0", "address", 10, "0,1"), ("set", "found", "row 0", "address", 2, "0,1"),
            ("set", "unused", "row #", "address", 4, "0,1"), ("get", "missing", "MPI_COMM_SELF", "not set", 1, "1"),
            ("copy", "found", "again", "address", 2, "0,1"), ("copy", "unused", "again", "not set", 2, "0,1"),
            ("set", "end", "MPI_COMM_SELF", "address", 2, "0,1")])

    def test_report_begins_with_what_stands_out(self):
        self.record(2, "asked")
        lines = self.named(self.report("attributes")).splitlines()
        lines = [re.sub(r" at .*asked\.c:\d+$", " at PLACE", line) for line in lines[:lines.index("")]]
        lines[2] = re.sub(r"MPI_ERR_\w+|code -?\d+", "ERROR", lines[2])
        lines[-1] = re.sub(r"(?<= provides ).*\bMPI_TAG_UB = \d+.*", "MPI_TAG_UB = N ...", lines[-1])
        golden.check(self, "attributes", lines)

    def test_program_without_questions_is_said_to_have_none(self):
        self.record(2, "ring")
        lines = self.report("attributes").splitlines()
        self.assertEqual(len(lines), 2)
        golden.check(self, "attributes", lines[:1])

    def test_report_on_leaks_names_what_was_freed_with_requests_pending(self):
        self.record(4, "left_out")
        self.assertRegex(self.report("leaks"), r"(?m)^early was freed by MPI_Comm_free at .*left_out\.c:\d+ while 8 requests of MPI_Irecv at .*"
                         r"left_out\.c:\d+ were pending, ranks 0-3$")


if __name__ == "__main__":
    unittest.main()
