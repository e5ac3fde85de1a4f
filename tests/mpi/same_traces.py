"""The standard ABI: the same file of a program, with one implementation and with another. Their traces are equal but for times, and for what is an
implementation's own: handles, addresses, its version. Beside what harness.py takes from the environment, of the second implementation:
    CS_TEST_OTHER_MPIEXEC    its launcher
    CS_TEST_OTHER_LIBRARIES  folder where the dynamic linker finds it
"""

import collections
import os
import unittest

import harness

# Of each rank. A call site is a number made of the files and offsets of the call stack: the program's, which is the same file.
QUESTIONS = {
    "process": "SELECT world_size, program, arguments, thread_level, outcome, last_function, calls, lost, damaged FROM process",
    "calls": "SELECT f.name, o.name, p.site, sum(p.calls), sum(sent_bytes), sum(received_bytes) FROM profile p JOIN function f USING (function) "
             "LEFT JOIN object o ON o.object = p.communicator GROUP BY 1, 2, 3",
    "objects": "SELECT o.object, o.kind, o.name, o.name_origin, p.name, f.name, o.site, o.predefined, o.adopted, ff.name, o.freed_site, o.detail FROM object o "
               "LEFT JOIN object p ON p.object = o.parent LEFT JOIN function f ON f.function = o.function "
               "LEFT JOIN function ff ON ff.function = o.freed_function WHERE NOT o.internal AND o.kind <> 'keyval'",
    "names": "SELECT object, name, origin, site, error FROM naming JOIN object o USING (object) WHERE NOT internal",
    "communicators": "SELECT object, size, own_rank, remote_size, members, topology FROM communicator JOIN object USING (object) WHERE NOT internal",
    "datatypes": "SELECT object, combiner, size_bytes, lower_bound_bytes, extent_bytes, commits FROM datatype",
    "windows": "SELECT object, flavor, size_bytes, displacement_unit_bytes FROM window",
    "messages": "SELECT o.name, direction, peer, source, dest, messages, bytes FROM traffic JOIN object o USING (object)",
    "tags": "SELECT o.name, direction, tag, last_tag, t.site, messages FROM tag t JOIN object o ON o.object = t.communicator",
    "attributes": "SELECT a.object, a.kind, operation, found, value_kind, error, a.site, calls FROM attribute a LEFT JOIN keyval k USING (keyval) "
                  "WHERE k.name IS NULL",
    "comparisons": "SELECT * FROM comparison",
}
PROGRAMS = {
    "ring": 4, "p2p_blocking": 2, "p2p_persistent": 2, "collectives": 3, "collectives_in_place": 3, "collectives_nonblocking": 3, "intercomm": 3,
    "neighborhood": 3, "one_sided": 2, "windows": 2, "communicators": 3, "datatypes": 1, "details": 2, "names": 2, "attributes": 2, "compared": 2,
    "copies": 2, "large_count": 2, "persistent_more": 2, "sessions": 2,
}


class SameTraces(unittest.TestCase):
    def traces(self, folder, mpi, np, program, mpiexec=None, libraries=None):
        """{rank: {question: how often each row}} of a run."""
        extra = harness.recording(folder)
        if libraries:
            extra["LD_LIBRARY_PATH"] = libraries
        bare, harness.MPIEXEC = harness.MPIEXEC, mpiexec or harness.MPIEXEC
        try:
            result = harness.mpirun(np, program, ".", extra=extra, cwd=folder)
        finally:
            harness.MPIEXEC = bare
        self.assertEqual((result.code, result.messages()), (0, []), f"{mpi}: {result.stdout[-1000:]} {result.stderr[-2000:]}")
        found, seen = {}, set()
        for path in harness.databases(folder).values():
            with harness.open_trace(path) as trace:
                (rank,) = trace.execute("SELECT rank FROM process").fetchone()
                seen |= set(trace.execute("SELECT value FROM meta WHERE key = 'flavour'"))
                self.assertIn("Open MPI" if mpi == "openmpi" else "MPICH",
                              trace.execute("SELECT value FROM meta WHERE key = 'mpi'").fetchone()[0])
                found[rank] = {about: collections.Counter(trace.execute(question)) for about, question in QUESTIONS.items()}
        self.assertEqual(seen, {("abi",)})
        self.assertEqual(sorted(found), list(range(np)))
        return found

    def test_traces_are_equal_but_for_times(self):
        other = "mpich" if harness.FLAVOUR == "openmpi" else "openmpi"
        for program, np in PROGRAMS.items():
            with self.subTest(program=program), harness.workspace() as one, harness.workspace() as two:
                first = self.traces(one, harness.FLAVOUR, np, program)
                second = self.traces(two, other, np, program, os.environ["CS_TEST_OTHER_MPIEXEC"], os.environ["CS_TEST_OTHER_LIBRARIES"])
                for rank, answers in first.items():
                    for about, rows in answers.items():
                        only_here, only_there = rows - second[rank][about], second[rank][about] - rows
                        self.assertFalse(only_here or only_there, f"rank {rank}, {about}: {harness.FLAVOUR} alone {list(only_here)[:5]}, "
                                                                  f"{other} alone {list(only_there)[:5]}")


if __name__ == "__main__":
    unittest.main()
