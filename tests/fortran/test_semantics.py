"""Checks the traces of semantics.F90 in every binding of every MPI. Usage: test_semantics.py BINDING"""

import json
import sys

import harness

ROWS = "rows"  # the program says "  rows    ": what MPIs keep of it

# Function -> calls of each rank on this communicator, bytes sent, bytes received.
ON_ROWS = {
    "MPI_Irecv": (8, 0, 20 + 28 + 28 + 20 + 12 + 4 + 12), "MPI_Isend": (6, 20 + 12 + 8, 0), "MPI_Recv": (2, 0, 12 + 8),
    "MPI_Start": (1, 28, 0), "MPI_Startall": (1, 28, 0), "MPI_Ssend_init": (1, 0, 0),
    "MPI_Waitall": (3, 0, 0), "MPI_Waitany": (1, 0, 0), "MPI_Waitsome": (1, 0, 0), "MPI_Wait": (8, 0, 0), "MPI_Cancel": (1, 0, 0),
    "MPI_Request_free": (1, 0, 0), "MPI_Allgather": (1, 8, 16), "MPI_Alltoall": (1, 24, 24), "MPI_Alltoallw": (1, 16, 16),
    "MPI_Allreduce": (1, 16, 16), "MPI_Send": (5, 20 + 12 + 12 + 4, 0), "MPI_Comm_set_name": (1, 0, 0), "MPI_Comm_get_name": (3, 0, 0),
    "MPI_Comm_set_attr": (2, 0, 0), "MPI_Comm_get_attr": (2, 0, 0), "MPI_Comm_delete_attr": (2, 0, 0),
    "MPI_Comm_set_errhandler": (2, 0, 0), "MPI_Comm_get_errhandler": (1, 0, 0), "MPI_Comm_split": (1, 0, 0), "MPI_Comm_free": (1, 0, 0),
    "MPI_Comm_compare": (1, 0, 0),
}
GATHER = {0: (1, 0, 16), 1: (1, 8, 0)}  # the root is in place
ELSEWHERE = {("MPI_Comm_get_name", "myself.dup1"): 1, ("MPI_Comm_size", "myself.dup1"): 1, ("MPI_Comm_free", "myself.dup1"): 1,
             ("MPI_Barrier", "from C"): 1, ("MPI_Comm_free", "from C"): 1, ("MPI_Comm_set_name", "from C"): 1,
             ("MPI_Type_size", None): 1, ("MPI_Init", None): 1, ("MPI_Finalize", None): 1,
             ("MPI_Comm_rank", "MPI_COMM_WORLD"): 2}
if harness.FLAVOUR == "mpich":
    ELSEWHERE |= {("MPI_Status_c2f08", None): 1, ("MPI_Status_f082c", None): 1}

CALLS = ("SELECT f.name, o.name, sum(calls), sum(sent_bytes), sum(received_bytes) FROM profile p JOIN function f USING (function) "
         "LEFT JOIN object o ON o.object = p.communicator GROUP BY 1, 2")
OBJECTS = ("SELECT o.kind, o.name, f.name, g.name, p.name, o.internal, o.fortran_handle IS NOT NULL FROM object o "
           "JOIN function f ON o.function = f.function JOIN function g ON o.freed_function = g.function "
           "LEFT JOIN object p ON p.object = o.parent WHERE o.kind IN ('communicator', 'datatype') ORDER BY o.object")
MADE = [("communicator", ROWS, "MPI_Comm_dup", "MPI_Comm_free", "MPI_COMM_WORLD", 0, 1),
        ("datatype", "pair", "MPI_Type_create_struct", "MPI_Type_free", None, 0, 1),
        ("communicator", "from C", "MPI_Comm_split", "MPI_Comm_free", ROWS, 0, 1),
        ("communicator", "myself.dup1", "MPI_Comm_dup", "MPI_Comm_free", "myself", 0, 1)]
# Other kinds: creating function, freeing function, parent.
KINDS = ("SELECT o.kind, f.name, g.name, p.kind FROM object o JOIN function f ON o.function = f.function "
         "LEFT JOIN function g ON o.freed_function = g.function LEFT JOIN object p ON p.object = o.parent "
         "WHERE o.kind NOT IN ('communicator', 'datatype') ORDER BY 1, 2")
MADE_OF_KINDS = [("errhandler", "MPI_Comm_create_errhandler", "MPI_Errhandler_free", None),
                 ("errhandler", "MPI_Comm_get_errhandler", "MPI_Errhandler_free", "communicator"),
                 ("group", "MPI_Comm_group", "MPI_Group_free", "communicator"), ("group", "MPI_Group_incl", "MPI_Group_free", "group"),
                 ("info", "MPI_Info_create", "MPI_Info_free", None), ("info", "MPI_Info_dup", "MPI_Info_free", "info"),
                 ("keyval", "MPI_Comm_create_keyval", None, None), *2 * [("keyval", "MPI_Comm_create_keyval", "MPI_Comm_free_keyval", None)],
                 ("memory", "MPI_Alloc_mem", "MPI_Free_mem", None), ("op", "MPI_Op_create", "MPI_Op_free", None),
                 ("port", "MPI_Open_port", "MPI_Close_port", None), ("request", "MPI_Ssend_init", "MPI_Request_free", "communicator")]
COMPARISONS = "SELECT kind, first, second, answer, calls FROM comparisons ORDER BY 1"
NAMES = "SELECT n.name, n.origin FROM naming n JOIN object o USING (object) WHERE o.name = ? ORDER BY n.at_ns"
NAMELESS = "SELECT kind, object, name, error, location IS NOT NULL FROM names WHERE error IS NOT NULL ORDER BY at_ns"
ATTRIBUTES = ("SELECT operation, found, value_kind, value, error IS NULL FROM attributes WHERE name = ? "
              "AND (key LIKE 'key %' OR key = 'MPI_TAG_UB') AND operation <> 'survey' ORDER BY 1, 2")
