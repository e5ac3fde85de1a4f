/* What a program may do to its threads: use up all keys of thread-specific data, ask for the time in a signal handler
   that interrupts everything, and cancel threads between MPI calls. All of it works without callsign. */
#include "check.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { KEYS_MOST = 4096, CANCELLED = 24, TYPES = 40, STACK_BYTES = 65536 };

/* ---- keys ---- */

static pthread_key_t keys[KEYS_MOST];
static int keys_made;

/* All but those that the MPI takes itself. */
static void use_up_keys(void)
{
    enum { OF_MPI = 12 };
    while (keys_made < KEYS_MOST && pthread_key_create(&keys[keys_made], NULL) == 0)
        keys_made++;
    CHECK(keys_made > OF_MPI && keys_made < KEYS_MOST);
    for (int i = 0; i < OF_MPI; i++)
        pthread_key_delete(keys[--keys_made]);
    for (int i = 0; i < keys_made; i++)
        pthread_setspecific(keys[i], &keys[i]);
}

static void check_keys(void)
{
    for (int i = 0; i < keys_made; i++)
        CHECK(pthread_getspecific(keys[i]) == &keys[i]);
}

/* ---- signals ---- */

static atomic_long handled, handled_before;
static atomic_bool initialized;

static void handle(int signal)
{
    (void)signal;
    int before = errno;
    MPI_Wtime();
    atomic_fetch_add(atomic_load(&initialized) ? &handled : &handled_before, 1);
    errno = before;
}

static void start_timer(long microseconds)
{
    static char stack[STACK_BYTES];
    /* The kernel saves all registers for the handler; the dynamic linker saves them again where it binds a function. */
    size_t frame = (size_t)sysconf(_SC_MINSIGSTKSZ), bytes = 2 * frame + 2048 > 4096 ? 2 * frame + 2048 : 4096;
#if defined(BESIDE_ADDRESS_SANITIZER) || defined(__SANITIZE_THREAD__)
    bytes = sizeof stack;
#endif
    const struct itimerval timer = {{0, microseconds}, {0, microseconds}};
    stack_t other = {.ss_sp = stack, .ss_size = bytes};
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART | SA_ONSTACK};
    sigaltstack(&other, NULL);
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
}

static void stop_timer(void)
{
    const struct itimerval none = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &none, NULL);
}

/* Calls of many kinds, which need memory and locks in callsign. */
static void make_and_free(int rounds)
{
    for (int i = 0; i < rounds; i++) {
        MPI_Comm comm;
        MPI_Datatype type;
        int out = i, in = -1;
        CALL(MPI_Comm_dup)(MPI_COMM_SELF, &comm);
        CALL(MPI_Type_contiguous)(i + 2, MPI_INT, &type);
        CALL(MPI_Sendrecv)(&out, 1, MPI_INT, 0, i, &in, 1, MPI_INT, 0, i, comm, MPI_STATUS_IGNORE);
        CHECK(in == i);
        CALL(MPI_Type_free)(&type);
        CALL(MPI_Comm_free)(&comm);
        CHECK(CALL(MPI_Wtime)() > 0);
    }
}

/* ---- cancelled threads ---- */

static atomic_int going;

/* Each round makes callsign write more of its journal, which is where the C library looks whether it is cancelled. */
static void *make_types(void *argument)
{
    MPI_Datatype type[TYPES];
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, NULL);
    for (int made = 0;; made = 0) {
        while (made < TYPES) {
            MPI_Type_contiguous(made + 1, MPI_DOUBLE, &type[made]);
            MPI_Type_set_name(type[made], "a name so long that the journal soon needs another block for such names");
            made++;
        }
        while (made)
            MPI_Type_free(&type[--made]);
        atomic_store(&going, 1);
        pthread_testcancel();
    }
    return argument;
}

static void cancel_threads(void)
{
    for (int i = 0; i < CANCELLED; i++) {
        pthread_t thread;
        void *result = NULL;
        atomic_store(&going, 0);
        CHECK(pthread_create(&thread, NULL, make_types, NULL) == 0);
        while (!atomic_load(&going))
            sched_yield();
        nanosleep(&(struct timespec){.tv_nsec = 37000 * i}, NULL);
        pthread_cancel(thread);
        pthread_join(thread, &result);
        CHECK(result == PTHREAD_CANCELED);
    }
}

int main(int argc, char **argv)
{
    int level;
    bool is_mpich = check_is_mpich(); /* which knows no time before MPI_Init */
    use_up_keys();
    if (!is_mpich)
        start_timer(200);
    CALL(MPI_Init_thread)(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    if (is_mpich)
        start_timer(200);
    atomic_store(&initialized, true);
    make_and_free(60);
    stop_timer();
    if (level == MPI_THREAD_MULTIPLE)
        cancel_threads();
    make_and_free(2);
    check_keys();
    CALL(MPI_Finalize)();
    check_bytes("MPI_Sendrecv", NULL, 62 * sizeof(int), 62 * sizeof(int));
    check_say("all is as without callsign");
    check_outcome("finalized");
    check_skip("calls"); /* signals and cancelled threads come when they come */
    check_skip("objects");
    check_sql("SELECT sum(calls) BETWEEN %ld AND %ld FROM profile JOIN function f USING (function) WHERE f.name = "
              "'MPI_Wtime'",
              handled + 62, handled + handled_before + 62);
    check_sql("SELECT sum(calls) = 62 FROM profile JOIN function f USING (function) WHERE f.name = 'MPI_Comm_dup'");
    return check_write();
}
