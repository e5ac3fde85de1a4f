"""The standard ABI: the same file of a program, with one implementation and with another. Their traces are equal but for times, and for what is an
implementation's own: handles, addresses, its version. Beside what harness.py takes from the environment, of the second implementation:
    CS_TEST_OTHER_MPIEXEC    its launcher
    CS_TEST_OTHER_LIBRARIES  folder where the dynamic linker finds it
"""

import collections
import os
import re
import unittest

import harness

# Tables of each rank. A call site is a number made of the files and offsets of the call stack: the program's, which is the same file. An implementation's
# own are: which processes share memory (MPI_Comm_split_type), the group of a graph (MPICH 5's has everybody), the names of duplicates of datatypes
# (Open MPI has some), whether the parts of a datatype are handed out anew (MPI_Type_get_contents), how an error is called.
NAME = "CASE WHEN {0}.name_origin = 'mpi' AND NOT {0}.predefined THEN NULL ELSE {0}.name END"
OBJECT = "JOIN object o USING (object) LEFT JOIN function f ON f.function = o.function"
NO_PART_OF_A_TYPE = "coalesce(f.name, '') NOT IN ('MPI_Type_get_contents', 'MPI_Type_get_contents_c')"
QUESTIONS = {
    "process": "SELECT world_size, program, arguments, thread_level, outcome, last_function, calls, lost, damaged FROM process",
    "calls": f"SELECT f.name, {NAME.format('o')}, p.site, sum(p.calls), sum(sent_bytes), sum(received_bytes) FROM profile p "
             "JOIN function f USING (function) LEFT JOIN object o ON o.object = p.communicator GROUP BY 1, 2, 3",
    "objects": f"SELECT o.kind, {NAME.format('o')}, {NAME.format('p')}, f.name, o.site, o.predefined, o.adopted, ff.name, o.freed_site, o.detail FROM object o "
               "LEFT JOIN object p ON p.object = o.parent LEFT JOIN function f ON f.function = o.function "
               "LEFT JOIN function ff ON ff.function = o.freed_function "
               f"WHERE NOT o.internal AND o.kind <> 'keyval' AND {NO_PART_OF_A_TYPE}",
    "names": f"SELECT {NAME.format('o')}, n.name, origin, n.rule, n.site, error IS NULL FROM naming n LEFT JOIN object o USING (object) "
             "WHERE internal IS NOT 1 AND origin IS NOT 'mpi'",
    "communicators": f"SELECT {NAME.format('o')}, size, own_rank, remote_size, members, topology FROM communicator {OBJECT} "
                     "WHERE NOT internal AND f.name NOT IN ('MPI_Comm_split_type', 'MPI_Graph_create')",
    "datatypes": f"SELECT {NAME.format('o')}, combiner, size_bytes, lower_bound_bytes, extent_bytes, commits FROM datatype {OBJECT} "
                 f"WHERE {NO_PART_OF_A_TYPE}",
    "windows": f"SELECT {NAME.format('o')}, flavor, size_bytes, displacement_unit_bytes FROM window {OBJECT}",
    "messages": "SELECT o.name, direction, peer, source, dest, messages, bytes FROM traffic JOIN object o USING (object)",
    "tags": "SELECT o.name, direction, tag, last_tag, t.site, messages FROM tag t JOIN object o ON o.object = t.communicator",
    "attributes": f"SELECT {NAME.format('o')}, operation, found, value_kind, a.site, calls FROM attribute a LEFT JOIN object o USING (object) "
                  "LEFT JOIN keyval k ON k.keyval = a.keyval AND k.kind = coalesce(a.kind, o.kind) WHERE k.name IS NULL AND error IS NULL",
    "comparisons": "SELECT kind, answer, site, calls FROM comparison",
}
PROGRAMS = {
    "ring": 4, "p2p_blocking": 2, "p2p_persistent": 2, "collectives": 3, "collectives_in_place": 3, "collectives_nonblocking": 3, "intercomm": 3,
    "neighborhood": 3, "one_sided": 2, "windows": 2, "communicators": 3, "datatypes": 1, "details": 2, "names": 2, "attributes": 2, "compared": 2,
    "large_count": 2, "persistent_more": 2, "sessions": 2,
}


def common(row):
    """Without the part that a process got of an implementation's own."""
    return tuple(re.sub(r"(split_type\d+)\[\d+\]", r"\1", value) if isinstance(value, str) else value for value in row)


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
                found[rank] = {about: collections.Counter(map(common, trace.execute(question))) for about, question in QUESTIONS.items()}
        self.assertEqual(seen, {("abi",)})
        heading = harness.run([harness.COMMAND, "report", *harness.run_folders(folder)]).stdout.split("\n")[0]
        self.assertRegex(heading, r"Open MPI v\S+ \(standard ABI\), " if mpi == "openmpi" else r"MPICH \S+ \(standard ABI\), ")
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
