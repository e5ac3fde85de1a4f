"""The tests of mpi4py, of the source package of the mpi4py that is installed: one program in Python for each file."""

import pathlib

import bounded
import sources
from mpich_suite import Test

PYTHON = "/usr/bin/python3"


def which_mpi():
    """The MPI of the installed mpi4py, in callsign's word for it."""
    found = bounded.run([PYTHON, "-c", "from mpi4py import MPI; print(MPI.Get_library_version())"], capture_output=True, text=True)
    if found.returncode != 0:
        raise sources.Missing("mpi4py is not installed (Debian: python3-mpi4py)")
    return "openmpi" if "Open MPI" in found.stdout else "mpich"


def tests(flavour, build, wanted):
    if which_mpi() != flavour:
        raise sources.Missing(f"the mpi4py that is installed is not of {flavour}")
    tree = build / "mpi4py"
    tree.mkdir(parents=True, exist_ok=True)
    sources.unpack("mpi4py", pathlib.PurePosixPath("test"), build / "sources", tree)
    for np in (1, 2):
        for path in sorted(tree.glob("test_*.py")):
            if not wanted or path.stem in wanted:
                # Python's unittest tells on stderr what failed. Quiet: the dots of two ranks would mix.
                yield Test(f"{path.stem} ({np})", tree, ["sh", "-c", 'exec "$@" 2>&1', "sh", PYTHON, path.name, "-q"], np, {}), None
