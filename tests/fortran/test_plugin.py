"""A Fortran library that a program without Fortran loads while it runs is recorded like any other. Usage: test_plugin.py c|python"""

import pathlib
import sys

import harness

CALLS = {"MPI_Initialized": 1, "MPI_Comm_dup": 1, "MPI_Comm_set_name": 1, "MPI_Comm_rank": 1, "MPI_Comm_size": 1,
         "MPI_Allreduce": 1, "MPI_Sendrecv": 1, "MPI_Comm_free": 1}
# The program in C begins and ends MPI and lets the plugin work twice.
EXPECTED = {"c": {name: 2 * calls for name, calls in CALLS.items()} | {"MPI_Init": 1, "MPI_Finalize": 1},
            "python": CALLS | {"MPI_Init": 1, "MPI_Finalize": 1}}
OBJECTS = ("SELECT o.name, f.name, g.name FROM object o JOIN function f ON o.function = f.function "
           "JOIN function g ON o.freed_function = g.function WHERE o.kind = 'communicator'")
BYTES = "SELECT sum(sent_bytes), sum(received_bytes) FROM profile"


def problems_of(trace, times, expected):
    yield from harness.differences("calls", expected, dict(trace.execute("SELECT function, sum(calls) FROM calls GROUP BY 1")))
    made = trace.execute(OBJECTS).fetchall()
    if made != times * [("plugin", "MPI_Comm_dup", "MPI_Comm_free")]:
        yield f"communicators: {made}"
    if trace.execute(BYTES).fetchone() != (8 * times, 8 * times):
        yield f"bytes: {trace.execute(BYTES).fetchone()}"
    places = {module for module, in trace.execute("SELECT DISTINCT module FROM call_times c JOIN sites s USING (site) "
                                                  "WHERE c.name = 'MPI_Allreduce'")}
    if {pathlib.Path(place).name for place in places} != {"plugin.so"}:
        yield f"MPI_Allreduce was called from {places}"


def main():
    host = sys.argv[1]
    plugin = pathlib.Path(harness.PROGRAMS, "plugin.so")
    command = {"c": [pathlib.Path(harness.PROGRAMS, "plugin_host"), plugin],
               "python": [sys.executable, "-c", f"import ctypes; ctypes.CDLL({str(plugin)!r}).work()"]}[host]
    problems = []
    with harness.workspace() as folder:
        bare = harness.mpirun(2, *command, cwd=folder)
        recorded = harness.mpirun(2, *command, cwd=folder, extra=harness.recording(folder))
        problems += harness.unaffected(bare, recorded)
        if bare.code != 0:
            problems.append(f"the bare run returned {bare.code}: {bare.stderr[-2000:]}")
        traces = harness.databases(folder)
        if len(traces) != 2:
            problems.append(f"{len(traces)} traces instead of 2")
        for path in traces.values():
            with harness.open_trace(path) as trace:
                problems += [f"{path.name}: {line}" for line in problems_of(trace, 2 if host == "c" else 1, EXPECTED[host])]
    raise SystemExit(harness.report(problems))


if __name__ == "__main__":
    main()
