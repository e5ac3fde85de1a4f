/* One-sided communication: the origin's bytes, on the communicator of the window; windows are born and freed. */
#include "check.h"

enum { N = 16 };

static int rank, size, other;
static MPI_Comm team;
static const long unit = N * sizeof(int);
static int local[N], result[N];

static void fence_epoch(MPI_Win win)
{
    int one = 1, old = 0, expected = 0;
    CALL(MPI_Win_fence)(0, win);
    CALL(MPI_Put)(local, N, MPI_INT, other, 0, N, MPI_INT, win);
    check_bytes("MPI_Put", "team", unit, 0);
    CALL(MPI_Win_fence)(0, win);
    CALL(MPI_Get)(result, N, MPI_INT, other, 0, N, MPI_INT, win);
    check_bytes("MPI_Get", "team", 0, unit);
    CALL(MPI_Win_fence)(0, win);
    CALL(MPI_Accumulate)(local, N, MPI_INT, other, 0, N, MPI_INT, MPI_SUM, win);
    check_bytes("MPI_Accumulate", "team", unit, 0);
    CALL(MPI_Win_fence)(0, win);
    CALL(MPI_Get_accumulate)(local, N, MPI_INT, result, N, MPI_INT, other, 0, N, MPI_INT, MPI_SUM, win);
    check_bytes("MPI_Get_accumulate", "team", unit, unit);
    CALL(MPI_Fetch_and_op)(&one, &old, MPI_INT, other, 0, MPI_SUM, win);
    check_bytes("MPI_Fetch_and_op", "team", 4, 4);
    /* Only reads: what would be sent may be anything. */
    CALL(MPI_Fetch_and_op)(NULL, &old, MPI_INT, other, 0, MPI_NO_OP, win);
    check_bytes("MPI_Fetch_and_op", "team", 0, 4);
    CALL(MPI_Get_accumulate)(NULL, 0, MPI_DATATYPE_NULL, result, N, MPI_INT, other, 0, N, MPI_INT, MPI_NO_OP, win);
    check_bytes("MPI_Get_accumulate", "team", 0, unit);
    CALL(MPI_Compare_and_swap)(&one, &expected, &old, MPI_INT, other, 1, win);
    check_bytes("MPI_Compare_and_swap", "team", 4, 4);
    CALL(MPI_Put)(local, N, MPI_INT, MPI_PROC_NULL, 0, N, MPI_INT, win);
    CALL(MPI_Get)(result, N, MPI_INT, MPI_PROC_NULL, 0, N, MPI_INT, win);
    CALL(MPI_Win_fence)(0, win);
}

static void passive_epoch(MPI_Win win)
{
    MPI_Request request;
    CALL(MPI_Win_lock)(MPI_LOCK_EXCLUSIVE, other, 0, win);
    CALL(MPI_Put)(local, N, MPI_INT, other, 0, N, MPI_INT, win);
    check_bytes("MPI_Put", "team", unit, 0);
    CALL(MPI_Win_flush)(other, win);
    CALL(MPI_Win_unlock)(other, win);
    CALL(MPI_Win_lock_all)(0, win);
    CALL(MPI_Rput)(local, N, MPI_INT, other, 0, N, MPI_INT, win, &request);
    check_bytes("MPI_Rput", "team", unit, 0);
    CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);
    CALL(MPI_Rget)(result, N, MPI_INT, other, 0, N, MPI_INT, win, &request);
    check_bytes("MPI_Rget", "team", 0, unit);
    CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);
    CALL(MPI_Raccumulate)(local, N, MPI_INT, other, 0, N, MPI_INT, MPI_SUM, win, &request);
    check_bytes("MPI_Raccumulate", "team", unit, 0);
    CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);
    CALL(MPI_Win_flush_all)(win);
    CALL(MPI_Win_unlock_all)(win);
}

static void general_active_epoch(MPI_Win win)
{
    MPI_Group everybody, partner;
    CALL(MPI_Comm_group)(team, &everybody);
    CALL(MPI_Group_incl)(everybody, 1, &other, &partner);
    CALL(MPI_Win_post)(partner, 0, win);
    CALL(MPI_Win_start)(partner, 0, win);
    CALL(MPI_Put)(local, N, MPI_INT, other, 0, N, MPI_INT, win);
    check_bytes("MPI_Put", "team", unit, 0);
    CALL(MPI_Win_complete)(win);
    CALL(MPI_Win_wait)(win);
    CALL(MPI_Group_free)(&partner);
    CALL(MPI_Group_free)(&everybody);
}

