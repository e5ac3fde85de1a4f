"""Every function of roles.tsv that the MPI at hand exports does with objects what the table says: the program in roles/ calls them
all, and its trace must show birth, parent and death. Usage: roles.py [OPTION OF THE LAUNCHER...]"""

import os
import pathlib
import sys

import harness
from gen import spec

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
CALLED_ONLY = ("give", "start", "peek", "mark", "release")
LIFE = ("makes", "frees", "request", "persistent", "hands-out", "borrows", "commits", "message")
# Manual functions: their roles do not stand in the spec.
NO_OBJECTS = ("MPI_Init", "MPI_Init_thread", "MPI_Finalize", "MPI_Abort", "MPI_Pcontrol", "MPI_Comm_get_name", "MPI_Type_get_name",
              "MPI_Win_get_name")


def table():
    """The lines of roles.tsv as dictionaries."""
    names = ("function", "kind", "action", "parent", "unless")
    for line in (HERE / "roles.tsv").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            fields = line.split("\t")
            yield dict(zip(names, fields + [""] * (len(names) - len(fields))))


def exported(library):
    listing = harness.bounded.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1].split("@")[0] for line in listing.splitlines()}


def rows_missing(rows, functions):
    """Functions of gen/spec with a part in the life of an object, exported here, without a line in the table."""
    known = {row["function"] for row in rows}
    for function in spec.read_folder(str(ROOT / "gen" / "spec")):
        alive = function.manual or any(use.role.startswith(LIFE) for use in function.uses)
        if alive and function.name in functions and function.name not in known and function.name not in NO_OBJECTS:
            yield f"{function.name} ({function.where}): it has no line in tests/mpi/roles.tsv"


class Trace:
    def __init__(self, path):
        self.name = path.name
        self.trace = harness.open_trace(path)

    def number(self, query, *values):
        return self.trace.execute(query, values).fetchone()[0]

    def calls(self, function):
        return self.number("SELECT total(calls) FROM calls WHERE function = ?", function)

    def born(self, function, kind, parent=None):
        return self.number(
            "SELECT count(*) FROM object o JOIN function f USING (function) LEFT JOIN object p ON p.object = o.parent "
            "WHERE f.name = ? AND o.kind = ? AND NOT o.internal AND NOT o.predefined AND (? IS NULL OR coalesce(p.kind, '') = ?)",
            function, kind, parent, parent)

    def freed(self, function, kind):
        return self.number("SELECT count(*) FROM object o JOIN function f ON f.function = o.freed_function "
                           "WHERE f.name = ? AND o.kind = ?", function, kind)

    def problem(self, row):
        """None, or what the trace does not show of a line of the table."""
        function, kind, action = row["function"], row["kind"], row["action"]
        if not self.calls(function):
            return "the program does not call it"
        if action in ("create", "dup"):
            parent = kind if action == "dup" else row["parent"]
            if not self.born(function, kind):
                return f"no {kind} was born"
            if self.born(function, kind) != self.born(function, kind, parent):
                return f"a {kind} has another parent than {'a ' + parent if parent else 'none'}"
        elif action in ("show", "complete"):
            if self.born(function, kind):
                return f"a {kind} was born"
        elif action == "free":
            if not self.freed(function, kind):
                return f"no {kind} was freed"
        elif action == "commit":
            if not self.number("SELECT count(*) FROM datatype WHERE commits > 0"):
                return "nothing was committed"
        elif action not in CALLED_ONLY:
            return f"unknown action {action}"
        return None

    def leftovers(self):
        for kind, function, count in self.trace.execute("SELECT kind, created_by, count(*) FROM leaks GROUP BY 1, 2"):
            yield f"{count} {kind} of {function}: not freed, says the trace"
        for kind, count in self.trace.execute("SELECT kind, count(*) FROM object WHERE freed_ns IS NOT NULL AND freed_function IS NULL "
                                              "AND NOT internal GROUP BY 1"):
            yield f"{count} {kind}: the trace saw no end of it, only that its handle had another owner"
        for kind, name in self.trace.execute("SELECT kind, name FROM object WHERE adopted AND NOT internal"):
            yield f"{kind} {name}: in use although the trace says that it was freed"
        if self.number("SELECT lost FROM process"):
            yield "facts were lost"


def main():
    rows = list(table())
    functions = exported(os.environ["CS_TEST_MPI"])
    if harness.ABI:  # without what the implementation has beside the standard's mpi.h; MPICH's mpi.h has some of MPI-1, and Open MPI does not
        functions &= exported(pathlib.Path(harness.LIBRARY).with_name(harness.SERVED_BY))
        functions -= {"MPI_Keyval_create", "MPI_Keyval_free"}
    problems = list(rows_missing(rows, functions))
    with harness.workspace() as folder:
        options = sys.argv[1:]
        bare = harness.mpirun(2, "roles", folder, options=options, cwd=folder)
        recorded = harness.mpirun(2, "roles", folder, options=options, extra=harness.recording(folder), cwd=folder)
        problems += harness.unaffected(bare, recorded)
        if bare.code != 0:
            problems.append(f"the bare run returned {bare.code}: {bare.stdout[-1000:]} {bare.stderr[-2000:]}")
        traces = [Trace(path) for path in harness.databases(folder).values()]
        traces = [trace for trace in traces if trace.number("SELECT world_size FROM process") == 2]
        if len(traces) != 2:
            problems.append(f"{len(traces)} traces of the program instead of 2")
        for row in rows:
            if row["function"] not in functions or row["unless"].startswith(harness.FLAVOUR + ":"):
                continue
            found = [trace.problem(row) for trace in traces]
            if row["kind"] in ("port", "communicator") and None in found:  # one rank opens the port, accepts or connects
                continue
            problems += [f"{trace.name}: {row['function']}: {what}" for trace, what in zip(traces, found) if what]
        problems += [f"{trace.name}: {what}" for trace in traces for what in trace.leftovers()]
    raise SystemExit(harness.report(problems))


if __name__ == "__main__":
    main()
