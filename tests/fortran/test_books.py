"""The books that books.F90 keeps of its messages are what the traces say. Usage: test_books.py BINDING [SEED...]"""

import sys

import harness


def kept_by(result, rank):
    """The books of one rank, as harness.compare_messages takes them."""
    facts = {"traffic": [], "tag": []}
    for line in result.lines():
        word, *fields = line.split(",")
        if word in facts and int(fields[0]) == rank:
            facts[word].append(fields[1:])
    return facts


def problems_of(program, np, seed):
    with harness.workspace() as folder:
        bare = harness.mpirun(np, program, seed, cwd=folder)
        if bare.code != 0:
            yield f"the bare run returned {bare.code}: {bare.stdout[-2000:]}{bare.stderr[-2000:]}"
            return
        recorded = harness.mpirun(np, program, seed, extra=harness.recording(folder), cwd=folder)
        yield from harness.unaffected(bare, recorded)
        yield from (line for line in bare.lines() if not line.startswith(("traffic,", "tag,")))
        ranks = []
        for path in harness.databases(folder).values():
            with harness.open_trace(path) as trace:
                ranks += trace.execute("SELECT rank FROM process").fetchone()
                books = kept_by(recorded, ranks[-1])
                if not books["traffic"]:
                    yield f"rank {ranks[-1]} told nothing"
                yield from (f"rank {ranks[-1]}: {line}" for line in harness.compare_messages(trace, books))
        if sorted(ranks) != list(range(np)):
            yield f"traces of ranks {ranks}"


def main():
    problems = []
    for seed in sys.argv[2:] or ["1"]:
        print("seed", seed)
        problems += problems_of(f"books_{sys.argv[1]}", 3, seed)
    raise SystemExit(harness.report(problems))


if __name__ == "__main__":
    main()