REFUSED = "SELECT operation, error FROM attributes WHERE name = ? AND key = 'MPI_TAG_UB' ORDER BY 1"


def problems_of(trace, rank):
    calls = {(function, name): tuple(rest) for function, name, *rest in trace.execute(CALLS)}
    expected = {(function, ROWS): values for function, values in ON_ROWS.items()}
    expected[("MPI_Gather", ROWS)] = GATHER[rank]
    found = {key: values for key, values in calls.items() if key[1] == ROWS}
    yield from harness.differences("calls", expected, found)
    for key, number in ELSEWHERE.items():
        if calls.get(key, (0,))[0] != number:
            yield f"calls {key}: expected {number}, the trace says {calls.get(key)}"
    if calls.get(("MPI_Error_class", None), (0,))[0] != 1:  # by the program's error handler
        yield f"calls of the error handler: the trace says {calls.get(('MPI_Error_class', None))}"
    made = trace.execute(OBJECTS).fetchall()
    wanted = [row if row[0] != "datatype" else row[:4] + (made[1][4],) + row[5:] for row in MADE] if len(made) == len(MADE) else MADE
    if made != wanted:
        yield f"objects: expected {wanted}, the trace says {made}"
    if len(made) == len(MADE) and made[1][4] not in ("MPI_DOUBLE_PRECISION", "MPI_DOUBLE"):
        yield f"the parent of the datatype is {made[1][4]}"
    of_kinds = sorted(trace.execute(KINDS).fetchall(), key=lambda row: [str(field or "") for field in row])
    wanted = [row for row in MADE_OF_KINDS if row[0] != "port" or harness.FLAVOUR == "openmpi"]
    if of_kinds != wanted:
        yield f"objects of other kinds: expected {wanted}, the trace says {of_kinds}"
    compared = trace.execute(COMPARISONS).fetchall()
    if [row[:1] + row[3:] for row in compared] != [("communicator", "MPI_CONGRUENT", 1), ("group", "MPI_UNEQUAL", 1)] or compared[0][1:3] != (ROWS, "MPI_COMM_WORLD"):
        yield f"comparisons: the trace says {compared}"
    answers = trace.execute("SELECT min(n.processor_name = p.node), sum(n.calls) FROM processor_names n JOIN process p USING (rank)").fetchall()
    if answers != [(1, 2)]:
        yield f"processor names: the trace says {answers}"
    names = trace.execute(NAMES, (ROWS,)).fetchall()
    if names != [("MPI_COMM_WORLD.dup1", "derived"), (ROWS, "program")]:
        yield f"names: the trace says {names}"
    nameless = trace.execute(NAMELESS).fetchall()
    if nameless != [("communicator", None, None, "MPI_ERR_COMM", 1), ("datatype", None, None, "MPI_ERR_TYPE", 1)]:
        yield f"names that were refused: the trace says {nameless}"
    attributes = trace.execute(ATTRIBUTES, (ROWS,)).fetchall()
    wanted = [("delete", None, "error", None, 0), ("delete", 1, "none", None, 1), ("get", 0, "none", None, 1),
              ("get", 1, "integer", 4711, 1), ("set", None, "error", None, 0), ("set", 1, "integer", 4711, 1)]
    if attributes != wanted:
        yield f"attributes: expected {wanted}, the trace says {attributes}"
    refused = trace.execute(REFUSED, (ROWS,)).fetchall()
    names = ("MPI_ERR_OTHER", "MPI_ERR_KEYVAL", "code -5") if harness.FLAVOUR == "openmpi" else ("MPI_ERR_KEYVAL",)
    if [operation for operation, _ in refused] != ["delete", "set"] or not all(error in names for _, error in refused):
        yield f"refused: the trace says {refused}"
    tags = trace.execute(ATTRIBUTES, ("MPI_COMM_WORLD",)).fetchall()
    if len(tags) != 1 or tags[0][:3] != ("get", 1, "integer") or tags[0][3] <= 0:
        yield f"MPI_TAG_UB: the trace says {tags}"


def problems_of_report(run):
    """The attribute report for the communicator, both ranks together."""
    answer = harness.run([harness.COMMAND, "report", run, "attributes", "--format", "json"])
    if answer.code != 0:
        yield f"callsign report: {answer.stderr}"
        return
    rows = [(row["operation"], row["key"], row["answer"], row["calls"], row["ranks"]) for row in json.loads(answer.stdout)
            if row["object"] == ROWS and row["answer"] not in ("MPI_ERR_OTHER", "MPI_ERR_KEYVAL", "code -5")]
    wanted = [("get", None, "4711", 2, "0,1"), ("get", None, "not set", 2, "0,1"), ("set", None, "4711", 2, "0,1"),
              ("delete", None, None, 2, "0,1")]  # a key of the program has no name
    if rows != wanted:
        yield f"report: expected {wanted}, it says {rows}"


def main():
    program = f"semantics_{sys.argv[1]}"
    with harness.workspace() as folder:
        traces, problems = harness.two_ranks(folder, program)
        for path in traces.values():
            with harness.open_trace(path) as trace:
                rank = trace.execute("SELECT rank FROM process").fetchone()[0]
                problems += [f"{path.name}: {line}" for line in problems_of(trace, rank)]
        problems += problems_of_report(next(iter(traces.values())).parent)
    raise SystemExit(harness.report(problems))


if __name__ == "__main__":
    main()
