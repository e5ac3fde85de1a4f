"""Which functions an MPI library exports, shared or static, and which exported names are no functions of the MPI interface."""

import fnmatch
import re
import subprocess
from dataclasses import dataclass

from .problem import Problems

# Exported names that look like functions of MPI and are none: they are never wrapped. Every pattern has its reason.
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

# Functions that may lack a PMPI_ name.
NO_PMPI = {
    "MPIX_Query_cuda_support": "Open MPI 4",
    "MPIX_Query_rocm_support": "Open MPI 5",
}


@dataclass(frozen=True)
class Symbols:
    """The functions of MPI that a library exports: those that programs call, and their PMPI_ names."""

    functions: frozenset
    pmpi: frozenset

    @property
    def has_twins(self):
        """Whether it is a library with PMPI_ names at all: small ones are not."""
        return bool(self.pmpi)

    def has_pmpi(self, name):
        return "P" + name in self.pmpi

    def but(self, names):
        """Without those that are in `names`, which need not be a set."""
        return Symbols(frozenset(name for name in self.functions if name not in names), self.pmpi)

    def with_more(self, names):
        return Symbols(self.functions | frozenset(names), self.pmpi)

    def pmpi_name(self, name):
        """The name by which the library offers a function that is not intercepted."""
        return "P" + name if self.has_pmpi(name) else name


def symbols_of(library, nm="nm"):
    """What the dynamic symbol table of a shared library has, or the members of a static one. Raises Problems."""
    return parse_symbols(list_symbols(library, nm))


def symbols_declared(names):
    """As if a library had all functions of these names, and their PMPI_ names (MPI 5.0, 15.2)."""
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
    """From the output of nm -D: functions are T, W or i; data (D, B, R, V) is not looked at."""
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
    """The functions of C that libraries for Fortran export: conversions of a status of mpi_f08. Upper case alone is a spelling of Fortran."""
    mixed = "".join(f"0 T {name}\n" for name in sorted(names) if name != name.upper())
    return parse_symbols(mixed)


def is_not_api(name):
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in NOT_API)
