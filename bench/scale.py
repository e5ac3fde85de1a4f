#!/usr/bin/env python3
"""Processor time, wall time and memory of questions about runs of many ranks, and the sizes of their files; by hand. docs/scale.md has results.

    bench/scale.py RECORDED [--ranks 1024] [--files rank|node] [--per-node 64] [--callsign build/release/bin/callsign] [--repeat 3] [--folder FOLDER]

RECORDED is a run of a few ranks (scripts/demo makes one of hpcc): tests/support/scaled_run.py repeats its ranks.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

TREE = pathlib.Path(__file__).resolve().parents[1]
sys.path.append(str(TREE / "tests/support"))
import scaled_run  # noqa: E402  (the path must be set first)

QUESTION = "SELECT count(*), sum(seconds) FROM function_time"
EVERY_ROW = "SELECT count(*), sum(time_ns) FROM profile"


def measure(words):
    """Seconds of processor time, seconds of wall time, and MiB of memory of a command."""
    begin = time.monotonic()
    with subprocess.Popen(words, stdout=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{words[:2]} ended with {process.returncode}")
    return used.ru_utime + used.ru_stime, time.monotonic() - begin, used.ru_maxrss / 1024


def median(repeat, before, words):
    """The medians of several measurements; `before` prepares each."""
    found = []
    for _ in range(repeat):
        before()
        found.append(measure(words))
    return [statistics.median(column) for column in zip(*found)]


def mebibytes(paths):
    return sum(path.stat().st_size for path in paths) / 2**20


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recorded", type=pathlib.Path)
    parser.add_argument("--ranks", type=int, default=1024)
    parser.add_argument("--files", choices=("rank", "node"), default="rank")
    parser.add_argument("--per-node", type=int, default=64)
    parser.add_argument("--callsign", type=pathlib.Path, default=TREE / "build/release/bin/callsign")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--folder", type=pathlib.Path, help="where the run is made (default: TMPDIR)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="callsign-scale-", dir=options.folder) as folder:
        run = pathlib.Path(folder) / "scaled.callsign"
        begin = time.monotonic()
        scaled_run.make(scaled_run.plan_of(options.recorded, run, options.ranks, per_node=options.per_node, files=options.files,
                                           late={options.ranks // 2: 5}, leak={options.ranks // 3: 70}))
        print(f"{options.ranks} ranks, made in {time.monotonic() - begin:.0f} s, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n")
        merged = run / "merged.db"
        ask = [options.callsign, "query", run, QUESTION]
        lines = [("first question", median(options.repeat, lambda: merged.unlink(missing_ok=True), ask)),
                 ("next question", median(options.repeat, lambda: None, ask)),
                 ("question about every row of the profile", median(options.repeat, lambda: None, [options.callsign, "query", run, EVERY_ROW])),
                 ("question about one rank", median(options.repeat, lambda: None, [*ask, "--rank", str(options.ranks // 2)])),
                 ("first overview of a merged run", median(1, lambda: None, [options.callsign, "report", run])),
                 ("next overview", median(options.repeat, lambda: None, [options.callsign, "report", run]))]
        print("| | processor s | wall s | memory MiB |\n|---|---|---|---|")
        for name, figures in lines:
            print(f"| {name} | " + " | ".join(f"{figure:.2f}" for figure in figures) + " |")
        print(f"\n{options.files} files {mebibytes(run.glob(f'{options.files}-*.db')):.1f} MiB, merged.db {mebibytes([merged]):.1f} MiB")


if __name__ == "__main__":
    main()
