"""What a role of gen/spec becomes in a wrapper: which C function of wrappers/roles.h, when, with which arguments.

To add a role: declare the C function in wrappers/roles.h, add one line here, use it in gen/spec."""

from dataclasses import dataclass, replace

from .header import Type

# When a role is at work. The order of this list is the order in a wrapper; DETAIL and AFTER_* only when the call succeeded.
NEVER, BEFORE, STATUS, FREES, DETAIL, AFTER_OBJECT, AFTER_BYTES, AFTER_REQUEST = range(8)


@dataclass(frozen=True)
class Argument:
    """One argument of a role: which C types the MPI function may have at that position, and how it is handed over."""

    what: str
    types: tuple
    pattern: str = "{}"  # {} is the name of the parameter
    patterns: dict = None  # by base type, where they differ
    fortran: str = ""  # the same for a Fortran entry point, where it is not DECODED

    def accepts(self, kind):
        return kind in self.types

    def text(self, parameter):
        pattern = self.patterns[parameter.type.base] if self.patterns else self.pattern
        return pattern.format(parameter.name)

    def fortran_text(self, parameter, **details):
        """What stands in a Fortran entry point, where every parameter is an address."""
        if self.patterns:
            return self.patterns[parameter.type.base].format(parameter.name)
        return (self.fortran or DECODED[parameter.type.base]).format(parameter.name, **details)


# The value that an argument of Fortran has in C, by the type there: functions of wrappers/fortran.h.
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
    "MPI_Info": "cs_fortran_info({})",
}


@dataclass(frozen=True)
class Role:
    name: str
    function: str
    when: int
    arguments: tuple
    optional: int = 0  # that many of the last arguments may be missing
    missing: str = ""  # what is passed instead
    condition: int = 0  # place in `arguments` (from 1) of one that is not passed but must be true at run time
    template: str = ""  # how the arguments are combined, where it is not one after the other
    fortran: str = ""  # the function for Fortran, where it is another
    first: tuple = ()  # what is passed before the arguments


def value(base):
    return Argument(base, (Type(base, 0),))


def output(base):
    return Argument(f"{base} *", (Type(base, 1),), "*{}")


def pointer(base):
    return Argument(f"{base} *", (Type(base, 1),))


COMM, WIN, FILE, TYPE = value("MPI_Comm"), value("MPI_Win"), value("MPI_File"), value("MPI_Datatype")
OBJECTS = {"comm": "MPI_Comm", "type": "MPI_Datatype", "win": "MPI_Win"}
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
TEXTS = Argument("array of names", (Type("char", 2),), fortran="{}, {length}")
INFO = value("MPI_Info")
# An array of one.
ONE_TYPE = Argument("MPI_Datatype *", (Type("MPI_Datatype", 1),), "1, cs_types_c({})", fortran="1, cs_types_fortran({})")


# Pointers to these may be handles that are made or freed: each of them needs a role.
HANDLES = ("MPI_Comm", "MPI_Datatype", "MPI_Win", "MPI_File", "MPI_Message", "MPI_Request")
ANY_HANDLE = Argument("handle", tuple(Type(base, pointers) for base in HANDLES for pointers in (0, 1)))


def before_roles():
    yield Role("ignores", "", NEVER, (ANY_HANDLE,))
    yield Role("comm", "cs_on_comm", BEFORE, (COMM,))
    yield Role("win", "cs_on_win", BEFORE, (WIN,))
    yield Role("file", "cs_on_file", BEFORE, (FILE,))
    yield Role("peer", "cs_on_peer", BEFORE, (RANK, TAG), optional=1, missing="CS_NO_TAG")
    yield Role("message", "cs_on_message", BEFORE, (MESSAGE,))
    yield Role("status", "", STATUS, (STATUS_OUT,))
    for name, base in list(OBJECTS.items()) + [("file", "MPI_File")]:
        yield Role(f"frees-{name}", f"cs_freeing_{name}", FREES, (output(base),))


