"""Reads gen/spec/*.spec: what callsign knows about each MPI function.

    4002  MPI_Bcast[_c](buffer, count, datatype, root, comm)
           collective  comm peer:root bcast:count,datatype,root collective:from-root
    25002  MPIX_Bcast_init = MPI_Bcast_init

    number      never changed and never reused: traces store it. A chapter has a thousand; the _c form has the next one
    name        the C function; [_c]: there is also a form with large counts
    parameters  their names in the MPI standard, in order. A function whose roles name no parameter may omit them
    class       one of CLASSES below
    roles       the meaning of arguments; gen/roles has all of them. `bcast:count,datatype,root` names the role's parameters;
                `comm` alone is the role of the parameter comm. `manual`: the wrapper is written by hand in wrappers/
    properties  follow the roles:
                `lineage:verb,participants` if it creates a communicator, a window or a file: verb of derived names, participants;
                `collective:PATTERN` if all members of its communicator, window or file must call it: see COLLECTIVES;
                `waits:KIND` if it may block until another process does something: see WAITS. Blocking collectives need none;
                `shape:word,argument,...` if it creates a datatype: the word for derived names, and its arguments as detail roles;
                `new-topology:word` if the MPI must not be queried for the topology of the new communicator: see TOPOLOGIES;
                words of MARKS
    = name      an alias: the other function under this name

A line that begins with spaces continues the line before.
"""

import os
import re
from dataclasses import dataclass, replace

from .problem import Collector
from .roles import ROLES

# The purpose of a function; reports group by it.
CLASSES = (
    "point-to-point",
    "completion",
    "request",
    "collective",
    "one-sided",
    "window",
    "io",
    "communicator",
    "group",
    "topology",
    "datatype",
    "attribute",
    "name",
    "info",
    "errhandler",
    "op",
    "session",
    "process",
    "lifecycle",
    "environment",
    "handle",
    "tool",
)

# The processes that take part in creating a communicator, a window or a file.
PARTICIPANTS = {
    "whole": "all members of the parent, and there is one object",
    "parts": "all members of the parent, and there may be several objects",
    "members": "the members of the new object",
    "groups": "the members of two groups, which may be of different worlds",
}

# The ranks that a member waits for in a collective call. Calls of these functions are numbered on their object (wrappers/call/collective.h).
COLLECTIVES = {
    "all": "each member for all",
    "from-root": "each member for the root",
    "to-root": "the root for all members",
    "lower-ranks": "each member for those of lower rank",
    "neighbors": "each member for its neighbours in the topology",
    "and-others": "each member for all, and for processes that are no members",
}

# The event that ends a blocking call.
WAITS = {
    "send": "that the message is received, or buffered",
    "synchronous-send": "that its receive has begun",
    "receive": "a message",
    "message": "the rest of a message that was matched",
    "exchange": "a message, and that the own one is received",
    "all-requests": "the requests that it is on, all of them",
    "any-request": "one of them",
    "collective": "members, as its `collective` says",
    "target": "the lock of a window at the peer, or operations there",
    "posts": "MPI_Win_post of the targets of its epoch, perhaps",
    "completes": "MPI_Win_complete of the origins of its epoch",
    "others": "processes that callsign cannot tell",
    "everybody": "all processes of MPI_COMM_WORLD",
}

# The direction of a call's data, derived from its roles.
TRANSFERS = {
    "send": "to other processes, or to a file",
    "receive": "from there",
    "both": "both ways",
}

# How a call, and the operation that it begins, complete.
MODES = {
    "blocking": "it returns when it is done, and may have to wait for others",
    "nonblocking": "it is complete when its request is",
    "persistent": "MPI_Start begins it",
    "start": "it begins persistent ones",
}

# What a call does to the requests that it is on, derived from its roles.
REQUEST_ACTS = {
    "complete-one": "completes its only one",
    "complete-all": "completes all of them, or none",
    "complete-any": "completes one of them",
    "complete-some": "completes those that are ready",
    "show": "shows their status, and completes none",
    "cancel": "cancels its only one",
}

# What a call does to an epoch of one-sided communication with certain ranks, and the role that says so.
EPOCH_ACTS = {
    "post": "exposes the window to the origins",
    "complete": "ends the accesses to the targets",
    "lock": "locks the window at one target",
    "unlock": "unlocks it",
    "lock_all": "locks it at all targets",
    "unlock_all": "unlocks it there",
}
EPOCH_ROLES = {"opens-exposure": "post", "closes-access": "complete", "locks-window": "lock", "unlocks-window": "unlock",
               "locks-all": "lock_all", "unlocks-all": "unlock_all"}

