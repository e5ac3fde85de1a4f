"""Which local checks a function gets: they follow from its class, its roles and the names of its parameters. wrappers/check runs them."""

from .spec import WITH_DATA, Use

# Parameters with a buffer, its count and its datatype.
ORIGIN = ("origin_addr", "origin_count", "origin_datatype")
PLAIN = ("buf", "count", "datatype")
SENT, RECEIVED = ("sendbuf", "sendcount", "sendtype"), ("recvbuf", "recvcount", "recvtype")

# Parameters that are handles, besides the object of the call, and the classes of functions that do not take the null handle for them; (): all.
HANDLES = {
    "group": (), "group1": (), "group2": (), "oldtype": (), "etype": (), "filetype": (), "comm2": (),
    "datatype": ("datatype", "attribute", "request", "point-to-point"),
    "op": ("op",), "info": ("info",), "errhandler": ("errhandler",), "session": ("session", "group"),
}
# Roles whose first parameter the call writes.
WRITING = ("makes", "borrows", "frees", "hands-out-type", "commits")
# Roles whose first parameter gets a handle that the call makes.
MAKING = ("makes", "makes-comm", "makes-type", "makes-type-of", "makes-win", "makes-file", "makes-message", "request", "persistent", "partitions")
# Words in names of new communicators that are made from an intracommunicator.
FROM_INTRA = ("cart", "graph", "dist_graph", "group", "spawn", "accept", "connect", "inter", "win", "file")

# Counts, and arrays of int that must not be NULL if the count is not 0.
ARRAYS = (("ndims", "dims"), ("ndims", "periods"), ("maxdims", "dims"), ("maxdims", "periods"), ("maxdims", "coords"), ("n", "ranks1"), ("n", "ranks2"))

# Checks that follow from a role of the function.
FOLLOWING = {
    "makes-win": ("notes-window",),
    "locks-window": ("checks-lock", "continues-by-lock:lock_type", "notes-lock:lock_type"),
    "locks-all": ("checks-locking-all", "continues-by-access", "notes-lock-all"),
    "unlocks-window": ("checks-unlock", "continues-by-completion", "ends-accesses", "notes-unlock"),
    "unlocks-all": ("checks-all-locked", "continues-by-completion", "ends-accesses", "notes-unlock-all"),
    "opens-access": ("checks-starting", "notes-start"),
    "closes-access": ("checks-started", "ends-accesses", "notes-complete"),
    "fences": ("checks-fence:assert", "ends-accesses"),
    "opens-exposure": ("checks-posting", "notes-post"),
    "closes-exposure": ("checks-posted",),
}


# Checks whose result depends on the arguments alone, and on what cs_is_checked_before knows.
OF_ARGUMENTS = {
    "checks-rank", "checks-source", "checks-tag", "checks-received-tag", "checks-root", "checks-reduction", "checks-status", "checks-probed",
    "checks-in-place", "checks-in-place-at-root", "checks-never-in-place", "checks-never-in-place-at-root", "needs-intra",
    "sends-to", "receives-from", "broadcasts", "reads", "writes", "writes-at-root", "reads-blocks", "reads-blocks-at-root", "writes-blocks", "writes-blocks-at-root",
}


def checks_once(function, before):
    """True if a call with the same arguments as a checked one of its call site need not be checked again. before: roles of its checks before the native call."""
    return bool(function.wait and function.klass in ("point-to-point", "collective") and set(before) <= OF_ARGUMENTS)


def begins_again(function, before):
    """The same for a call that leaves a request, and with it the buffers of a pending operation."""
    return "request" in function.roles and function.klass in ("point-to-point", "collective") and set(before) <= OF_ARGUMENTS | {"checks-output"}


# Checks of an access whose result does not depend on its place, as long as that follows the place of the access before.
OF_PLACE = {
    "checks-handle-or-null", "checks-rank", "checks-epoch", "checks-accumulation", "reaches-target", "continues-by-access", "continues-by-reading",
    "puts-at", "gets-at", "accumulates-at", "checks-room",
}
OF_ORIGIN = {"reads", "writes", "keeps-origin"}


def continues_row(before):
    """True if a one-sided access at the next place need not be checked as the one before. before: roles of its checks before the native call."""
    return "keeps-origin" in before and len(OF_ORIGIN & set(before)) == 2 and set(before) <= OF_PLACE | OF_ORIGIN