def object_roles():
    yield Role("makes-comm", "cs_made_comm", AFTER_OBJECT, (output("MPI_Comm"),))
    yield Role("makes-type", "cs_made_type", AFTER_OBJECT, (output("MPI_Datatype"), TYPE))
    yield Role("makes-type-of", "cs_made_type_of", AFTER_OBJECT, (output("MPI_Datatype"), COUNT, TYPES))
    yield Role("makes-win", "cs_made_win", AFTER_OBJECT, (output("MPI_Win"),))
    yield Role("makes-file", "cs_made_file", AFTER_OBJECT, (output("MPI_File"),))
    yield Role("makes-message", "cs_made_message", AFTER_OBJECT, (output("MPI_Message"), FLAG), optional=1, condition=2)
    yield Role("met-comm", "cs_met_comm", AFTER_OBJECT, (output("MPI_Comm"),))
    yield Role("met-type", "cs_met_type", AFTER_OBJECT, (output("MPI_Datatype"),))
    yield Role("given-type", "cs_given_types", AFTER_OBJECT, (ONE_TYPE,))
    yield Role("commits-type", "cs_committed_type", AFTER_OBJECT, (output("MPI_Datatype"),))


def from_fortran_too(name, function, arguments):
    """A role whose arguments have another shape in Fortran."""
    return Role(name, function, AFTER_OBJECT, arguments, fortran=function + "_fortran")


def attribute_roles():
    for name, base in OBJECTS.items():
        yield from_fortran_too(f"names-{name}", f"cs_named_{name}", (value(base), NAME))
        yield from_fortran_too(f"got-{name}-attribute", f"cs_got_{name}_attribute", (value(base), KEYVAL, ATTRIBUTE, FLAG))
        yield from_fortran_too(f"set-{name}-attribute", f"cs_set_{name}_attribute", (value(base), KEYVAL, ATTRIBUTE))
        yield Role(f"deleted-{name}-attribute", f"cs_deleted_{name}_attribute", AFTER_OBJECT, (value(base), KEYVAL))
        yield Role(f"makes-{name}-keyval", f"cs_made_{name}_keyval", AFTER_OBJECT, (output("int"),))


# How an object was made: arguments under their names in db/detail.h, by what they are.
DETAILS = {
    "cs_detail_integer": (
        (INTEGER,),
        "color key tag local-leader remote-leader maxprocs high reorder indegree outdegree root fd size disp-unit count blocklength stride rank lb extent p r commute",
    ),
    "cs_detail_integers": (
        (COUNT, INTEGERS),
        "dims periods index sources degrees destinations blocklengths displacements sizes subsizes starts gsizes psizes ranks",
    ),
    "cs_detail_text": ((NAME,), "stringtag command port-name pset-name"),
    "cs_detail_path": ((NAME,), "filename"),
    "cs_detail_texts": ((COUNT, TEXTS), "commands"),
    "cs_detail_info": ((INFO,), "info"),
    "cs_detail_types": ((COUNT, TYPES), "types"),
    "cs_detail_remain_dims": ((COMM, INTEGERS), "remain-dims"),
    "cs_detail_edges": ((COUNT, INTS, INTS), "edges"),
    "cs_detail_split_type": ((INTEGER,), "split-type"),
    "cs_detail_amode": ((INTEGER,), "amode"),
    "cs_detail_order": ((INTEGER,), "order"),
    "cs_detail_distribs": ((COUNT, INTS), "distribs"),
    "cs_detail_dargs": ((COUNT, INTS), "dargs"),
}


def detail(name, function, arguments, key=""):
    key = "CS_DETAIL_" + (key or name).upper().replace("-", "_")
    fortran = function + "_fortran" if NAME in arguments or TEXTS in arguments else ""
    return Role(name, function, DETAIL, arguments, fortran=fortran, first=(key,))


