/* The live table of named MPI handles, for debuggers and other readers of a process's memory or core.
 *
 * A process with callsign has one `struct callsign_debug` in private memory, under the exported data symbol
 * callsign_debug of the flavour library. Without symbols, scan the writable memory for the magic. From there, plain
 * reads find everything, at any instant, without stopping the process or calling anything:
 *
 *   Record number n (from 0) is in the segment k at the place i with
 *       k = floor(log2(n / first + 1)), i = n - first * (2^k - 1), first = 1 << first_record_log2;
 *       segment k holds first << k records and begins at record_segment[k].
 *   A record counts if its `state` is not CALLSIGN_EMPTY; state is stored last, with release. Records never move.
 *   Strings are NUL-terminated, in UTF-8 or any bytes of the program; `name` is replaced by one 8-byte store.
 *   `epoch` is odd during an update; it only tells whether a cache is still valid.
 *   Unit number u (from 0) of the string memory, 16 bytes each, is in the segment k at the place i with
 *       k = floor(log2(u / units + 1)), i = u - units * (2^k - 1), units = 1 << (first_string_log2 - 4).
 *
 * All of this is private memory, so that a core contains it. Readers need nothing from the mapped file of the
 * journal, and nothing from unmodified pages of a library, which the kernel leaves out of cores.
 *
 * When the layout changes, raise CALLSIGN_DEBUG_MAJOR (readers must refuse) or CALLSIGN_DEBUG_MINOR (new fields). */
#ifndef CALLSIGN_DEBUG_H
#define CALLSIGN_DEBUG_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CALLSIGN_DEBUG_MAGIC      "\211CALLSIGN-DBG\r\n\032" /* 16 bytes, not ended by NUL */
#define CALLSIGN_DEBUG_BYTE_ORDER 0x01020304u
#define CALLSIGN_DEBUG_MAJOR      1u
#define CALLSIGN_DEBUG_MINOR      0u
#define CALLSIGN_DEBUG_SEGMENTS   24

/* Kinds of object. Traces, journals and debuggers store the numbers: never change one. */
enum callsign_kind {
    CALLSIGN_COMMUNICATOR = 1,
    CALLSIGN_DATATYPE,
    CALLSIGN_WINDOW,
    CALLSIGN_GROUP,
    CALLSIGN_OP,
    CALLSIGN_ERRHANDLER,
    CALLSIGN_INFO,
    CALLSIGN_REQUEST,
    CALLSIGN_FILE,
    CALLSIGN_SESSION,
    CALLSIGN_KEYVAL,
    CALLSIGN_MESSAGE,
    CALLSIGN_MEMORY,         /* from MPI_Alloc_mem; its handle is the address */
    CALLSIGN_PORT,           /* from MPI_Open_port; its handle is a hash of its name */
    CALLSIGN_TOOL_HANDLE,    /* from MPI_T: control and performance variables, their sessions, events */
    CALLSIGN_GREQUEST_CLASS, /* an extension of MPICH, which has no function to free it */
    CALLSIGN_KINDS
};

/* Source of a name. */
enum callsign_origin {
    CALLSIGN_UNNAMED,
    CALLSIGN_PROGRAM, /* a set_name call */
    CALLSIGN_MPI,     /* predefined, or invented by the MPI */
    CALLSIGN_RULE,    /* the user's naming rules */
    CALLSIGN_DERIVED  /* lineage */
};

/* Bits in the flags of an object. */
enum callsign_object_flag {
    CALLSIGN_OBJECT_INTERNAL = 1,   /* created inside the MPI library */
    CALLSIGN_OBJECT_PREDEFINED = 2, /* the MPI's own */
    CALLSIGN_OBJECT_ADOPTED = 4,    /* its creation was not seen */
    CALLSIGN_OBJECT_APPLIED = 8,    /* callsign set its name in the MPI */
    CALLSIGN_OBJECT_DUPLICATE = 16, /* a communicator with the properties of its parent */
    CALLSIGN_OBJECT_FILLS = 32,     /* the MPI fills the whole buffer with a name */
    CALLSIGN_OBJECT_GRID = 64       /* a communicator with a Cartesian topology */
};

enum callsign_state { CALLSIGN_EMPTY, CALLSIGN_LIVE, CALLSIGN_FREED };

