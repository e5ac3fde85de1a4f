#include "calls_fortran.h"

#include <mpi.h>

/* An mpi_f08 handle is a structure of one INTEGER, which is passed like the INTEGER. */
void mpi_comm_rank_(MPI_Fint *comm, MPI_Fint *rank, MPI_Fint *error);
void mpi_comm_rank_f08_(MPI_Fint *comm, MPI_Fint *rank, MPI_Fint *error);
void mpi_isend_(void *buf, MPI_Fint *count, MPI_Fint *type, MPI_Fint *dest, MPI_Fint *tag, MPI_Fint *comm,
                MPI_Fint *request, MPI_Fint *error);
void mpi_irecv_(void *buf, MPI_Fint *count, MPI_Fint *type, MPI_Fint *source, MPI_Fint *tag, MPI_Fint *comm,
                MPI_Fint *request, MPI_Fint *error);
void mpi_waitall_(MPI_Fint *count, MPI_Fint *requests, MPI_Fint *statuses, MPI_Fint *error);

/* A Fortran program has them as constants. In Open MPI a query is a call of its own. */
static MPI_Fint world, self_comm, byte;

void know_handles(void)
{
    world = MPI_Comm_c2f(MPI_COMM_WORLD);
    self_comm = MPI_Comm_c2f(MPI_COMM_SELF);
    byte = MPI_Type_c2f(MPI_BYTE);
}

void comm_rank_mpif(long n)
{
    MPI_Fint rank, error;
    for (long i = 0; i < n; i++)
        mpi_comm_rank_(&world, &rank, &error);
}

void comm_rank_f08(long n)
{
    MPI_Fint rank, error;
    for (long i = 0; i < n; i++)
        mpi_comm_rank_f08_(&world, &rank, &error);
}

static void to_self(long n, MPI_Fint count)
{
    MPI_Fint self = 0, tag = 1, two = 2, error;
    char sent = 0, received;
    for (long i = 0; i < n; i++) {
        MPI_Fint requests[2];
        mpi_isend_(&sent, &count, &byte, &self, &tag, &self_comm, &requests[0], &error);
        mpi_irecv_(&received, &count, &byte, &self, &tag, &self_comm, &requests[1], &error);
        mpi_waitall_(&two, requests, MPI_F_STATUSES_IGNORE, &error);
    }
}

void to_self_mpif(long n)
{
    to_self(n, 0);
}

/* callsign learns a datatype at its first use with data. */
void meet_type(void)
{
    know_handles();
    to_self(1, 1);
}
