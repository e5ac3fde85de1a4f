/* Threads meet on one object at a time: one thread names it, another asks its name, the third one duplicates it. Every
   answer must be a name that the program set, or the one that the MPI gave. Usage: renaming [SEED [ROUNDS [rules]]];
   rules: CALLSIGN_NAMES is renaming.rules. */
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>

enum { ROUNDS = 120, SEED = 1, NAMES = 16, LONGEST = 58, DEPTH = 10, KINDS = 3 };
enum kind { COMM, WIN, TYPE };

/* "", then names of one letter each: an answer that is a mix of two is none of them. */
static char names[NAMES][LONGEST + 1];

static MPI_Comm deep[DEPTH]; /* duplicates of duplicates: their derived names are longer than Open MPI's longest */
static int rounds = ROUNDS;
static void *memory;
static enum kind kind;
static MPI_Comm comm;
static MPI_Win win;
static MPI_Datatype type;
static char given[KINDS][MPI_MAX_OBJECT_NAME]; /* by the MPI */
static atomic_bool renamed;

/* CALL does not count concurrent calls of threads, because its lock would serialize them. */
static atomic_int comm_sets, win_sets, type_sets, comm_gets, win_gets, type_gets, comm_dups, type_dups;
#define RACE(counter, name) (*(atomic_fetch_add_explicit(&(counter), 1, memory_order_relaxed), &name))

static pthread_barrier_t barrier;

/* The MPI has no lock around names of this kind: an answer may be a mix of two names, without callsign too. */
static bool mixes_names[KINDS];

/* Open MPI has none around names of datatypes; MPICH has none at all since 4.2. */
static void learn_what_mixes(void)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length, major = 0, minor = 0;
    CALL(MPI_Get_library_version)(version, &length);
    const char *mpich = strstr(version, "MPICH Version:");
    if (mpich)
        sscanf(mpich, "MPICH Version: %d.%d", &major, &minor);
    for (int i = 0; i < KINDS; i++)
        mixes_names[i] = mpich ? major * 100 + minor >= 402 : i == TYPE;
}

static unsigned draw(unsigned long long *state, unsigned below)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(*state >> 33) % below;
}

/* ---- the object of this round ---- */

static void make(void)
{
    if (kind == COMM)
        CALL(MPI_Comm_dup)(deep[DEPTH - 1], &comm);
    else if (kind == WIN)
        CALL(MPI_Win_allocate_shared)(16, 1, MPI_INFO_NULL, deep[DEPTH - 1], &memory, &win);
    else
        CALL(MPI_Type_contiguous)(2, MPI_INT, &type);
}

static void end(void)
{
    if (kind == COMM)
        CALL(MPI_Comm_free)(&comm);
    else if (kind == WIN)
        CALL(MPI_Win_free)(&win);
    else
        CALL(MPI_Type_free)(&type);
}

static void set_name(const char *name)
{
    if (kind == COMM)
        RACE(comm_sets, MPI_Comm_set_name)(comm, name);
    else if (kind == WIN)
        RACE(win_sets, MPI_Win_set_name)(win, name);
    else
        RACE(type_sets, MPI_Type_set_name)(type, name);
}

static void get_name(char name[MPI_MAX_OBJECT_NAME])
{
    int length = -1;
    memset(name, '\177', MPI_MAX_OBJECT_NAME);
    if (kind == COMM)
        RACE(comm_gets, MPI_Comm_get_name)(comm, name, &length);
    else if (kind == WIN)
        RACE(win_gets, MPI_Win_get_name)(win, name, &length);
    else
        RACE(type_gets, MPI_Type_get_name)(type, name, &length);
    CHECK(memchr(name, '\0', MPI_MAX_OBJECT_NAME));
    CHECK(length == (int)strlen(name) || mixes_names[kind]);
}

static bool is_allowed(const char *answer)
{
    bool allowed = strcmp(answer, given[kind]) == 0;
    for (int i = 0; i < NAMES && !allowed; i++)
        allowed = strcmp(answer, names[i]) == 0;
    return allowed;
}

static void check_answer(const char *what, const char *answer)
{
    /* A mix ends with whatever the MPI kept there, a name of callsign's too, but begins with a name of the program. */
    if (is_allowed(answer) || (mixes_names[kind] && answer[0] >= names[1][0] && answer[0] <= names[NAMES - 1][0]))
        return;
    check_say("%s of kind %d is called [%s]", what, (int)kind, answer);
    CHECK(false);
}

/* ---- what the threads do in a round ---- */

static void rename_it(unsigned long long *state)
{
    char answer[MPI_MAX_OBJECT_NAME];
    for (unsigned i = 0, times = 1 + draw(state, 6); i < times; i++) {
        const char *name = names[draw(state, NAMES)];
        set_name(name);
        get_name(answer);
        CHECK(strcmp(answer, name) == 0);
    }
    atomic_store(&renamed, true);
}

static void ask(unsigned long long *state)
{
    char answer[MPI_MAX_OBJECT_NAME];
    (void)state;
    do {
        get_name(answer);
        check_answer("the object", answer);
    } while (!atomic_load(&renamed));
}

static void duplicate_comm(void)
{
    char answer[MPI_MAX_OBJECT_NAME];
    int length;
    MPI_Comm twin;
    RACE(comm_dups, MPI_Comm_dup)(comm, &twin);
    RACE(comm_gets, MPI_Comm_get_name)(twin, answer, &length);
    check_answer("a duplicate", answer);
    MPI_Comm_free(&twin);
}

