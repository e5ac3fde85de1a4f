/* Four threads set, read, copy and delete attributes and names, of their own objects and of shared ones, in an order
   given by a seed. Each value that was set or copied is deleted once. Usage: sharing [SEED [ROUNDS]] */
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { THREADS = 4, ROUNDS = 150, SEED = 1 };

static int rounds = ROUNDS, comm_key, type_key, win_key; /* of all threads */
static unsigned long long seed = SEED;
static char values[THREADS]; /* whose value it is */
static MPI_Comm comms[THREADS];
static MPI_Datatype shared_type;
static MPI_Win shared_win;
static atomic_int set, copied, deleted, comm_dups, type_dups, contiguous;

/* The attributes of the MPIs themselves stand no two writers of one object: both MPIs release their lock around a
   callback. MPICH then damages its list of attributes. Open MPI counts one value down twice, and loses the keyval.
   So writers meet only where callsign emulates attributes. Readers meet writers everywhere. */
static bool takes_turns;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

struct thread {
    pthread_t id;
    int self;
    unsigned long long state; /* of its random numbers */
};

static unsigned draw(struct thread *thread, unsigned below)
{
    thread->state = thread->state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(thread->state >> 33) % below;
}

/* In a callback, where the MPIs hold no lock: lets the other threads run. */
static void let_others_in(void)
{
    usleep(20);
}

