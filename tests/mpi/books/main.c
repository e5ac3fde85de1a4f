/* books SEED [threads]: see books.h. */
#include <pthread.h>

#include "books.h"

enum { ROUNDS = 4, THREADS = 3, BUFFER = 24 << 20 };

static void follow(struct actor *actor)
{
    static void (*const rounds[])(struct actor * actor) = {posted_round, blocking_round, exchange_round};
    for (int i = 0; i < ROUNDS; i++)
        for (size_t kind = 0; kind < sizeof rounds / sizeof *rounds; kind++)
            rounds[kind](actor);
}

static struct actor begin(uint64_t seed, uint64_t thread)
{
    struct actor actor = {.tag_step = 1};
    int found, *largest;
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &actor.me);
    CALL(MPI_Comm_size)(MPI_COMM_WORLD, &actor.size);
    CALL(MPI_Comm_get_attr)(MPI_COMM_WORLD, MPI_TAG_UB, &largest, &found);
    actor.largest_tag = *largest;
    actor.common.state = seed * 1000 + thread;
    actor.own.state = (seed * 1000 + thread) * 1000 + 1 + (uint64_t)actor.me;
    return actor;
}

static void say(const struct actor *actor, const char *who)
{
    check_say("rank %d, %s: %ld messages seen, %016llx", actor->me, who, actor->messages,
              (unsigned long long)actor->seen);
}

static void process(uint64_t seed)
{
    struct actor actor = begin(seed, 0);
    actor.together = MPI_COMM_WORLD;
    make_places(&actor);
    const struct place *reversed = &actor.place[3];
    follow(&actor);
    talk_to_nobody(&actor, reversed);
    exchange_at_once(&actor);
    cancel_receives(&actor, reversed);
    cancel_sends(&actor, reversed);
    truncate_messages(&actor);
    be_refused(&actor);
    free_before_completion(&actor);
    abandon_requests(&actor);
    send_partitions(&actor, reversed);
    access_memory(&actor);
    free_places(&actor);
    say(&actor, "process");
}

/* ---- threads ---- */

static void *run_thread(void *given)
{
    struct actor *actor = given;
    follow(actor);
    talk_to_nobody(actor, &actor->place[0]);
    return NULL;
}

/* Each thread has a communicator of its own, and one with all others: there its tags are its own. */
static void threads(uint64_t seed)
{
    static const char *const names[THREADS] = {"thread 0", "thread 1", "thread 2"};
    struct actor actors[THREADS], all = begin(seed, THREADS);
    pthread_t thread[THREADS];
    place_like(&all, MPI_COMM_WORLD, "common", true);
    all.place[0].shared = true;
    for (int i = 0; i < THREADS; i++) {
        actors[i] = begin(seed, (uint64_t)i);
        place_like(&actors[i], MPI_COMM_WORLD, names[i], false);
        actors[i].place[actors[i].places++] = all.place[0];
        actors[i].together = actors[i].place[0].comm;
        actors[i].tag_step = THREADS;
        actors[i].first_tag = i;
        actors[i].largest_tag -= i;
    }
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&thread[i], NULL, run_thread, &actors[i]) != 0)
            abort();
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        free_places(&actors[i]);
        say(&actors[i], names[i]);
    }
    CALL(MPI_Comm_free)(&all.place[0].comm);
}

int main(int argc, char **argv)
{
    bool threaded = argc > 2 && strcmp(argv[2], "threads") == 0;
    int provided, size;
    void *buffer = malloc(BUFFER);
    if (argc < 2 || !buffer)
        return 2;
    CALL(MPI_Init_thread)(&argc, &argv, threaded ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    CALL(MPI_Buffer_attach)(buffer, BUFFER);
    if (!threaded)
        process(strtoull(argv[1], NULL, 10));
    else if (provided == MPI_THREAD_MULTIPLE)
        threads(strtoull(argv[1], NULL, 10));
    CALL(MPI_Buffer_detach)(&buffer, &size);
    CALL(MPI_Finalize)();
    free(buffer);
    check_skip("bytes");
    check_skip("objects");
    check_outcome("finalized");
    return check_write();
}
