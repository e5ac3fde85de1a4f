"""The envelope of every message: what programs keep in their own books (books/) is what the traces say. Run for each flavour.

    BOOKS_SEEDS=1-50 python3 -m unittest books      more than the few of every day"""

import csv
import io
import os
import unittest

import harness

# Differences between sender and receiver counts that have good reasons.
UNEQUAL = "SELECT * FROM traffic_pairs WHERE transfer = 'message' AND partner IS NULL AND communicator NOT IN ({}) AND " \
          "(sent_messages IS NOT received_messages OR sent_bytes IS NOT received_bytes)"
# Too long for the buffer: all came, but not in full. The receive was freed: nobody was told that something came. MPICH's MPI_Isendrecv does
# not tell.
EXCEPT = {"at once": "received_messages IS NULL" if harness.FLAVOUR == "mpich" else "sent_bytes = received_bytes",
          "too long": "sent_messages = received_messages AND sent_bytes >= received_bytes",
          "abandoned": "sent_messages = 2 * received_messages AND sent_bytes = 2 * received_bytes"}


def seeds(few):
    first, _, last = os.environ.get("BOOKS_SEEDS", "").partition("-")
    return range(int(first), int(last or first) + 1) if first else few


class Books(unittest.TestCase):
    def agree(self, np, *arguments):
        with harness.workspace() as folder:
            bare = harness.mpirun(np, "books", *arguments, cwd=folder)
            self.assertEqual(bare.code, 0, bare.stdout + bare.stderr)
            recorded = harness.mpirun(np, "books", *arguments, extra=harness.recording(folder), cwd=folder)
            self.assertEqual(harness.unaffected(bare, recorded), [])
            self.assertEqual(harness.compare(folder, np), [])
            self.both_sides_agree(harness.run_folders(folder)[0], arguments)

    def both_sides_agree(self, run, arguments):
        self.assertEqual(self.ask(run, UNEQUAL.format(", ".join(f"'{name}'" for name in EXCEPT))), [])
        # The outcome of freed requests, and of MPICH's MPI_Isendrecv, is unknown: nothing is claimed.
        self.assertEqual(self.ask(run, "SELECT * FROM traffic_differences WHERE communicator <> 'too long'"), [])
        self.assertEqual(self.ask(run, "SELECT * FROM traffic_pairs WHERE partner IS NOT NULL AND partner <> 'MPI_PROC_NULL'"), [])
        for name, condition in EXCEPT.items() if "threads" not in arguments else ():
            (row,) = self.ask(run, f"SELECT coalesce(min({condition}), 1) AS all_so FROM traffic_pairs WHERE communicator = '{name}'")
            self.assertEqual(row, {"all_so": "1"}, name)

    def ask(self, run, sql):
        result = harness.run([harness.COMMAND, "query", "--format", "csv", run, sql], harness.base_environment())
        self.assertEqual((result.code, result.stderr), (0, ""))
        return list(csv.DictReader(io.StringIO(result.stdout)))

    def each_seed(self, np, few, *arguments):
        for seed in seeds(few):
            print(f"seed {seed}, {np} ranks", *arguments, flush=True)
            with self.subTest(seed=seed, np=np, arguments=arguments):
                self.agree(np, str(seed), *arguments)

    def test_two_ranks(self):
        self.each_seed(2, (1,))

    def test_three_ranks(self):
        self.each_seed(3, (3,))

    def test_eight_ranks(self):
        self.each_seed(8, (4,))

    def test_threads(self):
        self.each_seed(2, (5,), "threads")

    def test_eight_ranks_of_threads(self):
        self.each_seed(8, (), "threads")


if __name__ == "__main__":
    unittest.main()
