#!/usr/bin/env python3
"""All planted programs in C and in both bindings of Fortran: recorded, as the tests do, or bare. Run by hand:

    tests/hang/campaign.py                          # every mode with each MPI
    tests/hang/campaign.py --bare                   # whether slow ones end and stuck ones hang without callsign
    tests/hang/campaign.py --ended                  # what is known after a signal ended the job
    tests/hang/campaign.py --mpi mpich --only waitall --rounds 20 --shown
    tests/hang/campaign.py --pt2pt                  # windows of Open MPI without shared memory

Prints each mode that fails with what hang answered. Exit code 1: one failed.
"""

import argparse
import json
import os
import pathlib
import re
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/support")]
import bounded  # noqa: E402  (the path must be set first)

PROGRAMS = ["slow_collectives", "slow_epochs", "stuck_epochs", *(f"{kind}{language}" for kind in ("slow", "stuck") for language in ("", "_fortran_f08", "_fortran_mpi"))]
HANGS_SECONDS = 2


def tests_of(build):
    """{MPI: environment of its tests}."""
    words = ["ctest", "--show-only=json-v1", "-R", r"^hang\..*\.slow$"]
    found = json.loads(bounded.run(words, 60, cwd=build, capture_output=True, check=True, text=True).stdout)["tests"]
    values = {test["name"].split(".")[1]: next(each["value"] for each in test["properties"] if each["name"] == "ENVIRONMENT") for test in found}
    return {mpi: dict(value.split("=", 1) for value in lines) for mpi, lines in values.items()}


def check_bare(job):
    """Without callsign a slow program ends, and a stuck one does not."""
    if "stuck" in job.plant.program.name:
        if not job.arrives():
            raise AssertionError("it did not come to its plant")
        time.sleep(HANGS_SECONDS)
        if job.ended():
            raise AssertionError("it ended")
        return
    if job.plant.answer != "dies" and not job.arrives():
        raise AssertionError("it did not come to its plant")
    job.go()
    if not job.ends() or (job.process.returncode == 0) != (job.plant.answer != "dies"):
        raise AssertionError(f"it ended with {job.process.returncode}")


def run(options):
    """One MPI, named by the environment."""
    import plants  # it reads the environment

    chosen = [plant for plant in plants.plants(*PROGRAMS) if re.search(options.only, str(plant))]
    checks = {"slow": plants.check_slow, "stuck": plants.check_stuck}
    if options.ended:
        checks = dict.fromkeys(checks, plants.check_ended)
        chosen = [plant for plant in chosen if plant.answer != "dies"]
    if options.bare:
        plants.harness.recording = lambda folder: {}
    failed = 0
    for _ in range(options.rounds):
        for kind in checks:
            of_kind = [plant for plant in chosen if plant.program.name.startswith(kind)]
            begun = time.monotonic()
            wrong = 0
            for text in plants.check_all(check_bare if options.bare else checks[kind], of_kind, options.at_once):
                print(text if options.shown else text.splitlines()[0], flush=True)
                wrong += 1
            failed += wrong
            print(f"{plants.harness.FLAVOUR}: {len(of_kind) - wrong} of {len(of_kind)} {kind} programs as expected, "
                  f"{time.monotonic() - begun:.0f} s", flush=True)
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=ROOT / "build/release", type=pathlib.Path)
    parser.add_argument("--callsign", type=pathlib.Path, help="folder of another build, whose callsign is tested")
    parser.add_argument("--mpi", default="", help="one MPI, as ctest names it")
    parser.add_argument("--only", default="", help="modes whose program and name match this")
    parser.add_argument("--rounds", default=1, type=int)
    parser.add_argument("--at-once", default=4, type=int)
    parser.add_argument("--bare", action="store_true")
    parser.add_argument("--ended", action="store_true")
    parser.add_argument("--pt2pt", action="store_true")
    parser.add_argument("--shown", action="store_true", help="print what hang answered")
    options = parser.parse_args()
    if "CS_TEST_FLAVOUR" in os.environ:
        sys.exit(1 if run(options) else 0)
    codes = []
    for mpi, environment in tests_of(options.build).items():
        if options.mpi in ("", mpi):
            more = {"OMPI_MCA_osc": "pt2pt"} if options.pt2pt else {}
            if options.callsign:
                for name in ("CS_TEST_COMMAND", "CS_TEST_LIBRARY"):
                    more[name] = environment[name].replace(str(options.build.resolve()), str(options.callsign.resolve()))
            codes.append(bounded.run([sys.executable, "-B", *sys.argv], 3600 * options.rounds, env={**os.environ, **environment, **more}).returncode)
    sys.exit(max(codes, default=2))


if __name__ == "__main__":
    main()
