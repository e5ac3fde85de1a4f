/* The program of the corpus: a little of each kind that a trace has. With the argument "killed" rank 1 dies while the
 * others wait for it. */
#include <mpi.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static int rank, size;

static void objects(MPI_Comm row)
{
    MPI_Datatype column;
    MPI_Type_vector(4, 1, 8, MPI_DOUBLE, &column);
    MPI_Type_set_name(column, "column");
    MPI_Type_commit(&column); /* leaks */
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "no_locks", "true");
    double *cells;
    MPI_Win window;
    MPI_Win_allocate(64 * sizeof *cells, sizeof *cells, info, row, &cells, &window);
    MPI_Info_free(&info);
    MPI_Win_fence(0, window);
    double value = rank;
    MPI_Put(&value, 1, MPI_DOUBLE, 0, 8 + rank, 1, MPI_DOUBLE, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    int key, *found, there, answer = 42;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_set_attr(row, key, &answer);
    MPI_Comm_get_attr(row, key, &found, &there);
    MPI_Comm_delete_attr(row, key);
    MPI_Comm_free_keyval(&key);
}

static void exchange(MPI_Comm row)
{
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    double sent[100] = {0}, received[100];
    for (int i = 0; i < 20; i++) {
        MPI_Request requests[2];
        MPI_Irecv(received, 100, MPI_DOUBLE, left, 7, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(sent, 1 + 4 * i, MPI_DOUBLE, right, 7, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        MPI_Allreduce(MPI_IN_PLACE, sent, 10, MPI_DOUBLE, MPI_SUM, row);
    }
    MPI_Sendrecv(sent, 10, MPI_DOUBLE, right, 6, sent + 5, 10, MPI_DOUBLE, left, 6, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE); /* they overlap */
    if (rank == 0) {                 /* the types differ */
        int one = 1;
        MPI_Send(&one, 1, MPI_INT, 1, 8, MPI_COMM_WORLD);
    } else if (rank == 1) {
        float one;
        MPI_Recv(&one, 1, MPI_FLOAT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    int provided, token = 0;
    MPI_Comm row;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &row);
    MPI_Comm_set_name(row, "row of the grid");
    objects(row);
    MPI_Pcontrol(1, "solve");
    exchange(row);
    MPI_Pcontrol(-1, "solve");
    MPI_Barrier(MPI_COMM_WORLD);
    if (argc > 1 && strcmp(argv[1], "killed") == 0) {
        if (rank == 1) {
            sleep(2); /* until the others wait: the launcher will kill them */
            raise(SIGKILL);
        }
        MPI_Recv(&token, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&row);
    return MPI_Finalize();
}
