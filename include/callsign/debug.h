/* The live table of named MPI handles, for debuggers and for anybody who reads the memory of a process or its core.
 *
 * A process with callsign has one `struct callsign_debug` in private memory, under the exported data symbol
 * callsign_debug of the flavour library; where symbols are missing, scan the writable memory for the magic. Everything
 * is found from there with plain reads, at any instant, without stopping or calling anything:
 *
 *   record number n (from 0) lies in the segment k and at the place i with
 *       k = floor(log2(n / first + 1)), i = n - first * (2^k - 1), first = 1 << first_record_log2;
 *       segment k holds first << k records and begins at record_segment[k].
 *   A record counts when its `state` is not CALLSIGN_EMPTY; state is stored last, with release. Records never move.
 *   Strings are NUL-terminated UTF-8 or whatever the program gave; `name` is replaced by one 8-byte store.
 *   `epoch` is odd while an update is under way; it only tells whether a cache is still good.
 *   The unit number u (from 0) of the string memory, 16 bytes each, lies in the segment k and at the place i with
 *       k = floor(log2(u / units + 1)), i = u - units * (2^k - 1), units = 1 << (first_string_log2 - 4).
 *
 * All of it is private memory, which is in a core: nothing that a reader needs is in the mapped file of the journal,
 * and nothing in the pages of a library that were not written, which the kernel leaves out.
 *
 * Change the layout: raise CALLSIGN_DEBUG_MAJOR (readers must refuse) or CALLSIGN_DEBUG_MINOR (fields were added). */
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

/* Kinds of object. The numbers are in traces, journals and debuggers: never change one. */
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
    CALLSIGN_MEMORY,         /* of MPI_Alloc_mem; its handle is the address */
    CALLSIGN_PORT,           /* of MPI_Open_port; its handle is a hash of its name */
    CALLSIGN_TOOL_HANDLE,    /* of MPI_T: control and performance variables, their sessions, events */
    CALLSIGN_GREQUEST_CLASS, /* an extension of MPICH; there is no function that frees one */
    CALLSIGN_KINDS
};

/* Who gave a name. */
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
    CALLSIGN_OBJECT_ADOPTED = 4,    /* its birth was not seen */
    CALLSIGN_OBJECT_APPLIED = 8,    /* callsign set its name in the MPI */
    CALLSIGN_OBJECT_DUPLICATE = 16, /* a communicator like its parent */
    CALLSIGN_OBJECT_FILLS = 32,     /* the MPI would fill the whole buffer for a name */
    CALLSIGN_OBJECT_GRID = 64       /* a communicator with a Cartesian topology */
};

enum callsign_state { CALLSIGN_EMPTY, CALLSIGN_LIVE, CALLSIGN_FREED };

struct callsign_record {
    uint64_t handle;                         /* as the C program sees it; MPICH: the 32-bit value */
    int64_t bytes;                           /* datatype: size of one element; window: size of the local part;
                                                keyval: size of the integers that Fortran has for its values, 0: of C */
    uint64_t name;                           /* address of the name; 0: none */
    uint32_t id;                             /* birth number, from 1; never used again, unlike the record */
    uint32_t parent;                         /* id of the object it was made from; 0: none or unknown */
    int32_t size, rank;                      /* communicator, window, file; -1 otherwise */
    int32_t remote_size;                     /* intercommunicator; -1: not one */
    int32_t in_degree, out_degree;           /* communicator with topology: neighbours; 0 otherwise */
    uint32_t flags;                          /* enum callsign_object_flag; others are private */
    uint8_t kind;                            /* enum callsign_kind */
    uint8_t origin;                          /* of the name: enum callsign_origin */
    uint16_t function;                       /* number of the MPI function that made it; 0: its birth was not seen */
    uint32_t state;                          /* enum callsign_state; stored last */
    uint64_t uid;                            /* the same on all processes that have a part in it; 0: not known */
    uint64_t created_pc, named_pc, freed_pc; /* return addresses; 0: unknown or not yet */
    uint64_t created_ticks;
    int32_t fortran_handle; /* INT32_MIN: not known */
    uint32_t detail;     /* datatype, file: how it was made, for those that compose a name of it: the number + 1 of the
                            unit of string memory where a struct callsign_detail begins; 0: nothing */
    uint32_t previous;   /* id of the former owner of this handle value; 0: none */
    uint32_t named;      /* how often a name was given */
    uint32_t references; /* how often the MPI handed this handle out */
    uint32_t made_on;    /* private. Living: collective creations on it so far; dead: the next dead record, as
                            records are used again, oldest first */
};

/* The arguments that an object was made with, as journal/detail.h has them: items of a 16-bit key, a 16-bit form, 32
   bits with the length of the values, and the values. */
struct callsign_detail {
    uint64_t bytes; /* of the items */
    uint64_t items[];
};

/* Values of peer and tag that are no ranks and no tags. */
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

