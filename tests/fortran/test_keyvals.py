"""Checks the traces of keyvals.F90 in every binding of every MPI. Usage: test_keyvals.py BINDING"""

import sys

import harness

KEYS = ("SELECT created_by, copy_function, delete_function, extra_state, holders, language FROM keyvals "
        "WHERE NOT internal ORDER BY object")
# Kind of object, copy and delete function, extra state, holders. Functions of the program: see own().
CREATED = [("Comm", "keep", "drop", 1000, 3), ("Comm", "MPI_COMM_DUP_FN", "MPI_COMM_NULL_DELETE_FN", -5, 3),
           ("Comm", "MPI_COMM_NULL_COPY_FN", "drop", 0, None), ("Type", "MPI_TYPE_DUP_FN", "MPI_TYPE_NULL_DELETE_FN", 0, 2),
           ("Type", "MPI_TYPE_NULL_COPY_FN", "MPI_TYPE_NULL_DELETE_FN", 0, 1), ("Win", "MPI_WIN_DUP_FN", "MPI_WIN_NULL_DELETE_FN", 0, 0),
           ("Win", "MPI_WIN_NULL_COPY_FN", "MPI_WIN_NULL_DELETE_FN", 0, 0)]
OLD = [("MPI_DUP_FN", "MPI_NULL_DELETE_FN", -7, 3), ("MPI_NULL_COPY_FN", "MPI_NULL_DELETE_FN", 8, 1)]

# The values of each duplicate: integers, to whose copies `keep` adds 1000.
COPIES = ("SELECT o.name, a.found, a.value_kind, a.value, a.calls FROM attribute a JOIN object o USING (object) "
          "WHERE a.operation = 'copy'")
COPIED = [("second", 1, "integer", 5711, 1), ("second", 1, "integer", -33, 1), ("second", 0, "none", 0, 1),
          ("third", 1, "integer", 6711, 1), ("third", 1, "integer", -33, 1), ("twin", 1, "integer", 12, 1), ("twin", 0, "none", 0, 1)]
OLD_COPIED = [("second", 1, "integer", -77, 1), ("second", 0, "none", 0, 1), ("third", 1, "integer", -77, 1)]


def own(location):
    """The program's own function of a location; what has a name in the standard as it is."""
    return location.split(" keyvals.F90:")[0].rpartition("_MOD_")[2] if location and "keyvals.F90:" in location else location


def problems_of(trace, binding):
    created = [("MPI_%s_create_keyval" % kind, *rest) for kind, *rest in CREATED]
    if binding != "mpi_f08":
        created += [("MPI_Keyval_create", *rest) for rest in OLD]
    language = "mpi_f08" if binding == "mpi_f08" else "mpif.h"
    wanted = [(*row, language) for row in created]
    found = [(function, own(copy), own(delete), *rest) for function, copy, delete, *rest in trace.execute(KEYS)]
    if found != wanted:
        yield f"keys: expected {wanted}, the trace says {found}"
    wanted = sorted(COPIED + (OLD_COPIED if binding != "mpi_f08" else []))
    found = sorted(trace.execute(COPIES).fetchall())
    if found != wanted:
        yield f"copies: expected {wanted}, the trace says {found}"


def main():
    binding = sys.argv[1]
    with harness.workspace() as folder:
        traces, problems = harness.two_ranks(folder, f"keyvals_{binding}")
        converted = harness.run([harness.COMMAND, "convert", harness.run_folders(folder)[0]])  # it looks functions up
        problems += [converted.stderr] if converted.code else []
        for path in traces.values():
            with harness.open_trace(path) as trace:
                problems += [f"{path.name}: {line}" for line in problems_of(trace, binding)]
    raise SystemExit(harness.report(problems))


if __name__ == "__main__":
    main()