SENDING = {"sent", "partitions-sent", "written", "put", "puts"}
RECEIVING = {"received", "posted", "partitions-posted", "receives-message", "makes-message", "message", "get", "gets"}
BOTH_WAYS = {"exchanges-messages", "get-accumulate", "fetch", "fetch-and-op", "swaps", "accesses"}

# The topology of a new communicator. Open MPI 5 copies the parent's mark in some functions, and crashes when it is queried.
TOPOLOGIES = {
    "none": "no topology",
    "dist_graph": "a distributed graph",
}

# Values that a line may give as `property:word`.
PROPERTIES = {"collective": COLLECTIVES, "waits": WAITS.keys() - {"collective"}, "new-topology": TOPOLOGIES}

# Properties without a value.
MARKS = {
    "synchronizing": "in all MPIs nobody leaves it before all members have entered it, though the standard does not say so",
    "synchronous": "it sends, and what it sends is complete only when the receive has begun",
    "buffered": "it sends, and what it sends is complete without the receiver",
    "polls": "it returns at once whether it finds something or not; events count equal successive calls",
    "clock": "it only reads a clock: signal handlers may call it, and no lock is taken for it",
    "flushes": "it completes one-sided accesses at their targets",
    "flushes-origin": "it completes them at their origin",
    "inactive": "the MPI must not be asked about what it makes before that is started",
}

# Classes of functions of which some may be called before MPI_Init and after MPI_Finalize (MPI 4.1, 11.4.1).
AT_ANY_TIME = ("info", "errhandler", "session", "lifecycle", "environment", "handle", "tool")

# Classes of functions that pass data.
WITH_DATA = ("point-to-point", "collective", "one-sided", "io")

# Classes of functions whose failures are recorded. Attributes and names have their errors in tables of their own; MPI_T has other codes.
WITHOUT_FAILURES = ("attribute", "name", "tool", "handle", "environment", "errhandler")

MANUAL = "manual"
LARGEST_NUMBER = 65535


@dataclass(frozen=True)
class Use:
    """One role of one function: `peer:dest,tag` of MPI_Send is Use("peer", (4, 5), "peer:dest,tag")."""

    role: str
    positions: tuple
    word: str  # the role as written

    def __str__(self):
        return self.word


@dataclass(frozen=True)
class Lineage:
    """`lineage:split,parts`: the verb for names of new objects, and the participants."""

    verb: str
    participants: str  # one of PARTICIPANTS

    def __str__(self):
        return f"lineage:{self.verb},{self.participants}"