/* Open MPI calls it "Dup " and the name of the original. */
static void duplicate_type(void)
{
    char answer[MPI_MAX_OBJECT_NAME];
    int length;
    MPI_Datatype twin;
    RACE(type_dups, MPI_Type_dup)(type, &twin);
    RACE(type_gets, MPI_Type_get_name)(twin, answer, &length);
    check_answer("a duplicate", strncmp(answer, "Dup ", 4) == 0 ? answer + 4 : answer);
    MPI_Type_free(&twin);
}

static void duplicate(unsigned long long *state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        if (kind == COMM)
            duplicate_comm();
        else if (kind == TYPE)
            duplicate_type();
        if (atomic_load(&renamed))
            return;
    }
}

struct thread {
    pthread_t id;
    void (*act)(unsigned long long *state);
    unsigned long long state; /* of its random numbers */
};

static void *run(void *argument)
{
    struct thread *thread = argument;
    for (int i = 0; i < KINDS * rounds; i++) {
        pthread_barrier_wait(&barrier);
        thread->act(&thread->state);
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

/* ---- names that tell the lineage ---- */

/* A duplicate's derived name begins with what its original was called at one moment; "?": it had no name then. */
static void check_derived(void)
{
    char parent[200] = "MPI_COMM_SELF";
    for (int i = 0; i < DEPTH; i++)
        strcat(parent, ".dup1");
    check_sql("SELECT count(*) = 0 FROM object AS twin JOIN object AS original ON original.object = twin.parent "
              "JOIN object AS deep ON deep.object = original.parent WHERE deep.name = '%s' AND NOT EXISTS "
              "(SELECT 1 FROM naming AS n WHERE n.object = original.object AND "
              "twin.name GLOB iif(coalesce(n.name, '') = '', '[?]', n.name) || '.dup*')",
              parent);
}

/* Names by the rules end with what the parent was called at one moment; beside what the program set: the name of
   MPI_COMM_SELF, one by the rule itself, "?" for none. */
static void check_by_rule(void)
{
    check_sql("SELECT count(*) > 0 FROM naming WHERE origin = 'rule' AND name LIKE 'short:aaaaaaa%%'");
    check_sql(
        "SELECT count(*) = 0 FROM (SELECT iif(name LIKE 'short:%%', substr(name, 7), substr(name, 152)) AS parent "
        "FROM naming WHERE origin = 'rule') WHERE parent NOT IN ('?', 'MPI_COMM_SELF') "
        "AND parent NOT LIKE 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx%%' "
        "AND parent NOT IN (SELECT name FROM naming WHERE origin = 'program')");
}

int main(int argc, char **argv)
{
    static const struct thread roles[] = {{.act = rename_it}, {.act = ask}, {.act = duplicate}};
    enum { THREADS = sizeof roles / sizeof *roles };
    struct thread threads[THREADS];
    int rank, provided;
    CALL(MPI_Init_thread)(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    CHECK(provided == MPI_THREAD_MULTIPLE);
    unsigned long long seed = argc > 1 ? strtoull(argv[1], NULL, 10) : SEED;
    rounds = argc > 2 ? atoi(argv[2]) : ROUNDS;
    learn_what_mixes();
    for (int i = 1; i < NAMES; i++)
        memset(names[i], 'a' + i - 1, (size_t)(7 + i * 31 % (LONGEST - 7)));
    for (int i = 0; i < DEPTH; i++)
        CALL(MPI_Comm_dup)(i ? deep[i - 1] : MPI_COMM_SELF, &deep[i]);
    pthread_barrier_init(&barrier, NULL, THREADS + 1);
    for (int i = 0; i < THREADS; i++) {
        threads[i] = roles[i];
        threads[i].state = seed * 1000 + (unsigned)(rank * THREADS + i);
        pthread_create(&threads[i].id, NULL, run, &threads[i]);
    }
    for (int i = 0; i < KINDS * rounds; i++) {
        kind = (enum kind)(i % KINDS);
        atomic_store(&renamed, false);
        make();
        get_name(given[kind]);
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
        end();
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i].id, NULL);
    for (int i = DEPTH; i-- > 0;)
        CALL(MPI_Comm_free)(&deep[i]);
    check_count("MPI_Comm_set_name", comm_sets);
    check_count("MPI_Win_set_name", win_sets);
    check_count("MPI_Type_set_name", type_sets);
    check_count("MPI_Comm_get_name", comm_gets);
    check_count("MPI_Win_get_name", win_gets);
    check_count("MPI_Type_get_name", type_gets);
    check_count("MPI_Comm_dup", comm_dups);
    check_count("MPI_Comm_free", comm_dups);
    check_count("MPI_Type_dup", type_dups);
    check_count("MPI_Type_free", type_dups);
    check_made("communicator", "MPI_Comm_dup", DEPTH + rounds + comm_dups);
    check_freed("communicator", "MPI_Comm_free", DEPTH + rounds + comm_dups);
    check_made("window", "MPI_Win_allocate_shared", rounds);
    check_freed("window", "MPI_Win_free", rounds);
    check_made("datatype", "MPI_Type_contiguous", rounds);
    check_made("datatype", "MPI_Type_dup", type_dups);
    check_freed("datatype", "MPI_Type_free", rounds + type_dups);
    if (argc > 3)
        check_by_rule();
    else
        check_derived();
    for (int i = 0; i < KINDS; i++)
        check_say("rank %d: seed %llu: objects of kind %d were called [%s]", rank, seed, i, given[i]);
    CALL(MPI_Finalize)();
    return check_write();
}
