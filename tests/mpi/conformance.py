"""Compares the MPIs' names and attributes with the standard, point by point.

    conformance.py native            the MPI's own: is the table in docs/conformance.md true?
    conformance.py native --accept   writes its column there
    conformance.py forced            callsign's own: all must be as the standard says
"""

import pathlib
import re
import sqlite3
import sys

import harness

PAGE = pathlib.Path(__file__).resolve().parent.parent.parent / "docs" / "conformance.md"
COLUMNS = {"openmpi": 0, "mpich": 1}
AT_FINALIZE = ["self 3", "self 2", "self 1", "world 3", "world 2", "world 1", "end"]
SERVED = ", ".join(f"{what} of {kind}" for what in ("names", "attributes") for kind in ("communicators", "datatypes", "windows"))
AS_STANDARD = "as the standard"


def probe(folder, extra):
    """(MPI, [(behaviour, expected, found)]). What ends the process is found to end it, and the next process goes on behind it."""
    found, mpi = [], ""
    while True:
        ran = harness.mpirun(0, "conformance", str(len(found)), extra=extra, cwd=folder)
        begun = None
        for line in ran.stdout.splitlines():
            fields = line.split("\t")
            if line.startswith("mpi "):
                mpi = " ".join(line[4:].split())
            elif line.startswith("begin "):
                begun = fields
            elif re.match(r"\d+\t", line):
                found.append(tuple(fields[1:4]))
                begun = None
        if not begun:
            return mpi, found, ran
        found.append((begun[1], begun[2], "(the process ends)"))


def version_of(mpi):
    """Open MPI 4.1.4, MPICH 4.0.2"""
    number = re.search(r"\d+\.\d+[.\w]*", mpi)
    return ("Open MPI " if "Open MPI" in mpi else "MPICH ") + (number[0] if number else "?")


def code(text):
    return f"`{text}`" if text else "(nothing)"


def read_page():
    """(the text above the table, names of the columns, {behaviour: [cells]})"""
    text, _, table = PAGE.read_text(encoding="utf-8").partition("| behaviour |")
    rows = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in ("| behaviour |" + table).splitlines() if line.startswith("|")]
    return text, rows[0][2:], {row[0]: row[1:] for row in rows[2:]}


def write_page(text, columns, rows):
    lines = ["| behaviour | standard | " + " | ".join(columns) + " |", "|---" * (2 + len(columns)) + "|"]
    lines += ["| " + " | ".join([behaviour, *cells]) + " |" for behaviour, cells in rows.items()]
    PAGE.write_text(text + "\n".join(lines) + "\n", encoding="utf-8")


def native(folder, accept):
    mpi, found, _ = probe(folder, {})
    text, columns, rows = read_page()
    column = COLUMNS[harness.FLAVOUR]
    here = {behaviour: (code(expected), AS_STANDARD if result == expected else code(result)) for behaviour, expected, result in found}
    if accept:
        columns[column] = version_of(mpi)
        new = {}
        for behaviour, (expected, cell) in here.items():
            cells = rows.get(behaviour, [expected, "?", "?"])
            new[behaviour] = [expected, *cells[1:]]
            new[behaviour][1 + column] = cell
        write_page(text, columns, new)
        return []
    if columns[column] != version_of(mpi):
        print(f"skipped: the table has {columns[column]}, here is {version_of(mpi)}, which deviates in "
              f"{sum(cell != AS_STANDARD for _, cell in here.values())} of {len(here)} points")
        return []
    return [f"{behaviour}: found {cell}, the table says {(rows.get(behaviour) or [None] * 3)[1 + column]}"
            for behaviour, (_, cell) in here.items() if (rows.get(behaviour) or [None] * 3)[1 + column] != cell] + \
        [f"{behaviour}: is in the table only" for behaviour in rows if behaviour not in here]


def forced(folder):
    extra = harness.recording(folder) | {"CALLSIGN_FORCE": "all"}
    _, found, ran = probe(folder, extra)
    problems = [f"{behaviour}: expected [{expected}], found [{result}]" for behaviour, expected, result in found if result != expected]
    if len(found) < 80 or not ran.stdout.endswith("end\n") or ran.code != 0:
        problems.append(f"{len(found)} probes, code {ran.code}: {ran.stdout[-300:]} {ran.stderr[-1000:]}")
    problems += [f"callsign says: {line}" for line in ran.messages()]
    ends = harness.mpirun(0, "conformance", "finalize", extra=extra, cwd=folder)
    if ends.stdout.splitlines() != AT_FINALIZE:
        problems.append(f"at MPI_Finalize: {ends.stdout.splitlines()}")
    traces = harness.databases(folder)
    if len(traces) != 2:
        problems.append(f"{len(traces)} traces instead of 2")
    for path in traces.values():
        served = sqlite3.connect(path).execute("SELECT value FROM meta WHERE key = 'served_by_callsign'").fetchall()
        if served != [(SERVED,)]:
            problems.append(f"the trace says that callsign served {served}")
    return problems


def main():
    with harness.workspace() as folder:
        problems = native(folder, "--accept" in sys.argv) if sys.argv[1] == "native" else forced(folder)
    raise SystemExit(harness.report(problems))


if __name__ == "__main__":
    main()
