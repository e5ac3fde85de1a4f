/* Makes, names, renames and frees communicators and datatypes for ever. Next to each handle it stores its expected
   state for a debugger (tests/debugger/held.py). At any moment, the shown state must equal the expected one. There
   are two threads, so that a reader of the table always meets an update. */
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HELD = 32, THREADS = 2, NAME = 64 };
enum state { NOTHING, LIVES, FREED };
enum doing { AT_REST, MAKING, NAMING, FREEING };

struct held {
    uint64_t epoch; /* odd while what follows changes, in MPI or here */
    uint64_t handle;
    uint32_t kind; /* 1: communicator, 2: datatype */
    uint32_t state, doing;
    uint32_t died;                 /* FREED: how many had died */
    char name[NAME], coming[NAME]; /* now; after the call that is under way */
};

static struct {
    char magic[16];
    uint64_t count, bytes, dead;
    struct held held[THREADS * HELD];
} belief = {.magic = "BELIEVED-HANDLE", .count = THREADS * HELD, .bytes = sizeof(struct held)};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint64_t number_of(uint32_t kind, const void *handle)
{
    uint64_t number = 0;
    memcpy(&number, handle, kind == 1 ? sizeof(MPI_Comm) : sizeof(MPI_Datatype));
    return number;
}

/* Both are told before and after the call of MPI: `epoch` is odd in between. */
static void begin(struct held *held, enum doing doing)
{
    pthread_mutex_lock(&lock);
    __atomic_store_n(&held->epoch, held->epoch + 1, __ATOMIC_SEQ_CST);
    held->doing = doing;
    pthread_mutex_unlock(&lock);
}

/* The former owner of the same value has no claim any more, even if its free has not returned yet. */
static void forget_former(const struct held *held)
{
    for (struct held *other = belief.held; other < belief.held + THREADS * HELD; other++) {
        bool gone = other->state == FREED || other->doing == FREEING;
        if (gone && other != held && other->kind == held->kind && other->handle == held->handle) {
            other->state = NOTHING;
            __atomic_store_n(&other->epoch, other->epoch + 2, __ATOMIC_SEQ_CST);
        }
    }
}

static void end(struct held *held, enum state state)
{
    pthread_mutex_lock(&lock);
    if (held->doing == MAKING)
        forget_former(held);
    if (held->doing != FREEING)
        memcpy(held->name, held->coming, NAME);
    if (held->doing == FREEING)
        held->died = (uint32_t)++belief.dead;
    if (held->doing != FREEING || held->state == LIVES)
        held->state = state;
    held->doing = AT_REST;
    __atomic_store_n(&held->epoch, held->epoch + 1, __ATOMIC_SEQ_CST);
    pthread_mutex_unlock(&lock);
}

struct maker {
    pthread_t thread;
    struct held *held; /* HELD */
    MPI_Comm from, comms[HELD];
    MPI_Datatype types[HELD];
    unsigned number, chance;
};

static void say_name(struct maker *maker, int place)
{
    struct held *held = &maker->held[place];
    unsigned number = ++maker->number;
    /* Long enough that half a name would be seen. */
    snprintf(held->coming, NAME, "%s %u/%u \303\251 %u.%u", held->kind == 1 ? "comm" : "type", place, number, number,
             number);
    if (held->kind == 1)
        MPI_Comm_set_name(maker->comms[place], held->coming);
    else
        MPI_Type_set_name(maker->types[place], held->coming);
}

static void make(struct maker *maker, int place)
{
    struct held *held = &maker->held[place];
    begin(held, MAKING);
    held->state = NOTHING;
    held->kind = rand_r(&maker->chance) % 16 ? 2 : 1;
    if (held->kind == 1) {
        MPI_Comm_dup(maker->from, &maker->comms[place]);
        held->handle = number_of(1, &maker->comms[place]);
    } else {
        MPI_Type_contiguous(3, MPI_INT, &maker->types[place]);
        held->handle = number_of(2, &maker->types[place]);
    }
    say_name(maker, place);
    end(held, LIVES);
}

static void change(struct maker *maker, int place)
{
    struct held *held = &maker->held[place];
    if (held->state != LIVES) {
        make(maker, place);
    } else if (rand_r(&maker->chance) % 3) {
        begin(held, NAMING);
        say_name(maker, place);
        end(held, LIVES);
    } else {
        begin(held, FREEING);
        if (held->kind == 1)
            MPI_Comm_free(&maker->comms[place]);
        else
            MPI_Type_free(&maker->types[place]);
        end(held, FREED);
    }
}

static void *make_and_free(void *argument)
{
    struct maker *maker = argument;
    for (;;)
        change(maker, rand_r(&maker->chance) % HELD);
    return NULL;
}

int main(int argc, char **argv)
{
    static struct maker makers[THREADS];
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    for (int i = 0; i < THREADS; i++) {
        makers[i] = (struct maker){.held = belief.held + i * HELD, .chance = (unsigned)i + 1};
        MPI_Comm_dup(MPI_COMM_SELF, &makers[i].from);
    }
    if (provided == MPI_THREAD_MULTIPLE)
        pthread_create(&makers[1].thread, NULL, make_and_free, &makers[1]);
    make_and_free(&makers[0]);
}
