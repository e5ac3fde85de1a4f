/* A program with something for each part of the overview: overview.py.
     plain          two communicators of one name, calls of one line, messages, a broadcast, communicators that are
   never freed threads        four threads that live for a tenth of a second, in a run of half a second split|finalize
   rank 1 does not come to MPI_Comm_split or MPI_Finalize for 90 s */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include <mpi.h>

static char large[1 << 20], small[1000];

static void *work(void *unused)
{
    MPI_Comm mine;
    MPI_Comm_dup(MPI_COMM_SELF, &mine);
    usleep(100000);
    MPI_Comm_free(&mine);
    return unused;
}

static void run_threads(void)
{
    pthread_t thread[4];
    usleep(300000);
    for (int i = 0; i < 4; i++)
        pthread_create(&thread[i], NULL, work, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], NULL);
}

static void run_plain(int rank, int size)
{
    MPI_Comm left[3], rows, columns, line[4];
    for (int i = 0; i < 3; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &left[i]);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &rows);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &columns);
    MPI_Comm_set_name(rows, "my row");
    MPI_Comm_set_name(columns, "my row");
    MPI_Barrier(rows);
    MPI_Barrier(columns);
    MPI_Bcast(large, sizeof large, MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Sendrecv(small, sizeof small, MPI_BYTE, (rank + 1) % size, 0, large, sizeof small, MPI_BYTE,
                 (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < 4; i++)
        MPI_Comm_dup(MPI_COMM_SELF, &line[i]);
    /* As a compiler that unrolls a loop: four calls of one line. */
    /* clang-format off */
    MPI_Comm_free(&line[0]); MPI_Comm_free(&line[1]); MPI_Comm_free(&line[2]); MPI_Comm_free(&line[3]);
    /* clang-format on */
    MPI_Comm_free(&rows);
    MPI_Comm_free(&columns);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "plain";
    int rank, size, provided;
    MPI_Comm parts;
    if (strcmp(how, "threads") == 0)
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    else
        MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (strcmp(how, "threads") == 0)
        run_threads();
    else if (strcmp(how, "plain") == 0)
        run_plain(rank, size);
    else if (rank == 1)
        sleep(90);
    if (strcmp(how, "split") == 0)
        MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &parts);
    MPI_Finalize();
    return 0;
}