def at_root(role):
    """The same for an argument that only the root gives: the root is the last position."""
    return replace(role, name=f"{role.name}-at-root", arguments=role.arguments + (ROOT,), condition=len(role.arguments) + 1)


def detail_roles():
    for function, (arguments, names) in DETAILS.items():
        for name in names.split():
            yield detail(name, function, arguments)
            yield at_root(detail(name, function, arguments))
    yield detail("destinations-by-degree", "cs_detail_destinations", (COUNT, INTS, INTS), "destinations")
    yield at_root(detail("maxprocs-of-each", "cs_detail_integers", (COUNT, INTEGERS), "maxprocs"))


# Roles that name the object that a call is about.
NAMING = ("comm", "win", "file", "message")

# The two sides of a collective.
SIDE, SIDES, SIDEW = (COUNT, TYPE), (COUNTS, TYPE), (COUNTS, TYPES)

BYTES = {
    "sent": SIDE + (RANK,),
    "received": (STATUS_OUT,),
    "posted": SIDE,
    "partitions-sent": (Argument("partitions", (Type("int", 0),)),) + SIDE + (RANK,),
    "partitions-posted": (Argument("partitions", (Type("int", 0),)),) + SIDE,
    "written": SIDE,
    "bcast": SIDE + (RANK,),
    "gather": (BUFFER,) + SIDE + SIDE + (RANK,),
    "gatherv": (BUFFER,) + SIDE + SIDES + (RANK,),
    "scatter": SIDE + (BUFFER,) + SIDE + (RANK,),
    "scatterv": SIDES + (BUFFER,) + SIDE + (RANK,),
    "allgather": (BUFFER,) + SIDE + SIDE,
    "allgatherv": (BUFFER,) + SIDE + SIDES,
    "alltoall": (BUFFER,) + SIDE + SIDE,
    "alltoallv": (BUFFER,) + SIDES + SIDES,
    "alltoallw": (BUFFER,) + SIDEW + SIDEW,
    "reduce": SIDE + (RANK,),
    "allreduce": SIDE,
    "exscan": SIDE,
    "reduce-scatter": SIDES,
    "reduce-scatter-block": SIDE,
    "neighbor-allgather": SIDE + SIDE,
    "neighbor-allgatherv": SIDE + SIDES,
    "neighbor-alltoall": SIDE + SIDE,
    "neighbor-alltoallv": SIDES + SIDES,
    "neighbor-alltoallw": SIDEW + SIDEW,
    "put": SIDE + (RANK,),
    "get": SIDE + (RANK,),
    "get-accumulate": SIDE + SIDE + (RANK, value("MPI_Op")),
    "fetch": (TYPE, RANK),
}


# MPI_NO_OP makes the origin arguments meaningless: they may be garbage.
TEMPLATES = {"get-accumulate": "{5} == MPI_NO_OP ? 0 : {0}, {1}, {2}, {3}, {4}"}


def byte_roles():
    for name, arguments in BYTES.items():
        function = "cs_bytes_" + name.replace("-", "_")
        fortran = "cs_fortran_received" if name == "received" else ""
        yield Role(name, function, AFTER_BYTES, arguments, template=TEMPLATES.get(name, ""), fortran=fortran)


def request_roles():
    yield Role("request", "cs_made_request", AFTER_REQUEST, (output("MPI_Request"),))
    yield Role("persistent", "cs_made_persistent", AFTER_REQUEST, (output("MPI_Request"),))


def table():
    roles = {}
    for family in (before_roles, detail_roles, object_roles, attribute_roles, byte_roles, request_roles):
        for role in family():
            roles[role.name] = role
    return roles


ROLES = table()