static int copy_comm(MPI_Comm comm, int keyval, void *extra_state, void *in, void *out, int *flag)
{
    (void)comm, (void)keyval, (void)extra_state;
    let_others_in();
    atomic_fetch_add(&copied, 1);
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static int copy_type(MPI_Datatype type, int keyval, void *extra_state, void *in, void *out, int *flag)
{
    (void)type;
    return copy_comm(MPI_COMM_NULL, keyval, extra_state, in, out, flag);
}

static int delete_comm(MPI_Comm comm, int keyval, void *value, void *extra_state)
{
    (void)comm, (void)keyval, (void)value, (void)extra_state;
    let_others_in();
    atomic_fetch_add(&deleted, 1);
    return MPI_SUCCESS;
}

static int delete_type(MPI_Datatype type, int keyval, void *value, void *extra_state)
{
    (void)type;
    return delete_comm(MPI_COMM_NULL, keyval, value, extra_state);
}

static int delete_win(MPI_Win win, int keyval, void *value, void *extra_state)
{
    (void)win;
    return delete_comm(MPI_COMM_NULL, keyval, value, extra_state);
}

static void set_comm(MPI_Comm comm, int keyval, char *value)
{
    CALL(MPI_Comm_set_attr)(comm, keyval, value);
    atomic_fetch_add(&set, 1);
}

/* NULL: it has none. */
static char *value_of(MPI_Comm comm, int keyval)
{
    char *value = NULL;
    int found = 0;
    CALL(MPI_Comm_get_attr)(comm, keyval, &value, &found);
    return found ? value : NULL;
}

static bool is_some_value(const char *value)
{
    return !value || (value >= values && value < values + THREADS);
}

/* ---- what a thread does ---- */

static void set_on_world(struct thread *thread)
{
    set_comm(MPI_COMM_WORLD, comm_key, &values[thread->self]);
    CHECK(is_some_value(value_of(MPI_COMM_WORLD, comm_key)));
}

/* One thread alone: to Open MPI it is an error that another has deleted it meanwhile. */
static void delete_on_world(struct thread *thread)
{
    if (thread->self == 0 && value_of(MPI_COMM_WORLD, comm_key))
        CALL(MPI_Comm_delete_attr)(MPI_COMM_WORLD, comm_key);
}

/* A key goes on while an attribute has it. */
static void use_own_key(struct thread *thread)
{
    int keyval, number;
    char *mine = &values[thread->self];
    CALL(MPI_Comm_create_keyval)(copy_comm, delete_comm, &keyval, NULL);
    set_comm(MPI_COMM_WORLD, keyval, mine);
    CHECK(value_of(MPI_COMM_WORLD, keyval) == mine);
    number = keyval;
    CALL(MPI_Comm_free_keyval)(&keyval);
    CHECK(value_of(MPI_COMM_WORLD, number) == mine);
    CALL(MPI_Comm_delete_attr)(MPI_COMM_WORLD, number);
}

static void duplicate_own_communicator(struct thread *thread)
{
    MPI_Comm twin;
    char name[32], found[MPI_MAX_OBJECT_NAME];
    int length;
    set_comm(comms[thread->self], comm_key, &values[thread->self]);
    CALL(MPI_Comm_dup)(comms[thread->self], &twin);
    atomic_fetch_add(&comm_dups, 1);
    snprintf(name, sizeof name, "twin of %d, %u", thread->self, draw(thread, 100));
    CALL(MPI_Comm_set_name)(twin, name);
    CHECK(value_of(twin, comm_key) == &values[thread->self]);
    CALL(MPI_Comm_get_name)(twin, found, &length);
    CHECK(strcmp(name, found) == 0);
    CALL(MPI_Comm_free)(&twin);
}

static void duplicate_own_type(struct thread *thread)
{
    MPI_Datatype type, twin;
    char *value = NULL, found[MPI_MAX_OBJECT_NAME];
    int has = 0, length;
    CALL(MPI_Type_contiguous)(thread->self + 2, MPI_INT, &type);
    CALL(MPI_Type_set_name)(type, "own");
    CALL(MPI_Type_set_attr)(type, type_key, &values[thread->self]);
    atomic_fetch_add(&set, 1);
    CALL(MPI_Type_dup)(type, &twin);
    CALL(MPI_Type_free)(&type);
    CALL(MPI_Type_get_attr)(twin, type_key, &value, &has);
    CHECK(has && value == &values[thread->self]);
    CALL(MPI_Type_set_name)(twin, "twin");
    CALL(MPI_Type_get_name)(twin, found, &length);
    CHECK(strcmp(found, "twin") == 0);
    CALL(MPI_Type_free)(&twin);
    atomic_fetch_add(&contiguous, 1);
    atomic_fetch_add(&type_dups, 1);
}

static void set_on_shared_type(struct thread *thread)
{
    CALL(MPI_Type_set_attr)(shared_type, type_key, &values[thread->self]);
    atomic_fetch_add(&set, 1);
}

static void duplicate_shared_type(struct thread *thread)
{
    MPI_Datatype twin;
    char *value = NULL;
    int has = 0;
    (void)thread;
    CALL(MPI_Type_dup)(shared_type, &twin);
    atomic_fetch_add(&type_dups, 1);
    CALL(MPI_Type_get_attr)(twin, type_key, &value, &has);
    CHECK(!has || is_some_value(value));
    CALL(MPI_Type_free)(&twin);
}

static void set_on_window(struct thread *thread)
{
    char *value = NULL;
    int has = 0;
    CALL(MPI_Win_set_attr)(shared_win, win_key, &values[thread->self]);
    atomic_fetch_add(&set, 1);
    CALL(MPI_Win_get_attr)(shared_win, win_key, &value, &has);
    CHECK(has && is_some_value(value));
}

static void read_shared(struct thread *thread)
{
    char *value = NULL;
    int has = 0;
    (void)thread;
    CHECK(is_some_value(value_of(MPI_COMM_WORLD, comm_key)));
    CALL(MPI_Type_get_attr)(shared_type, type_key, &value, &has);
    CHECK(!has || is_some_value(value));
    CALL(MPI_Win_get_attr)(shared_win, win_key, &value, &has);
    CHECK(!has || is_some_value(value));
}

static bool attributes_are_emulated(void)
{
    const char *force = getenv("CALLSIGN_FORCE");
    return force && (strcmp(force, "all") == 0 || strcmp(force, "attributes") == 0);
}

static void *run(void *argument)
{
    static const struct {
        void (*run)(struct thread *);
        bool shares;
    } does[] = {
        {set_on_world, true},          {delete_on_world, true},
        {use_own_key, true},           {duplicate_own_communicator, false},
        {duplicate_own_type, false},   {set_on_shared_type, true},
        {duplicate_shared_type, true}, {set_on_window, true},
        {read_shared, false},
    };
    struct thread *thread = argument;
    for (int i = 0; i < rounds; i++) {
        unsigned drawn = draw(thread, sizeof does / sizeof *does);
        bool alone = does[drawn].shares && takes_turns;
        if (alone)
            pthread_mutex_lock(&turn);
        does[drawn].run(thread);
        if (alone)
            pthread_mutex_unlock(&turn);
    }
    return NULL;
}

/* ---- before and after ---- */

static void make(void)
{
    void *memory;
    for (int i = 0; i < THREADS; i++)
        CALL(MPI_Comm_dup)(MPI_COMM_SELF, &comms[i]);
    CALL(MPI_Type_contiguous)(100, MPI_INT, &shared_type);
    /* One rank only: in MPICH 5 on UCX no two share memory. */
    CALL(MPI_Win_allocate_shared)(16, 1, MPI_INFO_NULL, MPI_COMM_SELF, &memory, &shared_win);
    CALL(MPI_Comm_create_keyval)(copy_comm, delete_comm, &comm_key, NULL);
    CALL(MPI_Type_create_keyval)(copy_type, delete_type, &type_key, NULL);
    CALL(MPI_Win_create_keyval)(MPI_WIN_NULL_COPY_FN, delete_win, &win_key, NULL);
}

static void end(void)
{
    for (int i = 0; i < THREADS; i++)
        CALL(MPI_Comm_free)(&comms[i]);
    CALL(MPI_Type_free)(&shared_type);
    CALL(MPI_Win_free)(&shared_win);
    delete_on_world(&(struct thread){.self = 0});
    CALL(MPI_Comm_free_keyval)(&comm_key);
    CALL(MPI_Type_free_keyval)(&type_key);
    CALL(MPI_Win_free_keyval)(&win_key);
    CHECK(deleted == set + copied);
}

static void tell(void)
{
    check_made("communicator", "MPI_Comm_dup", THREADS + comm_dups);
    check_freed("communicator", "MPI_Comm_free", THREADS + comm_dups);
    check_made("datatype", "MPI_Type_contiguous", 1 + contiguous);
    check_made("datatype", "MPI_Type_dup", type_dups);
    check_freed("datatype", "MPI_Type_free", 1 + contiguous + type_dups);
    check_made("window", "MPI_Win_allocate_shared", 1);
    check_freed("window", "MPI_Win_free", 1);
    check_sql("SELECT count(*) = 0 FROM leaks");
}

int main(int argc, char **argv)
{
    int rank, provided;
    struct thread threads[THREADS];
    CALL(MPI_Init_thread)(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    CHECK(provided == MPI_THREAD_MULTIPLE);
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 10);
    if (argc > 2)
        rounds = atoi(argv[2]);
    takes_turns = !attributes_are_emulated();
    make();
    for (int i = 0; i < THREADS; i++) {
        threads[i] = (struct thread){.self = i, .state = seed * 1000 + (unsigned)(rank * THREADS + i)};
        pthread_create(&threads[i].id, NULL, run, &threads[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i].id, NULL);
    end();
    tell();
    check_say("rank %d: seed %llu, %d values", rank, seed, (int)set);
    CALL(MPI_Finalize)();
    return check_write();
}
