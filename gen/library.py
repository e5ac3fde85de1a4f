"""Finds the MPI functions that a library exports, shared or static."""

import fnmatch
import re
import subprocess
from dataclasses import dataclass

from .problem import Problems

# Exported names that look like MPI functions but are not: they are never wrapped. Each pattern has its reason.
NOT_API = {
    "MPI_*_F90": "Open MPI: entry points of its Fortran modules (mpi_wtime, mpi_aint_add)",
    "MPI_*DUP_FN": "predefined attribute functions: their address is passed and the MPI compares it with its own",
    "MPI_*NULL_COPY_FN": "as MPI_*DUP_FN",
    "MPI_*NULL_DELETE_FN": "as MPI_*DUP_FN",
    "MPI_CONVERSION_FN_NULL": "as MPI_*DUP_FN, for data representations",
    "MPI*_f": "Open MPI's Fortran library: one more name of an entry point, which no compiler makes of a call",
    "MPI*_f08": "as MPI*_f",
    "MPI*_": "as MPI*_f",
}

# Functions that may lack a PMPI_ name, with the MPI.
NO_PMPI = {
    "MPIX_Query_cuda_support": "Open MPI 4",
    "MPIX_Query_rocm_support": "Open MPI 5",
}


@dataclass(frozen=True)
class Symbols:
    """The MPI functions that a library exports, and their PMPI_ names."""

    functions: frozenset
    pmpi: frozenset

    @property
    def has_twins(self):
        """True if the library has PMPI_ names; small libraries have none."""
        return bool(self.pmpi)

    def has_pmpi(self, name):
        return "P" + name in self.pmpi

    def but(self, names):
        """These symbols without the functions in `names` (any container)."""
        return Symbols(frozenset(name for name in self.functions if name not in names), self.pmpi)

    def with_more(self, names):
        return Symbols(self.functions | frozenset(names), self.pmpi)

    def pmpi_name(self, name):
        """The name under which the library offers the function without interception."""
        return "P" + name if self.has_pmpi(name) else name


def symbols_of(library, nm="nm"):
    """The symbols of a shared library's dynamic table, or of a static library's members. Raises Problems."""
    return parse_symbols(list_symbols(library, nm))


def symbols_declared(names):
    """The symbols of a library with all these functions and their PMPI_ names (MPI 5.0, 15.2)."""
    return Symbols(frozenset(names), frozenset("P" + name for name in names))


def list_symbols(library, nm):
    command = [nm, *([] if library.endswith(".a") else ["-D"]), "--defined-only", library]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise Problems([f"{library}: {' '.join(command)} failed: {run.stderr.strip()}"])
    return run.stdout


def names_of(libraries, nm="nm"):
    """The names of all functions that these shared libraries export. Raises Problems."""
    return {name for library in libraries for name in function_names(list_symbols(library, nm))}


def function_names(text):
    """Parses the output of nm -D. Functions are T, W or i; data (D, B, R, V) is ignored."""
    for line in text.splitlines():
        words = line.split()
        if len(words) >= 2 and words[-2] in ("T", "W", "i"):
            yield words[-1].split("@")[0]


def parse_symbols(text):
    """The MPI functions and their PMPI_ names in the output of nm -D."""
    found = set(function_names(text))
    functions = {name for name in found if re.match(r"MPIX?_[A-Z]", name) and not is_not_api(name)}
    return Symbols(frozenset(functions), frozenset(name for name in found if re.match(r"PMPIX?_[A-Z]", name)))


def c_functions_among(names):
    """C functions that Fortran libraries export: conversions of mpi_f08 statuses. Names all in upper case are Fortran spellings."""
    mixed = "".join(f"0 T {name}\n" for name in sorted(names) if name != name.upper())
    return parse_symbols(mixed)


def is_not_api(name):
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in NOT_API)
