"""What a role of gen/spec becomes in a wrapper: which C function of wrappers/roles.h, when, with which arguments.

To add a role: declare the C function in wrappers/roles.h, add one line here, use it in gen/spec."""

from dataclasses import dataclass

from .arguments import (
    ADDRESS, ADDRESS_OUT, ATTRIBUTE, Argument, BUFFER, COMM, COUNT, COUNTS, FILE, FLAG, INFO, INFO_OUT, INTEGER,
    INTEGERS, INTS, KEYVAL, KEYVAL_KIND, KEYVAL_OUT, KINDS, MESSAGE, NAME, NAMED_OBJECT, OBJECT, OBJECTS, OBJECT_GONE, OBJECT_OUT,
    ONE_TYPE, ON_COMM, ON_WIN, RANK, REQUEST_OUT, ROOT, SIZE, STATUS_OUT, TAG, TEXTS, TYPE, TYPES, output, value,
)
from .header import Type

# When a role is at work. The order of this list is the order in a wrapper; DETAIL and AFTER_* only when the call succeeded.
NEVER, BEFORE, STATUS, FREES, DETAIL, AFTER_OBJECT, AFTER_BYTES, AFTER_REQUEST = range(8)


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


# Pointers to these may be handles that are made or freed: each of them needs a role.
HANDLES = ("MPI_Comm", "MPI_Datatype", "MPI_Win", "MPI_File", "MPI_Message", "MPI_Request", *KINDS)
ANY_HANDLE = Argument("handle", tuple(Type(base, pointers) for base in HANDLES for pointers in (0, 1)))


def before_roles():
    yield Role("ignores", "", NEVER, (ANY_HANDLE,))
    yield Role("comm", "cs_on_comm", BEFORE, (ON_COMM,), fortran="cs_on_comm_fortran")
    yield Role("win", "cs_on_win", BEFORE, (ON_WIN,), fortran="cs_on_win_fortran")
    yield Role("file", "cs_on_file", BEFORE, (FILE,))
    yield Role("peer", "cs_on_peer", BEFORE, (RANK, TAG), optional=1, missing="CS_NO_TAG")
    yield Role("length", "cs_on_length", BEFORE, (COUNT, TYPE))
    yield Role("message", "cs_on_message", BEFORE, (MESSAGE,))
    yield Role("status", "", STATUS, (STATUS_OUT,))
    yield Role("of", "cs_on", BEFORE, (OBJECT,))
    yield Role("renames-type", "cs_naming_type", BEFORE, (value("MPI_Datatype"),))
    for name, base in list(OBJECTS.items()) + [("file", "MPI_File")]:
        yield Role(f"frees-{name}", f"cs_freeing_{name}", FREES, (output(base),))
    yield Role("frees", "cs_freeing", FREES, (OBJECT_GONE,))
    yield Role("frees-keyval", "cs_freeing", FREES, (KEYVAL_OUT,), first=("CALLSIGN_KEYVAL",))
    yield Role("frees-memory", "cs_freeing", FREES, (ADDRESS,), first=("CALLSIGN_MEMORY",))
    yield Role("frees-port", "cs_freeing_port", FREES, (NAME,), fortran="cs_freeing_port_fortran")


# Roles that create an object whose name tells its lineage: their functions have a `lineage:verb,participants`.
WITH_LINEAGE = ("makes-comm", "makes-win", "makes-file")


