"""Creating arguments from Fortran are in the trace like those from C. Usage: test_details.py BINDING"""

import json
import sys

import harness

COMMUNICATORS = {
    "split": lambda rank: {"color": 7, "key": -rank},
    "cart": lambda rank: {"dims": [2, 1], "periods": [True, False], "reorder": False},
    "lines": lambda rank: {"remain_dims": [False, True]},
    "graph": lambda rank: {"index": [1, 2], "edges": [1, 0], "reorder": True},
    "inter": lambda rank: {"local_leader": 0, "remote_leader": 1 - rank, "tag": 99},
}
# The names of INTEGER differ: its own, or that of the C type.
DATATYPES = {
    "vector(4,2,8) of {integer}": {"count": 4, "blocklength": 2, "stride": 8},
    "contiguous(3) of vector(4,2,8) of {integer}": {"count": 3},
    "resized(0,64) of vector(4,2,8) of {integer}": {"lb": 0, "extent": 64},
    "struct(2) of {integer}, {real}": {"count": 2, "blocklengths": [2, 1], "displacements": [0, 64]},
    "indexed([2,1],[0,5]) of {integer}": {"count": 2, "blocklengths": [2, 1], "displacements": [0, 5]},
    "subarray([8,9],[4,5],[0,1]) of {real}": {"sizes": [8, 9], "subsizes": [4, 5], "starts": [0, 1], "order": "Fortran"},
}
OLD = {"hindexed([2,1],[0,48]) of {integer}": {"count": 2, "blocklengths": [2, 1], "displacements": [0, 48]}}


def details(trace, kind):
    return {name: json.loads(detail) for name, detail in
            trace.execute("SELECT name, detail FROM object WHERE kind = ? AND detail IS NOT NULL", (kind,))}


def named(trace, candidates):
    (name,) = trace.execute(f"SELECT name FROM object WHERE predefined AND kind = 'datatype' AND name IN {candidates}").fetchone()
    return name


WINDOW_ANSWERS = "SELECT key, answer FROM attributes WHERE name = 'board' AND operation = 'get' ORDER BY key"


def problems_of(trace, rank, binding, path, model):
    wanted = {name: expected(rank) for name, expected in COMMUNICATORS.items()}
    found = {name: detail for name, detail in details(trace, "communicator").items() if name in wanted}
    yield from harness.differences("communicators", wanted, found)
    words = {"integer": named(trace, "('MPI_INTEGER', 'MPI_INT')"), "real": named(trace, "('MPI_REAL', 'MPI_FLOAT')")}
    wanted = {name.format(**words): detail for name, detail in (DATATYPES | (OLD if binding == "mpif_h" else {})).items()}
    found = details(trace, "datatype")
    for detail in found.values():
        detail.pop("types", None)
    yield from harness.differences("datatypes", wanted, found)
    wanted = {path.name: {"filename": str(path), "amode": "create|wronly|delete_on_close", "info": {"callsign_hint": "yes"}}}
    yield from harness.differences("files", wanted, details(trace, "file"))
    window = details(trace, "window").get("board", {})
    if (window.get("flavor"), window.get("model")) != ("allocate", model):
        yield f"window: the program says {model}, the trace {window}"
    answers = trace.execute(WINDOW_ANSWERS).fetchall()
    if answers != [("MPI_WIN_CREATE_FLAVOR", "MPI_WIN_FLAVOR_ALLOCATE"), ("MPI_WIN_MODEL", f"MPI_WIN_{model.upper()}")]:
        yield f"questions about the window: the trace says {answers}"


def main():
    binding = sys.argv[1]
    with harness.workspace() as folder:
        path = folder / "from fortran.out"
        extra = harness.recording(folder)
        result = harness.mpirun(2, f"details_{binding}", path, extra=extra, cwd=folder)
        problems = [] if result.code == 0 else [f"the program returned {result.code}: {result.stderr[-2000:]}"]
        models = {line.split()[1] for line in result.lines() if line.startswith("model ")}
        if len(models) != 1 or "no flavour" in result.stdout:
            problems.append(f"the program says {result.stdout}")
        traces = harness.databases(folder)
        if len(traces) != 2:
            problems.append(f"{len(traces)} traces instead of 2")
        for trace_path in traces.values():
            with harness.open_trace(trace_path) as trace:
                rank = trace.execute("SELECT rank FROM process").fetchone()[0]
                problems += [f"{trace_path.name}: {line}" for line in problems_of(trace, rank, binding, path, min(models, default=""))]
    raise SystemExit(harness.report(problems))


if __name__ == "__main__":
    main()
