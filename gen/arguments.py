"""Arguments of roles: the C types that an MPI function may have at their positions, and how a wrapper passes them, in C and from Fortran."""

from dataclasses import dataclass, replace

from .prototype import Type
from .problem import Problems


@dataclass(frozen=True)
class Argument:
    """One argument of a role: the C types that the MPI function may have there, and how the wrapper passes it."""

    what: str
    types: tuple
    pattern: str = "{}"  # {} stands for the parameter's name
    patterns: dict = None  # by base type, where patterns differ
    fortran: str = ""  # pattern for a Fortran entry point, unless DECODED has the type
    kinds: dict = None  # by base type: the kind of object, passed before the handle as a key

    def accepts(self, kind):
        return kind in self.types

    def text(self, parameter):
        if self.kinds:
            return self.kind_and_key(parameter, "*" * parameter.type.pointers + parameter.name)
        pattern = self.patterns[parameter.type.base] if self.patterns else self.pattern
        return pattern.format(parameter.name)

    def fortran_text(self, parameter, **details):
        """The text of this argument in a Fortran entry point, where every parameter is an address."""
        if self.patterns:
            return self.patterns[parameter.type.base].format(parameter.name)
        if self.kinds:
            return self.kind_and_key(parameter, decoded(parameter))
        return self.fortran.format(parameter.name, **details) if self.fortran else decoded(parameter)

    def kind_and_key(self, parameter, handle):
        return f"{self.kinds[parameter.type.base]}, CS_KEY({handle})"


# The C value of a Fortran argument, by its Fortran type: functions of wrappers/fortran/decode.h.
DECODED = {
    "int": "cs_fortran_integer({})",
    "MPI_Count": "cs_fortran_count({})",
    "MPI_Aint": "cs_fortran_address({})",
    "MPI_Comm": "cs_fortran_comm({})",
    "MPI_Datatype": "cs_fortran_type({})",
    "MPI_Win": "cs_fortran_win({})",
    "MPI_File": "cs_fortran_file({})",
    "MPI_Message": "cs_fortran_message({})",
    "MPI_Request": "cs_fortran_request({})",
    "MPI_Op": "cs_fortran_op({})",
    "MPI_Group": "cs_fortran_group({})",
    "MPI_Errhandler": "cs_fortran_errhandler({})",
    "MPI_Info": "cs_fortran_info({})",
    "MPI_Session": "cs_fortran_session({})",
    "MPIX_Grequest_class": "cs_fortran_integer({})",
}


def decoded(parameter):
    """The expression for a Fortran parameter's C value. Raises Problems."""
    if parameter.type.base not in DECODED:
        raise Problems([f"{parameter.type.base}: a function of Fortran takes one: say in DECODED of gen/arguments.py what that is in C"])
    return DECODED[parameter.type.base].format(parameter.name)


# Kinds of object that can have names and attributes.
NAMED_KINDS = {"MPI_Comm": "CALLSIGN_COMMUNICATOR", "MPI_Datatype": "CALLSIGN_DATATYPE", "MPI_Win": "CALLSIGN_WINDOW"}

# Kinds of object that callsign records only as created and freed, by the type of their handle.
KINDS = {
    "MPI_Group": "CALLSIGN_GROUP",
    "MPI_Op": "CALLSIGN_OP",
    "MPI_Errhandler": "CALLSIGN_ERRHANDLER",
    "MPI_Info": "CALLSIGN_INFO",
    "MPI_Session": "CALLSIGN_SESSION",
    "MPIX_Grequest_class": "CALLSIGN_GREQUEST_CLASS",
    "MPI_T_cvar_handle": "CALLSIGN_TOOL_HANDLE",
    "MPI_T_pvar_handle": "CALLSIGN_TOOL_HANDLE",
    "MPI_T_pvar_session": "CALLSIGN_TOOL_HANDLE",
    "MPI_T_event_registration": "CALLSIGN_TOOL_HANDLE",
}
ALL_KINDS = {**NAMED_KINDS, "MPI_File": "CALLSIGN_FILE", **KINDS}

# The kind of object of a keyval, by the type of its copy function.
KEYVAL_KINDS = {
    "MPI_Comm_copy_attr_function": "CALLSIGN_COMMUNICATOR",
    "MPI_Copy_function": "CALLSIGN_COMMUNICATOR",
    "MPI_Type_copy_attr_function": "CALLSIGN_DATATYPE",
    "MPI_Win_copy_attr_function": "CALLSIGN_WINDOW",
}


def value(base):
    return Argument(base, (Type(base, 0),))


def output(base):
    return Argument(f"{base} *", (Type(base, 1),), "*{}")


def handle(kinds, pointers):
    """A handle of any of these kinds, passed as kind and key."""
    return Argument("handle" + " *" * pointers, tuple(Type(base, pointers) for base in kinds), kinds=kinds)