/* Two windows of one communicator keep their calls apart; waiting for a transfer is on its window too. */
static void two_windows(void)
{
    MPI_Win win[2];
    MPI_Request request;
    for (int i = 0; i < 2; i++) {
        int *memory;
        CALL(MPI_Win_allocate)(unit, sizeof(int), MPI_INFO_NULL, team, &memory, &win[i]);
        CALL(MPI_Win_set_name)(win[i], i ? "right" : "left");
        CALL(MPI_Win_lock_all)(0, win[i]);
        for (int times = 0; times <= i; times++) {
            CALL(MPI_Rput)(local, N, MPI_INT, other, 0, N, MPI_INT, win[i], &request);
            check_bytes("MPI_Rput", "team", unit, 0);
            CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);
        }
        CALL(MPI_Win_unlock_all)(win[i]);
    }
    for (int i = 0; i < 2; i++)
        CALL(MPI_Win_free)(&win[i]);
    check_made("window", "MPI_Win_allocate", 2);
    check_freed("window", "MPI_Win_free", 2);
    check_sql(
        "SELECT group_concat(object_name || ' ' || function || ' ' || calls || ' ' || sent_bytes, ', ') = 'left "
        "MPI_Rput 1 64, "
        "left MPI_Wait 1 0, left MPI_Win_free 1 0, right MPI_Rput 2 128, right MPI_Wait 2 0, right MPI_Win_free 1 0' "
        "FROM "
        "(SELECT object_name, function, sum(calls) AS calls, sum(sent_bytes) AS sent_bytes FROM calls WHERE "
        "communicator = 'team' "
        "AND object_name IN ('left', 'right') AND function IN ('MPI_Rput', 'MPI_Wait', 'MPI_Win_free') GROUP BY 1, 2)");
}

int main(int argc, char **argv)
{
    MPI_Win win, bare;
    int *memory;
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    CALL(MPI_Comm_size)(MPI_COMM_WORLD, &size);
    other = (rank + 1) % size;
    CALL(MPI_Comm_dup)(MPI_COMM_WORLD, &team);
    check_made("communicator", "MPI_Comm_dup", 1);
    CALL(MPI_Comm_set_name)(team, "team");
    CALL(MPI_Win_allocate)(unit, sizeof(int), MPI_INFO_NULL, team, &memory, &win);
    check_made("window", "MPI_Win_allocate", 1);
    memset(memory, 0, (size_t)unit);
    CALL(MPI_Win_set_name)(win, "board");
    fence_epoch(win);
    passive_epoch(win);
    CALL(MPI_Barrier)(team);
    general_active_epoch(win);
    CALL(MPI_Barrier)(team);
    two_windows();
    /* A name that the MPI invents for a window is not one that the program gave. */
    CALL(MPI_Win_allocate)(unit, 1, MPI_INFO_NULL, team, &memory, &bare);
    check_made("window", "MPI_Win_allocate", 1);
    check_sql(
        "SELECT count(*) = 1 FROM object o JOIN window USING (object) WHERE o.name = 'board' AND size_bytes = %ld AND "
        "displacement_unit_bytes = 4 AND flavor = 'allocate'",
        unit);
    check_sql(
        "SELECT count(*) = 1 FROM object o JOIN window w USING (object) JOIN object c ON c.object = w.communicator "
        "WHERE o.name = 'board' AND c.name = 'team'");
    check_sql("SELECT count(*) = 1 FROM object WHERE kind = 'window' AND coalesce(name_origin, '') != 'program'");
    CALL(MPI_Win_free)(&bare);
    CALL(MPI_Win_free)(&win);
    check_freed("window", "MPI_Win_free", 2);
    CHECK(win == MPI_WIN_NULL);
    CALL(MPI_Comm_free)(&team);
    check_freed("communicator", "MPI_Comm_free", 1);
    check_say("rank %d done", rank);
    CALL(MPI_Finalize)();
    return check_write();
}
