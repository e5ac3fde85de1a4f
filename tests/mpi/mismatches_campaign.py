#!/usr/bin/env python3
"""Random programs of collective or one-sided calls for many seeds (mismatches.py has the short form): correct ones without a finding, and wrong ones,
whose wrong call must be found with its number and line. Run by hand.

    tests/mpi/mismatches_campaign.py --seeds 200 --calls 10000
    tests/mpi/mismatches_campaign.py --windows --seeds 200

Prints the seeds that fail and the figures for each kind of error, also when it is interrupted. Exit code 1: one failed.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import signal
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/support"), str(ROOT / "tests/mpi")]
import bounded  # noqa: E402  (the path must be set first)


def environment_of(flavour, build):
    """The environment of the short test; None: this build has no such MPI."""
    words = ["ctest", "--show-only=json-v1", "-R", rf"^mpi\.{flavour}\.mismatches$"]
    found = json.loads(bounded.run(words, 60, cwd=build, capture_output=True, check=True, text=True).stdout)["tests"]
    if not found:
        return None
    (values,) = (each["value"] for each in found[0]["properties"] if each["name"] == "ENVIRONMENT")
    return dict(value.split("=", 1) for value in values)


class Unsuitable(Exception):
    """The program has no place for this fault."""


def of_windows(windows, options, seed, chance):
    """(kind, test) of a seed, with one-sided calls."""
    import mismatches
    tests = [("correct", lambda: windows.check(seed, options.rounds))] * options.correct
    for fault in chance.sample(list(mismatches.FAULTS), min(options.wrong, len(mismatches.FAULTS))):
        def check(fault=fault, rank=chance.randrange(3), turn=chance.randrange(6)):
            if not windows.check_fault(seed, fault, rank, turn):
                raise Unsuitable
        tests.append((fault, check))
    return tests


def of_collectives(correct, wrong, options, seed, chance):
    import mismatches
    tests = [("correct", lambda: correct.check(seed, options.calls))] * options.correct
    for kind in chance.sample(list(mismatches.KINDS), min(options.wrong, len(mismatches.KINDS))):
        rank, call = chance.randrange(mismatches.RANKS), chance.randrange(200)
        tests.append((kind, lambda kind=kind, rank=rank, call=call: wrong.check(seed, kind, rank, call)))
    return tests


def run_seeds(options):
    """With the environment of one MPI. Returns how many programs failed."""
    import mismatches  # reads the environment
    correct, wrong, windows, failed = mismatches.Correct(), mismatches.Wrong(), mismatches.Windows(), []
    counted, begun = collections.Counter(), time.monotonic()
    def stop(*_):
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, stop)
    try:
        for seed in range(options.first, options.first + options.seeds):
            chance = random.Random(seed)
            tests = of_windows(windows, options, seed, chance) if options.windows else of_collectives(correct, wrong, options, seed, chance)
            for kind, check in tests:
                try:
                    counted[kind] += 1
                    check()
                except Unsuitable:
                    counted[kind] -= 1
                except Exception as error:  # the campaign goes on
                    failed.append((kind, seed))
                    print(f"{options.flavour}: seed {seed}, {kind}: {str(error)[:3000]}", flush=True)
                for each in correct, wrong, windows:
                    each.doCleanups()
    except KeyboardInterrupt:
        print("interrupted: the figures so far", flush=True)
    each = f"{options.rounds} epochs" if options.windows else f"{options.calls} calls"
    missed = collections.Counter(kind for kind, _ in failed)
    for kind, count in sorted(counted.items()):
        print(f"{options.flavour}: {kind}: {count - missed[kind]} of {count}")
    print(f"{options.flavour}: {sum(counted.values()) - len(failed)} of {sum(counted.values())} passed, seeds {options.first} to "
          f"{seed}, {each}, {time.monotonic() - begun:.0f} s; failed: {failed}", flush=True)
    return len(failed)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release", help="folder of the callsign to be tested (%(default)s)")
    parser.add_argument("--flavour", action="append", help="the MPI; default: Open MPI and MPICH")
    parser.add_argument("--seeds", type=int, default=200, metavar="N", help="how many (%(default)s)")
    parser.add_argument("--first", type=int, default=1, metavar="SEED", help="(%(default)s)")
    parser.add_argument("--calls", type=int, default=10000, metavar="N", help="of a correct program (%(default)s)")
    parser.add_argument("--windows", action="store_true", help="one-sided calls instead of collective ones")
    parser.add_argument("--rounds", type=int, default=20, metavar="N", help="epochs of a correct program with --windows (%(default)s)")
    parser.add_argument("--correct", type=int, default=1, metavar="N", help="correct programs for each seed: 0 or 1 (%(default)s)")
    parser.add_argument("--wrong", type=int, default=2, metavar="N", help="wrong programs for each seed (%(default)s)")
    options = parser.parse_args()
    if os.environ.get("CS_TEST_FLAVOUR"):
        options.flavour = os.environ["CS_TEST_FLAVOUR"]
        sys.exit(1 if run_seeds(options) else 0)
    codes = []
    for flavour in options.flavour or ("openmpi", "mpich"):
        environment = environment_of(flavour, options.build.resolve())
        if environment:
            codes.append(bounded.start([sys.executable, "-B", *sys.argv], env={**os.environ, **environment}).wait())
    sys.exit(1 if not codes or any(codes) else 0)


if __name__ == "__main__":
    main()