struct callsign_record {
    uint64_t handle; /* handle in C; MPICH: the 32-bit value */
    int64_t bytes; /* datatype: size of one element; window: size of the local part; keyval: size of Fortran's integers
                      for its values, 0: from C */
    uint64_t name; /* address of the name; 0: none */
    uint32_t id;   /* birth number, from 1; never reused, unlike the record */
    uint32_t parent;               /* id of the object that it was made from; 0: none or unknown */
    int32_t size, rank;            /* communicator, window, file; -1 otherwise */
    int32_t remote_size;           /* intercommunicator; -1: not one */
    int32_t in_degree, out_degree; /* communicator with topology: numbers of neighbours; otherwise 0 */
    uint32_t flags;                /* enum callsign_object_flag; others are private */
    uint8_t kind;                  /* enum callsign_kind */
    uint8_t origin;                /* enum callsign_origin of the name */
    uint16_t function;             /* number of the MPI function that made it; 0: not seen */
    uint32_t state;                /* enum callsign_state; stored last */
    uint64_t uid; /* equal on all processes that share it; 0: unknown. Datatype: hash of its basic types */
    uint64_t created_pc, named_pc, freed_pc; /* return addresses, or stacks that begin with a line of Python; 0: unknown
                                                or not yet */
    uint64_t created_ticks;
    int32_t fortran_handle; /* INT32_MIN: not known */
    uint32_t detail; /* datatype, file: its creating arguments, for readers that compose a name: number + 1 of the unit
                        of string memory with a struct callsign_detail; 0: none */
    uint32_t previous;   /* id of the former object with this handle; 0: none */
    uint32_t named;      /* number of times that it was named */
    uint32_t references; /* number of times that the MPI returned this handle */
    uint32_t made_on; /* private. Live: collective creations on it so far; dead: the next dead record, because records
                         are reused, oldest first */
};

/* The arguments that an object was made with, as journal/detail.h has them: items of a 16-bit key, a 16-bit form, 32
   bits with the length of the values, and the values. */
struct callsign_detail {
    uint64_t bytes; /* size of the items */
    uint64_t items[];
};

/* Special values of peer and tag. */
#define CALLSIGN_PEER_ANY  (-1)
#define CALLSIGN_PEER_NULL (-2)
#define CALLSIGN_PEER_ROOT (-3)
#define CALLSIGN_TAG_ANY   (-1)
#define CALLSIGN_NO_PEER   INT32_MIN
#define CALLSIGN_NO_TAG    INT32_MIN

/* Bits in the flags of a request. */
enum callsign_request_flag {
    CALLSIGN_REQUEST_RECEIVES = 1,
    CALLSIGN_REQUEST_PERSISTENT = 2,
    CALLSIGN_REQUEST_ACTIVE = 4, /* started and not completed */
    CALLSIGN_REQUEST_CANCELLED = 8,
    CALLSIGN_REQUEST_INTERNAL = 16, /* made inside the MPI library */
    CALLSIGN_REQUEST_SENDS = 128
};

/* A call of a thread, in the frame of the wrapper. */
struct callsign_call {
    uint64_t thread;      /* address of its struct callsign_thread; any other value: the call has only begun */
    uint64_t site;        /* return address into the program, or a stack that begins with a line of Python */
    uint64_t since_ticks; /* 0: not inside the MPI yet */
    int32_t peer, tag;    /* rank in the communicator, message tag, or the values above */
    uint32_t object;      /* id of its communicator, window or file; 0: none */
    uint16_t function;    /* number */
    uint8_t unknown_kind; /* enum callsign_kind of a handle that is not in the table; 0: none */
    uint8_t waits; /* transfer with `peer`: CALLSIGN_REQUEST_RECEIVES, CALLSIGN_REQUEST_SENDS; 0: unknown, or no wait */
};

/* A thread's activity. Records of ended threads are reused. */
struct callsign_thread {
    uint64_t next; /* address of the next one; 0: none */
    uint64_t journal_state;
    uint32_t number, tid;
    uint32_t depth;                 /* number of nested calls; 0: outside MPI */
    uint32_t ended;                 /* it ended */
    uint64_t last_site, last_ticks; /* call site and return time of the last completed call; 0: none yet */
    int32_t last_peer, last_tag;
    uint32_t last_object;
    uint16_t last_function;
    uint8_t reserved, last_waits;
    uint64_t calls[16]; /* calls[d]: address of the struct callsign_call inside d others, for each d below depth */
};

