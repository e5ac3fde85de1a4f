-- callsign trace: the tables. One rank's file and a merged run have the same tables: every row carries the rank,
-- in MPI_COMM_WORLD, of the process that recorded it. The views (views/*.sql) read like answers and work on both.
--
--   *_ns      nanoseconds. Instants count from the rank's return from MPI_Init (process.zero_utc_ns says when that was); what
--             happened before is negative. A merged run counts on the clock of its lowest rank: process.clock_offset_ns and
--             clock_drift_ppb say what was added. Durations are by the clock of the rank
--   *_bytes   octets
--   NULL      not known, or did not happen. A column of a key has 0 for "none" instead
--
-- Every column has a comment; docs/schema.md is made from them. The comments are part of the trace: `.schema` shows them.
-- Change a table: raise user_version, adapt db/trace/rows.c, what fills it in db/seal, and tests/sql; a column with a new name goes into db/run/merge_tables.c.
PRAGMA application_id = 0x43414c4c; -- 'CALL'
PRAGMA user_version = 8;

CREATE TABLE meta ( -- about the recording: mpi, callsign, flavour, working_directory, not_recorded (libraries whose MPI calls led past callsign, with : between), cpus_online, cpu_quota (how many processors the control groups allow at a time), memory_policy (of the kernel, with its NUMA nodes), memory_nodes (NUMA nodes of the cpuset), served_by_callsign (which names and attributes callsign keeps itself, because the MPI has no routines for them or CALLSIGN_FORCE says so), note.placement (what is not known of it), journal.still_s (of a process on another node that callsign hang takes to be alive: for how many seconds its journal had not changed), journal.writer (unknown: nobody here knew whether the process still ran), abort_code (of MPI_Abort), job.NAME (of the lowest rank, how the command of callsign run ended: see the view job), config.NAME for each setting in force, constant.NAME for numbers that are answers to questions about attributes, and environment.NAME for variables that say where ranks and threads run
    rank INT NOT NULL, -- of the process
    key TEXT NOT NULL, -- what it is about
    value ANY, -- as text
    PRIMARY KEY (rank, key)) WITHOUT ROWID;

CREATE TABLE process ( -- one row per rank: who it was, and how it ended
    rank INTEGER PRIMARY KEY, -- in MPI_COMM_WORLD; negative: the process never got a rank there (-pid)
    world_size INT, -- number of ranks in MPI_COMM_WORLD
    node TEXT, -- name of the machine, as its kernel knows it
    pid INT, -- process id on that machine
    program TEXT, -- path of the program
    arguments TEXT, -- its arguments
    thread_level TEXT, -- provided by MPI_Init_thread: MPI_THREAD_SINGLE, ...
    started_utc TEXT, -- when recording began, ISO 8601
    zero_utc_ns INT, -- instant 0 of this rank's *_ns columns, since 1970-01-01 UTC, by this node's clock
    zero_monotonic_ns INT, -- the same instant by the monotonic clock that all ranks of a node share
    clock_offset_ns INT NOT NULL, -- what was added to this rank's instant 0 when the run was merged; 0 in the file of one rank
    clock_drift_ppb INT, -- what was added to its later instants beside that, for each second in nanoseconds: by how much its clock runs slower than that of the lowest rank; NULL: not merged
    clock_error_ns INT, -- how far its instants in the merged run may be wrong, between MPI_Init and MPI_Finalize, against the clock of the lowest rank; 0 on its node. NULL: nothing bounds it, or not merged
    clock_contradiction_ns INT, -- bounds of its node's clock contradict each other by so much; NULL: they do not
    began_ns INT, -- when recording began: the first call of MPI
    init_ns INT, -- return of MPI_Init; NULL: not reached
    finalize_ns INT, -- entry of MPI_Finalize; NULL: not reached
    seal_ns INT, -- how long MPI_Finalize took to write this trace; NULL: the command wrote it later
    last_seen_ns INT, -- last instant that the recording knows of: the end of the last call, the last fact; of a running rank, when it was asked. A rank that died did so after this
    found_dead_ns INT, -- when it was found dead: it died between last_seen_ns and this. NULL: it did not die, or the clocks disagree
    outcome TEXT NOT NULL, -- finalized, aborted (MPI_Abort), exited (without MPI_Finalize), died (killed or crashed), running
    last_function INT, -- call in which it was when it ended otherwise than by MPI_Finalize; NULL: in none. Of several threads the first: see thread
    last_object INT, -- communicator, window or file of that call
    last_peer INT, -- rank in that communicator that the call named; -1 MPI_ANY_SOURCE, -2 MPI_PROC_NULL, -3 MPI_ROOT
    last_tag INT, -- tag that the call named; -1 MPI_ANY_TAG
    last_bytes INT, -- that it was to send or had room to receive; NULL: not known
    last_site INT, -- call site of it
    last_since_ns INT, -- when that call began
    threads INT NOT NULL, -- threads that called MPI
    calls INT NOT NULL, -- calls of MPI functions by the program, those from callbacks too
    mpi_ns INT NOT NULL, -- time inside MPI, all threads together; in calls that did not return, until last_seen_ns
    lost INT NOT NULL, -- calls and facts that could not be recorded
    damaged INT NOT NULL, -- 1: the journal was cut off or damaged, there may have been more
    run_hash INT); -- equal on all ranks of a run, differs between runs

CREATE TABLE thread ( -- what the threads that called MPI did last. A thread that ends leaves its row to the next new one
    rank INT NOT NULL, -- of the process
    thread INT NOT NULL, -- number of the row within the rank, from 0
    tid INT, -- the thread's number in the kernel
    threads INT NOT NULL, -- that had this row, one after the other; what follows is of the last one
    state TEXT NOT NULL, -- inside: in this call (or it had left it by longjmp and made no other since); outside: it had returned from it; ended: likewise, and the thread had ended
    function INT, -- the call that it was in, or else the last one that returned; NULL: none did
    object INT, -- communicator, window or file of that call
    peer INT, -- rank in that communicator that the call named; -1 MPI_ANY_SOURCE, -2 MPI_PROC_NULL, -3 MPI_ROOT. In a wait: of the first pending request
    tag INT, -- tag that the call named; -1 MPI_ANY_TAG. In a wait: likewise
    bytes INT, -- that it was to send or had room to receive; NULL: not known. In a wait: likewise
    site INT, -- call site
    since_ns INT, -- when it began
    until_ns INT, -- when the last call that returned did so: this one, unless inside
    calls INT NOT NULL, -- of MPI functions, all threads of the row together
    mpi_ns INT NOT NULL, -- in MPI, likewise; in a call that did not return, until process.last_seen_ns
    transfer TEXT, -- in a wait: what the first pending request does: send, receive, both; NULL: not known, or another call
    lived_ns INT, -- that these threads lived together, each from its first call of MPI until it ended, or until process.last_seen_ns; NULL: not recorded
    collective INT, -- inside a collective call: which of those on the object it is, see collective; NULL: not known, or another call
    source INT, -- inside a call that sends and receives: rank in the communicator that it receives from, as peer; NULL: another call
    source_tag INT, -- likewise: tag of what it receives
    awaited INT, -- inside a wait: how many requests it is on; the first 256 have the number of the thread in active_request
    inner_function INT, -- inside: the call that a callback of the program makes while the MPI runs it; NULL: none
    inner_object INT, -- of that: communicator, window or file
    inner_peer INT, -- of that, as peer
    inner_tag INT, -- of that
    inner_collective INT, -- of that, as collective
    inner_site INT, -- of that: call site
    inner_since_ns INT, -- when that began
    PRIMARY KEY (rank, thread)) WITHOUT ROWID;

CREATE TABLE function ( -- the MPI functions that occur in this trace; the numbers are the same in all traces
    function INTEGER PRIMARY KEY, -- number
    name TEXT NOT NULL, -- MPI_Send, ...
    class TEXT, -- lifecycle (MPI_Init, MPI_Finalize and their kin), point-to-point, collective, one-sided, io, completion, communicator, datatype, window, attribute, name, ...
    waits TEXT, -- what a call of it may have to wait for: send, synchronous-send, receive, message (the rest of one), exchange, all-requests, any-request, collective, target (of one-sided operations), others (processes that callsign cannot tell), everybody; NULL: nothing
    mode TEXT, -- blocking: it may wait; nonblocking: a request completes what it begins; persistent: MPI_Start begins it; start: it begins persistent operations; NULL: none of these
    transfer TEXT, -- where its data goes: send (to other processes, or to a file), receive, both; NULL: it moves none
    collective TEXT, -- all members call it, and wait for: all, from-root (for the root), to-root (the root for all), lower-ranks, neighbors, and-others (also for processes that are no members); NULL: it is not collective
    root INT, -- which of its arguments is the root, from 1; NULL: it has none
    op INT, -- which is the operation that combines data
    datatype INT, -- which is the datatype; of several that of what it sends
    synchronizing INT, -- 1: nobody leaves it before all members have entered it, at least if there is data
    creates TEXT, -- what names say of the communicator, window or file that it makes: dup, split, split_type, group, ...; NULL: it makes none
    duplicates INT); -- 1: what it makes is a copy of its parent, with attributes

CREATE TABLE frame ( -- levels of call stacks: return addresses in executables and libraries. Equal ones have equal numbers in all traces
    frame INTEGER PRIMARY KEY, -- hash of the file name of module, build_id and offset
    module TEXT, -- path of the executable or library; NULL: the address lies in no known one
    build_id TEXT, -- its build id in hex, "" if it has none
    offset INT NOT NULL, -- return address in the module's own numbering: the call is the instruction before. module NULL: address
    function TEXT, -- function that contains it, C++ without parameters, template arguments as <...>; NULL: not resolved
    file TEXT, -- source file
    line INT, -- line in it
    function_signature TEXT); -- the function in full

CREATE TABLE site ( -- call sites, each with its call stack: a tree. Equal stacks have equal numbers in all traces
    site INTEGER PRIMARY KEY, -- hash of all frames of the stack
    caller INT, -- site of the next outer frame; NULL: the stack ends here
    frame INT NOT NULL); -- innermost frame

CREATE TABLE object ( -- every MPI object that the program created or was handed, and the predefined ones that it used
    rank INT NOT NULL, -- of the process
    object INT NOT NULL, -- number within the rank, in order of creation, from 1; never reused, unlike handles
    kind TEXT NOT NULL, -- communicator datatype window group op errhandler info request file session keyval message memory port tool_handle grequest_class, or unknown
    handle INT, -- as the C program sees it
    fortran_handle INT, -- as a Fortran program sees it
    name TEXT, -- the last one given; NULL: none
    name_origin TEXT, -- who gave it: program, mpi, rule; derived: nobody did, and it says how the object was created
    uid INT, -- the same on all processes that share it; NULL: not known, or this process alone has it
    family INT, -- the same for all that one collective call created: the parts of one MPI_Comm_split; NULL as uid
    parent INT, -- object it was created from; NULL: none or not known
    function INT, -- that created it; NULL: none
    site INT, -- call site of that
    created_ns INT, -- when
    internal INT NOT NULL, -- 1: created inside the MPI library, not by the program
    predefined INT NOT NULL, -- 1: the MPI's own, like MPI_COMM_WORLD and MPI_INT
    adopted INT NOT NULL, -- 1: it was in use, and its creation was not seen
    freed_function INT, -- that freed it
    freed_site INT, -- call site of that
    freed_ns INT, -- when; NULL: never
    detail TEXT, -- arguments of the call that created it, as JSON: {"color":1,"key":0}; of a longer list 32, then "..._count". NULL: there are none
    PRIMARY KEY (rank, object)) WITHOUT ROWID;

CREATE TABLE naming ( -- every name that an object was given, in order, and the calls of MPI_*_set_name that the MPI refused
    rank INT NOT NULL, -- of the process
    object INT NOT NULL, -- that was named; 0: refused, and not known, as of a handle that is none
    at_ns INT, -- when
    name TEXT, -- as the MPI keeps it, cut to MPI_MAX_OBJECT_NAME; NULL: refused
    origin TEXT, -- program, mpi, rule, derived
    rule INT, -- line of the naming rule that gave it; NULL: none did
    site INT, -- call site of MPI_*_set_name
    kind TEXT, -- refused: kind of object that the function is for; NULL: as the object's
    error TEXT); -- why the MPI refused it: class, like MPI_ERR_COMM, or "code N" as in attribute; NULL: it did not

CREATE TABLE rule ( -- the naming rules in force (CALLSIGN_NAMES)
    rank INT NOT NULL, -- of the process
    rule INT NOT NULL, -- number: its line in the file
    text TEXT, -- conditions -> name
    PRIMARY KEY (rank, rule)) WITHOUT ROWID;

CREATE TABLE communicator ( -- what only communicators have
    rank INT NOT NULL, -- of the process
    object INT NOT NULL, -- the communicator
    size INT, -- number of processes in (the local group of) it
    own_rank INT, -- rank of this process in it
    remote_size INT, -- processes in the remote group; NULL: an intracommunicator
    members TEXT, -- world ranks as ranges "0-63:2,70", only in the row of the first member
    topology TEXT, -- none, graph, cart, dist_graph
    ready_ns INT, -- MPI_Comm_idup: when its request was complete; NULL: usable at once, or never completed
    PRIMARY KEY (rank, object)) WITHOUT ROWID;

CREATE TABLE exclusion ( -- calls that create communicators, from which this process got MPI_COMM_NULL: it passed MPI_UNDEFINED, or was in no group
    rank INT NOT NULL, -- of the process
    at_ns INT, -- when
    parent INT, -- communicator of the call; NULL: none or not known
    function INT, -- that was called
    number INT, -- how many such creations on that communicator there were, with this one; NULL: not counted
    family INT, -- as in object, of what others got from the same call; NULL: not known
    site INT); -- call site

CREATE TABLE pending_request ( -- requests that were pending when their communicator, window or file was freed: the MPI keeps that until they are complete
    rank INT NOT NULL, -- of the process
    object INT NOT NULL, -- the communicator, window or file
    function INT, -- that began the requests; NULL: several, beyond the first 32
    site INT, -- call site of that
    requests INT NOT NULL); -- how many

CREATE TABLE collective ( -- how many collective calls were begun on each living communicator, window or file: blocking ones, starts of nonblocking ones, creations of objects, its free. The members make them in the same order
    rank INT NOT NULL, -- of the process
    object INT NOT NULL, -- communicator, window or file
    begun INT NOT NULL, -- how many
    function INT, -- the last one
    root INT, -- rank that the last one named, as thread.peer; NULL: none
    PRIMARY KEY (rank, object)) WITHOUT ROWID;

CREATE TABLE active_request ( -- requests that were not complete when the process was asked, or when it ended otherwise than by MPI_Finalize; at most 32768
    rank INT NOT NULL, -- of the process
    request INT NOT NULL, -- number of the row within the rank
    object INT, -- communicator, window or file; NULL: not known
    function INT, -- that made it
    transfer TEXT, -- send, receive, both; NULL: neither, or not known
    peer INT, -- rank in the communicator, as thread.peer
    tag INT, -- -1 MPI_ANY_TAG
    bytes INT, -- that are sent, or that there is room for
    collective INT, -- which of the collective calls on the object made it, see collective; NULL: none
    partitions INT, -- that a partitioned send has; NULL: it is none
    ready INT, -- how many of them were marked as ready
    persistent INT NOT NULL, -- 1: it stays when it completes
    copies INT NOT NULL, -- how often the handle was given out at once: 1, or the MPI has one for several transfers that are complete
    site INT, -- call site of the call that made it
    thread INT, -- that waits for it; NULL: none does
    PRIMARY KEY (rank, request)) WITHOUT ROWID;

CREATE TABLE window_lock ( -- locks of windows that a process held likewise: between MPI_Win_lock and MPI_Win_unlock
    rank INT NOT NULL, -- of the process
    object INT NOT NULL, -- window
    target INT NOT NULL, -- rank in the window's communicator; -1: all, by MPI_Win_lock_all
    exclusive INT NOT NULL); -- 1: MPI_LOCK_EXCLUSIVE

CREATE TABLE synchronization ( -- calls of synchronizing collectives on communicators that may have members on several nodes: the 1st, 2nd, 4th, 8th, ... and the last 16. Nobody leaves such a call before everybody has entered it: the clocks of the nodes are bound to each other by that
    rank INT NOT NULL, -- of the process
    communicator INT NOT NULL, -- object; object.uid is the same on all members
    nth INT NOT NULL, -- number of the call among those on the communicator, from 1; the same on all members
    entered_ns INT, -- when it began; NULL: nobody had to wait for this rank, because its part of the data was empty
    left_ns INT, -- when it returned; NULL: this rank had to wait for nobody, likewise
    PRIMARY KEY (rank, communicator, nth)) WITHOUT ROWID;

CREATE TABLE datatype ( -- what only datatypes have
    rank INT NOT NULL, -- of the process
    object INT NOT NULL, -- the datatype
    combiner TEXT, -- how it was created, as MPI_Type_get_envelope says: named, dup, contiguous, vector, ...
    size_bytes INT, -- data in one element
    lower_bound_bytes INT, -- where an element begins
    extent_bytes INT, -- from one element to the next
    commits INT NOT NULL, -- calls of MPI_Type_commit
    PRIMARY KEY (rank, object)) WITHOUT ROWID;

CREATE TABLE window ( -- what only windows have
    rank INT NOT NULL, -- of the process
    object INT NOT NULL, -- the window
    communicator INT, -- that it was created on
    flavor TEXT, -- create, allocate, dynamic, shared
    model TEXT, -- separate, unified
    base INT, -- address of the local part
    size_bytes INT, -- of the local part
    displacement_unit_bytes INT, -- of the local part
    PRIMARY KEY (rank, object)) WITHOUT ROWID;

CREATE TABLE keyval ( -- attribute keys: predefined ones that were used, and those of the program
    rank INT NOT NULL, -- of the process
    kind TEXT NOT NULL, -- kind of object that it is for
    keyval INT NOT NULL, -- its number
    name TEXT, -- MPI_TAG_UB, ...; NULL: the program's own
    function INT, -- that created it; NULL: predefined
    site INT, -- call site of that
    created_ns INT, -- when; the last time if the MPI used the number again
    created INT NOT NULL, -- how often a key of this number was created
    PRIMARY KEY (rank, kind, keyval)) WITHOUT ROWID;

CREATE TABLE created_keyval ( -- what only those attribute keys have that the program created
    rank INT NOT NULL, -- of the process
    object INT NOT NULL, -- the key
    kind TEXT, -- kind of object that it is for
    keyval INT, -- its number, which the MPI may use again when it is freed
    language TEXT, -- of the call that created it: C; mpif.h: that or the module mpi, which have the same entry points; mpi_f08
    copy_function TEXT, -- what a duplicate gets: MPI_COMM_DUP_FN and its kin by name; NULL: a function of the program's
    copy_site INT, -- that function, as a site: its frame has the address behind the function's first byte
    delete_function TEXT, -- what is called at the end of a value: MPI_COMM_NULL_DELETE_FN and its kin by name; NULL likewise
    delete_site INT, -- that function likewise
    extra_state INT, -- what both functions are given: an address, or an integer of Fortran
    holders INT, -- objects that still had a value when the program freed the key, of those that it was seen to be set on; NULL: not freed
    PRIMARY KEY (rank, object)) WITHOUT ROWID;

CREATE TABLE attribute ( -- calls that get, set and delete attributes, and what they found: equal ones share a row
    rank INT NOT NULL, -- of the process
    object INT NOT NULL, -- that has or lacks it; 0: not known, as of a handle that the MPI refused
    kind TEXT, -- of objects that the key is for; NULL: as the object's
    keyval INT NOT NULL, -- number of the key
    operation TEXT NOT NULL, -- get, set, delete; free: of the key, only when refused; survey: callsign asked when MPI had begun; copy: callsign asked the duplicate of an object that has such an attribute, when it was complete
    found INT NOT NULL, -- get, survey, copy: 1: there is such an attribute; set and delete: 1; 0 with an error
    value_kind TEXT NOT NULL, -- none, address, integer (predefined: what it points to; Fortran integers), many (further ones, from the 4097th row of a thread on), error
    value INT NOT NULL, -- 0 if value_kind is none or many; error: its number in this MPI
    error TEXT, -- why the call failed: its class, if the MPI told one of the standard's (MPI_ERR_KEYVAL); else "code N", the number that the call returned: what a callback of the program returned, a class that the program added, or one that only this MPI knows (Open MPI: -5, to set a predefined key from Fortran); "other codes" from the 4097th row of a thread on; NULL: it did not
    site INT NOT NULL, -- call site; 0: not known
    calls INT NOT NULL, -- how often
    first_ns INT, -- when first
    last_ns INT, -- when last
    PRIMARY KEY (rank, object, keyval, operation, found, value_kind, value, site)) WITHOUT ROWID;

CREATE TABLE comparison ( -- calls of MPI_Comm_compare and MPI_Group_compare, equal ones added up
    rank INT NOT NULL, -- of the process
    kind TEXT NOT NULL, -- of what was compared: communicator, group
    first INT NOT NULL, -- object; 0: MPI_GROUP_EMPTY, or not known: from the 4097th pair of a thread on objects are not told apart
    second INT NOT NULL, -- the other one; 0 likewise
    answer TEXT NOT NULL, -- MPI_IDENT, MPI_CONGRUENT, MPI_SIMILAR, MPI_UNEQUAL
    site INT NOT NULL, -- call site; 0: not known
    calls INT NOT NULL, -- how often
    first_ns INT, -- when first
    last_ns INT, -- when last
    PRIMARY KEY (rank, kind, first, second, answer, site)) WITHOUT ROWID;

CREATE TABLE placement ( -- where the rank ran: at the start, when asked, when it was seen to have moved, at the end
    rank INT NOT NULL, -- of the process
    at_ns INT, -- when
    thread INT, -- that looked, from 0
    reason TEXT, -- start, asked (MPI_Get_processor_name), moved, end
    processor_name TEXT, -- what MPI_Get_processor_name returns; NULL: not called
    cpu INT, -- number of the processor, as the kernel counts; asked: NULL
    allowed_cpus TEXT, -- that the thread may run on, "0-3,8"; at start and end
    move INT, -- moved: which move of the thread it was, from 1. The first 64 and the last 64 have a row; thread_processor.moves has their number
    site INT, -- asked: call site
    calls INT, -- asked: how often this answer was given there; at_ns is the first time
    last_ns INT); -- asked: the last time

CREATE TABLE processor ( -- the processors that the rank was seen on, as its node's kernel describes them
    rank INT NOT NULL, -- of the process
    cpu INT NOT NULL, -- number of the processor, as the kernel counts
    core INT, -- its core, unique within the package; NULL: the kernel does not say
    package INT, -- its package (socket)
    numa_node INT, -- its NUMA node
    core_cpus TEXT, -- processors of the core, "0,64"
    package_cpus TEXT, -- processors of the package, "0-31,64-95"
    PRIMARY KEY (rank, cpu)) WITHOUT ROWID;

CREATE TABLE thread_processor ( -- how many calls each thread made on which processor. Where it is is seen at the end of each call
    rank INT NOT NULL, -- of the process
    thread INT NOT NULL, -- as in thread
    cpu INT NOT NULL, -- number of the processor
    calls INT NOT NULL, -- of MPI functions
    moves INT NOT NULL, -- how often it was seen there after it was seen on another one
    first_ns INT, -- when first
    last_ns INT, -- when last
    PRIMARY KEY (rank, thread, cpu)) WITHOUT ROWID;

CREATE TABLE traffic ( -- messages and one-sided transfers, by partner and added up: this process's account
    rank INT NOT NULL, -- of the process
    object INT NOT NULL, -- communicator of messages, window of transfers
    direction TEXT NOT NULL, -- send, receive: messages; put, get: one-sided, to and from the memory of the target; receive untold: receives of which no status told what came, because the request was freed first, or it was MPI_Isendrecv of MPICH; send untold: sends that were cancelled before their request was freed
    peer INT NOT NULL, -- rank of the partner in the communicator, in the remote group of an intercommunicator; -1 MPI_ANY_SOURCE; -2 MPI_PROC_NULL; -4: all beyond the first 4096 partners of a thread
    source INT, -- rank in MPI_COMM_WORLD where the data came from; NULL: MPI_PROC_NULL, several partners, or a process that is not in it
    dest INT, -- likewise, where it went
    messages INT NOT NULL, -- how many; not those that were cancelled, and received not those that nobody was told of
    bytes INT NOT NULL, -- data in them; received: what arrived
    time_ns INT NOT NULL, -- in the calls that sent or received them; waiting is shared evenly among the requests that it completed
    PRIMARY KEY (rank, object, direction, peer)) WITHOUT ROWID;

CREATE TABLE tag ( -- tags of messages, but those to and from MPI_PROC_NULL: this process's account
    rank INT NOT NULL, -- of the process
    communicator INT NOT NULL, -- of the messages
    direction TEXT NOT NULL, -- send, receive
    tag INT NOT NULL, -- tag, or the first of a range: beyond 512 tags from one call site on one communicator by one thread
    last_tag INT NOT NULL, -- the same, or the last of the range
    largest_tag INT NOT NULL, -- that was used, of those
    site INT NOT NULL, -- call site that sent, received or posted the receive; 0: not known
    messages INT NOT NULL, -- how many
    PRIMARY KEY (rank, communicator, direction, tag, last_tag, site)) WITHOUT ROWID;

CREATE TABLE pcontrol ( -- calls of MPI_Pcontrol
    rank INT NOT NULL, -- of the process
    at_ns INT, -- when
    level INT); -- 0: profile paused, 1: resumed; others change nothing

CREATE TABLE profile ( -- all MPI calls of the program, added up
    rank INT NOT NULL, -- of the process
    communicator INT NOT NULL, -- that the time belongs to; 0: none
    object INT NOT NULL, -- window or file of the calls; 0: neither
    function INT NOT NULL, -- that was called
    site INT NOT NULL, -- call site; 0: not known
    size_class INT NOT NULL, -- 0: no bytes; else floor(log2(bytes)) + 1 of the larger of sent and received in one call
    calls INT NOT NULL, -- how many. 0: a call that is counted in another row completed requests of this communicator
    time_ns INT NOT NULL, -- in these calls together
    min_ns INT, -- in the shortest; NULL: not known of any, because calls is 0 or all were left by longjmp
    max_ns INT, -- in the longest; NULL likewise
    sent_bytes INT NOT NULL, -- passed in, each partner counted
    received_bytes INT NOT NULL, -- taken out, each partner counted
    PRIMARY KEY (rank, communicator, object, function, site, size_class)) WITHOUT ROWID;