@dataclass(frozen=True)
class Function:
    number: int
    name: str
    klass: str
    uses: tuple
    chapter: str
    where: str  # file:line
    parameters: tuple = ()  # names
    form_of: str = ""  # the function without large counts, or the one that it is an alias of; "": itself
    lineage: Lineage = None
    collective: str = ""  # one of COLLECTIVES
    waits: str = ""  # one of WAITS, if the line has it
    shape: str = ""  # "vector,count,blocklength,stride"
    new_topology: str = ""  # one of TOPOLOGIES
    marks: frozenset = frozenset()  # words of MARKS

    @property
    def roles(self):
        return {use.role for use in self.uses}

    def parameters_of(self, role):
        """The names of the parameters of a role."""
        return {self.parameters[position - 1] for use in self.uses for position in use.positions if use.role == role and self.parameters}

    def position_of(self, *names):
        """The position of the first of these parameters that the function has; 0: none."""
        return next((self.parameters.index(name) + 1 for name in names if name in self.parameters), 0)

    @property
    def operation(self):
        """The function whose calls match those of this one."""
        return self.form_of or self.name

    @property
    def manual(self):
        return MANUAL in self.roles

    @property
    def wait(self):
        """One of WAITS, or ""."""
        return self.waits or ("collective" if self.collective and not self.roles & {"request", "persistent"} else "")

    @property
    def transfer(self):
        """One of TRANSFERS, or ""."""
        sends, receives = bool(self.roles & SENDING), bool(self.roles & RECEIVING) or "source" in self.parameters_of("peer")
        moves_data = self.klass == "collective" and len(self.roles - {"comm", "request", "persistent", "synchronizes"}) > 0
        if self.roles & BOTH_WAYS or sends and receives or moves_data:
            return "both"
        return "send" if sends else "receive" if receives else ""

    @property
    def mode(self):
        """One of MODES, or ""."""
        if self.wait:
            return "blocking"
        modes = {"request": "nonblocking", "persistent": "persistent", "starts-requests": "start"}
        return next((mode for role, mode in modes.items() if role in self.roles), "")

    @property
    def request_act(self):
        """One of REQUEST_ACTS, or ""."""
        if self.roles & {"queries-all", "queries-any", "queries-some"}:
            return "show"
        if "cancels-request" in self.roles:
            return "cancel"
        act = next((role for role in ("completes-all", "completes-any", "completes-some") if role in self.roles), "")
        return "complete-one" if act and "on-request" in self.roles else act.replace("completes", "complete")

    @property
    def epoch_act(self):
        """One of EPOCH_ACTS, or ""."""
        return next((epoch for role, epoch in EPOCH_ROLES.items() if role in self.roles), "")

    @property
    def synchronizing(self):
        """True if no member leaves the call before all have entered it; for some functions only if there is data."""
        return "synchronizing" in self.marks or bool(self.roles & {"synchronizes", "synchronizes-by-data"})

    @property
    def inactive(self):
        return "inactive" in self.marks

    @property
    def synchronous(self):
        return "synchronous" in self.marks

    @property
    def buffered(self):
        return "buffered" in self.marks

    @property
    def reads_clock(self):
        return "clock" in self.marks

    @property
    def needs_mpi(self):
        """True if it is wrong before MPI_Init and after MPI_Finalize without doubt."""
        return self.klass not in AT_ANY_TIME

    @property
    def polls(self):
        return "polls" in self.marks

    @property
    def verb(self):
        """The verb for names of the communicator, window or file that it creates; "": it creates none."""
        return self.lineage.verb if self.lineage else ""

    @property
    def participants(self):
        """One of PARTICIPANTS, or ""."""
        return self.lineage.participants if self.lineage else ""

    @property
    def duplicates(self):
        return "copies-attributes" in self.roles

    @property
    def runs_callbacks(self):
        """True if it may run functions of the program that copy or delete attributes."""
        frees = self.parameters_of("frees") & {"comm", "datatype", "win"}
        return bool(frees) or self.duplicates or bool(self.roles & {"set-attribute", "deleted-attribute"}) or self.wait == "everybody"

    @property
    def notes_failure(self):
        """True if calls that return an error are recorded."""
        return self.klass not in WITHOUT_FAILURES and self.name.startswith("MPI_")

    @property
    def root(self):
        return self.position_of("root")

    @property
    def op(self):
        """Position of the datatype that it combines."""
        return self.position_of("op") if self.datatype else 0

    @property
    def datatype(self):
        """Position of the datatype of its data; if there are several, of the sent data."""
        return self.position_of("datatype", "sendtype", "origin_datatype") if self.klass in WITH_DATA else 0

    def __str__(self):
        words = [self.number, self.name, self.klass, *self.uses] + ([self.lineage] if self.lineage else [])
        words += [f"collective:{self.collective}"] if self.collective else []
        words += [f"waits:{self.waits}"] if self.waits else []
        words += [f"shape:{self.shape}"] if self.shape else []
        words += [f"new-topology:{self.new_topology}"] if self.new_topology else []
        words += sorted(self.marks)
        return " ".join(map(str, words))


@dataclass(frozen=True)
class Alias:
    """`25002 MPIX_Bcast_init = MPI_Bcast_init`"""

    number: int
    name: str
    of: str
    chapter: str
    where: str


def read_folder(folder):
    """All functions of all chapters, sorted by number. Raises Problems."""
    problems = Collector()
    functions = []
    for file in sorted(os.listdir(folder)):
        if file.endswith(".spec"):
            with open(os.path.join(folder, file), encoding="utf-8") as text:
                functions += parse(text, f"gen/spec/{file}", file.removesuffix(".spec"), problems)
    if not functions:
        problems.add(folder, "there are no .spec files with functions here")
    functions = resolve_aliases(functions, problems)
    check_unique(functions, problems)
    problems.raise_if_any()
    return sorted(functions, key=lambda function: function.number)


def parse(lines, filename, chapter, problems):
    """The functions and aliases in the lines of a chapter."""
    functions = []
    for count, line in join_lines(lines):
        functions += parse_line(line, chapter, f"{filename}:{count}", problems)
    return functions


def join_lines(lines):
    """[(number of its first line, text)] without comments."""
    joined = []
    for count, line in enumerate(lines, 1):
        text = line.split("#")[0].rstrip()
        if text[:1].isspace() and joined:
            joined[-1][1] += " " + text.strip()
        elif text:
            joined.append([count, text])
    return joined


LINE = re.compile(r"(\S+)\s+([^\s([]+)(\[_c\])?(?:\(([^)]*)\))?\s+(\S+)(.*)")


