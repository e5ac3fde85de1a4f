#!/usr/bin/env python3
"""Force mode with threads that share objects, for as many seeds as wanted: programs/sharing.c, bare and recorded. Run by hand, best of all with
the callsign of a sanitizer:

    cmake --preset tsan && cmake --build build/tsan && tests/mpi/campaign.py --build build/tsan --seeds 200

Says which seeds fail (sharing SEED ROUNDS is the same again) and how many passed. Exit code 1: one failed.
"""

import argparse
import json
import os
import pathlib
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/support")]
import bounded  # noqa: E402  (the path must be set first)

TEST = "threads_share_names_and_attributes"


def test_of(flavour, build):
    """(words of its command before the program, its environment) of the test that runs one seed."""
    words = ["ctest", "--show-only=json-v1", "-R", rf"^mpi\.{flavour}\.{TEST}$"]
    found = json.loads(bounded.run(words, 60, cwd=build, capture_output=True, check=True, text=True).stdout)["tests"]
    if not found:
        return None
    (values,) = (each["value"] for each in found[0]["properties"] if each["name"] == "ENVIRONMENT")
    return found[0]["command"][:2], dict(value.split("=", 1) for value in values)


def run_seeds(flavour, options):
    """How many seeds failed; None: this build has no such MPI."""
    test = test_of(flavour, options.build)
    if test is None:
        return None
    command, environment = test
    failed, begun = [], time.monotonic()
    for seed in range(options.first, options.first + options.seeds):
        words = [*command, "--set", f"CALLSIGN_FORCE={options.force}", "sharing", str(seed), str(options.rounds)]
        done = bounded.run(words, options.limit, env={**os.environ, **environment}, capture_output=True, text=True)
        if done.returncode != 0:
            failed.append(seed)
            print(f"{flavour}: seed {seed} failed:", done.stdout[-4000:], done.stderr[-4000:], sep="\n", flush=True)
    print(f"{flavour}: {options.seeds - len(failed)} of {options.seeds} seeds from {options.first} on passed, {options.rounds} rounds of each of "
          f"8 threads, {time.monotonic() - begun:.0f} s; failed: {failed}", flush=True)
    return len(failed)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/tsan", help="folder of the callsign to be tested (%(default)s)")
    parser.add_argument("--seeds", type=int, default=20, metavar="N", help="how many (%(default)s)")
    parser.add_argument("--first", type=int, default=2, metavar="SEED", help="(%(default)s; ctest itself runs 1)")
    parser.add_argument("--rounds", type=int, default=1000, metavar="N", help="what each thread does, drawn by the seed (%(default)s)")
    parser.add_argument("--force", default="all", help="CALLSIGN_FORCE (%(default)s)")
    parser.add_argument("--limit", type=int, default=300, metavar="SECONDS", help="for a seed, longer while the machine is busy (%(default)s)")
    options = parser.parse_args()
    found = [run_seeds(flavour, options) for flavour in ("openmpi", "mpich")]
    sys.exit(1 if found == [None, None] or any(found) else 0)


if __name__ == "__main__":
    main()
