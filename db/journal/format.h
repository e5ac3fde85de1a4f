/* The journal's format: the file that a rank writes while it runs. The seal turns it into a trace.
 *
 * A file is one page of struct cs_journal_header and then blocks, back to back, each a multiple of CS_JOURNAL_PAGE long
 * and begun by struct cs_block. Blocks never move and are never freed. The program writes through a shared mapping, so
 * that the kernel keeps what was written when the process dies. Therefore the order of stores matters: content first,
 * then the count that covers it (with release). A reader believes only what the counts cover, and checks every length.
 *
 *   log block      `used` bytes of facts, one after the other: struct cs_fact, then the rest of its fact structure,
 * then its strings, each ended by NUL; padded to a multiple of 8. A reader skips unknown fact types. thread block   one
 * struct cs_thread_state: what the thread is doing other blocks   cells, of which the first `used` are handed out. A
 * cell is not yet valid while this field is 0: profile: function; attribute: operation; comparison: answer; cpu:
 * first_ticks; move: number; answer: calls; traffic, tag: direction; synchronization, collective, lock: object;
 *                  request: references
 *
 * A `site` is a return address or, when its highest bit is set (no address has it), CS_SITE_STACK plus the number of a
 * stack, whose fact comes before.
 *
 * Several cells may have the same key, also of one thread: add them up. All integers are in the writer's byte order.
 * Times are ticks of the clock that the header describes. To change the layout, raise CS_JOURNAL_VERSION. */
#pragma once

#include <assert.h>
#include <stdint.h>

#include "base/clock.h"

#define CS_JOURNAL_MAGIC      "CSJOURN\n" /* 8 bytes, not ended by NUL */
#define CS_JOURNAL_VERSION    6u
#define CS_JOURNAL_OLDEST     6u /* that is still read */
#define CS_JOURNAL_BYTE_ORDER 0x01020304u
#define CS_JOURNAL_PAGE       4096u
#define CS_BLOCK_MAGIC        0x4b425343u /* "CSBK" */

/* How a rank ended. What the process cannot say itself (died) follows from `running` and no such process. */
enum cs_outcome {
    CS_OUTCOME_RUNNING,
    CS_OUTCOME_FINALIZED, /* MPI_Finalize (or the last MPI_Session_finalize) returned */
    CS_OUTCOME_ABORTED,   /* MPI_Abort was called */
    CS_OUTCOME_EXITED,    /* exit() or return from main without MPI_Finalize */
    CS_OUTCOME_DIED,      /* only in traces */
    CS_OUTCOME_SEALING,   /* only in journals: MPI_Finalize is done but for the trace, which the process writes now */
};

struct cs_journal_header {
    char magic[8];
    uint32_t version;
    uint32_t byte_order;
    uint32_t header_bytes; /* sizeof this structure in the writer */
    uint32_t outcome;      /* enum cs_outcome */
    int32_t rank, size;    /* of MPI_COMM_WORLD; -1 before MPI_Init has returned and in a sessions-only process */
    uint32_t pid;
    uint32_t clock_kind;        /* enum cs_clock_kind */
    uint64_t process_start;     /* /proc/PID/stat field 22: tells a reused pid. 0: not known */
    uint64_t ticks_per_second;  /* exact for monotonic and cntvct; 0: derive from first and last */
    struct cs_clock_pair first; /* taken when the journal began */
    struct cs_clock_pair last;  /* taken again at every rare fact, at least after MPI_Init and in MPI_Finalize */
    uint64_t init_ticks;        /* return of MPI_Init; the zero of the trace's *_ns. 0: not yet */
    uint64_t finalize_ticks;    /* entry of MPI_Finalize. 0: not yet */
    uint64_t used_bytes;        /* where the next block will begin; atomic */
    uint64_t lost;              /* facts and calls that could not be recorded; atomic */
    uint64_t run_hash;          /* equal on all ranks of a run, differs between runs */
    uint64_t items;             /* facts appended and cells handed out: what a seal has to do; atomic */
    uint64_t boot;              /* where pid is a process: see base/proc.h */
    uint64_t pid_namespace;
    uint64_t locked; /* 1: the writer holds the lock of db/journal/run_files.h as long as it runs */
};
static_assert(sizeof(struct cs_journal_header) == 176, "no padding: the header is read by other builds");

