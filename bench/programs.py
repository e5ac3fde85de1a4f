#!/usr/bin/env python3
"""How much processor time callsign takes in a real program, with and without --check all, as perf samples it in each rank.

    bench/programs.py --build build/release [--mpi openmpi] [--rounds 3] [hpcc] [lammps]

Ranks that wait for each other poll. On a busy machine this takes most of the time, of the MPI or in calls like MPI_Iprobe, and differs from run to run. So
the time is also given for each call, and as a share of the program's own code. Debian: linux-perf, hpcc, lammps.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/real"))
sys.path.insert(0, str(ROOT / "tests/mpi"))
import real  # noqa: E402  (the path must be set first)

# The tests have short runs, in which the start counts most.
real.LAMMPS_INPUT = real.LAMMPS_INPUT.replace("block 0 6 0 6 0 6", "block 0 10 0 10 0 10").replace("run 200", "run 1500")
real.HPCC_INPUT = real.HPCC_INPUT.replace("100          Ns", "1000         Ns").replace("2            Ps", "1            Ps")

RANKS = 2
PROGRAMS = {"hpcc": real.Hpcc, "lammps": real.Lammps}
MODES = {"default": [], "--check all": ["--check", "all"]}
OF_MPI = re.compile(r"lib(mpi|open-|opal|pmpi|mpich|ucp|ucs|uct|fabric|psm|pmix|event)|mca_|\[kernel|\[vdso")


def samples(options, program, words):
    """({library: samples}, calls) of all ranks of one run."""
    with tempfile.TemporaryDirectory(prefix="callsign-bench-") as name:
        folder = pathlib.Path(name)
        command = program().command(folder)
        each = ["sh", "-c", f'exec perf record -q -e task-clock -F 999 -o {folder}/perf.$$ "$@"', "sh", *command]
        run = [str(options.build / "bin/callsign"), "run", "--run", str(folder / "run"), *words, f"mpirun.{options.mpi}", "-n", str(RANKS), *each]
        environment = dict(os.environ, **real.QUIET, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1",
                           OMPI_MCA_mpi_yield_when_idle="1", CALLSIGN_SYNC="off", HWLOC_PLUGINS_PATH="/nonexistent")
        subprocess.run(run, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=600, check=True)
        found = collections.Counter()
        for file in folder.glob("perf.*"):
            said = subprocess.run(["perf", "report", "-q", "-i", str(file), "--sort", "dso", "-F", "sample,dso"], capture_output=True, text=True, check=True).stdout
            for count, library in re.findall(r"^ *(\d+) +(\S+)", said, re.MULTILINE):
                found[library] += int(count)
        asked = [str(options.build / "bin/callsign"), "query", str(folder / "run"), "SELECT sum(calls) AS calls FROM profile", "--format", "json"]
        return found, json.loads(subprocess.run(asked, capture_output=True, text=True, check=True).stdout)[0]["calls"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", default=list(PROGRAMS), help=", ".join(PROGRAMS))
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--mpi", choices=("openmpi", "mpich"), default="openmpi")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    options.build = options.build.resolve()
    print("| program | setting | calls | processor time of all ranks | of the program's own code | of callsign | of all | for each call |\n"
          "|---|---|---|---|---|---|---|---|")
    for name in options.programs:
        runs = collections.defaultdict(list)
        for _ in range(options.rounds):
            for mode, words in MODES.items():
                found, calls = samples(options, PROGRAMS[name], words)
                ours = sum(count for library, count in found.items() if library.startswith(("libcallsign", "libunwind")))
                outside = sum(count for library, count in found.items() if not OF_MPI.search(library)) - ours
                runs[mode].append((calls, sum(found.values()) / 999, outside / 999, ours / 999, ours / sum(found.values()), ours / 999 / calls * 1e9))
        for mode, each in runs.items():
            calls, seconds, own, ours, share, each_call = (statistics.median(values) for values in zip(*each))
            print(f"| {name} | {mode} | {calls:,.0f} | {seconds:.2f} s | {own:.2f} s | {ours:.3f} s | {share:.1%} | {each_call:.0f} ns |", flush=True)


if __name__ == "__main__":
    main()
