"""Ranks that are not in a communicator, and objects that were freed early: the answers for programs/left_out.c, and for its Fortran twin
(tests/fortran/left_out.F90). Run for each flavour."""

import json
import unittest

import harness

NOT_IN = ("SELECT function, parent, number, others, communicators, ranges(rank) AS ranks, count(at_ns) AS calls, count(location) AS located, "
          "family IS NOT NULL AS known FROM exclusions GROUP BY 1, 2, 3, 4, 5, 9 ORDER BY 1, 2, 3")
# Function, communicator of the call, how many of these, what others got, how many different ones, who got none, how many of them called.
LEFT_OUT = [("MPI_Cart_create", "MPI_COMM_WORLD", 1, "grid", 1, "3", 1),
            ("MPI_Comm_create", "MPI_COMM_WORLD", 1, "rows", 1, "0,3", 2),
            ("MPI_Comm_create", "between", 1, "leaders", 1, "1,3", 2),
            ("MPI_Comm_create_group", "MPI_COMM_WORLD", None, "members only", 1, "0,3", 0),
            ("MPI_Comm_split", "MPI_COMM_WORLD", 1, "colored", 1, "1", 1),
            ("MPI_Comm_split", "MPI_COMM_WORLD", 2, None, 0, "0-3", 4),
            ("MPI_Comm_split", "between", 1, "colored leaders", 1, "1,3", 2),
            ("MPI_Comm_split_type", "MPI_COMM_WORLD", 1, "node", None, "2", 1),
            ("MPI_Graph_create", "MPI_COMM_WORLD", 1, "graph", 1, "2,3", 2)]
# The query in the last line of the section in docs/queries.md.
NOT_IN_ROWS = "SELECT ranges(rank) AS ranks FROM exclusions WHERE family IN (SELECT family FROM object WHERE name = 'rows')"
PENDING = "SELECT label, freed_by, function, sum(requests) AS requests, ranges(rank) AS ranks FROM pending_requests GROUP BY 1, 2, 3"


def ask(folder, query):
    (run,) = harness.run_folders(folder)
    result = harness.run([harness.COMMAND, "query", "--format", "json", run, query])
    if result.code != 0 or result.stderr:
        raise AssertionError(result.stderr)
    return json.loads(result.stdout)


def problems_of(folder):
    """Differences of the traces of four ranks from what left_out.c did."""
    harness.databases(folder)
    found = [tuple(row.values()) for row in ask(folder, NOT_IN)]
    # MPICH 5 on UCX does not know which ranks share memory: each of the three others is alone then.
    (node,) = ask(folder, "SELECT DISTINCT size FROM communicators WHERE name = 'node'")
    wanted = [(*row[:4], 3 // node["size"] if row[4] is None else row[4], *row[5:], row[-1], 1) for row in LEFT_OUT]
    if found != wanted:
        yield f"left out: expected {[row for row in wanted if row not in found]}, the traces say {[row for row in found if row not in wanted]}"
    (rows,) = ask(folder, NOT_IN_ROWS)
    if rows["ranks"] != "0,3":
        yield f"not in rows: {rows}"
    pending = [tuple(row.values()) for row in ask(folder, PENDING)]
    if pending != [("early", "MPI_Comm_free", "MPI_Irecv", 8, "0-3")]:
        yield f"pending: the traces say {pending}"


class LeftOut(unittest.TestCase):
    def test_who_got_no_communicator_is_told_whatever_function_left_it_out(self):
        with harness.workspace() as folder:
            bare = harness.mpirun(4, "left_out", cwd=folder)
            recorded = harness.mpirun(4, "left_out", extra=harness.recording(folder), cwd=folder)
            self.assertEqual(bare.code, 0, bare.stdout)
            self.assertEqual([*harness.unaffected(bare, recorded), *harness.compare(folder, 4), *problems_of(folder)], [])


if __name__ == "__main__":
    unittest.main()
