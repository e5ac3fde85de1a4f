/* The definitions of an OTF2 trace: what its events refer to. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/export/otf2_library.h"

struct cs_otf2_function {
    int64_t number;
    uint32_t name; /* its text */
    uint8_t role;
    int operation; /* OTF2_CollectiveOp; -1: no such record */
    bool from_root, to_root, blocking, nonblocking, sends, receives, combines, one_sided, awaits, locks, unlocks;
};

/* A communicator, window or file of a rank. */
struct cs_otf2_handle {
    int64_t rank, object;
    uint32_t communicator; /* of a window or file: on which it was made. CS_OTF2_NONE: not all members are known */
    uint32_t window;       /* CS_OTF2_NONE: it is none */
    uint32_t name;         /* its text */
};

struct cs_otf2_group {
    uint64_t hash;
    uint64_t *members; /* ranks in MPI_COMM_WORLD, in order */
    uint32_t count;
};

/* The groups before those of communicators. */
enum { CS_OTF2_WORLD, CS_OTF2_SELF, CS_OTF2_GROUPS_FIRST };

struct cs_otf2_communicator {
    uint32_t name, group, other; /* other: the second group of an intercommunicator, or CS_OTF2_NONE */
};

struct cs_otf2_window {
    uint32_t name, communicator;
};

struct cs_otf2_location {
    int64_t rank, thread;
    uint64_t events;
};

struct cs_otf2_text;

struct cs_otf2_definitions {
    struct cs_otf2 otf2;
    sqlite3 *db;
    struct cs_otf2_function *function;
    struct cs_otf2_handle *handle;
    struct cs_otf2_group *group;
    struct cs_otf2_communicator *communicator;
    struct cs_otf2_window *window;
    struct cs_otf2_location *location; /* first one for each rank of MPI_COMM_WORLD, in order */
    struct cs_otf2_text *text;
    size_t functions, handles, groups, communicators, windows, locations, texts;
    size_t function_room, handle_room, group_room, communicator_room, window_room, location_room;
    size_t incomplete; /* communicators without a definition, because not all members are known */
    uint32_t ranks;    /* of MPI_COMM_WORLD */
    bool failed;       /* no memory, or an error of OTF2: logged */
};

/* Attributes of Enter events. */
enum { CS_OTF2_CALL_SITE, CS_OTF2_CALLS, CS_OTF2_OBJECT };

/* Reads functions, communicators, windows and ranks. False: logged. */
bool cs_otf2_definitions_read(struct cs_otf2_definitions *definitions);

/* Writes them, when all events are written. zero_ns, length_ns: the first instant, and the time until the last. */
bool cs_otf2_definitions_write(struct cs_otf2_definitions *definitions, void *archive, int64_t zero_ns,
                               int64_t length_ns);
void cs_otf2_definitions_free(struct cs_otf2_definitions *definitions);

/* The number of a text; NULL is "". */
uint32_t cs_otf2_text(struct cs_otf2_definitions *definitions, const char *text);

/* NULL: unknown. */
const struct cs_otf2_function *cs_otf2_function(const struct cs_otf2_definitions *definitions, int64_t number);
const struct cs_otf2_handle *cs_otf2_handle(const struct cs_otf2_definitions *definitions, int64_t rank,
                                            int64_t object);

/* A thread's location. NULL: no memory, or no such rank, which is logged. */
struct cs_otf2_location *cs_otf2_location(struct cs_otf2_definitions *definitions, int64_t rank, int64_t thread);
uint64_t cs_otf2_location_number(const struct cs_otf2_location *location);
