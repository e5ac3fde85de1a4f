"""Finds the Fortran entry points of an MPI: their names, their native names, and the C function of each.

A Fortran program calls mpi_send_ (mpif.h, use mpi), mpi_send_f08_ or mpi_send_f08ts_ (use mpi_f08). These take the arguments of the C function by
reference, then the error code, then the length of each character argument by value."""

import fnmatch
import re
from dataclasses import dataclass, replace

from . import passed_on
from .problem import Collector
from .prototype import Parameter, Prototype, Type

# Exported names that look like Fortran entry points but are not: they are never wrapped. Each pattern has its reason.
NOT_API = {
    "mpi_sizeof*": "asks the compiler how large a variable is, not the MPI",
    "mpi_f_sync_reg*": "does nothing but stop the compiler from moving code across it; C has no such function",
    "mpi_*dup_fn": "predefined attribute functions: their address is passed and the MPI compares it with its own",
    "mpi_*null_copy_fn": "as mpi_*dup_fn",
    "mpi_*null_delete_fn": "as mpi_*dup_fn",
    "mpi_conversion_fn_null": "as mpi_*dup_fn, for data representations",
    "mpi_request_status_get_any": "Open MPI 6: mpi_request_get_status_any in upper case, misspelt, so that no compiler makes it of a call",
    "__*": "procedures of modules (MPICH: mpi_status_f2f08, ==, ...): the compiler names them, they have no other name and call no function of the MPI",
}

# The suffix for large counts stands before the binding (mpi_send_c_f08) or after it (Open MPI 6: mpi_type_get_contents_f08_c).
ENTRY = re.compile(r"(mpix?)_([a-z0-9_]*?)(_f08ts|_f08|_fts)?(_large|(?<=_f08)_c)?(_cptr)?")
DESCRIPTORS = ("_f08ts", "_fts")  # bindings that pass buffers as array descriptors: mpi_f08, the module mpi
SPELLINGS = ("{}_", "{}", "{}__")  # spellings that compilers use, besides upper case; the first exported one is the entry point


@dataclass(frozen=True)
class Entry:
    name: str  # mpi_send_f08_
    aliases: tuple  # other spellings of the entry point
    pmpi_name: str  # its native name: pmpi_send_f08_; the name itself if it has no other
    function: object  # line in the spec
    prototype: Prototype  # prototype of the C function, with Fortran's parameters
    has_error: bool  # its last argument is the error code
    descriptors: bool  # buffers are array descriptors, not addresses

    @property
    def strings(self):
        """Positions of the character arguments; each has a length at the end."""
        return [position for position, each in enumerate(self.prototype.parameters, 1) if each.type.base == "char"]


def integer(name):
    return Parameter(name, f"int {name}", Type("int", 0), False)


def with_integers(parameter):
    """The parameter with INTEGER instead of an address type."""
    return replace(parameter, type=Type("int", parameter.type.pointers)) if parameter.type.base == "MPI_Aint" else parameter


def address(name):
    return Parameter(name, f"MPI_Aint {name}", Type("MPI_Aint", 0), False)


# Functions whose Fortran arguments differ from C: parameters, and whether an error code follows.
SPECIAL = {
    "MPI_Init": ((), True),
    "MPI_Init_thread": ((integer("required"), integer("provided")), True),
    # The arguments of these two differ between MPIs: four words are passed through.
    "MPI_Info_create_env": ((integer("first"), integer("second"), integer("third"), integer("fourth")), False),
    "MPI_Pcontrol": ((integer("level"), integer("error")), False),
    "MPI_Aint_add": ((address("base"), address("disp")), False),
    "MPI_Aint_diff": ((address("addr1"), address("addr2")), False),
}
# MPI-1 functions whose addresses are INTEGER in Fortran.
SMALL_ADDRESSES = ("MPI_Type_hvector", "MPI_Type_hindexed", "MPI_Type_struct")
RESULTS = {"MPI_Aint_add": "MPI_Aint", "MPI_Aint_diff": "MPI_Aint", "MPI_Wtime": "double", "MPI_Wtick": "double"}