enum cs_block_type {
    CS_BLOCK_LOG = 1,
    CS_BLOCK_THREAD,
    CS_BLOCK_PROFILE,
    CS_BLOCK_ATTRIBUTE,
    CS_BLOCK_COMPARISON,
    CS_BLOCK_CPU,
    CS_BLOCK_MOVE,
    CS_BLOCK_ANSWER,
    CS_BLOCK_TRAFFIC,
    CS_BLOCK_TAG,
    CS_BLOCK_SYNCHRONIZATION,
    CS_BLOCK_COLLECTIVE,
    CS_BLOCK_REQUEST,
    CS_BLOCK_LOCK
};

struct cs_block {
    uint32_t magic;
    uint32_t type;       /* enum cs_block_type; a reader skips what it does not know */
    uint64_t bytes;      /* of the whole block, this header included */
    uint64_t used;       /* log: bytes of complete facts; else cells handed out. Atomic, stored last */
    uint32_t thread;     /* number of the thread that writes it, from 0; meaningless for the log */
    uint32_t item_bytes; /* size of a cell; 0 in the log */
    uint64_t reserved[4];
};
static_assert(sizeof(struct cs_block) == 64, "cells begin on a cache line");

/* Peers and tags that are no numbers of ranks and messages: each MPI has its own numbers for them. */
#define CS_PEER_ANY    (-1) /* MPI_ANY_SOURCE */
#define CS_PEER_NULL   (-2) /* MPI_PROC_NULL */
#define CS_PEER_ROOT   (-3) /* MPI_ROOT */
#define CS_TAG_ANY     (-1) /* MPI_ANY_TAG */
#define CS_PEER_OTHERS (-4) /* all peers on the object beyond the first CS_PEERS_KEPT of a thread; see CS_PEER_NULL */
#define CS_NO_PEER     INT32_MIN
#define CS_NO_TAG      INT32_MIN
#define CS_NO_BYTES    UINT64_MAX

enum cs_thread_doing {
    CS_THREAD_OUTSIDE, /* it computes; the call is the last one that it completed */
    CS_THREAD_INSIDE,  /* it is in the call, or left it by longjmp and has made no other since */
    CS_THREAD_ENDED,   /* as outside, and it ended */
};

/* A call of the program from a callback, which the MPI runs inside another call. function 0: none. */
struct cs_inner_call {
    uint16_t function, reserved;
    uint32_t object;
    int32_t peer, tag;
    uint64_t site, since_ticks;
    uint32_t collective;
    uint32_t reserved2;
};

enum { CS_AWAITED_KEPT = 256 };

/* What a thread is doing: in which outermost call of the program it is, or was last. A thread that ends leaves its
   state to the next new one. */
struct cs_thread_state {
    uint32_t thread, tid;
    uint16_t function; /* that call; 0: none yet */
    uint16_t doing;    /* enum cs_thread_doing */
    uint32_t object;   /* its communicator, window or file; 0: none */
    int32_t peer, tag; /* rank in that communicator, or CS_PEER_*; tag, or CS_TAG_ANY. CS_NO_PEER, CS_NO_TAG: none */
    uint64_t bytes;    /* that it is to send or has room to receive; CS_NO_BYTES: not known before it is complete */
    uint64_t site;     /* return address */
    uint64_t since_ticks;
    uint64_t until_ticks;       /* when the last completed call returned: this one, unless inside */
    uint64_t mpi_ticks;         /* total inside MPI, by completed outermost calls */
    uint64_t calls;             /* that were counted, of callbacks too */
    uint32_t threads;           /* that had this state, one after the other */
    uint32_t request_flags;     /* in a wait: of the first pending request, CS_WAITS_*; any in other calls */
    uint32_t collective;        /* in a collective call: its number on the object; 0: not known; any in other calls */
    int32_t source, source_tag; /* in a call that sends and receives: of what it receives; any in other calls */
    uint32_t awaited;           /* in a wait: how many requests it is on; any in other calls */
    uint64_t began_ticks; /* of the last thread that has this state: its first call; of the first thread of the process:
                             the first instant of the journal */
    uint64_t lived_ticks; /* that the threads which ended lived together since their first calls */
    struct cs_inner_call inner;                /* in a callback */
    uint64_t awaited_request[CS_AWAITED_KEPT]; /* in a wait: the handles of the first ones, as in their cells */
    uint64_t reserved2[5];
};
static_assert(sizeof(struct cs_thread_state) == 2240, "cache lines, the first for all that a begin changes");

