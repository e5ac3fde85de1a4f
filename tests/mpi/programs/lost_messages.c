/* Two ranks. Rank 1 waits for a message with tag 7, which rank 0 has not sent. Then rank 0 waits for rank 1.
   null: rank 0 sent it to MPI_PROC_NULL. other_null: it sent one with another tag there. tag: it sent one with another
   tag. tags: two of them, at two lines. request: rank 1 waits for a request. Or both end:
   nobody: rank 1 receives from MPI_PROC_NULL. somebody: and also from rank 0.
   Rank 0 prints the line of its send, rank 1 that of its receive, to the files line.0 and line.1. */
#include "check.h"

#include <stdio.h>
#include <string.h>

#define WORLD  MPI_COMM_WORLD
#define HERE() announce(__LINE__ + 1)

static int rank, value;

static void announce(int line)
{
    FILE *file = fopen(rank ? "line.1" : "line.0", "w");
    if (!file)
        return;
    fprintf(file, "%d\n", line);
    fclose(file);
}

static void send(const char *how)
{
    MPI_Request request;
    int tag = strcmp(how, "null") == 0 ? 7 : 8;
    if (strstr(how, "null")) {
        HERE();
        MPI_Isend(&value, 1, MPI_INT, MPI_PROC_NULL, tag, WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (strcmp(how, "request") != 0) {
        HERE();
        MPI_Send(&value, 1, MPI_INT, 1, strstr(how, "body") ? 7 : 8, WORLD);
    }
    if (strcmp(how, "tags") == 0 || strcmp(how, "somebody") == 0) /* one call: the compiler would merge two */
        MPI_Send(&value, 1, MPI_INT, 1, strcmp(how, "tags") == 0 ? 9 : 8, WORLD);
}

static void receive(const char *how)
{
    MPI_Request request;
    if (strcmp(how, "request") != 0 && !strstr(how, "body")) {
        HERE();
        MPI_Recv(&value, 1, MPI_INT, 0, 7, WORLD, MPI_STATUS_IGNORE);
        return;
    }
    HERE();
    MPI_Irecv(&value, 1, MPI_INT, strstr(how, "body") ? MPI_PROC_NULL : 0, 7, WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (strcmp(how, "somebody") == 0)
        MPI_Recv(&value, 1, MPI_INT, 0, 8, WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    if (rank)
        receive(argc > 1 ? argv[1] : "");
    else
        send(argc > 1 ? argv[1] : "");
    if (rank == 0 && argc > 1 && !strstr(argv[1], "body"))
        MPI_Recv(&value, 1, MPI_INT, 1, 1, WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