def entries(functions, prototypes, exported, passed=None):
    """All entry points of libraries that export these names. Raises Problems that name each one that cannot be wrapped, except those that `passed`
    (PassedOn) accepts."""
    passed = passed or passed_on.PassedOn()
    problems = Collector()
    known = {function.name.lower(): function for function in functions}
    found = []
    for plain, names in sorted(spellings(exported).items()):
        function = function_of(plain, known)
        if function is None:
            if not passed.take(names[0], passed_on.UNKNOWN, extension=True):
                problems.add(names[0], "exported by the Fortran library, but gen/spec has no such function: add it, or its reason to gen/fortran.py")
        elif function.name not in prototypes and function.name not in SPECIAL:
            if not passed.take(names[0], passed_on.UNDECLARED, extension=True):
                problems.add(names[0], f"the header does not declare {function.name}: its arguments are not known")
        else:
            found.append(entry(plain, names, pmpi_name_of(names[0], exported), function, prototypes))
    problems.raise_if_any()
    return found


def lacking(names, exported):
    """The entry points for these C functions (`names`) that the libraries lack. None for libraries without Fortran."""
    found = spellings(exported)
    spelling = next((each for each in SPELLINGS for plain, spelled in found.items() if spelled[0] == each.format(plain)), None)
    return {spelling.format(name.lower()) for name in names if name.lower() not in found} if spelling else set()


def later(prototypes, exported):
    """Entry points that a later version of the MPI has in its library of the same name: Open MPI 4 and 5 have mpi_send_f08_, where 6 has mpi_send_f08ts_.
    Each is the next of its own name. None for libraries that have array descriptors."""
    bindings = {ENTRY.fullmatch(plain)[3]: plain for plain in spellings(exported)}
    if "_f08" not in bindings or "_f08ts" in bindings:
        return set()
    buffers = {name.lower() for name, prototype in prototypes.items() if any(each.type == Type("void", 1) for each in prototype.parameters)}
    return {plain.replace("_f08", "_f08ts") + "_" for plain in spellings(exported) if plain.endswith("_f08") and plain.removesuffix("_f08") in buffers}


def spellings(exported):
    """Groups the exported names by entry point, the main spelling first. Keys are names without decoration."""
    groups = {}
    for name in exported:
        if name != name.lower() and name != name.upper():
            continue
        plain = name.lower().rstrip("_")
        if ENTRY.fullmatch(plain) and not any(fnmatch.fnmatchcase(plain, pattern) for pattern in NOT_API):
            groups.setdefault(plain, []).append(name)

    def order(plain, name):
        choices = [spelling.format(plain) for spelling in SPELLINGS]
        return choices.index(name) if name in choices else len(choices)

    return {plain: sorted(names, key=lambda name, plain=plain: order(plain, name)) for plain, names in groups.items()}


def function_of(plain, known):
    prefix, stem, _, large, _ = ENTRY.fullmatch(plain).groups()
    suffix = "_c" if large else ""
    # mpi_f08 sometimes names an MPIX_ function without the X.
    return known.get(f"{prefix}_{stem}{suffix}") or known.get(f"mpix_{stem}{suffix}")


def pmpi_name_of(name, exported):
    """Open MPI 5 lacks some native names: those functions are looked up by their own name in its library."""
    for pattern, replacement in ((r"^mpi", "pmpi"), (r"^MPI", "PMPI"), (r"^(mpix?)_", r"p\1r_")):
        pmpi_name, replaced = re.subn(pattern, replacement, name)
        if replaced and pmpi_name in exported:
            return pmpi_name
    return name


def entry(plain, names, pmpi_name, function, prototypes):
    binding = ENTRY.fullmatch(plain)[3]
    prototype = prototypes.get(function.name)
    result = RESULTS.get(function.name, "void")
    parameters, has_error = SPECIAL.get(function.name, (prototype.parameters if prototype else (), result == "void"))
    if function.name in SMALL_ADDRESSES:
        parameters = [with_integers(parameter) for parameter in parameters]
    adapted = Prototype(function.name, result, tuple(parameters), False, prototype.where if prototype else "")
    return Entry(names[0], tuple(names[1:]), pmpi_name, function, adapted, has_error, binding in DESCRIPTORS)
