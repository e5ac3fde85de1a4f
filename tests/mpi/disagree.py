"""The report on what members of a communicator do not agree on, of a program whose members do not."""

import json
import unittest

import harness


class Disagree(unittest.TestCase):
    def setUp(self):
        workspace = harness.workspace()
        self.folder = workspace.__enter__()
        self.addCleanup(workspace.__exit__, None, None, None)

    def answer(self, command, question, ranks, program, *arguments):
        recorded = harness.mpirun(ranks, program, *arguments, extra=harness.recording(self.folder))
        self.assertEqual((recorded.code, recorded.messages()), (0, []), recorded.stderr)
        (run,) = harness.run_folders(self.folder)
        result = harness.run([harness.COMMAND, command, "--format", "json", run, question])
        self.assertEqual((result.code, result.stderr), (0, ""))
        return json.loads(result.stdout)

    def report(self, name, ranks, program, *arguments):
        return self.answer("report", name, ranks, program, *arguments)

    def test_names_attributes_orders_and_ends_are_seen(self):
        rows = self.report("disagree", 3, "disagree")
        seen = {(row["about"], row["communicator"], row["kind"], row["value"] or row["other"], row["ranks"]) for row in rows if row["about"] != "attribute"}
        self.assertEqual(seen, {("name", "rows", "named", "rows", "0,1"), ("name", "rows", "named", "lines", "2"),
                                ("order", "first", "created_before", "second", "0"), ("order", "second", "created_before", "first", "2"),
                                ("freed", "kept", "freed", None, "0,1"), ("freed", "kept", "not_freed", None, "2")})
        attribute = [(row["kind"], row["value"], row["ranks"]) for row in rows if row["about"] == "attribute"]
        self.assertEqual(sorted(attribute), [("found", None, "0"), ("not_found", None, "1,2"), ("not_stored", None, "1,2"), ("stored", "address", "0")])

    def test_split_that_is_the_world_again_is_named_and_duplicates_are_not(self):
        rows = self.report("congruent", 3, "disagree")
        self.assertEqual([(row["communicator"], row["other"], row["size"], row["count"]) for row in rows], [("rows", "MPI_COMM_WORLD", 3, 1)])

    def test_all_with_the_same_members_in_the_same_order_are_congruent(self):
        rows = self.answer("query", "SELECT c.name, o.name AS first FROM run_communicators c LEFT JOIN run_communicators o ON o.id = c.congruent_to "
                           "WHERE c.size > 1", 3, "disagree")
        self.assertEqual(sorted((row["name"], row["first"] or "") for row in rows),
                         [("MPI_COMM_WORLD", ""), *((f"MPI_COMM_WORLD.dup{i}", "MPI_COMM_WORLD") for i in (1, 2, 3)), ("back", ""),
                          *((name, "MPI_COMM_WORLD") for name in ("first", "kept", "rows", "second"))])

    def test_communicators_of_all_ranks_are_one_tree(self):
        rows = self.report("objects", 3, "disagree")
        world = [("  " * row["depth"] + row["communicator"], row["size"], row["count"], row["not_freed"]) for row in rows if row["communicator"] != "MPI_COMM_SELF"]
        self.assertEqual(world[0], ("MPI_COMM_WORLD", 3, 1, 0))
        self.assertEqual(sum(row[2] for row in world), 9)
        self.assertEqual([row for row in world[1:] if row[1] != 3 or row[3] != 0], [("  kept", 3, 1, 1)])
        self.assertEqual({row[0] for row in world if row[0].startswith("    ")}, {"    first", "    second"})


if __name__ == "__main__":
    unittest.main()