/* ---- cells ---- */

/* One line of the profile: the aggregate over calls of one function from one call site on one object. */
struct cs_profile_cell {
    uint64_t site;      /* return address or stack; 0: not known */
    uint32_t object;    /* id of the communicator, or of the window or file that stands for its own; 0: none */
    uint16_t function;  /* number in gen/spec */
    uint8_t size_class; /* 0: no bytes; else floor(log2(bytes)) + 1 of the larger of sent and received in one call */
    uint8_t reserved;
    uint64_t calls;
    uint64_t ticks;                /* total */
    uint64_t min_ticks, max_ticks; /* of a single call; min UINT64_MAX when none was timed */
    uint64_t sent_bytes, received_bytes;
};
static_assert(sizeof(struct cs_profile_cell) == 64, "one cache line");

enum cs_attribute_operation {
    CS_ATTRIBUTE_GET = 1,
    CS_ATTRIBUTE_SET,
    CS_ATTRIBUTE_DELETE,
    CS_ATTRIBUTE_FREE,   /* of the keyval, which the MPI refused */
    CS_ATTRIBUTE_SURVEY, /* callsign asked when MPI had begun */
    CS_ATTRIBUTE_COPY,   /* callsign asked the duplicate of an object that has it */
};
enum cs_attribute_value {
    CS_VALUE_NONE,    /* not found, or deleted */
    CS_VALUE_ADDRESS, /* the pointer that the program stored, or that the MPI answered */
    CS_VALUE_INTEGER, /* what the answered pointer points to (predefined attributes), or a Fortran integer */
    CS_VALUE_MANY,    /* too many different values were seen: this cell counts all further ones */
    CS_VALUE_ERROR,   /* the call failed: its error class, or the code that is none, whose words are a
                         cs_fact_error; 0: any of too many */
};

/* One distinct question and answer on an attribute. */
struct cs_attribute_cell {
    uint64_t site;
    uint32_t object;
    int32_t keyval;
    uint8_t operation; /* enum cs_attribute_operation */
    uint8_t kind;      /* enum callsign_kind of the objects that the key is for; 0: as the object's */
    uint8_t found;
    uint8_t value_kind; /* enum cs_attribute_value */
    uint32_t reserved;
    uint64_t value;
    uint64_t calls;
    uint64_t first_ticks, last_ticks;
    uint64_t reserved2;
};
static_assert(sizeof(struct cs_attribute_cell) == 64, "one cache line");

enum cs_comparison_answer { CS_COMPARED_IDENT = 1, CS_COMPARED_CONGRUENT, CS_COMPARED_SIMILAR, CS_COMPARED_UNEQUAL };

/* One distinct comparison of two communicators or groups, and its answer. */
struct cs_comparison_cell {
    uint64_t site;
    uint32_t first, second; /* objects; 0: not known, or MPI_GROUP_EMPTY */
    uint16_t answer;        /* enum cs_comparison_answer */
    uint16_t kind;          /* of the objects: enum callsign_kind of include/callsign/debug.h */
    uint32_t reserved;
    uint64_t calls;
    uint64_t first_ticks, last_ticks;
    uint64_t reserved2[2];
};
static_assert(sizeof(struct cs_comparison_cell) == 64, "one cache line");

/* What the process did; the other one is its peer. */
enum cs_direction {
    CS_SEND = 1, /* messages */
    CS_RECEIVE,
    CS_PUT, /* one-sided: data went to the target */
    CS_GET, /* and came from it */
    /* How many messages this process does not know the end of. `bytes` and `ticks` are not used. */
    CS_RECEIVE_UNTOLD, /* no status told what came: the request was freed before. Peer: the source, or CS_PEER_ANY */
    CS_SEND_UNTOLD     /* the send was cancelled and its request freed */
};

