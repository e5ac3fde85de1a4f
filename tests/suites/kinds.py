#!/usr/bin/env python3
"""The examples of docs/kinds.md, each as a program of two ranks: callsign must find the kind in the wrong one, and not in the correct one.

    tests/suites/kinds.py [--mpi mpich] [KIND...]

By hand: it takes a few minutes. Exit code 1: one is not as the page says."""

import argparse
import json
import os
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/support"), str(ROOT)]
import bounded  # noqa: E402  (the path must be set first)
from gen import model  # noqa: E402

PROGRAM = r"""
#include <mpi.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int rank, size, n, from, to, a[16] = {0}, b[16] = {0}, memory[16], periods[] = {0, 0}, dims[] = {2}, coords[2], mode = MPI_MODE_CREATE | MPI_MODE_RDWR;
    double x[8] = {0}, y[8];
    char room[1000];
    void *buffer;
    const char *name = "file", *key = "key", *value = "value";
    MPI_Comm comm = MPI_COMM_WORLD, c, line, inter, self, never_set;
    MPI_Request r = MPI_REQUEST_NULL, both[2], other;
    MPI_Status s, statuses[2];
    MPI_Datatype t, copy_of_t;
    MPI_Group g, h;
    MPI_Info i;
    MPI_Win win, w;
    MPI_File f;
    MPI_Message m;
    MPI_Aint bytes = sizeof memory;
    MPI_Init(&argc, &argv);
    alarm(10);
    memset(&never_set, 0x5a, sizeof never_set);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int peer = 1 - rank;
    MPI_Comm_group(comm, &g);
    MPI_Win_create(memory, 8 * sizeof(int), sizeof(int), MPI_INFO_NULL, comm, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Cart_create(comm, 1, dims, periods, 0, &line);
    MPI_Comm_split(comm, rank, 0, &self);
    MPI_Intercomm_create(self, 0, comm, peer, 3, &inter);
    MPI_Comm_set_errhandler(line, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
    %s
    {
        %s
    }
    %s
    return 0;
}
"""
# What some examples take for granted.
FREE = "MPI_Win_free(&win); MPI_Comm_free(&line); MPI_Comm_free(&inter); MPI_Comm_free(&self);"
BEFORE = {
    "active_request": "MPI_Send_init(a, 1, MPI_INT, MPI_PROC_NULL, 0, comm, &r);",
    "inactive_wait": "MPI_Send_init(a, 1, MPI_INT, MPI_PROC_NULL, 0, comm, &r);",
    "never_started": "MPI_Send_init(a, 1, MPI_INT, MPI_PROC_NULL, 0, comm, &r);",
    "freed_handle": "MPI_Type_contiguous(1, MPI_INT, &t); MPI_Type_commit(&t); copy_of_t = t; MPI_Irecv(b, 1, MPI_INT, peer, 0, comm, &other);",
    "conflicting_access": "MPI_Win_fence(0, win);",
    "false_assertion": "MPI_Win_fence(0, win);",
    "never_closed": FREE,
    "never_completed": FREE,
    "null_file": "MPI_File_open(MPI_COMM_SELF, name, mode, MPI_INFO_NULL, &f);",
    "null_message": "MPI_Isend(b, 1, MPI_INT, peer, 0, comm, &other);",
    "same_request": "MPI_Irecv(a, 1, MPI_INT, peer, 9, comm, &both[0]); MPI_Send(b, 1, MPI_INT, peer, 9, comm);",
}


def found_in(code, kind, flavour, build):
    """The kinds of wrong calls in a program with this code."""
    with tempfile.TemporaryDirectory(prefix="kinds.") as folder:
        source = pathlib.Path(folder) / "program.c"
        source.write_text(PROGRAM % (BEFORE.get(kind, ""), code, "" if "MPI_Finalize" in code else "MPI_Finalize();"), encoding="utf-8")
        bounded.run([f"mpicc.{flavour}", "-g", "-w", str(source), "-o", f"{folder}/program"], 60, check=True)
        env = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1")
        words = [str(build / "bin/callsign"), "run", "--check", "all", "--run", f"{folder}/run", f"mpiexec.{flavour}", "-n", "2", f"{folder}/program"]
        bounded.run(words, 60, cwd=folder, env=env, capture_output=True)
        done = bounded.run([words[0], "query", f"{folder}/run", "SELECT DISTINCT kind FROM misuses", "--format", "json"], 60, capture_output=True, text=True, check=True)
        return {row["kind"] for row in json.loads(done.stdout)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*")
    parser.add_argument("--mpi", action="append", choices=("openmpi", "mpich"))
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    options = parser.parse_args()
    wrong = 0
    for flavour in options.mpi or ("openmpi", "mpich"):
        for finding in model.read_folder().of_kind("finding"):
            if not finding.has("wrong") or (options.kinds and finding.name not in options.kinds):
                continue
            bad, good = (found_in(finding.get(word), finding.name, flavour, options.build.resolve()) for word in ("wrong", "right"))
            right = finding.name in bad and finding.name not in good
            wrong += not right
            print(f"{flavour}\t{finding.name}\t{'as told' if right else 'NOT AS TOLD'}\t{' '.join(sorted(bad))}\t{' '.join(sorted(good))}", flush=True)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