/* A call that a thread is in, in the frame of the wrapper. */
struct callsign_call {
    uint64_t thread;      /* address of its struct callsign_thread; anything else: it has only just begun */
    uint64_t site;        /* return address into the program */
    uint64_t since_ticks; /* 0: the MPI was not entered yet */
    int32_t peer, tag;    /* rank in the communicator, message tag, or the values above */
    uint32_t object;      /* id of its communicator, window or file; 0: none */
    uint16_t function;    /* number */
    uint8_t unknown_kind; /* enum callsign_kind of a handle that was not in the table; 0: none */
    uint8_t waits;        /* for a transfer of `peer`: CALLSIGN_REQUEST_RECEIVES, CALLSIGN_REQUEST_SENDS; 0: not
                             known, or no wait */
};

/* What a thread is doing. Records of threads that have ended are used again. */
struct callsign_thread {
    uint64_t next; /* address of another one; 0: no more */
    uint64_t journal_state;
    uint32_t number, tid;
    uint32_t depth;                 /* calls that it is in; 0: it computes */
    uint32_t ended;                 /* it ended */
    uint64_t last_site, last_ticks; /* of the last call that is over: return address, when it returned; 0: none yet */
    int32_t last_peer, last_tag;
    uint32_t last_object;
    uint16_t last_function;
    uint8_t last_waits, reserved;
    uint64_t calls[16]; /* address of the struct callsign_call that is in d others, for each d below depth */
};

/* A handle that mpi.h has a name for. */
struct callsign_constant {
    uint64_t handle;
    uint32_t kind; /* enum callsign_kind */
    char name[44];
};

/* Requests that are not complete, or matched messages that are not received; persistent requests too. */
struct callsign_requests {
    uint64_t slots; /* address of struct callsign_request[mask + 1]; 0: none yet */
    uint64_t mask, count;
};
struct callsign_request { /* open addressing, linear probing; slot = (x ^ x >> 48) & mask, x = handle *
                             0x9e3779b97f4a7c15 */
    uint64_t handle;      /* of C; with CALLSIGN_REQUEST_FORTRAN: the INTEGER of Fortran */
    uint64_t site;        /* of the call that began it: return address, or a stack */
    uint32_t object;      /* communicator, window or file */
    uint16_t function;    /* that began it */
    uint16_t reserved;
    uint64_t reserved2[2];
    uint32_t made;
    uint32_t references; /* 0: empty */
    uint32_t flags;      /* enum callsign_request_flag; others are private */
    int32_t peer, tag;
    uint64_t bytes; /* that are sent, or that there is room for; UINT64_MAX: not known */
};
#define CALLSIGN_REQUEST_FORTRAN ((uint64_t)1 << 63)

/* One instant. Ticks are turned into time by two of them, or by ticks_per_second. */
struct callsign_instant {
    uint64_t ticks;
    uint64_t monotonic_ns, realtime_ns; /* CLOCK_MONOTONIC, CLOCK_REALTIME */
};

#define CALLSIGN_DEBUG_FORKED 1u /* a child of the recorded process: what is here is its parent's, of that time */
#define CALLSIGN_DEBUG_ENDED  2u /* recording is over: the state of that time */

struct callsign_debug {
    char magic[16];
    uint32_t byte_order;
    uint16_t major, minor;
    uint32_t header_bytes, record_bytes;
    uint64_t self;    /* address of this structure: tells a wrong symbol */
    uint64_t epoch;   /* odd while being updated */
    uint64_t records; /* handed out so far */
    uint64_t index;   /* address of a struct callsign_index; swapped whole, old ones stay readable */
    uint32_t first_record_log2, first_string_log2;
    uint32_t pid;
    int32_t world_rank, world_size; /* -1 before MPI_Init has returned */
    uint32_t handle_bytes;          /* 4: MPICH and kin, 8: pointers */
    uint64_t flags;                 /* CALLSIGN_DEBUG_* */
    char mpi[64];                   /* first line of the MPI's own version text, cut */
    uint64_t string_bytes_used[CALLSIGN_DEBUG_SEGMENTS];
    uint64_t record_segment[CALLSIGN_DEBUG_SEGMENTS];
    uint64_t string_segment[CALLSIGN_DEBUG_SEGMENTS];
    uint64_t threads;   /* address of the first struct callsign_thread; 0: none has called MPI */
    uint64_t functions; /* address of a text, a line for each MPI function, with words that say what it is:
                           "1016 MPI_Recv class:point-to-point transfer:receive". Readers skip words they do not know */
    uint64_t functions_bytes;
    uint64_t constants; /* address of struct callsign_constant[constant_count] */
    uint64_t constant_count;
    uint64_t requests, messages;         /* address of a struct callsign_requests */
    uint64_t journal;                    /* address of the path of the journal; "": it has no file yet */
    uint64_t ticks_per_second;           /* exact, or 0 */
    struct callsign_instant first, last; /* when recording began, and later: mostly the end of MPI_Init */
};

/* Live handles only: open addressing with linear probing; slot = hash & (slots - 1), hash = callsign_hash(kind,
 * handle).
 */
struct callsign_index {
    uint64_t slots; /* a power of two */
    uint64_t filled;
    uint64_t entry[]; /* 0: empty, UINT64_MAX: was removed, else a record's number + 1 in the lower 32 bits and those of
                         the hash in the upper 32 */
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
