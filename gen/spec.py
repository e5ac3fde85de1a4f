"""Reads gen/spec/*.spec: what callsign knows about each MPI function, one line per function.

    number  never changed, never reused: traces have it. A chapter has a thousand; odd: the _c form of the function before
    name    of the C function
    class   one of CLASSES below
    roles   what the arguments mean, by position from 1: gen/roles has all of them; or `manual`: written by hand in wrappers/. At the end
            `lineage:verb,participants` if it makes a communicator, a window or a file: what derived names say, and who takes part;
            `collective:PATTERN` if all members of its communicator, window or file have to call it: COLLECTIVES says for whom each waits;
            `waits:KIND` if it may not return before another process has done something: WAITS;
            `synchronizing` if in all MPIs nobody leaves it before all members have entered it, though the standard does not say so;
            `transfer:receive` if no role says so: TRANSFERS
"""

import os
import re
from dataclasses import dataclass

from .problem import Collector

# What a function is for, as reports group it.
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

# Who takes part in making a communicator, a window or a file.
PARTICIPANTS = {
    "whole": "all members of the parent, and there is one object",
    "parts": "all members of the parent, and there may be several objects",
    "members": "the members of the new object",
    "groups": "the members of two groups, which may be of different worlds",
}

# For whom a member waits in a collective call. Calls of these functions are numbered on their object: wrappers/call/collective.h.
COLLECTIVES = {
    "all": "each member for all",
    "from-root": "each member for the root",
    "to-root": "the root for all members",
    "lower-ranks": "each member for those of lower rank",
    "neighbors": "each member for its neighbours in the topology",
    "and-others": "each member for all, and for processes that are no members",
}

# For what a blocking call waits.
WAITS = {
    "send": "that the message is received, or buffered",
    "synchronous-send": "that its receive has begun",
    "receive": "a message",
    "message": "the rest of a message that was matched",
    "exchange": "a message, and that the own one is received",
    "all-requests": "the requests that it is on, all of them",
    "any-request": "one of them",
    "collective": "members: the function has `collective`",
    "target": "the lock of a window at the peer, or operations there",
    "others": "processes that callsign cannot tell",
    "everybody": "all processes of MPI_COMM_WORLD",
}

# Where the data of a call goes, as its roles say.
TRANSFERS = {
    "send": "to other processes, or to a file",
    "receive": "from there",
    "both": "both ways",
}

# How a call and what it begins come to an end.
MODES = {
    "blocking": "it returns when it is done, and may have to wait for others",
    "nonblocking": "it is complete when its request is",
    "persistent": "MPI_Start begins it",
    "start": "it begins persistent ones",
}

SENDING = {"sent", "partitions-sent", "written", "put", "puts"}
RECEIVING = {"received", "posted", "partitions-posted", "receives-message", "makes-message", "message", "get", "gets"}
BOTH_WAYS = {"exchanges-messages", "get-accumulate", "fetch", "fetch-and-op", "swaps", "accesses"}

# Words that a line may say as `property:word`.
PROPERTIES = {"collective": COLLECTIVES, "waits": WAITS, "transfer": TRANSFERS}

MANUAL = "manual"
LARGEST_NUMBER = 65535


@dataclass(frozen=True)
class Use:
    """One role of one function: `peer:4,5` is Use("peer", (4, 5))."""

    role: str
    positions: tuple

    def __str__(self):
        return f"{self.role}:{','.join(map(str, self.positions))}" if self.positions else self.role


