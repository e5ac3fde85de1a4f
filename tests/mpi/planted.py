"""Forecasts of callsign whatif against the truth: a program is recorded, asked about, changed and run again, bare. Run for each flavour.

    planted.py ROUNDS    by hand: all cases so often, with the error of each forecast; needs an idle machine
"""

import json
import pathlib
import shutil
import statistics
import sys
import tempfile
import unittest

import harness

# case: (what is asked, kind of the answer)
FASTER = (("--rank", "1", "--faster", "50%"), "faster_rank")
CASES = {"late_rank": FASTER, "small_messages": FASTER, "large_messages": FASTER, "extra_barrier": ((), "no_barriers"), "chain": FASTER, "late_receiver": FASTER}
RANKS, ATTEMPTS, OFF = 3, 5, 0.1


def said_seconds(result):
    if result.code != 0:
        raise AssertionError(result.stderr)
    return float(result.stdout)


def forecast(case, folder):
    """(seconds of the recorded run, seconds that callsign forecasts, seconds of the changed program), by the program's own clock."""
    options, kind = CASES[case]
    recorded = said_seconds(harness.mpirun(RANKS, "planted", case, extra={**harness.recording(folder), "CALLSIGN_EVENTS": "all"}, cwd=folder))
    (run,) = harness.run_folders(folder)
    result = harness.run([harness.COMMAND, "whatif", run, "--format", "json", *options], cwd=folder)
    shutil.rmtree(run)
    if result.code != 0:
        raise AssertionError(result.stderr)
    answer = json.loads(result.stdout)
    assert answer["replayed_seconds"] == answer["recorded_seconds"], answer
    (saved,) = [row["saved_seconds"] for row in answer["answers"] if row["kind"] == kind]
    return recorded, recorded - saved, said_seconds(harness.mpirun(RANKS, "planted", case, "changed", cwd=folder))


class Planted(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="callsign-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def check(self, case):
        """On a loaded machine, sleeping ranks wake late: one good attempt of a few is enough."""
        tried = []
        for _ in range(ATTEMPTS):
            tried.append(forecast(case, self.folder))
            recorded, promised, changed = tried[-1]
            if abs(promised - changed) <= OFF * changed and promised < 0.85 * recorded:
                return
        self.fail(f"{case}: recorded, forecast, changed: {tried}")

    def test_a_faster_rank_among_large_messages(self):
        self.check("large_messages")

    def test_a_faster_rank_in_a_chain(self):
        self.check("chain")

    def test_a_barrier_that_is_left_out(self):
        self.check("extra_barrier")


def campaign(rounds):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="callsign-test-"))
    for case in CASES:
        found = [forecast(case, folder) for _ in range(rounds)]
        recorded, promised, changed = (statistics.median(column) for column in zip(*found))
        print(f"{case}: recorded {recorded:.3f} s, forecast {promised:.3f} s, changed {changed:.3f} s: {100 * (promised / changed - 1):+.1f} %", flush=True)
    shutil.rmtree(folder)


if __name__ == "__main__":
    if len(sys.argv) == 2 and sys.argv[1].isdigit():
        campaign(int(sys.argv[1]))
    else:
        unittest.main()
