"""Text for objects, threads and requests. The same for debuggers, cores and live processes."""

from .layout import (DEBUG_ENDED, DEBUG_FORKED, DERIVED, FREED, KIND_WORDS, MPI, NO_PEER, NO_TAG, OBJECT_ADOPTED, OBJECT_INTERNAL, OBJECT_PREDEFINED,
                     PROGRAM, REQUEST_FORTRAN, REQUEST_PERSISTENT, REQUEST_RECEIVES, REQUEST_SENDS, RULE, SITE_STACK, TAG_ANY)
from .words import KIND_NUMBER, columns, duration, escape

# The kinds for `info mpi WORD` and `mpi name -WORD`.
WORDS = {"comms": "communicator", "types": "datatype", "windows": "window", "groups": "group", "requests": "request", "files": "file", "ops": "op",
         "infos": "info", "errhandlers": "errhandler", "sessions": "session"}
OPTIONS = {"-comm": "communicator", "-type": "datatype", "-win": "window", "-group": "group", "-op": "op", "-request": "request", "-file": "file",
           "-info": "info", "-errhandler": "errhandler", "-session": "session", "-message": "message"}
MOST_ROWS = 1 << 17

# Fortran handles of these in Open MPI. MPICH and its derivatives use the handles of C.
FORTRAN = {"communicator": ("MPI_COMM_WORLD", "MPI_COMM_SELF", "MPI_COMM_NULL"), "datatype": ("MPI_DATATYPE_NULL",), "window": ("MPI_WIN_NULL",),
           "group": ("MPI_GROUP_NULL", "MPI_GROUP_EMPTY"), "op": ("MPI_OP_NULL",), "request": ("MPI_REQUEST_NULL",), "file": ("MPI_FILE_NULL",),
           "info": ("MPI_INFO_NULL",), "errhandler": ("MPI_ERRHANDLER_NULL", "MPI_ERRORS_ARE_FATAL", "MPI_ERRORS_RETURN")}


def handle_text(handle):
    return f"{handle:#x}"


def quoted(name):
    return f'"{name}"' if name else "(unnamed)"


# ---- objects ----

def of_record(table, record, constant=""):
    """`0x84000003 "rows" FREED`; a predefined one by its name in mpi.h."""
    name = table.name(record)
    freed = " FREED" if record.state == FREED else ""
    if constant:
        return constant if name in ("", constant) or record.origin not in (PROGRAM, RULE) else f"{constant} {quoted(name)}"
    if record.flags & OBJECT_PREDEFINED and name and record.origin not in (PROGRAM, RULE):
        return name
    return f"{handle_text(record.handle)} {quoted(name)}{freed}"


def of_object(table, number):
    """The object of a call or request; "" for none."""
    record = table.numbered(number) if number else None
    if not record:
        return ""
    return of_record(table, record, table.constant(record.kind, record.handle))


def of_handle(table, word, handle):
    """A handle of that kind of object; "": nothing is known of it."""
    kind = KIND_NUMBER[word]
    constant = table.constant(kind, handle)
    if word in ("request", "message") and not constant:
        pending = table.request(handle, word == "message")
        if pending:
            return f"{handle_text(handle)} {of_request(table, pending)}"
    record = table.live(kind, handle)
    if not record and not constant:
        record = table.find(kind, handle)
    return of_record(table, record, constant) if record else constant


def of_fortran(table, word, number):
    """A Fortran INTEGER that is a handle."""
    if table.header.handle_bytes == 4:
        return of_handle(table, word, number & 0xFFFFFFFF)
    record = table.find_fortran(KIND_NUMBER[word], number)
    if record:
        return of_record(table, record, table.constant(record.kind, record.handle))
    names = FORTRAN.get(word, ())
    if 0 <= number < len(names):
        return names[number]
    pending = table.request(REQUEST_FORTRAN | number & 0xFFFFFFFF, word == "message") if word in ("request", "message") else None
    return f"{number} {of_request(table, pending)}" if pending else ""


def guesses(table, handle):
    """[(word, text)] of all kinds that know such a handle: for a plain integer."""
    found = [(word, of_handle(table, word, handle)) for word in KIND_WORDS.values() if word not in ("keyval", "port", "tool_handle")]
    return [(word, text) for word, text in found if text]


# ---- calls ----

def peer_text(table, function, peer, waits=0):
    """waits: what a transfer that the call waits for does, REQUEST_RECEIVES and REQUEST_SENDS."""
    if peer == NO_PEER:
        return ""
    name = {-1: "any rank", -2: "MPI_PROC_NULL", -3: "MPI_ROOT"}.get(peer, f"rank {peer}")
    kind, transfer = table.function_property(function, "class"), table.function_property(function, "transfer")
    if waits & REQUEST_RECEIVES and waits & REQUEST_SENDS:
        return f"with {name}"
    if waits & REQUEST_RECEIVES or kind == "point-to-point" and transfer == "receive":
        return f"from {name}"
    if waits & REQUEST_SENDS or kind == "point-to-point" and transfer:
        return f"to {name}"
    if kind in ("completion", "request", "point-to-point"):  # the call's request may be any transfer
        return name
    return f"target {name}" if kind == "one-sided" else f"root {name}"


