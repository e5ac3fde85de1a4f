/* Regions of the program, as IPM names them: MPI_Pcontrol(1, "name") and MPI_Pcontrol(-1, "name"), nested. What other
 * tools pass is ignored: memory that does not exist, numbers, structures, texts that are no names, ends without begin.
 */
#include "check.h"

#include <sys/mman.h>
#include <unistd.h>

static int rank, value = 1, sum;
static MPI_Comm pair;

static void reduce(int times)
{
    for (int i = 0; i < times; i++)
        CALL(MPI_Allreduce)(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void reduce_in_pair(int times)
{
    for (int i = 0; i < times; i++)
        CALL(MPI_Allreduce)(&value, &sum, 1, MPI_INT, MPI_SUM, pair);
}

/* Calls of this function in these regions; the profile has them all. */
static void check_calls(const char *path, int calls)
{
    check_sql("SELECT coalesce(sum(p.calls), 0) = %d FROM region r JOIN region_profile p USING (rank, region) JOIN "
              "function f "
              "USING (function) WHERE r.path = '%s' AND f.name = 'MPI_Allreduce'",
              calls, path);
}

/* What is no name: none of these may begin a region, or do harm. */
static void pass_what_is_no_name(void)
{
    static const struct {
        double number;
        void *pointer;
    } structure = {3.25, NULL};
    static const char long_name[] = "a text of more than sixty-three characters is not the name of any region here";
    long page = sysconf(_SC_PAGESIZE);
    char *memory = mmap(NULL, 3 * (size_t)page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *end = memory + page;
    memset(memory, 'x', (size_t)page);
    mprotect(end, (size_t)page, PROT_NONE);
    munmap(end + page, (size_t)page);
    const void *const strange[] = {
        NULL,       (void *)1, (void *)5,  (void *)4096,   (void *)-1,    (void *)0x7fffffffffffff00,
        &structure, "",        "\x01\x02", "tab\t",        "caf\xc3\xa9", long_name,
        end,        end + 10,  end + page, end + page - 3, end - 5,       (void *)(1ul << 63)};
    for (size_t i = 0; i < sizeof strange / sizeof *strange; i++) {
        MPI_Pcontrol(1, strange[i]);
        MPI_Pcontrol(-1, strange[i]);
    }
    MPI_Pcontrol(1, 7);
    MPI_Pcontrol(-1, 2.5, 7L);
    MPI_Pcontrol(1);
    MPI_Pcontrol(-1);
    for (int level = -3; level <= 5; level++)
        if (level < -1 || level > 1)
            MPI_Pcontrol(level, "another level");
    /* A name may end at the end of the memory. */
    memcpy(end - 5, "edge", 5);
    MPI_Pcontrol(1, end - 5);
    reduce(2);
    MPI_Pcontrol(-1, "edge");
    munmap(memory, 2 * (size_t)page);
}

int main(int argc, char **argv)
{
    char step[] = "step";
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    CALL(MPI_Comm_split)(MPI_COMM_WORLD, rank / 2, rank, &pair);
    check_made("communicator", "MPI_Comm_split", 1);
    CALL(MPI_Comm_set_name)(pair, "pair");
    reduce(1);
    for (int i = 0; i < 3; i++) {
        MPI_Pcontrol(1, step);
        reduce(2);
        MPI_Pcontrol(1, "solve");
        reduce_in_pair(3);
        MPI_Pcontrol(-1, "solve");
        reduce(1);
        MPI_Pcontrol(-1, "step");
    }
    MPI_Pcontrol(1, "solve");
    reduce(5);
    MPI_Pcontrol(-1, "solve");

    /* Ends without a begin, and a begin without an end: its calls belong to the region around it. */
    MPI_Pcontrol(-1, "step");
    MPI_Pcontrol(-1, "never begun");
    MPI_Pcontrol(1, "outer");
    MPI_Pcontrol(1, "never ended");
    reduce(4);
    MPI_Pcontrol(-1, "outer");
    pass_what_is_no_name();

    /* While the profile is paused, 1 only resumes it. */
    MPI_Pcontrol(0);
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Pcontrol(1, "resumed");
    reduce(1);
    MPI_Pcontrol(-1, "resumed");
    MPI_Pcontrol(1, "open at the end");
    reduce(1);

    check_skip("calls"); /* those of MPI_Pcontrol, and the one in the pause */
    check_skip("bytes");
    check_sql("SELECT sum(calls) = 32 FROM calls WHERE function = 'MPI_Allreduce'");
    check_sql("SELECT group_concat(path || ' ' || entries, ', ') = 'edge 1, outer 1, solve 1, step 3, step/solve 3' "
              "FROM (SELECT * FROM region ORDER BY path)");
    check_calls("step", 9);
    check_calls("step/solve", 9);
    check_calls("solve", 5);
    check_calls("outer", 4);
    check_calls("edge", 2);
    check_sql("SELECT count(DISTINCT p.communicator) = 1 AND min(o.name) = 'pair' FROM region r JOIN region_profile p "
              "USING (rank, region) JOIN object o "
              "ON o.rank = p.rank AND o.object = p.communicator WHERE r.path = 'step/solve'");
    check_sql("SELECT i.parent = o.region FROM region i, region o WHERE i.path = 'step/solve' AND "
              "o.path = 'step'");
    /* The code before a region begins or ends is not in the region that comes then. */
    check_sql(
        "SELECT group_concat(path || ' ' || n, ', ') = 'solve 6, step 15, step/solve 12' FROM (SELECT r.path, "
        "sum(s.stretches) AS n FROM stretch s JOIN region r USING (rank, region) WHERE r.path LIKE 's%%' GROUP BY 1 "
        "ORDER BY 1)");
    /* Each number is rounded by itself. */
    check_sql("SELECT count(*) = 5 FROM region WHERE time_ns + 2 >= mpi_ns AND mpi_ns > 0 AND least_ns <= most_ns AND "
              "entries * (most_ns + 2) >= time_ns "
              "AND last_ns - first_ns + 2 >= most_ns");
    check_sql("SELECT i.time_ns <= o.time_ns + 2 FROM region i, region o WHERE i.path = 'step/solve' "
              "AND o.path = 'step'");
    /* No call is counted twice, and none gets lost. */
    check_sql("SELECT sum(calls) = 29 FROM region_profile JOIN function USING (function) WHERE name = 'MPI_Allreduce'");
    CALL(MPI_Comm_free)(&pair);
    check_freed("communicator", "MPI_Comm_free", 1);
    check_say("rank %d done", rank);
    CALL(MPI_Finalize)();
    return check_write();
}