def object_roles():
    yield Role("makes-comm", "cs_made_comm", AFTER_OBJECT, (output("MPI_Comm"),))
    yield Role("makes-type", "cs_made_type", AFTER_OBJECT, (output("MPI_Datatype"), TYPE))
    yield Role("makes-type-of", "cs_made_type_of", AFTER_OBJECT, (output("MPI_Datatype"), COUNT, TYPES))
    yield Role("makes-win", "cs_made_win", AFTER_OBJECT, (output("MPI_Win"),))
    yield Role("makes-file", "cs_made_file", AFTER_OBJECT, (output("MPI_File"),))
    yield Role("makes-message", "cs_made_message", AFTER_OBJECT, (output("MPI_Message"), FLAG), optional=1, condition=2)
    yield Role("makes", "cs_made", AFTER_OBJECT, (OBJECT_OUT,))
    yield Role("makes-memory", "cs_made_memory", AFTER_OBJECT, (ADDRESS_OUT, SIZE))
    yield from_fortran_too("makes-port", "cs_made_port", (NAME,))
    yield Role("given-info", "cs_given_info", AFTER_OBJECT, (INFO_OUT,))
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
    yield from_fortran_too("got-attribute", "cs_got_attribute", (NAMED_OBJECT, KEYVAL, ATTRIBUTE, FLAG))
    yield from_fortran_too("set-attribute", "cs_set_attribute", (NAMED_OBJECT, KEYVAL, ATTRIBUTE))
    yield Role("deleted-attribute", "cs_deleted_attribute", AFTER_OBJECT, (NAMED_OBJECT, KEYVAL))
    yield Role("makes-keyval", "cs_made_keyval", AFTER_OBJECT, (KEYVAL_KIND, output("int")))


# How an object was made: arguments under their names in db/journal/detail.h, by what they are. An argument that only the root gives ends in -at-root.
DETAILS = {
    "cs_detail_integer": (
        (INTEGER,),
        "color key tag local-leader remote-leader-at-root maxprocs-at-root high reorder indegree outdegree root fd size disp-unit count "
        "count-at-root blocklength stride rank lb extent p r commute",
    ),
    "cs_detail_integers": (
        (COUNT, INTEGERS),
        "dims periods index sources degrees destinations blocklengths displacements sizes subsizes starts gsizes psizes ranks",
    ),
    "cs_detail_text": ((NAME,), "stringtag command-at-root port-name-at-root pset-name"),
    "cs_detail_path": ((NAME,), "filename"),
    "cs_detail_texts": ((COUNT, TEXTS), "commands-at-root"),
    "cs_detail_info": ((INFO,), "info info-at-root"),
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
    """A role of DETAILS. What only the root gives has the root as its last position."""
    plain = name.removesuffix("-at-root")
    key = "CS_DETAIL_" + (key or plain).upper().replace("-", "_")
    fortran = function + "_fortran" if NAME in arguments or TEXTS in arguments else ""
    condition = 0
    if plain != name:
        arguments += (ROOT,)
        condition = len(arguments)
    return Role(name, function, DETAIL, arguments, condition=condition, fortran=fortran, first=(key,))


def detail_roles():
    for function, (arguments, names) in DETAILS.items():
        for name in names.split():
            yield detail(name, function, arguments)
    yield detail("destinations-by-degree", "cs_detail_destinations", (COUNT, INTS, INTS), "destinations")
    yield detail("maxprocs-of-each-at-root", "cs_detail_integers", (COUNT, INTEGERS), "maxprocs")


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
    "fetch-and-op": (TYPE, RANK, value("MPI_Op")),
}


# MPI_NO_OP makes the origin arguments meaningless: they may be garbage.
TEMPLATES = {"get-accumulate": "{5} == MPI_NO_OP ? 0 : {0}, {1}, {2}, {3}, {4}"}


def byte_roles():
    for name, arguments in BYTES.items():
        function = "cs_bytes_" + name.replace("-", "_")
        fortran = "cs_fortran_received" if name == "received" else ""
        yield Role(name, function, AFTER_BYTES, arguments, template=TEMPLATES.get(name, ""), fortran=fortran)


def request_roles():
    yield Role("request", "cs_made_request", AFTER_REQUEST, (REQUEST_OUT,), fortran="cs_made_request_fortran")
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
            choice = f"makes..., frees..., met-... or ignores:{position}"
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
    """All arguments of the C function."""
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
