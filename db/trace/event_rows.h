/* Rows that a pass over the events makes, until SQLite reads them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CS_EVENT_VALUES = 23 };

/* A number of SQL. */
struct cs_event_number {
    int64_t value;
    bool known; /* otherwise NULL */
};

struct cs_event_row {
    struct cs_event_number value[CS_EVENT_VALUES];
};

/* Adds and subtracts instants and durations. A hostile trace may have any numbers: the result wraps around. */
static inline int64_t cs_event_plus(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static inline int64_t cs_event_minus(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

/* A queue. */
struct cs_event_rows {
    struct cs_event_row *row;
    size_t count, room, next;
    bool failed; /* out of memory */
};

/* Appends a row; NULL: out of memory. */
struct cs_event_row *cs_event_rows_add(struct cs_event_rows *rows);

/* What a wait is, as the view wait_states names it. */
enum cs_event_wait {
    CS_LATE_SENDER,
    CS_WRONG_ORDER,
    CS_LATE_RECEIVER,
    CS_WAIT_AT_BARRIER,
    CS_WAIT_AT_NXN,
    CS_WAIT_AT_FENCE,
    CS_LATE_BROADCAST,
    CS_EARLY_REDUCE,
    CS_EARLY_SCAN
};
extern const char *const cs_event_wait_word[];

struct cs_event_call {
    int64_t rank, thread, event, start_ns, end_ns;
    struct cs_event_number function, site;
};

/* Why a call waited, and for whom. */
struct cs_event_cause {
    enum cs_event_wait kind;
    int64_t rank;                    /* that it waited for */
    int64_t until_ns;                /* the wait ends then, or with the call */
    struct cs_event_number error_ns; /* possible error of this instant */
    int64_t id;                      /* of the communicator, window or file */
    int64_t named_by, object;        /* a rank, and its number of this object */
    struct cs_event_number function, site;
};

/* Appends a row of computed_waits, unless the error of the clocks could explain the wait. */
void cs_event_rows_add_wait(struct cs_event_rows *rows, const struct cs_event_call *call,
                            const struct cs_event_cause *cause);
