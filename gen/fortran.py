"""Which Fortran entry points an MPI has: their names, those that are not intercepted, and which function of the C interface each of them is.

A program in Fortran calls names of its own: mpi_send_ (mpif.h, use mpi), mpi_send_f08_ or mpi_send_f08ts_ (use mpi_f08). What they take is what
the C function takes, each argument by reference, then the error code, then the length of each character argument by value."""

import fnmatch
import re
from dataclasses import dataclass, replace

from . import passed_on
from .header import Parameter, Prototype, Type
from .problem import Collector

# Exported names that look like Fortran entry points and are none: they are never wrapped. Every pattern has its reason.
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

# Counts that are large stand before the binding (mpi_send_c_f08) or behind it (Open MPI 6: mpi_type_get_contents_f08_c).
ENTRY = re.compile(r"(mpix?)_([a-z0-9_]*?)(_f08ts|_f08|_fts)?(_large|(?<=_f08)_c)?(_cptr)?")
DESCRIPTORS = ("_f08ts", "_fts")  # bindings whose buffers are descriptors of arrays: of mpi_f08, of the module mpi
SPELLINGS = ("{}_", "{}", "{}__")  # which compilers make of a name, besides upper case; the first one exported is the entry point


@dataclass(frozen=True)
class Entry:
    name: str  # mpi_send_f08_
    aliases: tuple  # other spellings of the same
    pmpi_name: str  # its name that is not intercepted: pmpi_send_f08_; the same name where it has no other
    function: object  # line of the spec
    prototype: Prototype  # of the C function, with the parameters that Fortran has
    has_error: bool  # it says in a last argument whether it succeeded
    descriptors: bool  # buffers are descriptors of arrays and not addresses

    @property
    def strings(self):
        """Positions of the character arguments: each has a length at the end."""
        return [position for position, each in enumerate(self.prototype.parameters, 1) if each.type.base == "char"]


def integer(name):
    return Parameter(name, f"int {name}", Type("int", 0), False)


def with_integers(parameter):
    """The parameter with INTEGER in place of addresses."""
    return replace(parameter, type=Type("int", parameter.type.pointers)) if parameter.type.base == "MPI_Aint" else parameter


def address(name):
    return Parameter(name, f"MPI_Aint {name}", Type("MPI_Aint", 0), False)


# Functions whose arguments are not those of C: parameters, and whether an error code follows.
SPECIAL = {
    "MPI_Init": ((), True),
    "MPI_Init_thread": ((integer("required"), integer("provided")), True),
    # MPIs differ in what these two take; what may be there is handed on.
    "MPI_Info_create_env": ((integer("first"), integer("second"), integer("third"), integer("fourth")), False),
    "MPI_Pcontrol": ((integer("level"), integer("error")), False),
    "MPI_Aint_add": ((address("base"), address("disp")), False),
    "MPI_Aint_diff": ((address("addr1"), address("addr2")), False),
}
# Functions of MPI-1 whose addresses are INTEGER in Fortran.
SMALL_ADDRESSES = ("MPI_Type_hvector", "MPI_Type_hindexed", "MPI_Type_struct")
RESULTS = {"MPI_Aint_add": "MPI_Aint", "MPI_Aint_diff": "MPI_Aint", "MPI_Wtime": "double", "MPI_Wtick": "double"}


def entries(functions, prototypes, exported, passed=None):
    """All entry points that libraries with these exported function names have. Raises Problems that name each that cannot be wrapped, but for
    those that `passed` (PassedOn) takes."""
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
    """The entry points that libraries with these exported names would have for the functions `names` of C, and do not have. None where there is
    nothing for Fortran at all."""
    found = spellings(exported)
    spelling = next((each for each in SPELLINGS for plain, spelled in found.items() if spelled[0] == each.format(plain)), None)
    return {spelling.format(name.lower()) for name in names if name.lower() not in found} if spelling else set()


def spellings(exported):
    """The exported names of each entry point, the main one first, by its name without decoration."""
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
    # What is an extension in C is sometimes called as if it were none in mpi_f08.
    return known.get(f"{prefix}_{stem}{suffix}") or known.get(f"mpix_{stem}{suffix}")


def pmpi_name_of(name, exported):
    """Open MPI 5 forgot some: those are looked up by their own name in its library."""
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