def checks(function):
    """The checks of a function, in order."""
    if function.manual or not function.parameters:
        return []
    found = _Checks(function)
    found.handles()
    found.communicator()
    found.requests()
    found.outputs()
    found.sizes()
    if function.klass in WITH_DATA:
        found.envelope()
        found.attached()
        if function.klass == "collective":
            found.in_place()
        found.data()
    if function.klass == "one-sided":
        found.window()
    for role, following in FOLLOWING.items():
        for check in following if role in function.roles else ():
            name, _, parameter = check.partition(":")
            found.add(name, *([parameter] if parameter else []))
    if "synchronizes" in function.roles or ("synchronizing" in function.marks and "makes-win" in function.roles):
        found.add("notes-meeting")
    if "win" in function.parameters_of("frees"):
        found.add("checks-freed-window")
        found.add("forgets-window")
    return found.uses


class _Checks:
    def __init__(self, function):
        self.function, self.uses = function, []

    def add(self, role, *names):
        """Adds the check if the function has all these parameters."""
        parameters = self.function.parameters
        if set(names) <= set(parameters):
            self.uses.append(Use(role, tuple(parameters.index(name) + 1 for name in names), f"{role}:{','.join(names)}"))
            return True
        return False

    def handles(self):
        function = self.function
        if function.klass in ("handle", "tool"):  # conversions of handles, and functions that return them
            return
        written = {use.positions[0] for use in function.uses if use.role.startswith(WRITING) and use.positions}
        data = {"count", "incount", "outcount"} & set(function.parameters) and "status" not in function.parameters[:1]
        for name, classes in HANDLES.items():
            if name not in function.parameters or function.parameters.index(name) + 1 in written:
                continue
            if name not in ("datatype", "op") or not data:
                self.add("checks-handle" if not classes or function.klass in classes else "checks-handle-or-null", name)

    def communicator(self):
        """A kind of communicator that the function needs, and what it is told of groups and topologies."""
        function = self.function
        self.uses += [use for use in function.uses if use.role.startswith("needs-")]
        if function.verb in FROM_INTRA and "comm" in function.roles or (function.collective == "lower-ranks"):
            self.add("needs-intra")
        if function.collective == "neighbors":
            self.add("needs-topology")
        if "of" in function.roles or function.klass == "group":
            self.add("checks-group-ranks", "group", "n", "ranks")
            self.add("checks-group-ranges", "group", "n", "ranges")
            self.add("checks-translated-ranks", "group1", "n", "ranks1")
        if "comm" in function.roles and function.klass == "communicator" and "makes" not in function.roles:
            self.add("checks-subgroup", "group")
        for count, array in ARRAYS:
            self.add("checks-array", count, array)
        if function.klass == "topology":
            self.add("checks-dimensions", "ndims", "dims") if "comm" in function.roles else self.add("checks-given-dimensions", "nnodes", "ndims", "dims")
            self.add("checks-dimension", "direction")
            if function.parameters[1:2] == ("rank",):  # else it is a result
                self.add("checks-topology-rank", "rank")
            self.add("checks-graph", "nnodes", "index", "edges")
            self.add("checks-destinations", "n", "degrees", "destinations")
            if "comm_old" in function.parameters:
                self.add("checks-neighbors", "indegree", "sources") or self.add("checks-neighbors", "n", "sources")
                self.add("checks-neighbors", "outdegree", "destinations")
                self.add("checks-weights", "indegree", "sourceweights", "outdegree", "destweights")
        self.add("checks-color", "color")

    def requests(self):
        roles = self.function.roles
        if "starts-requests" in roles:
            self.add("checks-started-requests")
        elif self.function.wait in ("all-requests", "any-request"):
            self.add("checks-awaited-requests")
        elif roles & {"frees-request", "cancels-request"}:
            self.add("checks-request")
        if "readies-partition" in roles:
            self.add("checks-ready-partition", "partition")
        self.add("checks-ready-range", "partition_low", "partition_high")
        self.add("checks-ready-list", "length", "array_of_partitions")

    def outputs(self):
        """Results: what the call makes, and what tells whether it is complete."""
        function = self.function
        for use in function.uses:
            if use.role in MAKING and use.positions:
                self.add("checks-output", function.parameters[use.positions[0] - 1])
        if "_set_" not in function.name:
            self.add("checks-output", "flag")
        if "status" in function.roles:
            self.add("checks-status", "status")
        if "statuses" in function.roles:
            self.add("checks-statuses", "count", "array_of_statuses") or self.add("checks-statuses", "incount", "array_of_statuses")

    def sizes(self):
        """Counts and sizes of what is made: datatypes, windows, partitions."""
        function = self.function
        if any(role.startswith("makes-type") for role in function.roles):
            self.add("checks-count", "count")
            self.add("checks-size", "blocklength")
            self.add("checks-sizes", "count", "array_of_blocklengths")
            self.add("checks-types", "count", "array_of_types")
            self.add("checks-subarray", "ndims", "array_of_sizes", "array_of_subsizes", "array_of_starts")
        if function.klass == "window" and "rank" not in function.parameters:
            self.add("checks-size", "size")
            self.add("checks-unit", "disp_unit")
            self.add("checks-memory", "base", "size")
        if "commits-type" in function.roles:
            self.add("checks-type", "datatype")
        self.add("checks-count", "partitions")
        if "inbuf" in function.parameters:
            self.add("reads-here", "inbuf", "incount", "datatype") and self.add("checks-memory", "outbuf", "outsize")
            self.add("writes-here", "outbuf", "outcount", "datatype") and self.add("checks-memory", "inbuf", "insize")

    def envelope(self):
        self.add("checks-rank", "dest")
        self.add("checks-source", "source")
        self.add("checks-tag", "tag", "dest") or self.add("checks-tag", "sendtag", "dest")
        self.add("checks-received-tag", "tag", "source") or self.add("checks-received-tag", "recvtag", "source")
        if self.function.klass == "point-to-point" and "probed" not in self.function.roles and "persistent" not in self.function.roles:
            self.add("checks-probed", "source", "tag") or self.add("checks-probed", "source", "recvtag")
        if self.function.klass == "collective":
            self.add("checks-root", "root")
            self.add("checks-reduction", "op", "datatype")

    def attached(self):
        """Buffers of buffered sends: of the process, or of a communicator or session."""
        function = self.function
        if function.klass != "point-to-point":
            return
        self.add("checks-memory", "buffer", "size")
        if function.parameters == ("buffer", "size"):
            self.add("checks-attaching")
            self.add("notes-attached", "buffer", "size")
        elif function.parameters == ("buffer_addr", "size"):
            self.add("notes-detached")
        elif {"buffer", "size"} <= set(function.parameters):
            self.add("notes-attached-elsewhere")
        if "buffered" in function.marks and "persistent" not in function.roles:
            self.add("checks-buffered", *PLAIN[1:], "dest")

    def in_place(self):
        """Buffers of collective calls for which MPI_IN_PLACE is not allowed, or only at the root."""
        roles, never = self.function.roles, "checks-never-in-place"
        if self.function.collective == "neighbors":
            self.add(never, "sendbuf")
            self.add(never, "recvbuf")
        elif roles & {"gather", "gatherv", "reduce"}:
            self.add("checks-in-place-at-root", "sendbuf", "root")
            self.add("checks-never-in-place-at-root", "recvbuf", "root")
        elif roles & {"scatter", "scatterv"}:
            self.add("checks-in-place-at-root", "recvbuf", "root")
            self.add("checks-never-in-place-at-root", "sendbuf", "root")
        else:
            self.add("checks-in-place", "sendbuf")
            self.add(never, "recvbuf")
            self.add(never, "buffer")

    def data(self):
        function = self.function
        if function.klass == "point-to-point" and "partitions" not in function.parameters:
            self.messages()
        elif function.klass == "collective" and function.collective != "neighbors":
            self.collective()
        elif function.klass == "io":
            self.add("reads-here" if "written" in function.roles else "writes-here", *PLAIN)
            for end, role in ("_begin", "notes-split-begun"), ("_end", "notes-split-ended"):
                if function.name.removesuffix("_c").endswith(end):
                    self.add(role)
        elif function.collective != "neighbors":  # a process may have none
            self.add("checks-data", *PLAIN[1:])

    def messages(self):
        if "buf" in self.function.parameters and {"dest", "source"} <= set(self.function.parameters):
            self.add("receives-from", *PLAIN, "source")
        else:
            self.add("sends-to", *PLAIN, "dest")
            self.add("receives-from", *PLAIN, "source")
        self.add("sends-to", *SENT, "dest")
        self.add("receives-from", *RECEIVED, "source")

    def collective(self):
        roles = self.function.roles
        plain = {
            "bcast": lambda: self.add("broadcasts", "buffer", "count", "datatype", "root"),
            "gather": lambda: self.add("reads", *SENT) and self.add("writes-blocks-at-root", *RECEIVED, "root"),
            "gatherv": lambda: self.add("reads", *SENT) and self.add("writes-varying-blocks-at-root", "recvbuf", "recvcounts", "displs", "recvtype", "root"),
            "scatter": lambda: self.add("reads-blocks-at-root", *SENT, "root") and self.add("writes", *RECEIVED),
            "scatterv": lambda: self.add("reads-varying-blocks-at-root", "sendbuf", "sendcounts", "displs", "sendtype", "root") and self.add("writes", *RECEIVED),
            "allgather": lambda: self.add("reads", *SENT) and self.add("writes-blocks", *RECEIVED),
            "allgatherv": lambda: self.add("reads", *SENT) and self.add("writes-varying-blocks", "recvbuf", "recvcounts", "displs", "recvtype"),
            "alltoallv": lambda: self.add("reads-varying-blocks", "sendbuf", "sendcounts", "sdispls", "sendtype") and self.add("writes-varying-blocks", "recvbuf", "recvcounts", "rdispls", "recvtype"),
            "alltoallw": lambda: self.add("reads-typed-blocks", "sendbuf", "sendcounts", "sdispls", "sendtypes") and self.add("writes-typed-blocks", "recvbuf", "recvcounts", "rdispls", "recvtypes"),
            "reduce-scatter": lambda: self.add("reduces-blocks", "sendbuf", "recvbuf", "recvcounts", "datatype"),
            "alltoall": lambda: self.add("reads-blocks", *SENT) and self.add("writes-blocks", *RECEIVED),
            "reduce": lambda: self.add("reads", "sendbuf", "count", "datatype") and self.add("writes-at-root", "recvbuf", "count", "datatype", "root"),
            "allreduce": lambda: self.add("reads", "sendbuf", "count", "datatype") and self.add("writes", "recvbuf", "count", "datatype"),
            "exscan": lambda: self.add("reads", "sendbuf", "count", "datatype"),
            "reduce-scatter-block": lambda: self.add("reads-blocks", "sendbuf", "recvcount", "datatype") and self.add("writes", "recvbuf", "recvcount", "datatype"),
        }
        for role, add in plain.items():
            if role in roles:
                add()

    def window(self):
        function = self.function
        if "target_rank" not in function.parameters:
            self.add("checks-rank", "rank")
            self.add("checks-window-memory")
            if "flushes" in function.marks or "flushes-origin" in function.marks:
                self.add("checks-flush")
                self.add("continues-by-completion")
                self.add("ends-accesses" if "flushes" in function.marks else "ends-origins")
            if "closes-exposure" in function.roles:
                self.add("notes-wait", "flag") or self.add("notes-wait")
            return
        self.add("checks-rank", "target_rank")
        self.add("checks-epoch", "target_rank")
        self.add("checks-accumulation", "op")
        self.add("reaches-target", "target_rank", "target_disp", "target_count", "target_datatype")
        self.add("continues-by-reading" if "gets" in function.roles or "result_addr" in function.parameters else "continues-by-access")
        place = ("target_rank", "target_disp", "target_count", "target_datatype")
        ends_with_epoch = "request" not in function.roles  # else perhaps earlier: what it gets is there with its request
        if ends_with_epoch or not {"gets", "get-accumulate"} & function.roles:
            self.add("accumulates-at", *place, "op") or self.add("gets-at" if "gets" in function.roles else "puts-at", *place)
        else:
            self.add("accumulates-by-request", *place, "op") or self.add("gets-by-request", *place)
        element = ("target_rank", "target_disp", "datatype")
        self.add("fetches-at", *element, "op") or self.add("swaps-at", *element)
        if "result_addr" in function.parameters:  # with MPI_NO_OP the origin has no meaning
            self.add("combines", *ORIGIN, "op") or self.add("combines-element", "origin_addr", "datatype", "op") or self.add("reads-element", "origin_addr", "datatype")
            self.add("reads-element", "compare_addr", "datatype")
            self.add("writes", "result_addr", "result_count", "result_datatype") or self.add("writes-element", "result_addr", "datatype")
            if ends_with_epoch:
                self.add("keeps-origin")
            return
        self.add("writes" if "gets" in function.roles else "reads", *ORIGIN)
        target = ("target_count", "target_datatype")
        self.add("checks-room", *(target + ORIGIN[1:] if "gets" in function.roles else ORIGIN[1:] + target))
        if ends_with_epoch:
            self.add("keeps-origin")