def check_use(use, prototype):
    """None, or what is wrong with a role of the spec on this prototype."""
    role = ROLES.get(use.role)
    if role is None:
        return f"unknown role {use.role}; gen/roles.py has the table"
    most = len(role.arguments)
    least = most - role.optional
    if not least <= len(use.positions) <= most:
        wanted = f"{least}" if least == most else f"{least} to {most}"
        what = ", ".join(each.what for each in role.arguments)
        return f"role {use.role} takes {wanted} positions ({what}), not {len(use.positions)}"
    for position, argument in zip(use.positions, role.arguments):
        problem = check_position(position, argument, prototype)
        if problem:
            return f"role {use}: {problem}"
    if role.when >= DETAIL and prototype.result != "int":
        return f"role {use}: the function returns {prototype.result}, so that its success is not known"
    return None


def forgotten(uses, prototype):
    """What the types say and the roles do not: each is a problem, as text."""
    named = {position for use in uses for position in use.positions}
    for position, parameter in enumerate(prototype.parameters, 1):
        kind = parameter.type
        if kind.pointers == 1 and kind.base in HANDLES and not parameter.constant and position not in named:
            choice = f"makes-, frees-, met-, ... or ignores:{position}"
            yield f"parameter {position} is {kind}: say what happens to it ({choice})"
    for role in NAMING:
        types = ROLES[role].arguments[0].types
        by_value = [each for each in types if each.pointers == 0]
        places = [place for place, each in enumerate(prototype.parameters, 1) if each.type in by_value]
        if places and not named.intersection(places):
            choice = f"{role}:{places[0]} or ignores:{places[0]}"
            yield f"parameter {places[0]} is {types[0]}: say whether the call is about it ({choice})"


def check_position(position, argument, prototype):
    if position > len(prototype.parameters):
        return f"position {position} is beyond the last parameter, {len(prototype.parameters)} ({prototype.where})"
    kind = prototype.parameters[position - 1].type
    if not argument.accepts(kind):
        wanted = " or ".join(str(each) for each in argument.types)
        return f"parameter {position} is {kind}, but {argument.what} must be {wanted} ({prototype.where})"
    return None


def call(use, prototype):
    """The C statement of a role as (condition, function, arguments); the condition is "" where there is none."""
    role = ROLES[use.role]
    chosen = list(zip(use.positions, role.arguments))
    condition = ""
    if role.condition and len(chosen) >= role.condition:
        position, argument = chosen.pop(role.condition - 1)
        parameter = prototype.parameters[position - 1]
        condition = f"cs_at_root(&cs_call, {argument.text(parameter)})" if argument == ROOT else f"*{parameter.name}"
    texts = [argument.text(prototype.parameters[position - 1]) for position, argument in chosen]
    return condition, role.function, combined(role, texts)


def combined(role, texts):
    if role.missing and len(texts) < len(role.arguments):
        texts.append(role.missing)
    if role.template:
        texts = role.template.format(*texts).split(", ")
    return ["&cs_call", *role.first, *texts]


# The two MPI-1 functions whose attributes are INTEGER in Fortran; all others are as large as an address.
SMALL_ATTRIBUTES = ("MPI_Attr_put", "MPI_Attr_get")


def fortran_call(use, entry):
    """The same in a Fortran entry point."""
    role = ROLES[use.role]
    parameters = entry.prototype.parameters
    chosen = list(zip(use.positions, role.arguments))
    condition = ""
    if role.condition and len(chosen) >= role.condition:
        position, argument = chosen.pop(role.condition - 1)
        condition = f"cs_fortran_integer({parameters[position - 1].name})"
        if argument == ROOT:
            condition = f"cs_at_root(&cs_call, {condition})"
    details = {
        "buffer": "cs_fortran_descriptor" if entry.descriptors else "cs_fortran_buffer",
        "attribute": "sizeof(MPI_Fint)" if entry.function.name in SMALL_ATTRIBUTES else "sizeof(MPI_Aint)",
    }
    texts = []
    for position, argument in chosen:
        length = f"cs_length{entry.strings.index(position) + 1}" if position in entry.strings else ""
        texts.append(argument.fortran_text(parameters[position - 1], length=length, **details))
    return condition, role.fortran or role.function, combined(role, texts)
