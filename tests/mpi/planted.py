"""Forecasts of callsign whatif against the truth: a program is recorded, asked about, changed and run again, bare. Run for each flavour.

    planted.py ROUNDS [CASE...]   by hand: these cases so often: the rows of docs/evidence.md
"""

import json
import pathlib
import shutil
import statistics
import sys
import tempfile
import unittest

import harness

# case: (the change in words, what is asked, kind of the answer); of several answers, the best one counts
FASTER = (("--rank", "1", "--faster", "50%"), "faster_rank")
MUCH_FASTER = (("--rank", "1", "--faster", "60%"), "faster_rank")
BALANCE = ((), "balance")
DELAY_MS = "5"
LATENCY = (("--latency", f"{DELAY_MS}ms"), "network")
CASES = {
    "late_rank": ("a late rank twice as fast, `MPI_Allreduce`", *FASTER),
    "small_messages": ("the same, ring of 4 bytes (eager)", *FASTER),
    "large_messages": ("the same, ring of 512 KiB (rendezvous)", *FASTER),
    "extra_barrier": ("no `MPI_Barrier` between loads that alternate", (), "no_barriers"),
    "chain": ("one rank of a chain twice as fast, `MPI_Ssend`", *FASTER),
    "late_receiver": ("a late receiver twice as fast, `MPI_Send` of 512 KiB", *FASTER),
    "uneven_code": ("the code before one call balanced", (), "balanced_code"),
    "slow_site": ("`MPI_Allreduce` with a slow operation left out", ("--without-site", "slow_site"), "free_site"),
    "pipeline": ("a pipeline balanced", *BALANCE),
    "overlap": ("a late rank whose messages overlap with work", *FASTER),
    "alltoall": ("three loads balanced, `MPI_Alltoall`", *BALANCE),
    "subcommunicators": ("a late rank in one of two communicators", *FASTER),
    "master_worker": ("a slow worker, results from any source", *FASTER),
    "persistent": ("a late rank, persistent requests", *FASTER),
    "latency": ("5 ms latency, each message waited for", *LATENCY),
    "hidden_latency": ("5 ms latency, hidden by work", *LATENCY),
    "bcast_root": ("a late root, `MPI_Bcast`", *FASTER),
    "scan": ("a late rank, `MPI_Scan`", *FASTER),
    "producer": ("a slow consumer, eager messages sent ahead", *FASTER),
    "fence": ("a late rank, `MPI_Win_fence`", *FASTER),
    "epoch": ("a late `MPI_Win_post`", *MUCH_FASTER),
    "lock": ("a rank that keeps a lock of a window for long", *MUCH_FASTER),
    "lock_all": ("the same, `MPI_Win_lock_all` of another rank", *MUCH_FASTER),
    "region": ("the code of a region twice as fast", ("--region", "solve", "--faster", "50%"), "faster_region"),
    "python": ("a late rank in Python", *FASTER),
    "balanced": ("nothing to gain: the best answer", (), None),
}
UNCHANGED = {"hidden_latency", "balanced"}  # a change gains nothing
RANKS = {"subcommunicators": 4, "epoch": 2}
ATTEMPTS, OFF, NOTHING = 5, 0.1, 0.03


def program(case):
    """The words of its command; None: it cannot run here."""
    if case != "python":
        return ["planted", case]
    python = harness.python_with("mpi4py") if harness.FLAVOUR == "openmpi" else None
    return python and [python, pathlib.Path(__file__).resolve().parent / "programs" / "planted_mpi4py.py"]


def said_seconds(result):
    if result.code != 0:
        raise AssertionError(result.stderr)
    return float(result.stdout)


def forecast(case, folder):
    """(seconds of the recorded run, seconds that callsign forecasts, seconds of the changed program), by the program's own clock; None: callsign claims nothing."""
    _, options, kind = CASES[case]
    words, ranks = program(case), RANKS.get(case, 3)
    recorded = said_seconds(harness.mpirun(ranks, *words, extra={**harness.recording(folder), "CALLSIGN_EVENTS": "all"}, cwd=folder))
    (run,) = harness.run_folders(folder)
    result = harness.run([harness.COMMAND, "whatif", run, "--format", "json", *options], cwd=folder)
    shutil.rmtree(run)
    if result.code != 0:
        raise AssertionError(result.stderr)
    answer = json.loads(result.stdout)
    assert answer["replayed_seconds"] == answer["recorded_seconds"], answer
    found = [row["saved_seconds"] for row in answer["answers"] if kind in (None, row["kind"]) and row["claimed"]]
    if not found:
        return None
    slower = {"LD_PRELOAD": pathlib.Path(harness.PROGRAMS) / "planted_delay.so", "PLANTED_DELAY_MS": DELAY_MS} if kind == "network" else {}
    changed = said_seconds(harness.mpirun(ranks, *words, "changed", extra={name: str(value) for name, value in slower.items()}, cwd=folder))
    return recorded, recorded - max(found), changed


def is_good(case, recorded, promised, changed):
    moved = abs(promised - recorded) / recorded
    return abs(promised - changed) <= OFF * changed and (moved < NOTHING if case in UNCHANGED else moved > 0.15)


class Planted(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="callsign-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def check(self, case):
        """On a loaded machine, sleeping ranks wake late: one good attempt of a few is enough."""
        tried = []
        for _ in range(ATTEMPTS):
            tried.append(forecast(case, self.folder))
            if tried[-1] and is_good(case, *tried[-1]):
                return
        self.fail(f"{case}: recorded, forecast, changed: {tried}")

    def test_a_faster_rank_among_large_messages(self):
        self.check("large_messages")

    def test_a_slower_network(self):
        self.check("latency")

    def test_a_barrier_that_is_left_out(self):
        self.check("extra_barrier")


def campaign(rounds, cases):
    folder, good, asked = pathlib.Path(tempfile.mkdtemp(prefix="callsign-test-")), 0, 0
    for case in cases:
        if not program(case):
            print(f"{case}: no mpi4py for this MPI")
            continue
        asked += 1
        found = [forecast(case, folder) for _ in range(rounds)]
        each = " ".join(f"{100 * (one[1] / one[2] - 1):+.1f}" if one else "none" for one in found)
        if not any(found):
            print(f"{case}: nothing is claimed")
            continue
        recorded, promised, changed = medians = tuple(statistics.median(column) for column in zip(*filter(None, found)))
        good += is_good(case, *medians)
        mpi = {"openmpi": "Open MPI", "mpich": "MPICH"}[harness.FLAVOUR]
        print(f"| {CASES[case][0]} | {mpi} | {recorded:.3f} | {promised:.3f} | {changed:.3f} | {100 * (promised / changed - 1):+.1f} % | {each} |", flush=True)
    print(f"{harness.FLAVOUR}: {good} of {asked} within {100 * OFF:.0f} %")
    shutil.rmtree(folder)


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1].isdigit():
        campaign(int(sys.argv[1]), sys.argv[2:] or list(CASES))
    else:
        unittest.main()