def tag_text(tag):
    return "" if tag == NO_TAG else "any tag" if tag == TAG_ANY else f"tag {tag}"


def about(table, function, number, peer, tag, waits=0):
    """`MPI_Recv on 0x84000003 "rows", from rank 3, tag 7`."""
    on = of_object(table, number)
    words = [table.function(function) + (f" on {on}" if on else ""), peer_text(table, function, peer, waits), tag_text(tag)]
    return ", ".join(word for word in words if word)


def of_request(table, request):
    state = " (persistent)" if request.flags & REQUEST_PERSISTENT else ""
    return about(table, request.function, request.object, request.peer, request.tag) + state


def site_text(table, address):
    """A return address of the program, in words. Stacks of the journal have numbers with the highest bit set; one with a line of Python is that line."""
    if address not in table.sites:
        table.sites[address] = python_line(table, address) if address & SITE_STACK else table.memory.where(address) if address else ""
    return table.sites[address]


def python_line(table, site):
    journal = table.journal()
    stack = journal.stacks.get(site & ~SITE_STACK) if journal else None
    return frame_text(table, stack[0], journal) if stack else ""


def frame_text(table, frame, journal):
    """A frame of a stack of the journal."""
    return journal.python.get(frame & ~SITE_STACK, "") if frame & SITE_STACK else site_text(table, frame)


def thread_line(table, thread):
    """A thread's activity in one line."""
    call = table.call(thread)
    if call:
        text = "in " + about(table, call.function, call.object, call.peer, call.tag, call.waits)
        ago, site = duration(table.since(call.since_ticks)), site_text(table, call.site)
        return text + (f", since {ago}" if ago else "") + (f", called from {site}" if site else "")
    if thread.depth:
        return "in an MPI call that has only just begun"
    if not thread.last_function:
        return "has made no MPI call that is over"
    state = "ended" if thread.ended else "outside MPI"
    ago, site = duration(table.since(thread.last_ticks)), site_text(table, thread.last_site)
    last = about(table, thread.last_function, thread.last_object, thread.last_peer, thread.last_tag, thread.last_waits)
    return f"{state}{f' since {ago}' if ago else ''}; its last call was {last}" + (f", called from {site}" if site else "")


def crash(table, tid, pc):
    """The place of a thread when a signal ended it, and its activity."""
    place = site_text(table, pc + 1)  # as of a return address: the line is that of the instruction before it
    if place in ("", f"{pc + 1:#x}"):
        place = f"{pc:#x}, where no code is"
    found = next((thread for thread in table.threads() if thread.tid == tid and not thread.ended), None)
    return f"It was at {place}, in thread {tid}: " + (thread_line(table, found) if found else "no MPI call of this thread is known")


def waiting(table):
    """A line for each thread, those in a call first."""
    threads = sorted(table.threads(), key=lambda thread: (not thread.depth, thread.ended, thread.number))
    return [f"thread {thread.tid}: {thread_line(table, thread)}" for thread in threads] or ["no thread has called MPI"]


def mpi_text(version):
    """`Open MPI v4.1.4` of `Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4, repo re`: what the header has room for may end amid a word."""
    text = version.split(b"\0")[0]
    first, comma, _ = text.partition(b",")
    words = first.split()
    if not comma and len(text) == len(version) - 1 and len(words) > 1:
        words[-1] = b"..."
    return b" ".join(words)


def process_lines(table):
    """The identity of this process."""
    header = table.header
    mpi = escape(mpi_text(header.mpi))
    rank = f"rank {header.world_rank} of {header.world_size} in MPI_COMM_WORLD" if header.world_rank >= 0 else "a process before MPI_Init, or with sessions only"
    lines = [f"process {header.pid}: {rank}" + (f"; {mpi}" if mpi else "")]
    if header.flags & DEBUG_FORKED:
        lines.append("It was forked: what follows is what its parent had at that moment.")
    elif header.flags & DEBUG_ENDED:
        lines.append("MPI is finalized: what follows is the state of that moment.")
    path = escape(table.text(header.journal))
    return lines + ([f"journal: {path}"] if path else [])


# ---- tables ----

def flags_text(record):
    words = [(OBJECT_INTERNAL, "internal"), (OBJECT_ADOPTED, "adopted")]
    return ", ".join(word for flag, word in words if record.flags & flag)


def created_text(table, record):
    site = site_text(table, record.created_pc)
    return (table.function(record.function) or "-") + (f" {site}" if site else "")


def size_text(record):
    if record.size < 0:
        return str(record.bytes) + " B" if record.kind in (KIND_NUMBER["datatype"], KIND_NUMBER["memory"], KIND_NUMBER["window"]) else ""
    return f"{record.rank} of {record.size}" + (f" + {record.remote_size}" if record.remote_size >= 0 else "")


