/* Handles of all kinds where debuggers show them: arguments, variables, structures, arrays; living, freed, NULL,
   predefined. `shown wait` then waits for a message that nobody sends, `shown crash` ends by a signal after its last
   call. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

typedef MPI_Comm grid_comm;
typedef const grid_comm fixed_comm;

struct grid {
    MPI_Comm comm;
    MPI_Datatype column;
    MPI_Comm list[4];
};

void __attribute__((noinline)) stop_here(MPI_Comm comm, MPI_Datatype type, struct grid *grid);
void stop_here(MPI_Comm comm, MPI_Datatype type, struct grid *grid)
{
    fixed_comm nested = comm;
    (void)nested;
    (void)type;
    (void)grid;
    __asm__ volatile("" ::: "memory");
}

/* Datatypes of all combiners: their names are composed. */
static void make_types(MPI_Datatype part)
{
    static MPI_Datatype made[9]; /* gdb shows what lives */
    int ones[40], places[40], four[] = {4, 4}, two[] = {2, 2}, zero[] = {0, 0};
    int distribs[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_NONE},
        defaults[] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG}, one[] = {1, 1};
    MPI_Aint addresses[40];
    MPI_Datatype types[] = {MPI_INT, MPI_INT, part, MPI_CHAR};
    for (int i = 0; i < 40; i++) {
        ones[i] = 1;
        places[i] = 3 * i;
        addresses[i] = 64 * i;
    }
    MPI_Type_indexed(40, ones, places, MPI_INT, &made[0]);
    MPI_Type_create_hindexed(3, ones, addresses, MPI_INT, &made[1]);
    MPI_Type_create_indexed_block(4, 2, places, part, &made[2]);
    MPI_Type_create_struct(4, ones, addresses, types, &made[3]);
    MPI_Type_create_subarray(2, four, two, zero, MPI_ORDER_C, MPI_DOUBLE, &made[4]);
    MPI_Type_create_darray(1, 0, 2, four, distribs, defaults, one, MPI_ORDER_C, MPI_INT, &made[5]);
    MPI_Type_create_resized(made[4], 0, 1024, &made[6]);
    MPI_Type_dup(made[6], &made[7]);
    MPI_Type_create_hvector(2, 1, 100, made[3], &made[8]);
}

int main(int argc, char **argv)
{
    int number = 0, received = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm rows, temporary, copy, strange;
    MPI_Comm_dup(MPI_COMM_WORLD, &rows);
    MPI_Comm_set_name(rows, "rows");
    MPI_Comm_dup(rows, &temporary);
    MPI_Comm_set_name(temporary, "temporary");
    MPI_Comm_dup(rows, &copy);
    MPI_Comm_dup(rows, &strange);
    MPI_Comm_set_name(strange, "\033[31mred\n\303\251");
    MPI_Comm stale = temporary;
    MPI_Comm_free(&temporary);

    MPI_Datatype vector, column;
    MPI_Type_vector(4, 2, 8, MPI_DOUBLE, &vector);
    MPI_Type_contiguous(3, vector, &column);
    MPI_Type_commit(&column);
    make_types(vector);
    MPI_Datatype unused = MPI_FLOAT_INT;
    MPI_Op op = MPI_SUM;
    MPI_Errhandler handler = MPI_ERRORS_RETURN;
    MPI_Info info, none = MPI_INFO_NULL;
    MPI_Group group, empty = MPI_GROUP_EMPTY;
    MPI_Win window;
    MPI_File file = MPI_FILE_NULL;
    MPI_Info_create(&info);
    MPI_Comm_group(rows, &group);
    MPI_Comm_set_errhandler(rows, MPI_ERRORS_RETURN); /* not every Open MPI has windows on one process */
    if (MPI_Win_create(&number, sizeof number, 1, MPI_INFO_NULL, rows, &window) == MPI_SUCCESS)
        MPI_Win_set_name(window, "halo window");
    else
        window = MPI_WIN_NULL;
    MPI_Request request, idle = MPI_REQUEST_NULL;
    MPI_Irecv(&received, 1, MPI_INT, 0, 7, rows, &request);

#if MPI_VERSION >= 4
    MPI_Session session = MPI_SESSION_NULL;
    (void)session;
#endif
    struct grid grid = {rows, column, {MPI_COMM_NULL, stale, copy, strange}};
    stop_here(rows, column, &grid);
    if (argc > 1 && strcmp(argv[1], "wait") == 0)
        MPI_Recv(&received, 1, MPI_INT, 0, 99, rows, MPI_STATUS_IGNORE);
    if (argc > 1 && strcmp(argv[1], "crash") == 0)
        abort();
    MPI_Send(&number, 1, MPI_INT, 0, 7, rows);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (window != MPI_WIN_NULL)
        MPI_Win_free(&window);
    MPI_Comm_free(&grid.list[2]);
    MPI_Finalize();
    return unused == MPI_DATATYPE_NULL || op == MPI_OP_NULL || handler == MPI_ERRHANDLER_NULL ||
           none != MPI_INFO_NULL || empty == MPI_GROUP_NULL || file != MPI_FILE_NULL || idle != MPI_REQUEST_NULL ||
           group == empty || info == none;
}
