"""Measures what callsign adds to MPI calls, memory and start-up. Bare and recorded runs alternate. A recorded run also measures calls that bypass
callsign (PMPI), batch by batch, except for Fortran calls. The ratio is the median over neighbouring batches, so that a changing clock rate does not
matter. The added time is that ratio minus one, times the time without callsign.

    bench/run.py --programs build/release/bench --library build/release/lib/libcallsign.so [--flavour openmpi=/usr/bin/mpiexec.openmpi]...
                 [--repeat 5] [--scale 1.0] [--test comm_rank]... [--set CALLSIGN_RING=0]... [--peer mpiP=FOLDER/libmpiP.so]...

Peers, other tools of this kind, run in the same rounds. A line for each has what it adds, and how many times callsign's that is; or that it stops the
program. Their libraries must have been built for the flavour: name one with --flavour. Then operations with the rank itself are on MPI_COMM_WORLD: mpisee
knows no call on MPI_COMM_SELF.
"""

import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

# name, description, ranks, iterations, target (at most so many ns added per operation)
TESTS = (
    ("comm_rank", "MPI_Comm_rank", 1, 4_000_000, 35),
    ("in_threads", "the same in four threads", 1, 4_000_000, None),
    ("many_live", "the same, 1,000 communicators in turn", 1, 2_000_000, None),
    ("few_types", "Bcast to self of 1,000 datatypes in turn", 1, 2_000_000, None),
    ("new_types", "the same, the newest of 1,000,000", 1, 2_000_000, None),
    ("many_types", "the same, any of 1,000,000", 1, 2_000_000, None),
    ("get_attr", "MPI_Comm_get_attr(MPI_TAG_UB)", 1, 2_000_000, None),
    ("program_attr", "the program's attribute of 1,000 objects", 1, 2_000_000, None),
    ("own_attr", "the same, served by callsign, not recorded", 1, 2_000_000, 60),
    ("to_self", "Isend + Irecv + Waitall to self, 0 B", 1, 500_000, 190),
    ("halo", "8 Irecv + 8 Isend + Waitall to self, 8 B", 1, 100_000, None),
    ("sendrecv", "Sendrecv to self, 0 B", 1, 500_000, None),
    ("sendrecv_buffers", "the same, 8 B, 10,000 buffers in turn", 1, 500_000, None),
    ("sendrecv_tags", "Sendrecv of 0 B, 2,000 tags in turn", 1, 500_000, None),
    ("sendrecv_live", "the same, 1,000 communicators x 8 tags", 1, 500_000, None),
    ("put", "Put of 8 B to self", 1, 1_000_000, None),
    ("put_away", "Put of 8 B to the other of 2 ranks", 2, 1_000_000, None),
    ("get_away", "Get of 8 B from the other of 2 ranks", 2, 1_000_000, None),
    ("put_scattered", "Put of 8 B to scattered places of the other", 2, 1_000_000, None),
    ("comm_rank_mpif", "MPI_Comm_rank from Fortran", 1, 4_000_000, None),
    ("comm_rank_f08", "the same in mpi_f08", 1, 4_000_000, None),
    ("to_self_mpif", "Isend + Irecv + Waitall from Fortran", 1, 500_000, 190),
    ("bcast_self", "MPI_Bcast of 8 B to self", 1, 1_000_000, None),
    ("allreduce_self", "MPI_Allreduce of 8 B on self", 1, 1_000_000, None),
    ("alltoallv_self", "MPI_Alltoallv of 8 B on self", 1, 500_000, None),
    ("type_trio", "Type_contiguous + commit + free", 1, 100_000, 600),
    ("dup_free", "Comm_dup + Comm_free of MPI_COMM_SELF", 1, 30_000, 700),
    ("ping_pong", "ping-pong 8 B, 2 ranks, round trip", 2, 200_000, 130),
    ("allreduce", "MPI_Allreduce 8 B, 2 ranks", 2, 200_000, None),
    ("allreduce_buffers", "the same, 10,000 buffers in turn", 2, 200_000, None),
    ("bcast", "MPI_Bcast 8 B, 2 ranks", 2, 200_000, None),
    ("alltoallv", "MPI_Alltoallv 8 B, 2 ranks", 2, 200_000, None),
)
# Code that a test measures besides recording.
SETTINGS = {"own_attr": {"CALLSIGN_FORCE": "attributes", "CALLSIGN_RECORD": "off"}}


def environment(library, folder, settings, on_world=False):
    env = {key: value for key, value in os.environ.items() if not key.startswith(("CALLSIGN_", "LD_PRELOAD"))}
    env |= {"BENCH_ON_WORLD": "1"} if on_world else {}
    env.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
               OMPI_MCA_rmaps_base_oversubscribe="1", PRTE_MCA_rmaps_default_mapping_policy=":oversubscribe")  # Open MPI 4, 5
    if library:
        env.update(LD_PRELOAD=str(library), CALLSIGN_OUTPUT=str(folder), **settings)
    return env


class Run:
    """The output of one launch: ns per operation without and with callsign, their ratio, peak KiB; and its seconds."""

    def __init__(self, words, seconds):
        self.bare, self.recorded, self.ratio, self.kib = map(float, words)
        self.seconds = seconds


