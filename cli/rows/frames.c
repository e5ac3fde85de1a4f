#include "cli/rows/frames.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/hash_table.h"
#include "base/symbols/resolver.h"
#include "db/run/resolved_frames.h"

#define KNOWN_MAX 100000u

struct known {
    UT_hash_handle hh;
    union {
        struct cs_source source;
        struct cs_variable variable;
    };
    bool found;
    size_t key_bytes;
    char key[]; /* module, build id, offset, place of data */
};

struct cs_frames {
    struct cs_resolver *resolver;
    struct known *known;
};

struct cs_frames *cs_frames_new(void)
{
    struct cs_frames *frames = calloc(1, sizeof *frames);
    if (frames)
        frames->resolver = cs_resolver_new(CS_RESOLVER_IN_COMMAND);
    if (frames && frames->resolver)
        return frames;
    free(frames);
    return NULL;
}

static void forget(struct cs_frames *frames)
{
    CS_TABLE_FREE(frames->known);
}

void cs_frames_free(struct cs_frames *frames)
{
    if (!frames)
        return;
    forget(frames);
    cs_resolver_free(frames->resolver);
    free(frames);
}

static const struct cs_data_place no_data; /* a frame */

static struct known *known_new(const struct cs_resolve_frame *frame, const struct cs_data_place *place)
{
    size_t module_bytes = strlen(frame->module) + 1, id_bytes = strlen(frame->build_id) + 1;
    struct known *known = calloc(1, sizeof *known + module_bytes + id_bytes + sizeof frame->offset + sizeof *place);
    if (!known)
        return NULL;
    char *key = known->key;
    key = mempcpy(key, frame->module, module_bytes);
    key = mempcpy(key, frame->build_id, id_bytes);
    key = mempcpy(key, &frame->offset, sizeof frame->offset);
    key = mempcpy(key, place, sizeof *place);
    known->key_bytes = (size_t)(key - known->key);
    return known;
}

/* Looks a frame up, or data if there is a place. NULL: out of memory. */
static const struct known *find(struct cs_frames *frames, const struct cs_resolve_frame *frame,
                                const struct cs_data_place *place)
{
    struct known *mine = known_new(frame, place), *known = NULL;
    if (!mine)
        return NULL;
    HASH_FIND(hh, frames->known, mine->key, mine->key_bytes, known);
    if (known) {
        free(mine);
        return known;
    }
    mine->found = place == &no_data ? cs_resolver_find(frames->resolver, frame, &mine->source)
                                    : cs_resolver_find_variable(frames->resolver, frame, place, &mine->variable);
    if (HASH_COUNT(frames->known) >= KNOWN_MAX)
        forget(frames);
    CS_TABLE_ADD_UNDER(frames->known, mine->key, mine->key_bytes, mine);
    return mine;
}

static bool look(void *context, const struct cs_resolve_frame *frame, struct cs_source *found)
{
    const struct known *known = find(context, frame, &no_data);
    if (known && known->found)
        *found = known->source;
    return known && known->found;
}

static bool look_at_data(void *context, const struct cs_resolve_frame *frame, const struct cs_data_place *place,
                         struct cs_variable *found)
{
    const struct known *known = find(context, frame, place);
    if (known && known->found)
        *found = known->variable;
    return known && known->found;
}

static struct cs_resolving resolving_with(struct cs_frames *frames)
{
    return (struct cs_resolving){.look = look, .look_at_data = look_at_data, .context = frames};
}

/* If a trace is read-only, its frames are looked up again each time they are shown. */
void cs_frames_resolve(void *frames, const char *trace)
{
    const struct cs_resolving resolving = resolving_with(frames);
    if (frames)
        cs_resolved_frames_write(trace, &resolving);
}

bool cs_frames_resolve_in_place(struct cs_frames *frames, const char *trace)
{
    const struct cs_resolving resolving = resolving_with(frames);
    return !frames || cs_resolved_frames_write_in_place(trace, &resolving) == CS_OK;
}

void cs_frames_resolve_merged(void *frames, const char *database)
{
    cs_frames_resolve_in_place(frames, database);
}

/* ---- stack ---- */

#define ENOUGH_BYTES ((rlim_t)8 << 20)

struct call {
    void (*function)(void *argument);
    void *argument;
};

static void *begin(void *argument)
{
    const struct call *call = argument;
    call->function(call->argument);
    return NULL;
}

static bool call_in_thread(struct call *call)
{
    pthread_t thread;
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0)
        return false;
    bool made = pthread_attr_setstacksize(&attributes, ENOUGH_BYTES) == 0 &&
                pthread_create(&thread, &attributes, begin, call) == 0;
    pthread_attr_destroy(&attributes);
    if (made)
        pthread_join(thread, NULL);
    return made;
}

void cs_large_stack_call(void (*function)(void *argument), void *argument)
{
    struct rlimit limit;
    struct call call = {.function = function, .argument = argument};
    bool small =
        getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < ENOUGH_BYTES;
    if (!small || !call_in_thread(&call))
        function(argument);
}
