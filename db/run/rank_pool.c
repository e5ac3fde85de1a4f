#include "db/run/rank_pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

enum {
    THREADS_MOST = 32,
    AHEAD = 4, /* files in memory for each thread */
};

struct slot {
    struct cs_rank_rows rows;
    size_t read; /* number of the file that was read, plus 1 */
};

struct cs_rank_pool {
    const char *const *path;
    size_t count;
    bool leave_profile;
    struct slot *slot;
    size_t slots;
    pthread_t thread[THREADS_MOST];
    size_t threads;
    pthread_mutex_t lock; /* of all below, and of slot[].read */
    pthread_cond_t changed;
    size_t next;  /* file that is read next */
    size_t taken; /* files that were written, or are left out */
    bool stop;
};

/* Returns the number of a file to read; `count`: there is none. */
static size_t next_file(struct cs_rank_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    while (!pool->stop && pool->next < pool->count && pool->next >= pool->taken + pool->slots)
        pthread_cond_wait(&pool->changed, &pool->lock);
    size_t number = pool->stop ? pool->count : pool->next;
    if (number < pool->count)
        pool->next++;
    pthread_mutex_unlock(&pool->lock);
    return number;
}

static void *read_files(void *context)
{
    struct cs_rank_pool *pool = context;
    for (size_t i; (i = next_file(pool)) < pool->count;) {
        struct slot *slot = &pool->slot[i % pool->slots];
        cs_rank_read(&slot->rows, pool->path[i], pool->leave_profile);
        pthread_mutex_lock(&pool->lock);
        slot->read = i + 1;
        pthread_cond_broadcast(&pool->changed);
        pthread_mutex_unlock(&pool->lock);
    }
    return NULL;
}

static size_t cores(void)
{
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return count < 1 ? 1 : count > THREADS_MOST ? THREADS_MOST : (size_t)count;
}

struct cs_rank_pool *cs_rank_pool_create(const char *const *path, size_t count, bool leave_profile)
{
    struct cs_rank_pool *pool = calloc(1, sizeof *pool);
    if (!pool)
        return NULL;
    pool->path = path;
    pool->count = count;
    pool->leave_profile = leave_profile;
    size_t wanted = sqlite3_threadsafe() ? cores() : 0;
    wanted = wanted < count ? wanted : count;
    pool->slots = AHEAD * (wanted ? wanted : 1);
    pool->slot = calloc(pool->slots, sizeof *pool->slot);
    if (!pool->slot) {
        free(pool);
        return NULL;
    }
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->changed, NULL);
    while (pool->threads < wanted && pthread_create(&pool->thread[pool->threads], NULL, read_files, pool) == 0)
        pool->threads++;
    return pool;
}

struct cs_rank_rows *cs_rank_pool_take(struct cs_rank_pool *pool, size_t number)
{
    struct slot *slot = &pool->slot[number % pool->slots];
    if (!pool->threads) {
        cs_rank_read(&slot->rows, pool->path[number], pool->leave_profile);
        return &slot->rows;
    }
    pthread_mutex_lock(&pool->lock);
    pool->taken = number;
    pthread_cond_broadcast(&pool->changed);
    while (slot->read != number + 1)
        pthread_cond_wait(&pool->changed, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
    return &slot->rows;
}

void cs_rank_pool_destroy(struct cs_rank_pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->stop = true;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
    for (size_t i = 0; i < pool->threads; i++)
        pthread_join(pool->thread[i], NULL);
    for (size_t i = 0; i < pool->slots; i++)
        cs_rank_free(&pool->slot[i].rows);
    pthread_cond_destroy(&pool->changed);
    pthread_mutex_destroy(&pool->lock);
    free(pool->slot);
    free(pool);
}
