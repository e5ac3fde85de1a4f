"""Which functions a shared MPI library exports, and which exported names are no functions of the MPI interface."""

import fnmatch
import re
import subprocess

from .problem import Problems

# Exported names that look like functions of MPI and are none: they are never wrapped. Every pattern has its reason.
NOT_API = {
    "MPI_*_F90": "Open MPI: entry points of its Fortran modules for mpi_wtime and mpi_aint_add; they do not call the C functions",
    "MPI_*DUP_FN": "predefined attribute copy functions: the program passes their address, the MPI compares it with its own",
    "MPI_*NULL_COPY_FN": "as MPI_*DUP_FN",
    "MPI_*NULL_DELETE_FN": "as MPI_*DUP_FN",
    "MPI_CONVERSION_FN_NULL": "as MPI_*DUP_FN, for data representations",
}

# Functions that may lack a PMPI_ twin.
NO_TWIN = {
    "MPIX_Query_cuda_support": "Open MPI 4",
}


def has_twin(name, exported):
    return "P" + name in exported


def twin(name, exported):
    """The name by which the library offers a function that is not intercepted."""
    return "P" + name if has_twin(name, exported) else name


def exported_functions(library, nm="nm"):
    """The functions of MPI, MPI_ and PMPI_, that the dynamic symbol table of `library` defines. Raises Problems."""
    command = [nm, "-D", "--defined-only", library]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise Problems([f"{library}: {' '.join(command)} failed: {run.stderr.strip()}"])
    return functions_in(run.stdout)


def functions_in(symbols):
    """The same, from the output of nm -D: functions are T, W or i; data (D, B, R, V) is not looked at."""
    names = set()
    for line in symbols.splitlines():
        words = line.split()
        if len(words) >= 2 and words[-2] in ("T", "W", "i"):
            name = words[-1].split("@")[0]
            if re.match(r"P?MPIX?_[A-Z]", name) and not is_not_api(name.removeprefix("P")):
                names.add(name)
    return names


def is_not_api(name):
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in NOT_API)