/* A handle that mpi.h names. */
struct callsign_constant {
    uint64_t handle;
    uint32_t kind; /* enum callsign_kind */
    char name[44];
};

/* Incomplete requests, or matched messages that are not received; also persistent requests. */
struct callsign_requests {
    uint64_t slots; /* address of struct callsign_request[mask + 1]; 0: none yet */
    uint64_t mask, count;
};
struct callsign_request { /* open addressing, linear probing; slot = (x ^ x >> 48) & mask, x = handle *
                             0x9e3779b97f4a7c15 */
    uint64_t handle;      /* handle in C; with CALLSIGN_REQUEST_FORTRAN: the INTEGER in Fortran */
    uint64_t site;        /* call site of the call that began it: return address, or a stack */
    uint32_t object;      /* communicator, window or file */
    uint16_t function;    /* that began it */
    uint16_t reserved;
    uint64_t reserved2[2];
    uint32_t made;
    uint32_t references; /* 0: empty */
    uint32_t flags;      /* enum callsign_request_flag; others are private */
    int32_t peer, tag;
    uint64_t bytes; /* size of the message or the receive buffer; UINT64_MAX: unknown */
    uint64_t reserved3[4];
};
#define CALLSIGN_REQUEST_FORTRAN ((uint64_t)1 << 63)

/* One instant. Two of them, or ticks_per_second, convert ticks to time. */
struct callsign_instant {
    uint64_t ticks;
    uint64_t monotonic_ns, realtime_ns; /* CLOCK_MONOTONIC, CLOCK_REALTIME */
};

#define CALLSIGN_DEBUG_FORKED 1u /* a child of the recorded process: state of its parent at the fork */
#define CALLSIGN_DEBUG_ENDED  2u /* recording is over: state at that time */

struct callsign_debug {
    char magic[16];
    uint32_t byte_order;
    uint16_t major, minor;
    uint32_t header_bytes, record_bytes;
    uint64_t self;    /* address of this structure: detects a wrong symbol */
    uint64_t epoch;   /* odd while being updated */
    uint64_t records; /* records used so far */
    uint64_t index;   /* address of a struct callsign_index; replaced as a whole, old ones stay readable */
    uint32_t first_record_log2, first_string_log2;
    uint32_t pid;
    int32_t world_rank, world_size; /* -1 before MPI_Init has returned */
    uint32_t handle_bytes;          /* 4: MPICH and derivatives, 8: pointers */
    uint64_t flags;                 /* CALLSIGN_DEBUG_* */
    char mpi[64];                   /* first line of the MPI's version text, cut */
    uint64_t string_bytes_used[CALLSIGN_DEBUG_SEGMENTS];
    uint64_t record_segment[CALLSIGN_DEBUG_SEGMENTS];
    uint64_t string_segment[CALLSIGN_DEBUG_SEGMENTS];
    uint64_t threads;   /* address of the first struct callsign_thread; 0: no thread has called MPI */
    uint64_t functions; /* address of a text with a line of properties for each MPI function: "1016 MPI_Recv
                           class:point-to-point transfer:receive". Readers skip unknown words */
    uint64_t functions_bytes;
    uint64_t constants; /* address of struct callsign_constant[constant_count] */
    uint64_t constant_count;
    uint64_t requests, messages;         /* address of a struct callsign_requests */
    uint64_t journal;                    /* address of the journal's path; "": no file yet */
    uint64_t ticks_per_second;           /* exact, or 0 */
    struct callsign_instant first, last; /* start of the recording, and a later instant: usually the end of MPI_Init */
};

/* Live handles only: open addressing with linear probing; slot = hash & (slots - 1), hash = callsign_hash(kind,
 * handle). */
struct callsign_index {
    uint64_t slots; /* a power of two */
    uint64_t filled;
    uint64_t entry[]; /* 0: empty; UINT64_MAX: removed; else a record's number + 1 in the lower 32 bits, and the upper
                         32 bits of the hash in the upper 32 */
};

static inline uint64_t callsign_hash(uint32_t kind, uint64_t handle)
{
    uint64_t x = (handle ^ ((uint64_t)kind << 56)) * 0x9e3779b97f4a7c15u;
    return x ^ (x >> 29);
}

extern struct callsign_debug callsign_debug;

#ifdef __cplusplus
}
#endif

#endif