@dataclass(frozen=True)
class Lineage:
    """`lineage:split,parts`: what the name of a new object says of the call, and who takes part."""

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
    lineage: Lineage = None
    collective: str = ""  # one of COLLECTIVES
    wait: str = ""  # one of WAITS
    marked: str = ""  # the transfer that the line itself says
    marked_synchronizing: bool = False

    @property
    def roles(self):
        return {use.role for use in self.uses}

    @property
    def manual(self):
        return MANUAL in self.roles

    @property
    def transfer(self):
        """One of TRANSFERS, or ""."""
        sends, receives = bool(self.roles & SENDING), bool(self.roles & RECEIVING)
        moves_data = self.klass == "collective" and len(self.roles - {"comm", "request", "persistent", "synchronizes"}) > 0
        if self.roles & BOTH_WAYS or sends and receives or moves_data:
            return "both"
        return "send" if sends else "receive" if receives else self.marked

    @property
    def mode(self):
        """One of MODES, or ""."""
        if self.wait:
            return "blocking"
        modes = {"request": "nonblocking", "persistent": "persistent", "starts-requests": "start"}
        return next((mode for role, mode in modes.items() if role in self.roles), "")

    @property
    def synchronizing(self):
        """Nobody leaves it before all members have entered it. Some do so only if there is data."""
        return self.marked_synchronizing or bool(self.roles & {"synchronizes", "synchronizes-by-data"})

    @property
    def creates(self):
        """What names say of the communicator, window or file that it makes; "": it makes none."""
        return self.lineage.verb if self.lineage else ""

    @property
    def duplicates(self):
        return "copies-attributes" in self.roles

    def __str__(self):
        words = [self.number, self.name, self.klass, *self.uses] + ([self.lineage] if self.lineage else [])
        words += [f"collective:{self.collective}"] if self.collective else []
        words += [f"waits:{self.wait}"] if self.wait else []
        words += [f"transfer:{self.marked}"] if self.marked else []
        words += ["synchronizing"] if self.marked_synchronizing else []
        return " ".join(map(str, words))


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
    check_unique(functions, problems)
    problems.raise_if_any()
    return sorted(functions, key=lambda function: function.number)


def parse(lines, filename, chapter, problems):
    functions = []
    for count, line in enumerate(lines, 1):
        words = line.split("#")[0].split()
        if words:
            function = parse_words(words, chapter, f"{filename}:{count}", problems)
            if function:
                functions.append(function)
    return functions


def parse_words(words, chapter, where, problems):
    if len(words) < 3:
        problems.add(where, "expected `number name class roles...`")
        return None
    number, name, klass = words[:3]
    if not number.isdigit() or not 1 <= int(number) <= LARGEST_NUMBER:
        problems.add(where, f"{number} is not a number from 1 to {LARGEST_NUMBER}")
        return None
    if not re.fullmatch(r"MPIX?_[A-Za-z0-9_]+", name):
        problems.add(where, f"{name} is not the name of an MPI function")
        return None
    if klass not in CLASSES:
        problems.add(where, f"{name}: unknown class {klass}; gen/spec.py has the list")
    uses, lineage, synchronizing, properties = [], None, False, dict.fromkeys(PROPERTIES, "")
    for word in words[3:]:
        if word == "synchronizing":
            synchronizing = True
            continue
        property_name, _, value = word.partition(":")
        if property_name in properties:
            properties[property_name] = value
            known = PROPERTIES[property_name]
            if value not in known:
                problems.add(where, f"{name}: {word} is not `{property_name}:{'|'.join(known)}`")
            continue
        if word.startswith("lineage:"):
            lineage = parse_lineage(word)
            if lineage is None:
                problems.add(where, f"{name}: {word} is not `lineage:verb,{'|'.join(PARTICIPANTS)}`")
            continue
        use = parse_use(word)
        if use is None:
            problems.add(where, f"{name}: {word} is not `role` or `role:position,...` with positions from 1")
        else:
            uses.append(use)
    if properties["waits"] == "collective" and not properties["collective"]:
        problems.add(where, f"{name}: `waits:collective` needs `collective:PATTERN`")
    if synchronizing and (properties["collective"], properties["waits"]) != ("all", "collective"):
        problems.add(where, f"{name}: `synchronizing` needs `collective:all waits:collective`")
    return Function(
        int(number), name, klass, tuple(uses), chapter, where, lineage, properties["collective"], properties["waits"], properties["transfer"], synchronizing
    )


def parse_use(word):
    match = re.fullmatch(r"([a-z]+(?:-[a-z]+)*)(?::([1-9][0-9]*(?:,[1-9][0-9]*)*))?", word)
    if not match:
        return None
    positions = tuple(int(position) for position in match[2].split(",")) if match[2] else ()
    return Use(match[1], positions)


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
