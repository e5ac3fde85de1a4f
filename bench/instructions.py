"""Counts the instructions and counter readings that callsign adds to MPI calls in the steady state, by function. Unlike times, the counts are exact, and
equal on each machine and under load. It steps through the calls one instruction at a time (bench/step.c).

    bench/instructions.py --programs build/release/bench --library build/release/lib/libcallsign.so [--flavour openmpi=/usr/bin/mpiexec.openmpi]...
                          [--test comm_rank]... [--set CALLSIGN_RING=0]... [--functions] [--lines]
    bench/instructions.py ... --more CALLSIGN_CHECK=all    with another column: what this setting adds
"""

import argparse
import bisect
import collections
import pathlib
import subprocess
import sys
import tempfile

import run

TESTS = ("comm_rank", "get_attr", "to_self", "halo", "sendrecv", "sendrecv_buffers", "put", "put_away", "get_away", "put_scattered", "bcast_self", "allreduce_self",
         "alltoallv_self", "type_trio", "dup_free", "comm_rank_mpif", "to_self_mpif", "ping_pong", "allreduce", "allreduce_buffers")
READINGS = {"310f", "010f"} # rdtsc, and rdtscp begins as the second


def step(options, flavour, test, ranks, recorded, more=()):
    """Lines of bench/step.c: owner, file, offset, opcode, counts. more: settings."""
    with tempfile.TemporaryDirectory(prefix="callsign-bench-") as folder:
        counts = pathlib.Path(folder) / "counts"
        env = run.environment(None, folder, {}) | {"STEP_OUTPUT": str(counts), "CALLSIGN_OUTPUT": folder} | options.set | dict(more)
        if recorded:
            env["STEP_PRELOAD"] = str(options.library)
        program = [str(options.programs / f"calls-{flavour}"), test, "step"]
        command = [options.flavours[flavour], "-n", "1", str(options.programs / "step")] + program
        if ranks > 1:
            command += [":", "-n", str(ranks - 1), "env", *([f"LD_PRELOAD={options.library}"] if recorded else [])] + program
        result = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600, check=False)
        if result.returncode != 0 or "callsign:" in result.stderr or "step:" in result.stderr:
            raise SystemExit(f"{flavour} {test}: exit code {result.returncode}: {result.stderr}")
        return [line.split() for line in counts.read_text().splitlines()]


class Symbols:
    """Names of functions in a library, by offset."""

    def __init__(self, path):
        output = subprocess.run(["nm", "--defined-only", "-n", path], capture_output=True, text=True, check=False).stdout
        rows = [line.split() for line in output.splitlines()]
        rows = [(int(at, 16), name) for at, kind, name in rows if kind in "tTwWi"]
        self.at, self.names = [at for at, _ in rows], [name for _, name in rows]

    def name(self, at):
        i = bisect.bisect_right(self.at, at) - 1
        return self.names[i] if i >= 0 else "?"


def is_ours(name):
    return name.startswith(("libcallsign", "libunwind"))


def source_lines(options, file, offsets):
    output = subprocess.run(["addr2line", "-e", options.library.parent / file] + [f"{offset:x}" for offset in offsets], capture_output=True, text=True,
                            check=False).stdout
    return [line.rsplit("/", 1)[-1].split(" ")[0] for line in output.splitlines()]


def shortest_operation(rows):
    """The number of the operation with the least count of our instructions. Stepping takes so long that others reach an instant at which more is done."""
    totals = [sum(int(row[4 + i]) for row in rows if is_ours(row[0])) for i in range(len(rows[0]) - 4)]
    return totals.index(min(totals)), totals


def name_of(options, file, offset, symbols={}):
    if file not in symbols:
        symbols[file] = Symbols(options.library.parent / file)
    return symbols[file].name(int(offset, 16))


def bench(options, flavour):
    print(f"\n{flavour}: instructions of one operation in the steady state")
    print("{:<42} {:>9} {:>9} {:>9}   {}{}".format("", "callsign", "readings", "MPI", "of seven operations", "  more with " + " ".join(map("=".join, options.more.items())) if options.more else ""))
    for test, title, ranks, _, _ in run.TESTS:
        if test not in (options.test or TESTS):
            continue
        rows = step(options, flavour, test, ranks, True)
        operation, totals = shortest_operation(rows)
        ours, functions, lines, readings, mpi = 0, collections.Counter(), collections.Counter(), 0, 0
        for owner, file, offset, opcode, *counts in rows:
            count = int(counts[operation])
            if not is_ours(owner):
                mpi += count if "calls-" not in owner else 0
                continue
            ours += count
            readings += count if opcode in READINGS else 0
            if file.startswith("libcallsign"):
                functions[name_of(options, file, offset)] += count
                lines[file, int(offset, 16)] += count
            else:
                functions[f"({file})"] += count
        added = f"  {min(shortest_operation(step(options, flavour, test, ranks, True, options.more))[1]) - ours:>+6}" if options.more else ""
        print(f"{title:<42} {ours:>9} {readings:>9} {mpi:>9}   {f'{min(totals)} to {max(totals)}':<19}{added}", flush=True)
        if options.functions:
            for name, count in functions.most_common():
                if count:
                    print(f"    {count:>6}  {name}")
        if options.lines:
            places = collections.Counter()
            for file in {file for file, _ in lines}:
                offsets = [at for name, at in lines if name == file]
                for at, place in zip(offsets, source_lines(options, file, offsets)):
                    places[place] += lines[file, at]
            for place, count in places.most_common():
                print(f"    {count:>6}  {place}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path, required=True, help="folder of calls-<flavour>")
    parser.add_argument("--library", type=pathlib.Path, required=True, help="libcallsign.so")
    parser.add_argument("--flavour", action="append", default=[], metavar="NAME[=MPIEXEC]", help="default: all there are")
    parser.add_argument("--test", action="append", default=[], choices=[test[0] for test in run.TESTS])
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of the recorded runs")
    parser.add_argument("--more", action="append", default=[], metavar="NAME=VALUE", help="another setting: count what it adds")
    parser.add_argument("--functions", action="store_true", help="the count of each function")
    parser.add_argument("--lines", action="store_true", help="the count of each source line")
    options = parser.parse_args()
    options.set, options.more = (dict(each.split("=", 1) for each in given) for given in (options.set, options.more))
    options.library = options.library.resolve()
    run.find_flavours(options)
    for flavour in options.flavours:
        bench(options, flavour)
    return 0


if __name__ == "__main__":
    sys.exit(main())
