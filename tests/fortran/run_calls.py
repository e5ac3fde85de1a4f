"""Runs the generated program of one binding bare and recorded: the same output, and each call counted once.
Usage: run_calls.py BINDING"""

import sys

import harness


def main():
    (binding,) = sys.argv[1:]
    with open(f"{harness.PROGRAMS}/calls_{binding}.txt", encoding="ascii") as file:
        said = {name: int(calls) for name, calls in (line.split() for line in file)}
    with harness.workspace() as folder:
        traces, problems = harness.two_ranks(folder, f"calls_{binding}")
        for path in traces.values():
            with harness.open_trace(path) as trace:
                found = dict(trace.execute("SELECT function, sum(calls) FROM calls GROUP BY 1"))
                problems += [f"{path.name}: {line}" for line in harness.differences("calls", said, found)]
    print(f"{len(said)} functions, {sum(said.values())} calls in each of 2 ranks")
    raise SystemExit(harness.report(problems))


if __name__ == "__main__":
    main()
