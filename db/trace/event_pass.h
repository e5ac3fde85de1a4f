/* One pass over the recorded events of all threads, in order of time. Memory grows with the threads, not with the
   events: each thread has a buffer of its next events. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cs_pass_direction { CS_PASS_NEITHER, CS_PASS_SEND, CS_PASS_RECEIVE };

/* A message as one of its sides names it. */
struct cs_pass_message {
    int64_t object, peer, tag, bytes;
    int64_t nth; /* 0: not certain */
    enum cs_pass_direction direction;
};

/* A row of event_message or event_completion: what the event that follows it sent or completed. */
struct cs_pass_part {
    int64_t number;                /* among the entries of the thread */
    int64_t event;                 /* that completed or sent it */
    int64_t posted_thread, posted; /* the entry that began it; posted 0: the same event, or unknown */
    struct cs_pass_message message;
};

struct cs_pass_event {
    int64_t event, function, site;
    int64_t start_ns, end_ns, inside_ns, calls;
    int64_t collective;                      /* 0: none */
    bool has_function, has_site, names_peer; /* otherwise 0 in their place */
    struct cs_pass_message message;
    const struct cs_pass_part *part; /* valid until the next event of the thread is begun */
    size_t parts;
};

struct cs_pass_thread {
    int64_t rank, thread;
    int64_t first_ns; /* begin of its first event; of MPI_Init: its end */
    size_t index;     /* among the threads of the pass */
    bool first;       /* it is the first one of its rank with events */
    void *user;       /* of the caller */
};

/* What a pass calls. Each returns SQLITE_OK, or the code that ends the pass. Calls of one thread come in order: read,
   begin, end. Begins and ends of all threads come in order of time; an end is delayed by the error of the clocks. */
struct cs_pass_calls {
    /* A part was read, at the latest when its event begins, and mostly long before. */
    int (*read)(void *context, const struct cs_pass_thread *thread, const struct cs_pass_part *part);
    int (*begin)(void *context, struct cs_pass_thread *thread, const struct cs_pass_event *event);
    int (*end)(void *context, struct cs_pass_thread *thread, const struct cs_pass_event *event);
};

struct cs_pass;

/* Reads which threads have events. Returns SQLite's code. */
int cs_pass_open(sqlite3 *db, struct cs_pass **pass);
void cs_pass_close(struct cs_pass *pass);

size_t cs_pass_threads(const struct cs_pass *pass);
struct cs_pass_thread *cs_pass_thread(struct cs_pass *pass, size_t index);

/* Begins to go over all events, from the first one; it may be called again. Returns SQLite's code. */
int cs_pass_start(struct cs_pass *pass, const struct cs_pass_calls *calls, void *context);

/* Handles the next begin or end. *more: there was one. Returns SQLite's code, or that of a call. */
int cs_pass_step(struct cs_pass *pass, bool *more);

/* Does both until there is no more. */
int cs_pass_run(struct cs_pass *pass, const struct cs_pass_calls *calls, void *context);

/* Whether the sends of the call are complete without the receiver. */
bool cs_pass_is_buffered(const struct cs_pass_event *event);
