"""Numbers and structures of include/callsign/debug.h: layout 6.0."""

import struct

MAGIC = b"\x89CALLSIGN-DBG\r\n\x1a"
MAJOR = 6
SEGMENTS = 24

KINDS = {1: "communicator", 2: "datatype", 3: "window", 4: "group", 5: "op", 6: "errhandler", 7: "info", 8: "request", 9: "file", 10: "session",
         11: "keyval", 12: "message", 13: "memory", 14: "port", 15: "tool_handle", 16: "grequest_class"}
NUMBER = {word: number for number, word in KINDS.items()}
LIVE, FREED = 1, 2
UNNAMED, PROGRAM, MPI, RULE, DERIVED = range(5)
INTERNAL, PREDEFINED, ADOPTED, APPLIED, DUPLICATE = 1, 2, 4, 8, 16
FORKED, ENDED = 1, 2
NONE = -(1 << 31)  # no peer, no tag
PERSISTENT, ACTIVE = 2, 4
WAITS_RECEIVE, WAITS_SEND = 1, 128

# What Fortran has for these in Open MPI; in MPICH and its kin it has the handles of C.
FORTRAN = {"communicator": ("MPI_COMM_WORLD", "MPI_COMM_SELF", "MPI_COMM_NULL"), "datatype": ("MPI_DATATYPE_NULL",), "window": ("MPI_WIN_NULL",),
           "group": ("MPI_GROUP_NULL", "MPI_GROUP_EMPTY"), "op": ("MPI_OP_NULL",), "request": ("MPI_REQUEST_NULL",), "file": ("MPI_FILE_NULL",),
           "info": ("MPI_INFO_NULL",), "errhandler": ("MPI_ERRHANDLER_NULL", "MPI_ERRORS_ARE_FATAL", "MPI_ERRORS_RETURN")}


class Shape:
    """A structure: names of its fields, and how they lie."""

    def __init__(self, layout, names):
        self.layout, self.names = struct.Struct("<" + layout), names.split()
        self.bytes = self.layout.size

    def of(self, data):
        return Fields(zip(self.names, self.layout.unpack(data)))

    def at(self, memory, address):
        return self.of(memory.read(address, self.bytes))


class Fields(dict):
    __getattr__ = dict.__getitem__


HEADER = Shape("16sIHHIIQQQQIIIiiIQ64s192s192s192sQQQQQQQQQ3Q3Q",
               "magic byte_order major minor header_bytes record_bytes self epoch records index first_record_log2 first_string_log2 pid world_rank "
               "world_size handle_bytes flags mpi string_bytes_used record_segment string_segment threads functions functions_bytes constants "
               "constant_count requests messages journal ticks_per_second first_ticks first_monotonic first_realtime last_ticks last_monotonic "
               "last_realtime")
RECORD = Shape("QqQIIiiiiiIBBHIQQQQQiIIIII",
               "handle bytes name id parent size rank remote_size in_degree out_degree flags kind origin function state uid created_pc named_pc "
               "freed_pc created_ticks fortran_handle detail previous named references made_on")
CALL = Shape("QQQiiIHBB", "thread site since_ticks peer tag object function unknown_kind waits")
THREAD = Shape("QQIIIIQQiiIHBBQ", "next journal_state number tid depth ended last_site last_ticks last_peer last_tag last_object last_function "
               "last_waits reserved call")
CONSTANT = Shape("QI44s", "handle kind name")
REQUESTS = Shape("QQQ", "slots mask count")
REQUEST = Shape("QQIHHQQIIIii4xQ", "handle site object function reserved reserved2 reserved3 made references flags peer tag bytes")
assert (HEADER.bytes, RECORD.bytes, CALL.bytes, REQUEST.bytes) == (856, 128, 40, 72)