def name_column(table, record):
    name = table.name(record) or table.constant(record.kind, record.handle)
    return name + (" (derived)" if record.origin == DERIVED else "")


def objects(table, words, predefined=False):
    """A table of what lives, of these kinds."""
    rows = []
    for record in table.records({KIND_NUMBER[word] for word in words}):
        if record.flags & OBJECT_PREDEFINED and not predefined or len(rows) == MOST_ROWS:
            continue
        rows.append((record.kind, record.id, (KIND_WORDS[record.kind], handle_text(record.handle), name_column(table, record), size_text(record),
                                              created_text(table, record), flags_text(record))))
    rows = [row for *_, row in sorted(rows)]
    one = len(words) == 1
    return columns(("kind", "handle", "name", "rank of size", "created by", "")[one:], [row[one:] for row in rows]) if rows else []


def requests(table):
    """A table of what is not complete."""
    rows = []
    for messages in (False, True):
        for request in table.pending(messages):
            if len(rows) == MOST_ROWS:
                break
            rows.append((f"{request.handle & 0xFFFFFFFF} (Fortran)" if request.handle >> 63 else handle_text(request.handle),
                         of_request(table, request), site_text(table, request.site)))
    return columns(("request", "stands for", "begun at"), rows) if rows else []


def info(table, word):
    """`info mpi WORD`."""
    if word == "requests":
        return requests(table) or ["no request is pending"]
    if word == "all":
        return (objects(table, list(KIND_WORDS.values()), True) or ["nothing lives"]) + ["", *info(table, "requests")]
    return objects(table, [WORDS[word]], word == "comms") or [f"no {WORDS[word]} of the program lives"]


# ---- one object ----

def ages(table, record):
    ago = duration(table.since(record.created_ticks))
    return f", {ago} ago" if ago else ""


def origin_text(record):
    if not record.name or record.kind == KIND_NUMBER["datatype"] and record.origin == MPI:
        return "how it was made"
    return {PROGRAM: "the program", RULE: "a naming rule", DERIVED: "derived from how it was made"}.get(record.origin, "the MPI")


def where(table, record, journal=None):
    """Birth, naming and end of an object."""
    kind = KIND_WORDS.get(record.kind, "object")
    lines = [f"{kind} {of_record(table, record, table.constant(record.kind, record.handle))}"]
    facts = journal.object(record.id) if journal else None
    if record.flags & OBJECT_PREDEFINED:
        lines.append("  predefined")
    elif not record.function:
        lines.append("  its birth was not seen")
    else:
        lines.append(f"  created by {table.function(record.function)}{ages(table, record)}")
        lines += stack_lines(table, facts and facts.stack, record.created_pc, journal)
    parent = of_object(table, record.parent)
    if parent:
        lines.append(f"  made of {parent}")
    if table.name(record):
        lines.append(f"  named by {origin_text(record)}" + (f" ({record.named} times)" if record.named > 1 else ""))
        if record.named_pc:
            lines.append(f"    at {site_text(table, record.named_pc)}")
    if record.state == FREED:
        lines.append("  freed" + (f" at {site_text(table, record.freed_pc)}" if record.freed_pc else "; where is not known"))
    former = table.former(record)
    if former:
        lines.append(f"  its handle belonged to {of_record(table, former)} before")
    return lines


def stack_lines(table, stack, address, journal):
    if stack:
        return [f"    at {frame_text(table, frame, journal)}" for frame in stack]
    lines = [f"    at {site_text(table, address)}"] if address else []
    if lines and not journal:
        lines.append("    (the whole call stack is in the journal, which is not here)")
    return lines


def members(table, record, journal):
    """The world ranks of a communicator."""
    text = of_record(table, record, table.constant(record.kind, record.handle))
    lines = [f"{text}: rank {record.rank} of {record.size}" + (f", {record.remote_size} on the other side" if record.remote_size >= 0 else "")]
    if record.kind != KIND_NUMBER["communicator"]:
        return [f"{text} is no communicator"]
    ranks = journal.members(table, record) if journal else None
    if ranks:
        lines.append(f"  world ranks {ranks}")
    elif record.size == table.header.world_size and record.remote_size < 0:
        lines.append("  all ranks of MPI_COMM_WORLD, perhaps in another order" if not table.constant(record.kind, record.handle) else
                     f"  world ranks 0-{record.size - 1}")
    else:
        lines.append("  its members are written in the journal of its first member, which is not here")
    return lines


def whole(table):
    """All that a core or a process tells: `callsign core`, `callsign attach`."""
    lines = [*process_lines(table), "", *waiting(table)]
    pending = requests(table)
    living = objects(table, [word for word in KIND_WORDS.values() if word != "request"])
    for title, rows in (("Pending requests and messages", pending), ("Objects of the program", living)):
        lines += ["", title + ("" if rows else ": none"), *rows]
    return lines


