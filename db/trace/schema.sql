-- callsign trace, schema version 3: the tables. One rank's file and a merged run have the same tables: every row carries the rank,
-- in MPI_COMM_WORLD, of the process that recorded it. The views (views/*.sql) read like answers and work on both.
--
--   *_ns      nanoseconds. Instants count from the rank's return from MPI_Init (process.zero_utc_ns says when that was); what
--             happened before is negative. A merged run counts on the clock of its lowest rank: process.clock_offset_ns was added
--   *_bytes   octets
--   NULL      not known, or did not happen. A column of a key has 0 for "none" instead
--
-- Every column has a comment; docs/schema.md is made from them. The comments are part of the trace: `.schema` shows them.
-- Change a table: raise user_version, adapt db/seal_*.c, db/run/merge.c and tests/sql.
PRAGMA application_id = 0x43414c4c; -- 'CALL'
PRAGMA user_version = 3;

CREATE TABLE meta ( -- about the recording: mpi, callsign, flavour, working_directory, not_recorded (libraries whose MPI calls led past callsign, with : between), and config.NAME for each setting in force
    rank INT NOT NULL, -- of the process
    key TEXT NOT NULL, -- what is told
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
    clock_offset_ns INT NOT NULL, -- what was added to this rank's instants when the run was merged; 0 in the file of one rank
    began_ns INT, -- when recording began: the first call of MPI
    init_ns INT, -- return of MPI_Init; NULL: not reached
    finalize_ns INT, -- entry of MPI_Finalize; NULL: not reached
    seal_ns INT, -- how long this trace then held the program, until it was written; NULL: the command made it later
    seen_ns INT, -- last instant of which the recording knows: the end of the last call, the last fact; running: when it was asked. A rank that died did so after this
    found_ns INT, -- when it was found dead: it died between seen_ns and this. NULL: it did not die, or the clocks disagree
    outcome TEXT NOT NULL, -- finalized, aborted (MPI_Abort), exited (without MPI_Finalize), died (killed or crashed), running
    last_function INT, -- call in which it was when it ended otherwise than by MPI_Finalize; NULL: in none. Of several threads the first: see thread
    last_object INT, -- communicator, window or file of that call
    last_peer INT, -- rank in that communicator that the call named; -1 MPI_ANY_SOURCE, -2 MPI_PROC_NULL, -3 MPI_ROOT
    last_tag INT, -- tag that the call named; -1 MPI_ANY_TAG
    last_bytes INT, -- that it was to send or had room to receive; NULL: not known
    last_site INT, -- from where it was made
    last_since_ns INT, -- when that call began
    threads INT NOT NULL, -- threads that called MPI
    calls INT NOT NULL, -- calls of MPI functions by the program, those from callbacks too
    mpi_ns INT NOT NULL, -- time inside MPI, all threads together; in calls that did not return, until seen_ns
    lost INT NOT NULL, -- calls and facts that could not be recorded
    damaged INT NOT NULL, -- 1: the journal was cut off or damaged, there may have been more
    run_hash INT); -- equal on all ranks of a run, differs between runs

CREATE TABLE thread ( -- what the threads that called MPI did last. A thread that ends leaves its row to the next new one
    rank INT NOT NULL, -- of the process
    thread INT NOT NULL, -- number of the row within the rank, from 0
    tid INT, -- the thread's number in the kernel
    threads INT NOT NULL, -- that had this row, one after the other; what follows is of the last one
    doing TEXT NOT NULL, -- inside: it was in this call (or had left it by longjmp, and made no other); outside: it had returned from it; ended: likewise, and the thread had ended
    function INT, -- the call that it was in, or else the last one that returned; NULL: none did
    object INT, -- communicator, window or file of that call
    peer INT, -- rank in that communicator that the call named; -1 MPI_ANY_SOURCE, -2 MPI_PROC_NULL, -3 MPI_ROOT. Waiting: of the first request under way
    tag INT, -- tag that the call named; -1 MPI_ANY_TAG. Waiting: likewise
    bytes INT, -- that it was to send or had room to receive; NULL: not known. Waiting: likewise
    site INT, -- from where the call was made
    since_ns INT, -- when it began
    until_ns INT, -- when the last call that returned did so: this one, unless inside
    calls INT NOT NULL, -- of MPI functions, all threads of the row together
    mpi_ns INT NOT NULL, -- in MPI, likewise; in a call that did not return, until process.seen_ns
    PRIMARY KEY (rank, thread)) WITHOUT ROWID;

CREATE TABLE function ( -- the MPI functions that occur in this trace; the numbers are the same in all traces
    function INTEGER PRIMARY KEY, -- number
    name TEXT NOT NULL, -- MPI_Send, ...
    class TEXT); -- lifecycle (MPI_Init, MPI_Finalize and their kin), point-to-point, collective, one-sided, io, completion, communicator, datatype, window, attribute, name, ...

CREATE TABLE frame ( -- places in code. Equal places have equal numbers in all traces
    frame INTEGER PRIMARY KEY, -- hash of the file name of module, build_id and offset
    module TEXT, -- path of the executable or library; NULL: the address lies in no known one
    build_id TEXT, -- its build id in hex, "" if it has none
    offset INT NOT NULL, -- return address in the module's own numbering: the call is the instruction before. module NULL: address
    function TEXT, -- function that contains it, C++ without parameters, template arguments as <...>; NULL: not resolved
    file TEXT, -- source file
    line INT, -- line in it
    function_signature TEXT); -- the function in full

CREATE TABLE site ( -- call paths as a tree. Equal paths have equal numbers in all traces
    site INTEGER PRIMARY KEY, -- hash of all frames of the path
    caller INT, -- site of the next outer frame; NULL: the path ends here
    frame INT NOT NULL); -- innermost frame

CREATE TABLE object ( -- every MPI object that the program made, was given, or found predefined
    rank INT NOT NULL, -- of the process
    object INT NOT NULL, -- number within the rank, in order of birth, from 1; never reused, unlike handles
    kind TEXT NOT NULL, -- communicator datatype window group op errhandler info request file session keyval message memory port tool_handle grequest_class, or unknown
    handle INT, -- as the C program sees it
    fortran_handle INT, -- as a Fortran program sees it
    name TEXT, -- the last one given; NULL: none
    name_origin TEXT, -- who gave it: program, mpi, rule; derived: nobody did, and it says how the object was made
    uid INT, -- the same on all processes that have a part in it; NULL: not known, or this process's alone
    family INT, -- the same for all that one collective call made: the parts of one MPI_Comm_split; NULL as uid
    parent INT, -- object it was made from; NULL: none or not known
    function INT, -- that made it; NULL: none
    site INT, -- where it was made
    born_ns INT, -- when
    internal INT NOT NULL, -- 1: made inside the MPI library, not by the program
    predefined INT NOT NULL, -- 1: the MPI's own, like MPI_COMM_WORLD and MPI_INT
    adopted INT NOT NULL, -- 1: first met in use, its birth was not seen
    freed_function INT, -- that freed it
    freed_site INT, -- where it was freed
    freed_ns INT, -- when; NULL: never
    detail TEXT, -- arguments of the call that made it, as JSON: {"color":1,"key":0}; of a longer list 32, then "..._count". NULL: nothing to tell
    PRIMARY KEY (rank, object)) WITHOUT ROWID;

CREATE TABLE naming ( -- every name given, in order
    rank INT NOT NULL, -- of the process
    object INT NOT NULL, -- that was named
    at_ns INT, -- when
    name TEXT, -- as the MPI keeps it, cut to MPI_MAX_OBJECT_NAME
    origin TEXT, -- program, mpi, rule, derived
    rule INT, -- line of the naming rule that gave it; NULL: none did
    site INT); -- where MPI_*_set_name was called

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
    members TEXT, -- world ranks as ranges "0-63:2,70", told by the first member only
    topology TEXT, -- none, graph, cart, dist_graph
    ready_ns INT, -- MPI_Comm_idup: when its request was complete; NULL: usable from birth, or never completed
    PRIMARY KEY (rank, object)) WITHOUT ROWID;

CREATE TABLE datatype ( -- what only datatypes have
    rank INT NOT NULL, -- of the process
    object INT NOT NULL, -- the datatype
    combiner TEXT, -- how it was made, as MPI_Type_get_envelope says: named, dup, contiguous, vector, ...
    size_bytes INT, -- data in one element
    lower_bound_bytes INT, -- where an element begins
    extent_bytes INT, -- from one element to the next
    commits INT NOT NULL, -- calls of MPI_Type_commit
    PRIMARY KEY (rank, object)) WITHOUT ROWID;

CREATE TABLE window ( -- what only windows have
    rank INT NOT NULL, -- of the process
    object INT NOT NULL, -- the window
    communicator INT, -- that it was made on
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
    function INT, -- that made it; NULL: predefined
    site INT, -- where it was made
    born_ns INT, -- when it was made; the last time when the MPI handed the number out repeatedly
    made INT NOT NULL, -- how often the number was handed out
    PRIMARY KEY (rank, kind, keyval)) WITHOUT ROWID;

CREATE TABLE attribute ( -- questions and answers about attributes: one row per distinct one
    rank INT NOT NULL, -- of the process
    object INT NOT NULL, -- that was asked
    keyval INT NOT NULL, -- number of the key
    operation TEXT NOT NULL, -- get, set, delete
    found INT NOT NULL, -- get: 1: there is such an attribute; set and delete: 1
    value_kind TEXT NOT NULL, -- none, address, integer (predefined: what it points to; Fortran integers), many (further ones, not kept)
    value INT NOT NULL, -- 0 if value_kind is none or many
    site INT NOT NULL, -- where it was asked; 0: not known
    calls INT NOT NULL, -- how often
    first_ns INT, -- when first
    last_ns INT, -- when last
    PRIMARY KEY (rank, object, keyval, operation, found, value_kind, value, site)) WITHOUT ROWID;

CREATE TABLE placement ( -- where the rank ran: at the start, when asked, when it was seen to have moved, at the end
    rank INT NOT NULL, -- of the process
    at_ns INT, -- when
    thread INT, -- that looked, from 0
    reason TEXT, -- start, asked (MPI_Get_processor_name), moved, end
    processor_name TEXT, -- what MPI_Get_processor_name answers; NULL: not asked
    cpu INT, -- number of the processor, as the kernel counts
    allowed_cpus TEXT); -- that the thread may run on, "0-3,8"

CREATE TABLE pcontrol ( -- calls of MPI_Pcontrol
    rank INT NOT NULL, -- of the process
    at_ns INT, -- when
    level INT); -- 0: profile paused, 1: resumed; others change nothing

CREATE TABLE profile ( -- all calls of the program, added up
    rank INT NOT NULL, -- of the process
    communicator INT NOT NULL, -- that the time belongs to; 0: none
    object INT NOT NULL, -- window or file of the calls; 0: neither
    function INT NOT NULL, -- that was called
    site INT NOT NULL, -- from where; 0: not known
    size_class INT NOT NULL, -- 0: no bytes; else floor(log2(bytes)) + 1 of the larger of sent and received in one call
    calls INT NOT NULL, -- how many. 0: a call that was counted elsewhere completed requests of this communicator
    time_ns INT NOT NULL, -- in these calls together
    min_ns INT, -- in the shortest; NULL: of none is it known, because calls is 0 or all were left by longjmp
    max_ns INT, -- in the longest; NULL likewise
    sent_bytes INT NOT NULL, -- passed in, each partner counted
    received_bytes INT NOT NULL, -- taken out, each partner counted
    PRIMARY KEY (rank, communicator, object, function, site, size_class)) WITHOUT ROWID;