def parse_line(line, chapter, where, problems):
    match = LINE.fullmatch(line.strip())
    if not match:
        problems.add(where, "expected `number name(parameters) class roles...` or `number name = name`")
        return []
    number, name, large, parameters, klass, rest = match.groups()
    if not number.isdigit() or not 1 <= int(number) <= LARGEST_NUMBER:
        problems.add(where, f"{number} is not a number from 1 to {LARGEST_NUMBER}")
        return []
    if not re.fullmatch(r"MPIX?_[A-Za-z0-9_]+", name):
        problems.add(where, f"{name} is not the name of an MPI function")
        return []
    if klass == "=":
        return [Alias(int(number), name, rest.strip(), chapter, where)]
    if klass not in CLASSES:
        problems.add(where, f"{name}: unknown class {klass}; gen/spec.py has the list")
    names = tuple(parameters.replace(",", " ").split()) if parameters else ()
    function = parse_words(Function(int(number), name, klass, (), chapter, where, names), rest.split(), problems)
    return [function] + ([replace(function, number=function.number + 1, name=name + "_c", form_of=name)] if large else [])


def parse_words(function, words, problems):
    """The function with the roles and properties in these words."""
    name, where = function.name, function.where
    uses, lineage, shape, properties, marks = [], None, "", dict.fromkeys(PROPERTIES, ""), MARKS.keys() & set(words)
    for word in words:
        property_name, _, value = word.partition(":")
        if word in marks:
            continue
        if property_name in properties:
            properties[property_name] = value
            known = PROPERTIES[property_name]
            if value not in known:
                problems.add(where, f"{name}: {word} is not `{property_name}:{'|'.join(sorted(known))}`")
        elif property_name == "shape":
            shape = value
        elif property_name == "lineage":
            lineage = parse_lineage(word)
            if lineage is None:
                problems.add(where, f"{name}: {word} is not `lineage:verb,{'|'.join(PARTICIPANTS)}`")
        else:
            use = parse_use(word, function, problems)
            uses += [use] if use else []
    function = replace(
        function, uses=tuple(uses), lineage=lineage, collective=properties["collective"], waits=properties["waits"],
        new_topology=properties["new-topology"], shape=shape, marks=frozenset(marks),
    )
    if set(shape.split(",")[1:]) - function.roles:
        problems.add(where, f"{name}: shape:{shape} has an argument that no role keeps")
    if "synchronizing" in marks and (function.collective, function.wait) != ("all", "collective"):
        problems.add(where, f"{name}: `synchronizing` is for blocking functions with `collective:all`")
    return function


def parse_use(word, function, problems):
    """A role with the positions of its parameters. A number stands for a parameter without name. None: a problem was added."""
    match = re.fullmatch(r"([a-z]+(?:-[a-z]+)*)(?::(\w+(?:,\w+)*))?", word)
    if not match or re.search(r"[:,]0", word):
        problems.add(function.where, f"{function.name}: {word} is not `role` or `role:parameter,...`")
        return None
    role, names = match[1], match[2].split(",") if match[2] else []
    if not names and role in ROLES and ROLES[role].arguments and role.replace("-", "_") in function.parameters:
        names = [role.replace("-", "_")]
    positions = []
    for name in names:
        if name.isdigit():
            positions.append(int(name))
        elif name in function.parameters:
            positions.append(function.parameters.index(name) + 1)
        else:
            problems.add(function.where, f"{function.name}: {word}: it has no parameter {name}")
            return None
    return Use(role, tuple(positions), word)


def resolve_aliases(functions, problems):
    """Replaces each alias by the function that it names, with the alias's number and name."""
    known = {function.name: function for function in functions if isinstance(function, Function)}
    resolved = []
    for function in functions:
        if isinstance(function, Function):
            resolved.append(function)
        elif function.of in known:
            resolved.append(replace(known[function.of], form_of=known[function.of].operation, number=function.number, name=function.name, chapter=function.chapter, where=function.where))
        else:
            problems.add(function.where, f"{function.name}: there is no function {function.of}")
    return resolved


def parse_lineage(word):
    match = re.fullmatch(r"lineage:([a-z]+(?:_[a-z]+)*),([a-z]+)", word)
    return Lineage(match[1], match[2]) if match and match[2] in PARTICIPANTS else None


def check_unique(functions, problems):
    numbers, names = {}, {}
    for function in functions:
        for table, key, what in ((numbers, function.number, "number"), (names, function.name, "name")):
            if key in table:
                taken = f"{what} {key} is already taken by {table[key].name} at {table[key].where}"
                problems.add(function.where, taken)
            else:
                table[key] = function