/* Sums are modulo 2^64: one thread may take back what another one counted, as when it completes a send that was
   cancelled. */

enum { CS_PEERS_KEPT = 4096, CS_TAGS_KEPT = 512 };

/* All messages in one direction between this process and one peer. */
struct cs_traffic_cell {
    uint32_t object;        /* communicator, or window */
    int32_t peer;           /* rank in that communicator, in the remote group of an intercommunicator; CS_PEER_* */
    uint32_t direction : 3; /* enum cs_direction */
    int32_t world : 29;     /* rank of the peer in MPI_COMM_WORLD; -1: it has none there, or it is not known */
    int32_t messages;       /* negative if more were taken back than sent. A thread begins another cell at INT32_MAX */
    uint64_t bytes;         /* modulo 2^64 */
    uint64_t ticks;         /* in the calls that sent and received them */
};
static_assert(sizeof(struct cs_traffic_cell) == 32, "half a cache line");

/* All messages in one direction with one tag, from one call site. */
struct cs_tag_cell {
    uint64_t site;      /* of the call that sent it, or that received it or was to */
    uint32_t object;    /* communicator */
    int32_t tag;        /* with a range, its first tag */
    uint16_t direction; /* enum cs_direction */
    uint16_t range;     /* 0: this tag alone; n: beyond the first CS_TAGS_KEPT of the site on the communicator, in one
                           thread: all whose size class is n - 1, see cs_size_class */
    int32_t largest;    /* with a range, the largest tag of it that was used */
    uint64_t messages;  /* modulo 2^64 */
};
static_assert(sizeof(struct cs_tag_cell) == 32, "no padding");

/* The calls of one thread on one processor. */
struct cs_cpu_cell {
    uint64_t calls;         /* until the thread left */
    uint64_t arrived_calls; /* with `here`: the thread's calls when it came; those since then are to be added */
    uint64_t first_ticks;   /* when it was first seen here */
    uint64_t last_ticks;    /* and last; with `here`: the end of the thread's last call */
    uint64_t moves;         /* how often it came here from another processor */
    uint32_t thread;
    int32_t cpu;
    uint32_t here; /* 1: this is where it is */
    uint32_t reserved;
    uint64_t reserved2;
};
static_assert(sizeof(struct cs_cpu_cell) == 64, "one cache line");

enum { CS_MOVES_KEPT = 64 };

/* A thread was seen on another processor than before. The first CS_MOVES_KEPT moves of a thread have a cell each, those
   after them share as many in turn: the last ones are kept. */
struct cs_move_cell {
    uint64_t number; /* of the move, from 1; 0: being written */
    uint64_t ticks;
    uint32_t thread;
    int32_t cpu; /* where it was then */
};

enum { CS_ANSWER_BYTES = 256 };

/* One distinct answer of MPI_Get_processor_name at one call site. */
struct cs_answer_cell {
    uint64_t site;
    char name[CS_ANSWER_BYTES]; /* ended by NUL, cut */
    uint64_t calls;
    uint64_t first_ticks, last_ticks;
    uint32_t thread, reserved;
};

/* The collective calls of this process on one communicator, window or file: blocking ones, starts of nonblocking ones,
   creations of objects on it, its free. All members make them in the same order, so that the n-th of each belong
   together. object 0: not valid. */
struct cs_collective_cell {
    uint32_t object; /* stored last */
    uint32_t begun;  /* calls; atomic */
    uint16_t function, reserved;
    int32_t root; /* of the last one begun; CS_PEER_*, CS_NO_PEER: it has none */
};
static_assert(sizeof(struct cs_collective_cell) == 16, "no padding");

#define CS_WAITS_RECEIVE    1u  /* the request receives */
#define CS_WAITS_PERSISTENT 2u  /* it stays when it completes */
#define CS_WAITS_ACTIVE     4u  /* it was started and is not complete */
#define CS_WAITS_INTERNAL   16u /* it was made inside the MPI library */
#define CS_WAITS_SEND       128u
#define CS_WAITS_SHARED     256u /* the handle was given out several times at once */