def launch(options, flavour, test, ranks, iterations, recorded, peer=None):
    """peer: the library to preload instead of callsign."""
    mpiexec = options.flavours[flavour]
    with tempfile.TemporaryDirectory(prefix="callsign-bench-") as folder:
        start = time.monotonic()
        result = subprocess.run([mpiexec, "-n", str(ranks), str(options.programs / f"calls-{flavour}"), test, str(iterations)],
                                env=environment(peer or (options.library if recorded else None), folder, SETTINGS.get(test, {}) | options.set, bool(options.peers)), stdin=subprocess.DEVNULL,
                                cwd=folder, capture_output=True, text=True, timeout=600, check=False)
        seconds = time.monotonic() - start
    complaints = [line for line in result.stderr.splitlines() if line.startswith("callsign:") and "PMPI_ names" not in line] # the benchmark bypasses it
    if result.returncode != 0 or complaints:
        raise SystemExit(f"{flavour} {test}: exit code {result.returncode}: {result.stderr}")
    figures = [line for line in result.stdout.splitlines() if len(line.split()) == 4] # peers print more
    return Run(figures[-1].split(), seconds)


def rounds(options, flavour, test, ranks, iterations):
    """Alternates bare and recorded launches, and those of peers; returns a list for each, and a dictionary of lists."""
    bare, recorded, peers = [], [], {name: [] for name in options.peers}
    for _ in range(options.repeat):
        bare.append(launch(options, flavour, test, ranks, iterations, False))
        recorded.append(launch(options, flavour, test, ranks, iterations, True))
        for name, runs in peers.items():
            try:
                runs.append(launch(options, flavour, test, ranks, iterations, True, options.peers[name]))
            except (SystemExit, subprocess.TimeoutExpired): # it does not know this communicator, for example
                continue
    return bare, recorded, peers


def added_by(runs, bare):
    """Nanoseconds that are added to an operation, and the ratio to one without. Fortran calls cannot bypass callsign."""
    past = least(runs, "bare")
    ratio = median(runs, "ratio") if past else least(runs, "recorded") / bare
    return (past or bare) * (ratio - 1), ratio


def least(runs, what):
    """The least value: that of an idle machine at its highest clock rate."""
    return min(getattr(run, what) for run in runs)


def median(runs, what):
    return statistics.median(getattr(run, what) for run in runs)


def line(*words):
    print("{:<42} {:>9} {:>9} {:>9} {:>8} {:>7} {:>8}".format(*words), flush=True)


def bench(options, flavour):
    print(f"\n{flavour}: {options.repeat} runs of each kind, bare and recorded in turn: the least, and the median of ratios")
    line("ns per operation", "bare run", "PMPI", "recorded", "added", "ratio", "wished")
    memory = None
    for test, title, ranks, iterations, wished in TESTS:
        if options.test and test not in options.test:
            continue
        bare, recorded, peers = rounds(options, flavour, test, ranks, int(iterations * options.scale))
        without, past, with_it = least(bare, "recorded"), least(recorded, "bare"), least(recorded, "recorded")
        added, ratio = added_by(recorded, without)
        line(title, f"{without:.1f}", f"{past:.1f}" if past else "", f"{with_it:.1f}", f"{added:+.1f}", f"{ratio:.2f}",
             f"<= {wished}" if wished else "")
        for name, runs in peers.items():
            if not runs:
                line("    " + name, "", "", "stops", "", "", "")
                continue
            by_peer, _ = added_by(runs, without)
            line("    " + name, "", "", f"{least(runs, 'recorded'):.1f}", f"{by_peer:+.1f}", f"{by_peer / added:.1f} x", "")
        if test == "comm_rank":
            memory = median(bare, "kib"), median(recorded, "kib")
    line("per rank and launch", "bare run", "", "recorded", "added", "ratio", "wished")
    if memory:
        line("peak resident memory, KiB", f"{memory[0]:.0f}", "", f"{memory[1]:.0f}", f"{memory[1] - memory[0]:+.0f}",
             f"{memory[1] / memory[0]:.2f}", "<= 6144")
    if not options.test or "nothing" in options.test:
        bare, recorded, _ = rounds(options, flavour, "nothing", 4, 1)
        without, with_it = median(bare, "seconds") * 1000, median(recorded, "seconds") * 1000
        line("launch of 4 ranks, Init and Finalize, ms", f"{without:.0f}", "", f"{with_it:.0f}", f"{with_it - without:+.0f}",
             f"{with_it / without:.2f}", "<= 20")


def find_flavours(options):
    """Sets options.flavours: the launcher of each."""
    names = options.flavour or sorted(path.name.split("-", 1)[1] for path in options.programs.glob("calls-*"))
    options.flavours = {}
    for name in names:
        flavour, _, mpiexec = name.partition("=")
        options.flavours[flavour] = mpiexec or shutil.which(f"mpiexec.{flavour}") or shutil.which("mpiexec")
    if not options.flavours:
        raise SystemExit(f"no calls-* in {options.programs}: build the target bench first")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path, required=True, help="folder of calls-<flavour>")
    parser.add_argument("--library", type=pathlib.Path, required=True, help="libcallsign.so")
    parser.add_argument("--flavour", action="append", default=[], metavar="NAME[=MPIEXEC]", help="default: all there are")
    parser.add_argument("--repeat", type=int, default=5, help="runs of each kind")
    parser.add_argument("--scale", type=float, default=1.0, help="times the usual number of iterations")
    parser.add_argument("--test", action="append", default=[], choices=[test[0] for test in TESTS] + ["nothing"])
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of the recorded runs")
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=LIBRARY", help="another tool to measure in the same rounds")
    options = parser.parse_args()
    options.programs, options.library = options.programs.resolve(), options.library.resolve()
    options.peers = {name: pathlib.Path(library).resolve() for name, library in (each.split("=", 1) for each in options.peer)}
    options.set = dict(each.split("=", 1) for each in options.set)
    find_flavours(options)
    for flavour in options.flavours:
        bench(options, flavour)
    return 0


if __name__ == "__main__":
    sys.exit(main())
