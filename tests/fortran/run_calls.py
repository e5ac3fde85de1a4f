"""Runs the generated program of one binding bare and recorded: the same output, and each call counted once.
Usage: run_calls.py BINDING"""

import sys

import harness


def main():
    (binding,) = sys.argv[1:]
    with open(f"{harness.PROGRAMS}/calls_{binding}.txt", encoding="ascii") as file:
        said = {name: int(calls) for name, calls in (line.split() for line in file)}
    with harness.workspace() as folder:
        program = f"calls_{binding}"
        bare = harness.mpirun(2, program, cwd=folder)
        recorded = harness.mpirun(2, program, extra=harness.recording(folder), cwd=folder)
        problems = harness.unaffected(bare, recorded)
        if bare.code != 0:
            problems.append(f"the bare run returned {bare.code}: {bare.stderr[-2000:]}")
        traces = harness.databases(folder)
        if len(traces) != 2:
            problems.append(f"{len(traces)} traces instead of 2")
        for path in traces.values():
            with harness.open_trace(path) as trace:
                found = dict(trace.execute("SELECT function, sum(calls) FROM calls GROUP BY 1"))
                problems += [f"{path.name}: {line}" for line in harness.differences("calls", said, found)]
    print(f"{len(said)} functions, {sum(said.values())} calls in each of 2 ranks")
    raise SystemExit(harness.report(problems))


if __name__ == "__main__":
    main()
