"""Paths of the test double, of its callsign, and of programs; and how these are compiled."""

import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
sys.path[:0] = [str(HERE.parent / "mpi"), str(HERE.parent / "support")]
import bounded  # noqa: E402  (the path must be set first)

BUILD = pathlib.Path(os.environ["CS_TEST_BUILD"])
CC = os.environ["CS_TEST_CC"]
FORTRAN = os.environ.get("CS_TEST_FORTRAN", "")  # its compiler; empty: there is none
LIBRARY = BUILD / "library"  # the test double
SHARED, STATIC = LIBRARY / "libsmall.so.1", LIBRARY / "libsmall.a"
STATIC_C, STATIC_FORTRAN = LIBRARY / "libsmall_c.a", LIBRARY / "libsmall_fortran.a"  # the static one in two
STUBS = {number: BUILD / f"stubs{number}" for number in (0, 1)}  # the same, where the handle of all duplicates is so much more than the original's
TWO_RANKS = BUILD / "library_of_two_ranks"  # the one for several ranks: headers and library (double.py)
NEWER = BUILD / "library_newer"  # the one with functions that callsign does not know, PMPI_ names and a library for Fortran
LATER = BUILD / "library_later"  # the same in a later release, which callsign was not built for
TREES = {which: BUILD / which for which in ("shared", "static", "two_ranks", "newer", "abi")}  # callsign for it
INSTALLED = {which: BUILD / "installed" / which for which in ("shared", "static")}
SMALL = BUILD / "small"  # the test double as it is installed: include, and lib with libmpi.a, libmpif.a (for Fortran), libmpi.so

LONG = 1800  # seconds that a build may take, on a machine that is not busy


def run(command, **options):
    """Runs a command to its end; its output is shown if it fails."""
    words = [str(word) for word in command]
    done = bounded.run(words, LONG, text=True, capture_output=True, check=False, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: {done.returncode}\n{done.stdout[-8000:]}\n{done.stderr[-8000:]}")
    return done.stdout


def compile_program(name, path, includes, link, options=()):
    """Compiles a program of programs/; check.c of the other tests comes with it where it is wanted."""
    run([CC, "-g", "-O1", "-std=gnu11", *options, *(f"-I{folder}" for folder in (*includes, HERE / "library")),
         HERE / "programs" / f"{name}.c", *link, "-lpthread", "-o", path])


# check.c asks whether MPI has ended before it gives up; MPI-1 cannot say.
WITH_CHECK = ["-DPMPI_Initialized=MPI_Initialized", "-DPMPI_Finalized(flag)=(*(flag)=0)", "-DPMPI_Abort=MPI_Abort", f"-I{HERE.parent / 'mpi'}",
              HERE.parent / "mpi" / "check.c"]
