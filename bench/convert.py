"""Measures how many facts and cells per second are converted to a trace, in processor time: MPI_Finalize waits for this, or the command does it later.
Give several libraries to compare them on the same journals.

    bench/convert.py --programs build/release/bench --library build/release/lib/libcallsign.so
                  [--convert build/release/lib/libcallsign-convert.so]... [--flavour mpich] [--repeat 5]
"""

import argparse
import ctypes
import multiprocessing
import os
import pathlib
import resource
import struct
import subprocess
import tempfile
import time

# name, description, number
KINDS = (
    ("none", "a rank that does nothing", 0),
    ("types", "datatypes made, committed and freed", 200_000),
    ("duplicates", "MPI_Comm_dup and MPI_Comm_free", 100_000),
    ("calls", "the same with a call between", 100_000),
)
ITEMS = 144  # of struct cs_journal_header, journal/format.h
KEEP = 1  # option of callsign_convert


def record(options, kind, count, folder):
    """Runs a program that leaves its journal; returns its path."""
    env = {key: value for key, value in os.environ.items() if not key.startswith(("CALLSIGN_", "LD_PRELOAD"))}
    env.update(LD_PRELOAD=str(options.library), CALLSIGN_RUN=str(folder), CALLSIGN_CONVERT="later",
               OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    subprocess.run([str(options.programs / f"facts-{options.flavour}"), kind, str(count)], env=env, check=True)
    [journal] = folder.glob("*.journal")
    return journal


def convert(library, journal, answer):
    """In a process of its own; returns seconds of processor time and growth of memory in bytes."""
    run = ctypes.CDLL(str(library)).callsign_convert
    trace = journal.with_suffix(".db")
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    status = run(os.fsencode(journal), os.fsencode(trace), KEEP)
    seconds = time.process_time() - start
    answer.put((status, seconds, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024, trace.stat().st_size))


def measure(library, journal, repeat):
    best = None
    for _ in range(repeat):
        answer = multiprocessing.Queue()
        process = multiprocessing.Process(target=convert, args=(library, journal, answer))
        process.start()
        status, *figures = answer.get()
        process.join()
        if status != 0:
            raise SystemExit(f"{library}: status {status}")
        best = min(best or figures, figures)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--programs", type=pathlib.Path, required=True)
    parser.add_argument("--library", type=pathlib.Path, required=True)
    parser.add_argument("--convert", type=pathlib.Path, action="append", default=[])
    parser.add_argument("--flavour", default="mpich")
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    options.library = options.library.resolve()
    libraries = [path.resolve() for path in options.convert or [options.library.parent / "libcallsign-convert.so"]]
    for kind, what, count in KINDS:
        with tempfile.TemporaryDirectory(prefix="callsign-bench-") as folder:
            journal = record(options, kind, count, pathlib.Path(folder) / "run")
            head = journal.read_bytes()[:ITEMS + 8]
            [items] = struct.unpack_from("=Q", head, ITEMS)
            print(f"{count:,} {what}: {items:,} facts and cells, {journal.stat().st_size / 2**20:.1f} MiB")
            for library in libraries:
                seconds, memory, size = measure(library, journal, options.repeat)
                print(f"  {seconds * 1e3:8.1f} ms {items / seconds / 1e6:6.2f} million/s {memory / 2**20:6.1f} MiB of memory,"
                      f" trace {size / 2**20:.1f} MiB  {library}")


if __name__ == "__main__":
    main()