/* A request that is not complete, or persistent. references 0: not valid. */
struct cs_request_cell {
    uint64_t handle;
    uint64_t site; /* of the call that made it: return address, or a stack */
    uint64_t bytes;
    uint64_t next; /* private */
    uint32_t references;
    uint32_t object;            /* communicator, window or file */
    int32_t peer, tag;          /* as in struct cs_thread_state */
    uint32_t collective;        /* number of the collective call that made it; 0: none */
    uint16_t function, flags;   /* that made it; CS_WAITS_* */
    uint16_t partitions, ready; /* of one that sends in partitions: how many, and how many were marked as ready since it
                                   was started; else 0 */
    uint32_t reserved;
};
static_assert(sizeof(struct cs_request_cell) == 64, "one cache line");

enum { CS_REQUESTS_SHOWN = 32768 };

/* A lock of a window that this process has taken and not released. object 0: not valid. */
struct cs_lock_cell {
    uint32_t object; /* window; atomic, stored last */
    int32_t target;  /* rank; CS_PEER_ANY: all */
    uint32_t exclusive, reserved;
};
static_assert(sizeof(struct cs_lock_cell) == 16, "no padding");

/* Nobody leaves MPI_Barrier before everybody has entered it. All members keep when they entered and left the n-th such
   call on a communicator, for the same n and without communication: 1, 2, 4, 8, ... as facts, and the last 16 in a cell
   that is overwritten. db/run computes from these how the clocks of the nodes differ. */
#define CS_SYNCHRONIZATION_LAST 16

struct cs_synchronization_point {
    uint64_t nth;           /* such call on the communicator, from 1; in a cell 0 while the point is written */
    uint64_t entered_ticks; /* 0: nobody waits for this process in this call */
    uint64_t left_ticks;    /* 0: this process waits for nobody */
};

/* The last calls on one communicator, the n-th in the place n modulo 16. object 0: not valid. */
struct cs_synchronization_cell {
    uint32_t object; /* stored last */
    uint32_t reserved;
    uint64_t reserved2[7];
    struct cs_synchronization_point last[CS_SYNCHRONIZATION_LAST];
};
static_assert(sizeof(struct cs_synchronization_cell) == 448, "seven cache lines");

/* ---- facts ---- */

enum cs_fact_type {
    CS_FACT_META = 1,        /* cs_fact_meta: key, value */
    CS_FACT_MODULE,          /* cs_fact_module: path, build id in hex */
    CS_FACT_OBJECT,          /* cs_fact_object: detail, name */
    CS_FACT_COMMUNICATOR,    /* cs_fact_communicator: members */
    CS_FACT_DATATYPE,        /* cs_fact_datatype */
    CS_FACT_WINDOW,          /* cs_fact_window */
    CS_FACT_COMMIT,          /* cs_fact_commit */
    CS_FACT_NAME,            /* cs_fact_name: name */
    CS_FACT_FREED,           /* cs_fact_freed */
    CS_FACT_KEYVAL,          /* cs_fact_keyval: name ("" unless predefined) */
    CS_FACT_PLACEMENT,       /* cs_fact_placement: processor name, allowed cpus */
    CS_FACT_PCONTROL,        /* cs_fact_pcontrol */
    CS_FACT_READY,           /* cs_fact_ready: an idup'ed communicator became usable */
    CS_FACT_STACK,           /* cs_fact_stack, then its addresses */
    CS_FACT_RULE,            /* cs_fact_rule: text */
    CS_FACT_ERROR,           /* cs_fact_error: words */
    CS_FACT_EXCLUDED,        /* cs_fact_excluded */
    CS_FACT_PENDING,         /* cs_fact_pending */
    CS_FACT_CPU,             /* cs_fact_cpu: cpus of its core, cpus of its package */
    CS_FACT_CALLBACKS,       /* cs_fact_callbacks: names of its copy and delete function ("" unless the MPI's) */
    CS_FACT_HOLDERS,         /* cs_fact_holders */
    CS_FACT_REFUSED_NAME,    /* cs_fact_refused_name: why, as of cs_fact_error */
    CS_FACT_SYNCHRONIZATION, /* cs_fact_synchronization */
};

struct cs_fact {
    uint16_t type;  /* enum cs_fact_type */
    uint16_t flags; /* 0 */
    uint32_t bytes; /* of the whole fact: this, the rest, the strings, the padding; a multiple of 8 */
    uint64_t ticks; /* when */
};

