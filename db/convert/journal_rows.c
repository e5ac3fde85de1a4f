#include "db/convert/journal_rows.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "db/convert/cell_rows.h"
#include "db/convert/events.h"
#include "db/convert/facts.h"
#include "db/convert/objects.h"
#include "db/convert/process.h"
#include "db/convert/profile_rows.h"
#include "db/convert/region_rows.h"
#include "db/convert/sites.h"
#include "functions.h"
#include "journal/run_files.h"

enum cs_outcome cs_journal_rows_outcome(const struct cs_journal_header *header, bool self, bool alive)
{
    if (header->outcome == CS_OUTCOME_CONVERTING && self)
        return CS_OUTCOME_FINALIZED;
    if (header->outcome == CS_OUTCOME_RUNNING || header->outcome == CS_OUTCOME_CONVERTING)
        return alive ? CS_OUTCOME_RUNNING : CS_OUTCOME_DIED;
    return header->outcome < CS_OUTCOME_DIED ? (enum cs_outcome)header->outcome : CS_OUTCOME_DIED;
}

static enum cs_status write_functions(struct cs_conversion *conversion)
{
    enum cs_status status = CS_OK;
    for (size_t i = 0; status == CS_OK && i < cs_function_count; i++) {
        const struct cs_function *it = &cs_functions[i];
        if (!conversion->function_used[it->number] || conversion->shared->function[it->number])
            continue;
        conversion->shared->function[it->number] = 1;
        status =
            CS_INSERT(conversion->rows, function, .function = cs_int(it->number), .name = cs_text(it->name),
                      .class = cs_text(it->class), .waits = cs_text(cs_wait_words[it->wait]),
                      .mode = cs_text(cs_mode_words[it->mode]), .transfer = cs_text(cs_transfer_words[it->transfer]),
                      .collective = cs_text(cs_collective_words[it->collective]), .root = cs_int_unless(it->root, 0),
                      .op = cs_int_unless(it->op, 0), .datatype = cs_int_unless(it->datatype, 0),
                      .request_act = cs_text(cs_request_act_words[it->request_act]),
                      .epoch_act = cs_text(cs_epoch_act_words[it->epoch_act]),
                      .synchronizing = cs_int(it->synchronizing), .synchronous = cs_int(it->synchronous),
                      .creates = cs_text(cs_verb_words[it->verb]), .duplicates = cs_int(it->duplicates));
    }
    return status;
}

/* The number of events of each thread in the trace: all if the user wants them, none for a rank that finalized. A run
   whose ranks all died gets about a million. A trace for one look is made in a moment. */
static uint64_t most_events(const struct cs_conversion *conversion, enum cs_outcome outcome)
{
    enum { IN_A_LOOK = 1000, IN_A_RUN = 1 << 20, LEAST = 1000 };
    if (conversion->all_events)
        return UINT64_MAX;
    if (conversion->aside && outcome == CS_OUTCOME_RUNNING)
        return IN_A_LOOK;
    if (conversion->keeps_events)
        return UINT64_MAX;
    if (!conversion->unfinished)
        return 0;
    if (conversion->aside)
        return IN_A_LOOK;
    uint64_t share = conversion->header->size > 0 ? IN_A_RUN / (uint64_t)conversion->header->size : IN_A_RUN;
    return share > LEAST ? share : LEAST;
}

/* The rows of the process and of functions come last: they need everything else. */
enum cs_status cs_journal_rows_write(struct cs_conversion *conversion, enum cs_outcome outcome)
{
    conversion->unfinished = outcome != CS_OUTCOME_FINALIZED;
    conversion->sites = cs_sites_create(conversion);
    conversion->objects = cs_objects_create();
    conversion->profile = cs_profile_rows_create();
    conversion->errors = cs_errors_create();
    conversion->regions = cs_regions_create();
    bool ready =
        conversion->sites && conversion->objects && conversion->profile && conversion->errors && conversion->regions;
    enum cs_status status = ready ? CS_OK : CS_NO_MEMORY;
    if (status == CS_OK)
        status = cs_regions_read(conversion);
    if (status == CS_OK)
        status = cs_facts_load(conversion);
    if (status == CS_OK)
        status = cs_objects_write(conversion);
    cs_objects_destroy(conversion->objects); /* they use most of the memory */
    conversion->objects = NULL;
    if (status == CS_OK)
        status = cs_threads_write(conversion);
    if (status == CS_OK)
        status = cs_profile_rows_write(conversion);
    if (status == CS_OK)
        status = cs_regions_write(conversion);
    if (status == CS_OK)
        status = cs_cells_load(conversion);
    if (status == CS_OK && conversion->unfinished)
        status = cs_requests_write(conversion);
    if (status == CS_OK && most_events(conversion, outcome))
        status = cs_events_write(conversion, most_events(conversion, outcome));
    if (status == CS_OK)
        status = cs_process_write(conversion, outcome);
    if (status == CS_OK)
        status = write_functions(conversion);
    if (status == CS_OK)
        status = cs_sites_write(conversion->sites);
    cs_sites_destroy(conversion->sites);
    cs_profile_rows_destroy(conversion->profile);
    cs_errors_destroy(conversion->errors);
    cs_regions_destroy(conversion->regions);
    free(conversion->thread);
    for (size_t i = 0; i < CS_ABOUT_COUNT; i++)
        free(conversion->about[i]);
    return status;
}

enum cs_status cs_journal_rows_guard(enum cs_status (*write)(void *context), void *context)
{
    sigset_t limit, before, pending;
    sigemptyset(&limit);
    sigaddset(&limit, SIGXFSZ);
    sigemptyset(&pending);
    sigpending(&pending);
    bool was_pending = sigismember(&pending, SIGXFSZ) == 1;
    bool blocked = pthread_sigmask(SIG_BLOCK, &limit, &before) == 0;
    enum cs_status status = write(context);
    if (blocked) {
        static const struct timespec now = {0, 0};
        while (!was_pending && sigtimedwait(&limit, NULL, &now) < 0 && errno == EINTR)
            ;
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    return status;
}

/* Removes the link last: it leads to the journal as long as it exists. */
void cs_journal_rows_remove(const char *path)
{
    char elsewhere[PATH_MAX];
    const char *file = cs_node_local_resolve(path, elsewhere);
    bool removed = unlink(file) == 0 ||
                   errno == ENOENT; /* another process may have converted it at the same time, with the same result */
    if (removed && file != path)
        removed = unlink(path) == 0 || errno == ENOENT;
    if (!removed)
        cs_log("%s was converted but cannot be removed: %s", path, strerror(errno));
}
