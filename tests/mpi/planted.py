"""Forecasts of callsign whatif against the truth: a program is recorded, asked about, changed and run again, bare. Run for each flavour.

    planted.py ROUNDS [CASE...]   by hand: these cases so often, with the error of each forecast; needs an idle machine
"""

import json
import pathlib
import shutil
import statistics
import sys
import tempfile
import unittest

import harness

# case: (what is asked, kind of the answer); of several answers, the best one counts
FASTER = (("--rank", "1", "--faster", "50%"), "faster_rank")
BALANCE = ((), "balance")
DELAY_MS = "5"
LATENCY = (("--latency", f"{DELAY_MS}ms"), "network")
CASES = {"late_rank": FASTER, "small_messages": FASTER, "large_messages": FASTER, "extra_barrier": ((), "no_barriers"), "chain": FASTER, "late_receiver": FASTER,
         "uneven_code": ((), "balanced_code"), "slow_site": (("--without-site", "slow_site"), "free_site"), "pipeline": BALANCE, "overlap": FASTER,
         "alltoall": BALANCE, "subcommunicators": FASTER, "master_worker": FASTER, "persistent": FASTER, "latency": LATENCY, "hidden_latency": LATENCY,
         "bcast_root": FASTER, "scan": FASTER, "producer": FASTER, "fence": FASTER, "epoch": (("--rank", "1", "--faster", "60%"), "faster_rank"), "lock": (("--rank", "1", "--faster", "60%"), "faster_rank"), "python": FASTER,
         "region": (("--region", "solve", "--faster", "50%"), "faster_region"), "balanced": ((), None)}
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
    """(seconds of the recorded run, seconds that callsign forecasts, seconds of the changed program), by the program's own clock."""
    options, kind = CASES[case]
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
            if is_good(case, *tried[-1]):
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
        found = [forecast(case, folder) for _ in range(rounds)]
        recorded, promised, changed = medians = tuple(statistics.median(column) for column in zip(*found))
        asked, good = asked + 1, good + is_good(case, *medians)
        each = " ".join(f"{100 * (one[1] / one[2] - 1):+.1f}" for one in found)
        print(f"{case}: recorded {recorded:.3f} s, forecast {promised:.3f} s, changed {changed:.3f} s: {100 * (promised / changed - 1):+.1f} % ({each})", flush=True)
    print(f"{harness.FLAVOUR}: {good} of {asked} within {100 * OFF:.0f} %")
    shutil.rmtree(folder)


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1].isdigit():
        campaign(int(sys.argv[1]), sys.argv[2:] or list(CASES))
    else:
        unittest.main()