/* Keys: node, program, arguments, thread_level, started_utc, and those of the table meta (db/trace/schema.sql). */
struct cs_fact_meta {
    struct cs_fact fact;
};

struct cs_fact_module {
    struct cs_fact fact;
    uint64_t base; /* load bias: address in memory - address in the file's own numbering */
    uint64_t begin,
        end; /* addresses that the module covers; a later fact for an overlapping range replaces an earlier one */
};

#define CS_OBJECT_INTERNAL   1u  /* created inside the MPI library, not by the program */
#define CS_OBJECT_PREDEFINED 2u  /* the MPI's own: MPI_COMM_WORLD, MPI_INT, ... */
#define CS_OBJECT_ADOPTED    4u  /* in use before callsign knew it: its birth was not seen */
#define CS_OBJECT_APPLIED    8u  /* only in the live table: the MPI was given callsign's name for it */
#define CS_OBJECT_DUPLICATE  16u /* a communicator like its parent: it has no cs_fact_communicator */
#define CS_OBJECT_FILLS                                                                                                \
    32u /* only in the live table: for a name the MPI would fill the whole of the program's buffer */
#define CS_OBJECT_GRID         64u  /* only in the live table: a communicator with a Cartesian topology */
#define CS_OBJECT_COUNTS       128u /* only in the live table: something is counted for it, see record/identity.h */
#define CS_OBJECT_HOLDS        256u /* only in the live table: attributes were set on it, see record/attribute_values.h */
#define CS_OBJECT_ON_NODE      512u  /* only in the live table: a communicator whose members all are on this node */
#define CS_OBJECT_SYNCHRONIZES 1024u /* only in the live table: record/progress.h counts calls on it */

struct cs_fact_object {
    struct cs_fact fact;
    uint32_t object;   /* birth number in this rank, from 1 */
    uint32_t parent;   /* object it was created from; 0: none or unknown */
    uint16_t kind;     /* enum callsign_kind of include/callsign/debug.h */
    uint16_t function; /* that created it; 0: none */
    uint32_t flags;    /* CS_OBJECT_* */
    uint64_t handle;
    int64_t fortran_handle; /* INT64_MIN: not known */
    uint64_t site;
    uint64_t uid, family;  /* see record/identity.h; 0: not known, or the object is this process's alone */
    uint32_t rule;         /* that gave the name: line in the file of naming rules; 0: none */
    uint16_t origin;       /* of the name: enum callsign_origin */
    uint16_t detail_bytes; /* of what follows: how it was made, see db/journal/detail.h; a multiple of 8 */
    /* then a string: the name that it was born with, "" if none */
};

struct cs_fact_communicator {
    struct cs_fact fact;
    uint32_t object;
    int32_t size, rank;
    int32_t remote_size; /* -1: intracommunicator */
    int32_t topology;    /* 0 none, 1 graph, 2 cart, 3 dist_graph */
    int32_t reserved;
    /* string: members as world ranks in ranges, "0-63:2,70"; "" unless this process is the first member */
};

struct cs_fact_datatype {
    struct cs_fact fact;
    uint32_t object;
    int32_t combiner; /* enum cs_combiner of db/journal/names.h */
    int64_t size_bytes, lower_bound_bytes, extent_bytes;
};

struct cs_fact_window {
    struct cs_fact fact;
    uint32_t object;
    uint32_t communicator;
    int32_t flavor; /* 0 unknown, 1 create, 2 allocate, 3 dynamic, 4 shared */
    int32_t model;  /* 0 unknown, 1 separate, 2 unified */
    uint64_t base;
    int64_t size_bytes, displacement_unit_bytes;
};

struct cs_fact_commit {
    struct cs_fact fact;
    uint32_t object, reserved;
};

struct cs_fact_name {
    struct cs_fact fact;
    uint32_t object;
    uint32_t origin; /* enum callsign_origin */
    uint64_t site;
};

/* The call that frees a communicator is mostly the only one of its kind on it. Then it is counted here and has no cell
   in the profile, where each dead communicator would leave one. */
