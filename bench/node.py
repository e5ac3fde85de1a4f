#!/usr/bin/env python3
"""The time that the last rank of a node takes in MPI_Finalize to convert the journals of all ranks of the node; by hand. docs/scale.md has results.

    bench/node.py JOURNALS [--ranks 64] [--library build/release/lib/libcallsign-convert.so] [--repeat 5] [--folder FOLDER]

JOURNALS is a folder with rank-*.journal: `callsign run --files node --convert later` leaves node-NAME.journals. The journals are repeated.
"""

import argparse
import ctypes
import os
import pathlib
import resource
import statistics
import struct
import sys
import tempfile
import time

TREE = pathlib.Path(__file__).resolve().parents[1]
sys.path.append(str(TREE / "debugger"))
from callsign_debugger.layout import JOURNAL_HEADER  # noqa: E402  (the path must be set first)


def copy(journals, folder, ranks):
    """Each copy is of another process and rank."""
    folder.mkdir(parents=True)
    for rank in range(ranks):
        content = bytearray(journals[rank % len(journals)])
        for field, value in (("rank", rank), ("pid", 10_000 + rank)):
            struct.pack_into("<i", content, JOURNAL_HEADER.offsets[field], value)
        (folder / f"rank-{rank:05d}.journal").write_bytes(content)


def measure(library, folder):
    """Seconds of wall time and of processor time."""
    begin, before = time.monotonic(), resource.getrusage(resource.RUSAGE_SELF)
    if library.callsign_convert_node(os.fsencode(folder), 0, ctypes.c_uint64(0), None) != 0:
        sys.exit("the conversion failed")
    after = resource.getrusage(resource.RUSAGE_SELF)
    return time.monotonic() - begin, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("journals", type=pathlib.Path)
    parser.add_argument("--ranks", type=int, default=64)
    parser.add_argument("--library", type=pathlib.Path, default=TREE / "build/release/lib/libcallsign-convert.so")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--folder", type=pathlib.Path, help="where the copies are made (default: TMPDIR)")
    options = parser.parse_args()
    library = ctypes.CDLL(options.library)
    journals = [path.read_bytes() for path in sorted(options.journals.glob("rank-*.journal"))]
    if not journals:
        sys.exit(f"{options.journals} has no rank-*.journal")
    found = []
    for number in range(options.repeat):
        with tempfile.TemporaryDirectory(prefix="callsign-node-", dir=options.folder) as folder:
            copies = pathlib.Path(folder) / f"node-{number}.journals"
            copy(journals, copies, options.ranks)
            found.append(measure(library, copies))
            size = (pathlib.Path(folder) / f"node-{number}.db").stat().st_size
    wall, processor = (statistics.median(column) for column in zip(*found))
    print(f"{options.ranks} journals, {size / 2**20:.1f} MiB: {wall:.3f} s, {processor:.3f} s of processor time, load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
