/* The part of semantics.F90 that is written in C. */
#include <mpi.h>
#include <stdio.h>

void in_c(int handle);
void name_in_c(int handle);
void complete_in_c(int request);
void cancel_in_c(int request);
int receive_in_c(int source, int comm);

void complete_in_c(int request)
{
    MPI_Request in_c = MPI_Request_f2c(request);
    MPI_Wait(&in_c, MPI_STATUS_IGNORE);
}

void cancel_in_c(int request)
{
    MPI_Request in_c = MPI_Request_f2c(request);
    MPI_Cancel(&in_c);
}

int receive_in_c(int source, int comm)
{
    static int received[3];
    MPI_Request request;
    MPI_Irecv(received, 3, MPI_INT, source, 7, MPI_Comm_f2c(comm), &request);
    return MPI_Request_c2f(request);
}

void in_c(int handle)
{
    MPI_Comm comm = MPI_Comm_f2c(handle);
    MPI_Comm_set_name(comm, "from C");
    MPI_Comm_set_name(MPI_COMM_SELF, "myself");
    MPI_Barrier(comm);
#ifdef MPICH_NUMVERSION
    /* In its library for Fortran. */
    MPI_Status status = {.MPI_TAG = 7};
    MPI_F08_status f08;
    MPI_Status_c2f08(&status, &f08);
    status.MPI_TAG = 0;
    MPI_Status_f082c(&f08, &status);
    if (status.MPI_TAG != 7)
        MPI_Abort(MPI_COMM_WORLD, 7);
#endif
    MPI_Comm_free(&comm);
}

/* The name that C gets for an object that Fortran named. */
void name_in_c(int handle)
{
    char name[MPI_MAX_OBJECT_NAME] = "?";
    int length = -1;
    MPI_Comm_get_name(MPI_Comm_f2c(handle), name, &length);
    printf("C: [%s] %d\n", name, length);
    fflush(stdout);
}