struct cs_fact_freed {
    struct cs_fact fact;
    uint32_t object;
    uint16_t function;
    uint16_t calls; /* to be added to the profile, of this function on this object; 0 or 1 */
    uint64_t site;
    uint64_t call_site;  /* as it stands in the profile; meaningless with calls 0 */
    uint64_t call_ticks; /* that it took; likewise */
};

#define CS_SITE_STACK ((uint64_t)1 << 63)
enum { CS_STACK_DEPTH = 64 };

/* A call stack; the fact comes before the first site that has its number. */
struct cs_fact_stack {
    struct cs_fact fact;
    uint32_t stack; /* number, from 1 */
    uint32_t count; /* of addresses; at most CS_STACK_DEPTH */
    /* uint64_t[count]: return addresses, innermost first; without frames of callsign */
};

/* A naming rule in force; the fact comes before any name. */
struct cs_fact_rule {
    struct cs_fact fact;
    uint32_t rule; /* its line in the file, from 1 */
    uint32_t reserved;
};

/* What an error class of this MPI, or a code that is none, is called. */
struct cs_fact_error {
    struct cs_fact fact;
    int32_t error, reserved;
};

struct cs_fact_pcontrol {
    struct cs_fact fact;
    int32_t level;
    int32_t reserved;
};

/* An idup'ed communicator became usable. */
struct cs_fact_ready {
    struct cs_fact fact;
    uint32_t object, reserved;
};

/* A call that creates communicators had none for this process. */
struct cs_fact_excluded {
    struct cs_fact fact;
    uint32_t parent; /* communicator of the call */
    uint32_t number; /* of such creations on it, this one included; 0: not counted */
    uint64_t site;
    uint64_t family; /* of what the others got; 0: not known */
    uint16_t function;
    uint16_t reserved[3];
};

/* Requests that were pending when their communicator, window or file was freed: those of one function and call site. */
struct cs_fact_pending {
    struct cs_fact fact;
    uint32_t object;
    uint32_t requests;
    uint64_t site;
    uint16_t function; /* 0: all that there was no room to tell apart */
    uint16_t reserved[3];
};

struct cs_fact_keyval {
    struct cs_fact fact;
    int32_t keyval;
    uint16_t kind;     /* of object that it is for */
    uint16_t function; /* that created it; 0: predefined */
    uint64_t site;
};

/* By which interface the program called. mpif.h and the module mpi have the same entry points. */
enum cs_language { CS_LANGUAGE_C, CS_LANGUAGE_FORTRAN, CS_LANGUAGE_F08 };

/* What the program gave with a keyval of its own. Functions are told like call sites: by an address behind their first
   byte, and 0 if they have a name in the standard. */
struct cs_fact_callbacks {
    struct cs_fact fact;
    uint32_t object; /* the keyval */
    int32_t keyval;
    uint16_t kind;     /* of object that it is for */
    uint16_t language; /* enum cs_language */
    uint32_t reserved;
    uint64_t copy_site, delete_site;
    int64_t extra_state; /* C: the pointer */
};

/* A keyval was freed. */
struct cs_fact_holders {
    struct cs_fact fact;
    uint32_t object;  /* the keyval */
    uint32_t holders; /* objects that still had a value */
};

/* The MPI refused a call of MPI_*_set_name. The name is not known: its address may be anything. */
struct cs_fact_refused_name {
    struct cs_fact fact;
    uint32_t object; /* 0: not known, as of a handle that is none */
    uint32_t kind;   /* of object that the call is for */
    uint64_t site;
};

enum cs_placement_reason { CS_PLACED_START = 1, CS_PLACED_ASKED, CS_PLACED_MOVED, CS_PLACED_END };

struct cs_fact_placement {
    struct cs_fact fact;
    int32_t cpu;     /* -1: not known */
    uint16_t reason; /* enum cs_placement_reason */
    uint16_t thread;
};

/* Where a processor is, told once for each that the rank was seen on. -1: not known. */
struct cs_fact_cpu {
    struct cs_fact fact;
    int32_t cpu, core, package, numa_node;
};

struct cs_fact_synchronization {
    struct cs_fact fact;
    uint32_t object, reserved;
    struct cs_synchronization_point point;
};