COMM, FILE, TYPE = value("MPI_Comm"), value("MPI_File"), value("MPI_Datatype")
# The object of a call. Fortran passes the plain handle, because callsign often knows it without asking the MPI.
ON_COMM, ON_WIN = (Argument(base, (Type(base, 0),), fortran="{}") for base in ("MPI_Comm", "MPI_Win"))
RANK, TAG, KEYVAL = (Argument(what, (Type("int", 0),)) for what in ("rank", "tag", "keyval"))
COUNT = Argument("count", (Type("int", 0), Type("MPI_Count", 0)))
COUNTS = Argument(
    "array of counts",
    (Type("int", 1), Type("MPI_Count", 1)),
    patterns={"int": "cs_counts_int({})", "MPI_Count": "cs_counts_large({})"},
)
TYPES = Argument("array of datatypes", (Type("MPI_Datatype", 1),), "cs_types_c({})", fortran="cs_types_fortran({})")
BUFFER = Argument("buffer", (Type("void", 1),), fortran="{buffer}({})")
STATUS_OUT = Argument("MPI_Status *", (Type("MPI_Status", 1),), fortran="{}")
FLAG = Argument("flag", (Type("int", 1),), fortran="{}")
NAME = Argument("name", (Type("char", 1),), fortran="{}, {length}")
PORT_NAME = Argument("name", (Type("char", 1),), "{}, MPI_MAX_PORT_NAME", fortran="{}, {length}")
PROCESSOR_NAME = Argument("name", (Type("char", 1),), "{}, MPI_MAX_PROCESSOR_NAME", fortran="{}, {length}")
ATTRIBUTE = Argument("attribute value", (Type("void", 1),), fortran="{}, {attribute}")
MESSAGE = Argument("MPI_Message *", (Type("MPI_Message", 1),), fortran="&(MPI_Message){{cs_fortran_message({})}}")
ROOT = Argument("root", (Type("int", 0),))
INTEGER = Argument("integer", (Type("int", 0), Type("MPI_Aint", 0), Type("MPI_Count", 0)))
INTEGERS = Argument(
    "array of integers",
    (Type("int", 1), Type("MPI_Aint", 1), Type("MPI_Count", 1)),
    patterns={"int": "cs_integers_int({})", "MPI_Aint": "cs_integers_address({})", "MPI_Count": "cs_integers_large({})"},
)
INTS = Argument("array of int", (Type("int", 1),), fortran="{}")
RANGES = Argument("array of ranges", (Type("int", 2),), fortran="{}")
TEXTS = Argument("array of names", (Type("char", 2),), fortran="{}, {length}")
INFO = value("MPI_Info")
ADDRESS = Argument("address", (Type("void", 1),), "CS_KEY({})", fortran="CS_KEY({buffer}({}))")
ADDRESS_OUT = Argument("address of an address", (Type("void", 1),), fortran="{}")
SIZE = Argument("size", (Type("MPI_Aint", 0),))
OBJECT, OBJECT_OUT, NAMED_OBJECT = handle(KINDS, 0), handle(KINDS, 1), handle(NAMED_KINDS, 0)
BORROWED_OUT = handle({base: ALL_KINDS[base] for base in ("MPI_Comm", "MPI_Datatype")}, 1)
DUPLICATED, DUPLICATE = (handle({base: ALL_KINDS[base] for base in ("MPI_Comm", "MPI_Datatype")}, pointers) for pointers in (0, 1))
COMPARED = handle({base: ALL_KINDS[base] for base in ("MPI_Comm", "MPI_Group")}, 0)
# Only this kind is freed by value.
OBJECT_FREED = replace(handle(ALL_KINDS, 1), types=handle(ALL_KINDS, 1).types + (Type("MPI_T_event_registration", 0),))
# The functions of a keyval, passed as addresses, and their extra state.
FUNCTION = "(uint64_t)(uintptr_t){}"
DELETE_KINDS = ("MPI_Comm_delete_attr_function", "MPI_Delete_function", "MPI_Type_delete_attr_function", "MPI_Win_delete_attr_function")
DELETE_FUNCTION = Argument("delete function", tuple(Type(base, 1) for base in DELETE_KINDS), FUNCTION, fortran=FUNCTION)
EXTRA_STATE = Argument("extra state", (Type("void", 1),), "(int64_t)(intptr_t){}", fortran="{}, {attribute}, {language}")
REQUEST_OUT = Argument("MPI_Request *", (Type("MPI_Request", 1),), "*{}", fortran="{}")
INFO_OUT = Argument("MPI_Info *", (Type("MPI_Info", 1),))
KEYVAL_OUT = output("int")


class CopyFunction(Argument):
    """The kind of a keyval's objects and the address of the copy function, which is the same in both languages."""

    def text(self, parameter):
        return f"{self.kinds[parameter.type.base]}, {FUNCTION.format(parameter.name)}"

    def fortran_text(self, parameter, **details):
        return self.text(parameter)


class RequestArgument(Argument):
    """A request as an array of one, or by value if the function takes it so."""

    def text(self, parameter):
        return super().text(parameter if parameter.type.pointers else replace(parameter, name="&" + parameter.name))


COPY_FUNCTION = CopyFunction("copy function", tuple(Type(base, 1) for base in KEYVAL_KINDS), kinds=KEYVAL_KINDS)
ONE_REQUEST = RequestArgument(
    "request", tuple(Type("MPI_Request", pointers) for pointers in (0, 1)), "1, cs_requests_c({})", fortran="1, cs_requests_fortran({})"
)
REQUESTS = Argument("array of requests", (Type("MPI_Request", 1),), "cs_requests_c({})", fortran="cs_requests_fortran({})")
INDEX = Argument("index or indices", (Type("int", 1),), fortran="{}")
# One datatype as an array of one.
ONE_TYPE = Argument("MPI_Datatype *", (Type("MPI_Datatype", 1),), "1, cs_types_c({})", fortran="1, cs_types_fortran({})")

# Pointers to these types may be handles that the call creates or frees: each needs a role.
HANDLES = ("MPI_Message", "MPI_Request", *ALL_KINDS)
# The place of a result, which may be NULL by mistake.
OUTPUT = Argument("address of a result", tuple(Type(base, 1) for base in (*HANDLES, "int")), fortran="{}")
ANY_HANDLE = Argument("handle", tuple(Type(base, pointers) for base in HANDLES for pointers in (0, 1)))
