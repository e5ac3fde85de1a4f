"""Measures what events cost: nanoseconds added to MPI calls without a ring, with it, and with all events; bytes of the journal for an event, and rows of
events that are converted in a second of processor time. Runs alternate; see bench/run.py for how a call is measured.

    bench/events.py --programs build/release/bench --library build/release/lib/libcallsign.so --command build/release/bin/callsign
                    [--flavour mpich=/usr/bin/mpiexec.mpich]... [--repeat 5] [--scale 1.0]
"""

import argparse
import json
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

import run

TESTS = ("comm_rank", "in_threads", "comm_rank_mpif", "to_self", "to_self_mpif", "sendrecv", "allreduce_self", "ping_pong", "allreduce")
WAYS = ({"CALLSIGN_RING": "0"}, {}, {"CALLSIGN_EVENTS": "all"})
# name of the test, calls, what an operation of it writes
KINDS = (("comm_rank", 1_000_000, "a call without peer and data"), ("allreduce_self", 1_000_000, "a collective call"), ("sendrecv", 1_000_000, "a call, and a message"),
         ("to_self", 500_000, "three calls, and a message"))


def line(*words):
    print("{:<42}".format(words[0]) + "".join(f"{word:>11}" for word in words[1:]), flush=True)


def costs(options, flavour):
    print(f"\n{flavour}: ns added to an operation; {options.repeat} runs of each kind in turn: the least")
    line("", "PMPI, bare", "no ring", "ring", "all events")
    for test, title, ranks, iterations, _ in run.TESTS:
        if test not in TESTS:
            continue
        bare, recorded = [], [[] for _ in WAYS]
        for _ in range(options.repeat):
            bare.append(run.launch(options, flavour, test, ranks, int(iterations * options.scale), False).recorded)
            for figures, way in zip(recorded, WAYS):
                options.set = way
                each = run.launch(options, flavour, test, ranks, int(iterations * options.scale), True)
                figures.append(each)
                bare += [each.bare] if each.bare else []  # 0: no calls can bypass callsign
        line(title, f"{min(bare):.1f}", *(f"{run.least(figures, 'recorded') - min(bare):+.1f}" for figures in recorded))


def record(options, flavour, test, count, settings, folder):
    """Bytes of the journal that a run leaves."""
    env = run.environment(options.library, folder, {"CALLSIGN_CONVERT": "later", "CALLSIGN_RUN": str(folder / "run"), **settings})
    shutil.rmtree(folder / "run", ignore_errors=True)
    subprocess.run([options.flavours[flavour], "-n", "1", str(options.programs / f"calls-{flavour}"), test, str(count)], env=env, check=True, capture_output=True, timeout=600)
    (journal,) = (folder / "run").glob("*.journal")
    return journal.stat().st_size


def conversion(options, flavour):
    print(f"\n{flavour}: all events of one rank")
    line("", "events", "B in journal", "B in trace", "events/s")
    for test, count, title in KINDS:
        with tempfile.TemporaryDirectory(prefix="callsign-bench-") as name:
            folder = pathlib.Path(name)
            scaled = int(count * options.scale)
            without = record(options, flavour, test, scaled, {"CALLSIGN_RING": "0"}, folder)
            size = record(options, flavour, test, scaled, {"CALLSIGN_EVENTS": "all"}, folder)
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([options.command, "convert", folder / "run"], check=True, capture_output=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            (trace,) = (folder / "run").glob("*.db")
            query = [options.command, "query", "--format", "json", folder / "run",
                     "SELECT (SELECT count(*) FROM event) + (SELECT count(*) FROM event_message) + (SELECT count(*) FROM event_completion) AS events"]
            events = json.loads(subprocess.run(query, check=True, capture_output=True, text=True).stdout)[0]["events"]
            line(title, events, f"{(size - without) / events:.1f}", f"{trace.stat().st_size / events:.1f}", f"{events / seconds:.3g}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path, required=True, help="folder of calls-<flavour>")
    parser.add_argument("--library", type=pathlib.Path, required=True, help="libcallsign.so")
    parser.add_argument("--command", type=pathlib.Path, required=True, help="callsign")
    parser.add_argument("--flavour", action="append", default=[], metavar="NAME[=MPIEXEC]", help="default: all there are")
    parser.add_argument("--repeat", type=int, default=5, help="runs of each kind")
    parser.add_argument("--scale", type=float, default=1.0, help="times the usual number of iterations")
    options = parser.parse_args()
    options.set = {}
    run.find_flavours(options)
    for flavour in options.flavours:
        costs(options, flavour)
        conversion(options, flavour)
    return 0


if __name__ == "__main__":
    sys.exit(main())
