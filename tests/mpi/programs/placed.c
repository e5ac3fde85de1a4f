/* Goes from one processor to another and says how often, and how often it asked for the name of the processor.
   placed ROUNDS PAUSE_MS: so many times there and back, with a pause each time before the next call. */
#include "check.h"

#include <sched.h>
#include <unistd.h>

/* The first processors that this process may run on; returns how many, at most two. */
static int two_allowed(int cpus[2])
{
    cpu_set_t allowed;
    int count = 0;
    sched_getaffinity(0, sizeof allowed, &allowed);
    for (int cpu = 0; cpu < CPU_SETSIZE && count < 2; cpu++)
        if (CPU_ISSET(cpu, &allowed))
            cpus[count++] = cpu;
    return count;
}

static void go_to(int cpu)
{
    cpu_set_t there;
    CPU_ZERO(&there);
    CPU_SET(cpu, &there);
    CHECK(sched_setaffinity(0, sizeof there, &there) == 0);
}

static void ask(char *name)
{
    int length;
    CALL(MPI_Get_processor_name)(name, &length);
}

int main(int argc, char **argv)
{
    int rounds = atoi(argv[1]), pause_ms = atoi(argv[2]), cpus[2], rank;
    char name[MPI_MAX_PROCESSOR_NAME];
    bool moves = two_allowed(cpus) == 2;
    long on_second = 0;
    go_to(cpus[0]);
    CALL(MPI_Init)(&argc, &argv);
    for (int i = 0; moves && i < rounds; i++)
        for (int side = 1; side >= 0; side--) {
            go_to(cpus[side]);
            usleep((useconds_t)pause_ms * 1000);
            CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
            on_second += side;
        }
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 3; i++)
        ask(name);
    ask(name);
    long expected = moves ? 2L * rounds : 0, kept = expected <= 128 ? expected : 128;
    check_sql("SELECT total(moves) = %ld FROM thread_processor", expected);
    check_sql("SELECT moves = %ld FROM placements", expected);
    check_sql("SELECT total(calls) = %ld FROM thread_processor WHERE cpu <> %d", on_second, cpus[0]);
    check_sql("SELECT count(*) = %ld FROM placement WHERE reason = 'moved'", kept);
    check_sql("SELECT count(*) = 0 FROM placement WHERE reason = 'moved' AND move BETWEEN 65 AND %ld", expected - 64);
    check_sql("SELECT count(*) = 0 FROM placement WHERE reason = 'moved' AND cpu <> CASE move %% 2 WHEN 1 THEN %d ELSE "
              "%d END",
              moves ? cpus[1] : 0, cpus[0]);
    check_sql("SELECT count(*) = 2 AND sum(calls) = 4 AND min(calls) = 1 AND min(processor_name) = '%s' AND "
              "max(processor_name) = '%s'"
              " FROM processor_names",
              name, name);
    check_sql("SELECT count(DISTINCT site) = 2 FROM processor_names");
    check_sql("SELECT count(*) = %d FROM processor", moves ? 2 : 1);
    check_sql("SELECT cpu = %d AND allowed = 1 FROM bindings", cpus[0]);
    check_say("rank %d done", rank);
    CALL(MPI_Finalize)();
    return check_write();
}
