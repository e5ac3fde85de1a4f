/* What calls and code of a run take, by call site and by object. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct cs_replay_rank {
    int64_t rank;
    int64_t useful_ns; /* between calls, first thread */
};

struct cs_replay_site {
    int64_t site, group;
    int64_t calls_ns;         /* in calls from here, without what they waited for */
    const int64_t *before_ns; /* code that ends here, by rank in the order of the replay */
};

struct cs_replay_object {
    int64_t similar;
    int64_t rank, object; /* one of them */
    int64_t calls_ns;     /* as in cs_replay_site */
};

/* {0} is empty. */
struct cs_replay_sums {
    struct cs_replay_sums_site *sites;
    struct cs_replay_sums_object *objects;
    size_t ranks;
};

/* Adds time between calls of a rank, by its place, that ends at a call site. */
void cs_replay_sums_add_code(struct cs_replay_sums *sums, int64_t site, size_t rank, int64_t ns);

/* Adds time in a call. similar 0: on no object that others know. */
void cs_replay_sums_add_call(struct cs_replay_sums *sums, int64_t site, int64_t ns, int64_t similar, int64_t rank,
                             int64_t object);

/* The group of a call site. */
int64_t cs_replay_sums_group(const struct cs_replay_sums *sums, int64_t site);

void cs_replay_sums_each_site(const struct cs_replay_sums *sums,
                              void (*each)(void *context, const struct cs_replay_site *site), void *context);
void cs_replay_sums_each_object(const struct cs_replay_sums *sums,
                                void (*each)(void *context, const struct cs_replay_object *object), void *context);

/* Puts call sites that are one for people, such as those of one line, into one group. Else each is its own. */
void cs_replay_sums_group_sites(struct cs_replay_sums *sums, int64_t (*group)(void *context, int64_t site),
                                void *context);

void cs_replay_sums_free(struct cs_replay_sums *sums);
