"""Written by `python3 -m gen --debugger` from include/callsign/debug.h, journal/format.h and gen/model: change those, not this."""

from .shape import Shape

# Constants of the headers.
DEBUG_MAGIC = b'\x89CALLSIGN-DBG\r\n\x1a'
DEBUG_BYTE_ORDER = 0x1020304
DEBUG_MAJOR = 1
DEBUG_MINOR = 0
DEBUG_SEGMENTS = 24
PEER_ANY = -1
PEER_NULL = -2
PEER_ROOT = -3
TAG_ANY = -1
NO_PEER = -2147483648
NO_TAG = -2147483648
REQUEST_FORTRAN = 0x8000000000000000
DEBUG_FORKED = 1
DEBUG_ENDED = 2
JOURNAL_MAGIC = b'CSJOURN\n'
JOURNAL_BYTE_ORDER = 0x1020304
JOURNAL_PAGE = 4096
BLOCK_MAGIC = 0x4b425343
SITE_STACK = 0x8000000000000000
SITE_PARTIAL = 0x8000000000000000
PEER_OTHERS = -4
NO_BYTES = 0xffffffffffffffff
STACK_DEPTH = 64
STACKS_MOST = 0x10000
AWAITED_KEPT = 256
PEERS_KEPT = 4096
TAGS_KEPT = 512
MOVES_KEPT = 64
ANSWER_BYTES = 256
REQUESTS_SHOWN = 32768
COLLECTIVE_GROUP = 8
RING_WORDS = 499
PACKED_WORDS = 498
COURSE_THREAD = 160
COURSE_REGION = 76
COURSE_STRETCH = 24
SYNCHRONIZATION_LAST = 16
ENTRY_KIND = 7
ENTRY_WIDE = 8
ENTRY_SENDS = 16
ENTRY_WINDOW = 16
ENTRY_WORDS = 5
ENTRY_SPAN_BITS = 40
ENTRY_NO_PEER = 0x800000
ENTRY_NTH_BITS = 10
ENTRY_NUMBER_BITS = 38
JOURNAL_VERSION = 1

# enum cs_clock_kind
CLOCK_MONOTONIC = 1
CLOCK_TSC = 2
CLOCK_CNTVCT = 3

# enum callsign_kind
COMMUNICATOR = 1
DATATYPE = 2
WINDOW = 3
GROUP = 4
OP = 5
ERRHANDLER = 6
INFO = 7
REQUEST = 8
FILE = 9
SESSION = 10
KEYVAL = 11
MESSAGE = 12
MEMORY = 13
PORT = 14
TOOL_HANDLE = 15
GREQUEST_CLASS = 16

# enum callsign_origin
UNNAMED = 0
PROGRAM = 1
MPI = 2
RULE = 3
DERIVED = 4

# enum callsign_object_flag
OBJECT_INTERNAL = 1
OBJECT_PREDEFINED = 2
OBJECT_ADOPTED = 4
OBJECT_APPLIED = 8
OBJECT_DUPLICATE = 16
OBJECT_FILLS = 32
OBJECT_GRID = 64

# enum callsign_state
EMPTY = 0
LIVE = 1
FREED = 2

# enum callsign_request_flag
REQUEST_RECEIVES = 1
REQUEST_PERSISTENT = 2
REQUEST_ACTIVE = 4
REQUEST_CANCELLED = 8
REQUEST_INTERNAL = 16
REQUEST_SENDS = 128

# enum cs_object_flag, private ones
OBJECT_COUNTS = 128
OBJECT_HOLDS = 256
OBJECT_ON_NODE = 512
OBJECT_COMMITTED = 2048
OBJECT_SYNCHRONIZES = 1024

# enum cs_request_flag, private ones
REQUEST_MIXED = 32
REQUEST_COUNTED = 64
REQUEST_SHARED = 256

# Words of traces for the numbers of enumerations.
OUTCOME_WORDS = {0: "running", 1: "finalized", 2: "aborted", 3: "exited", 4: "died"}
UNKNOWN_USAGE_WORDS = {1: "delay", 2: "bytes", 4: "quota", 8: "steal", 16: "instructions", 32: "cycles", 64: "counter_1", 128: "counter_2",
    256: "busy"}
THREAD_DOING_WORDS = {0: "outside", 1: "inside", 2: "ended"}
KIND_WORDS = {1: "communicator", 2: "datatype", 3: "window", 4: "group", 5: "op", 6: "errhandler", 7: "info", 8: "request", 9: "file", 10: "session",
    11: "keyval", 12: "message", 13: "memory", 14: "port", 15: "tool_handle", 16: "grequest_class"}
DETAIL_KEY_WORDS = {1: "color", 2: "key", 3: "split_type", 4: "info", 5: "tag", 6: "stringtag", 7: "local_leader", 8: "remote_leader", 9: "high",
    10: "dims", 11: "periods", 12: "reorder", 13: "remain_dims", 14: "index", 15: "edges", 16: "indegree", 17: "outdegree", 18: "sources",
    19: "degrees", 20: "destinations", 21: "command", 22: "commands", 23: "maxprocs", 24: "root", 25: "port_name", 26: "fd", 27: "size",
    28: "disp_unit", 29: "filename", 30: "amode", 31: "count", 32: "blocklength", 33: "stride", 34: "blocklengths", 35: "displacements", 36: "types",
    37: "sizes", 38: "subsizes", 39: "starts", 40: "order", 41: "rank", 42: "gsizes", 43: "distribs", 44: "dargs", 45: "psizes", 46: "lb",
    47: "extent", 48: "p", 49: "r", 50: "commute", 51: "ranks", 52: "pset_name"}
DETAIL_FORM_WORDS = {1: "integer", 2: "integers", 3: "text", 4: "pairs", 5: "objects", 6: "texts"}

