/* Inside the seal: how facts and cells of a journal become rows. */
#ifndef CS_DB_SEAL_LOAD_H
#define CS_DB_SEAL_LOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "db/journal/format.h"
#include "db/journal/read.h"
#include "db/journal/datatype_name.h"
#include "db/trace/rows.h"
#include "db/seal/objects.h"
#include "db/seal/site.h"

/* What goes into the row of the process and comes as facts. */
enum cs_about {
    CS_ABOUT_NODE,
    CS_ABOUT_PROGRAM,
    CS_ABOUT_ARGUMENTS,
    CS_ABOUT_THREAD_LEVEL,
    CS_ABOUT_STARTED,
    CS_ABOUT_COUNT
};

/* A cell of the profile and its place. */
struct cs_profile_line {
    int64_t site;
    uint32_t communicator; /* of the cell's object, or that itself */
    struct cs_profile_cell cell;
};

/* Where a window or file is at home. */
struct cs_home {
    uint32_t object, communicator;
};

struct cs_sealing {
    struct cs_journal_reader *reader;
    const struct cs_journal_header *header;
    struct cs_rows *rows;
    struct cs_places *places;
    struct cs_objects *objects;
    struct cs_profile_line *line; /* the profile, gathered */
    size_t lines, lines_room;
    int64_t rank; /* as in the trace */
    double ns_per_tick;
    uint64_t zero_ticks;              /* instant 0 of the trace */
    uint64_t seen_ticks;              /* last instant met */
    uint64_t least_ticks, most_ticks; /* what is outside cannot be */
    bool damaged;                     /* something made no sense */
    bool finalizing;                  /* it was writing its trace: for the program, MPI_Finalize has not returned */
    char *about[CS_ABOUT_COUNT];
    struct cs_thread_state last; /* the first thread that was inside MPI; function 0: none was */
    int64_t last_site;           /* from where */
    uint64_t threads, calls, mpi_ns;
    struct cs_home *home; /* windows and files */
    size_t homes, homes_room;
    struct cs_sums {
        uint64_t calls, time_ns, sent_bytes, received_bytes, attribute_calls;
    } sums;                                      /* of all cells */
    unsigned char function_used[UINT16_MAX + 1]; /* functions that occur; the others need no row */
};

/* Learns the clock from the header. */
void cs_sealing_set_clock(struct cs_sealing *sealing);

/* Something happened at that instant. */
void cs_sealing_see(struct cs_sealing *sealing, uint64_t ticks);

/* An instant as *_ns of the trace; the nearest that can be, if it cannot. */
int64_t cs_sealing_instant(struct cs_sealing *sealing, uint64_t ticks);

/* The same as a column; NULL for 0, which stands for "did not happen". */
struct cs_value cs_sealing_instant_unless_0(struct cs_sealing *sealing, uint64_t ticks);

/* A span of ticks in nanoseconds; no longer than the run can have been. */
int64_t cs_sealing_span(struct cs_sealing *sealing, uint64_t ticks);

/* A count of the journal as a number of SQL, which has a sign and is added to others. */
int64_t cs_sealing_count(struct cs_sealing *sealing, uint64_t count);

/* Adds to a sum over this rank, of a count or in nanoseconds. False: that cannot be, the sum stays as it was. */
bool cs_sealing_add(struct cs_sealing *sealing, uint64_t *sum, uint64_t count);
bool cs_sealing_add_span(struct cs_sealing *sealing, uint64_t *sum, uint64_t ticks);

/* The number of a function; 0 is NULL. */
struct cs_value cs_sealing_function(struct cs_sealing *sealing, uint32_t number);

/* Adds a cell to the profile. communicator: of the cell's object, or that itself; `site` is a number of
   cs_places_find. */
enum cs_status cs_sealing_profile(struct cs_sealing *sealing, const struct cs_profile_cell *cell, uint32_t communicator,
                                  int64_t site);

/* Remembers a window or file: cells know it, and not its communicator. Before cs_seal_cells. */
enum cs_status cs_sealing_home(struct cs_sealing *sealing, uint32_t object, uint32_t communicator);

/* The modules, which all the rest needs. */
enum cs_status cs_seal_modules(struct cs_sealing *sealing);

/* All other facts. */
enum cs_status cs_seal_facts(struct cs_sealing *sealing);

/* How an object was made, as JSON, to be freed; NULL: nothing is told. What makes no sense is left out and remembered.
 */
enum cs_status cs_seal_detail(struct cs_sealing *sealing, const struct cs_made *made, char **json);

/* The name of a datatype that follows from it, with the names that others have by now. False: none does. */
bool cs_seal_derived(struct cs_sealing *sealing, const struct cs_fact_object *it, char name[CS_DATATYPE_NAME_BYTES]);

/* What the threads did last, and the last instant known. After the facts. */
enum cs_status cs_seal_threads(struct cs_sealing *sealing);

/* Cells of profile and attributes. After the facts. */
enum cs_status cs_seal_cells(struct cs_sealing *sealing);

/* Makes room for one more in an array of so many; *array may move. False: out of memory. */
bool cs_sealing_grow(void *array, size_t count, size_t *room, size_t bytes);

#endif
