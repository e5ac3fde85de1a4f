#!/usr/bin/env python3
"""Several commands at once on runs whose journals nobody has converted yet; some are killed at random. Afterwards the run must answer as one that a single
command has read. By hand:

    CALLSIGN_FILES=node CALLSIGN_CONVERT=later callsign run mpirun -n 16 ./program
    tests/cli/at_once_campaign.py --rounds 200 program.*.callsign

With --job, each round runs the job anew, and the commands begin before, during and after its end. It must make the same calls each time:

    CALLSIGN_FILES=node tests/cli/at_once_campaign.py --rounds 50 --job mpirun -n 16 ./program

Prints the seed, and each round that answers otherwise. Exit code 1: there was one."""

import argparse
import os
import pathlib
import random
import shutil
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import bounded  # noqa: E402  (the path must be set first)

SQL = "SELECT p.rank, p.outcome, (SELECT sum(calls) FROM profile f WHERE f.rank = p.rank) FROM process p ORDER BY 1"


def kinds(command, run, folder, number):
    return [[command, "query", run, SQL], [command, "report", run], [command, "check", run], [command, "names", run], [command, "convert", run],
            [command, "merge", run, "-o", folder / f"merged{number}.db"]]


def ask(command, run):
    done = bounded.run([command, "query", run, SQL, "-f", "csv"], capture_output=True, text=True)
    return done.stdout, done.stderr


def kill_some(processes, chance):
    for process in processes:
        if chance.random() < 0.3:
            try:
                process.wait(chance.random() * 0.2)
            except Exception:  # it still runs
                process.kill()
    for process in processes:
        bounded.communicate(process, 120)


def start(words):
    with open(os.devnull, "wb") as nothing:
        return bounded.start(list(map(str, words)), stdout=nothing, stderr=nothing)


def at_once(options, chance, command, folder, number):
    """Commands on a copy of the run."""
    run = shutil.copytree(options.run[0], folder / f"r{number}.callsign", symlinks=True)
    words = [chance.choice(kinds(command, run, folder, i)) for i in range(chance.choice((2, 4, 8)))]
    kill_some([start(line) for line in words], chance)
    return run, words


def beside_a_job(options, chance, command, folder, number, lasts=0.0):
    """Commands while the job runs and ends."""
    place = folder / f"j{number}"
    place.mkdir()
    with open(os.devnull, "wb") as nothing:
        job = bounded.start([command, "run", "-q", "--", *options.run], cwd=place, stdout=nothing, stderr=nothing)
    begun, words, processes = time.monotonic(), [], []
    for moment in sorted(chance.random() * 1.2 * lasts for _ in range(chance.choice((2, 4, 8)))) if lasts else []:
        time.sleep(max(begun + moment - time.monotonic(), 0))
        for run in place.glob("*.callsign"):
            words.append(chance.choice(kinds(command, run, folder, len(words))[:-1]))  # not merge, which needs a place of its own
            processes.append(start(words[-1]))
    kill_some(processes, chance)
    bounded.communicate(job, 120)
    [run] = place.glob("*.callsign")
    return run, words


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--command", default="build/release/bin/callsign")
    parser.add_argument("--job", action="store_true")
    parser.add_argument("run", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    print(f"seed {options.seed}")
    chance = random.Random(options.seed)
    command = os.path.abspath(options.command)
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        begun = time.monotonic()
        reference = beside_a_job(options, chance, command, folder, "reference")[0] if options.job \
            else shutil.copytree(options.run[0], folder / "reference.callsign", symlinks=True)
        lasts = time.monotonic() - begun
        expected, said = ask(command, reference)
        if not expected:
            sys.exit(f"the run cannot be read: {said}")
        for number in range(options.rounds):
            run, words = beside_a_job(options, chance, command, folder, number, lasts) if options.job else at_once(options, chance, command, folder, number)
            answer, said = ask(command, run)
            if answer != expected:
                failed += 1
                print(f"round {number}: {[line[1] for line in words]}: {answer!r} instead of {expected!r}; {said}", flush=True)
            shutil.rmtree(run)
            for path in folder.glob("merged*.db"):
                path.unlink()
    print(f"{options.rounds} rounds of {len(expected.splitlines()) - 1} ranks, {failed} with other rows")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