# The type of blocks of facts.
BLOCK_LOG = 1

# Structures: each field and its format, see the module struct; the number of the fact or block. Arrays are bytes.
CLOCK_PAIR = Shape("ticks:Q monotonic_ns:Q realtime_ns:Q")
RECORD = Shape(
    "handle:Q bytes:q name:Q id:I parent:I size:i rank:i remote_size:i in_degree:i out_degree:i flags:I kind:B origin:B function:H state:I uid:Q "
    "created_pc:Q named_pc:Q freed_pc:Q created_ticks:Q fortran_handle:i detail:I previous:I named:I references:I made_on:I")
DETAIL = Shape("bytes:Q")
CALL = Shape("thread:Q site:Q since_ticks:Q peer:i tag:i object:I function:H unknown_kind:B waits:B")
THREAD = Shape(
    "next:Q journal_state:Q number:I tid:I depth:I ended:I last_site:Q last_ticks:Q last_peer:i last_tag:i last_object:I last_function:H reserved:B "
    "last_waits:B calls:128s")
CONSTANT = Shape("handle:Q kind:I name:44s")
REQUESTS = Shape("slots:Q mask:Q count:Q")
REQUEST = Shape("handle:Q site:Q object:I function:H reserved:H reserved2:16s made:I references:I flags:I peer:i tag:i :4x bytes:Q reserved3:32s")
INSTANT = Shape("ticks:Q monotonic_ns:Q realtime_ns:Q")
DEBUG = Shape(
    "magic:16s byte_order:I major:H minor:H header_bytes:I record_bytes:I self:Q epoch:Q records:Q index:Q first_record_log2:I first_string_log2:I "
    "pid:I world_rank:i world_size:i handle_bytes:I flags:Q mpi:64s string_bytes_used:192s record_segment:192s string_segment:192s threads:Q "
    "functions:Q functions_bytes:Q constants:Q constant_count:Q requests:Q messages:Q journal:Q ticks_per_second:Q first_ticks:Q "
    "first_monotonic_ns:Q first_realtime_ns:Q last_ticks:Q last_monotonic_ns:Q last_realtime_ns:Q")
INDEX = Shape("slots:Q filled:Q")
JOURNAL_HEADER = Shape(
    "magic:8s version:I byte_order:I callsign:16s header_bytes:I outcome:I rank:i size:i pid:I clock_kind:I process_start:Q ticks_per_second:Q "
    "first_ticks:Q first_monotonic_ns:Q first_realtime_ns:Q last_ticks:Q last_monotonic_ns:Q last_realtime_ns:Q init_ticks:Q finalize_ticks:Q "
    "used_bytes:Q lost:Q run_hash:Q items:Q boot:Q pid_namespace:Q locked:Q closed:Q")
BLOCK = Shape("magic:I type:I bytes:Q used:Q thread:I item_bytes:I reserved:32s")
FACT = Shape("type:H flags:H bytes:I ticks:Q")
JOURNAL_DETAIL = Shape("key:H form:H bytes:I")
FACT_META = Shape("fact_type:H fact_flags:H fact_bytes:I fact_ticks:Q", 1)
FACT_PYTHON_FRAME = Shape("fact_type:H fact_flags:H fact_bytes:I fact_ticks:Q number:I line:i", 27)
FACT_STACK = Shape("fact_type:H fact_flags:H fact_bytes:I fact_ticks:Q stack:I count:I", 14)
FACT_OBJECT = Shape(
    "fact_type:H fact_flags:H fact_bytes:I fact_ticks:Q object:I parent:I kind:H function:H flags:I handle:Q fortran_handle:q site:Q uid:Q family:Q "
    "rule:I origin:H detail_bytes:H", 3)
FACT_NAME = Shape("fact_type:H fact_flags:H fact_bytes:I fact_ticks:Q object:I origin:I site:Q", 8)
FACT_FREED = Shape("fact_type:H fact_flags:H fact_bytes:I fact_ticks:Q object:I function:H calls:H site:Q call_site:Q call_ticks:Q", 9)
FACT_COMMUNICATOR = Shape("fact_type:H fact_flags:H fact_bytes:I fact_ticks:Q object:I size:i rank:i remote_size:i topology:i reserved:i", 4)
THREAD_STATE = Shape(
    "thread:I tid:I function:H doing:H object:I peer:i tag:i bytes:Q site:Q since_ticks:Q until_ticks:Q mpi_ticks:Q calls:Q threads:I "
    "request_flags:I collective:I source:i source_tag:i awaited:I began_ticks:Q lived_ticks:Q inner_function:H inner_reserved:H inner_object:I "
    "inner_peer:i inner_tag:i inner_site:Q inner_since_ticks:Q inner_collective:I inner_reserved2:I awaited_request:2048s course_interval:Q "
    "course_filled:Q course:1280s usage_samples:Q usage_ticks:Q usage_core_ns:Q usage_system_ns:Q usage_delay_ns:Q usage_sleeps:Q usage_switches:Q "
    "usage_minor_faults:Q usage_major_faults:Q usage_instructions:Q usage_cycles:Q usage_counter_1:Q usage_counter_2:Q usage_unknown:I "
    "usage_reserved:I usage_user_ns:Q usage_process_system_ns:Q usage_peak_bytes:Q usage_read_bytes:Q usage_written_bytes:Q usage_disk_read_bytes:Q "
    "usage_disk_written_bytes:Q usage_throttled_ns:Q usage_steal_ns:Q usage_busy_ns:Q usage_node_ns:Q", 2)
PROFILE_CELL = Shape("site:Q object:I function:H size_class:B region:B calls:Q ticks:Q min_ticks:Q max_ticks:Q sent_bytes:Q received_bytes:Q", 3)
