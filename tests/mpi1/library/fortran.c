/* The functions that Fortran programs call, with the handles of C. Most do it by the function of C, as in many
   libraries; some do all of it themselves, as in libraries that were written in Fortran. A status has the words of the
   structure of C (mpif.h). */
#include "inside.h"

#define ENTRY(name, parameters, result)                                                                                \
    void name parameters;                                                                                              \
    void name parameters                                                                                               \
    {                                                                                                                  \
        *error = result;                                                                                               \
    }

static int known(MPI_Comm comm)
{
    return comm_of(comm) ? MPI_SUCCESS : failed(comm, MPI_ERR_COMM);
}

/* ---- the process ---- */

ENTRY(mpi_init_, (int *error), MPI_Init(NULL, NULL))
ENTRY(mpi_initialized_, (int *flag, int *error), MPI_Initialized(flag))
ENTRY(mpi_finalize_, (int *error), MPI_Finalize())
ENTRY(mpi_abort_, (const int *comm, const int *code, int *error), MPI_Abort(*comm, *code))
ENTRY(mpi_errhandler_set_, (const int *comm, const int *handler, int *error), MPI_Errhandler_set(*comm, *handler))

double mpi_wtime_(void);
double mpi_wtime_(void)
{
    return MPI_Wtime();
}

/* ---- communicators ---- */

ENTRY(mpi_comm_size_, (const int *comm, int *size, int *error), (*size = 1, known(*comm)))
ENTRY(mpi_comm_rank_, (const int *comm, int *rank, int *error), (*rank = 0, known(*comm)))
ENTRY(mpi_comm_dup_, (const int *comm, int *made, int *error), MPI_Comm_dup(*comm, made))
ENTRY(mpi_comm_split_, (const int *comm, const int *color, const int *key, int *made, int *error),
      MPI_Comm_split(*comm, *color, *key, made))
ENTRY(mpi_comm_free_, (int *comm, int *error), MPI_Comm_free(comm))

/* ---- datatypes ---- */

ENTRY(mpi_type_contiguous_, (const int *count, const int *old, int *made, int *error),
      MPI_Type_contiguous(*count, *old, made))
ENTRY(mpi_type_vector_, (const int *count, const int *length, const int *stride, const int *old, int *made, int *error),
      MPI_Type_vector(*count, *length, *stride, *old, made))
ENTRY(mpi_type_commit_, (int *type, int *error), MPI_Type_commit(type))
ENTRY(mpi_type_free_, (int *type, int *error), MPI_Type_free(type))

/* ---- messages ---- */

ENTRY(mpi_send_,
      (void *buffer, const int *count, const int *type, const int *dest, const int *tag, const int *comm, int *error),
      MPI_Send(buffer, *count, *type, *dest, *tag, *comm))
ENTRY(mpi_recv_,
      (void *buffer, const int *count, const int *type, const int *source, const int *tag, const int *comm,
       void *status, int *error),
      MPI_Recv(buffer, *count, *type, *source, *tag, *comm, status))
ENTRY(mpi_get_count_, (void *status, const int *type, int *count, int *error), MPI_Get_count(status, *type, count))
ENTRY(mpi_isend_,
      (void *buffer, const int *count, const int *type, const int *dest, const int *tag, const int *comm, int *request,
       int *error),
      MPI_Isend(buffer, *count, *type, *dest, *tag, *comm, request))
ENTRY(mpi_irecv_,
      (void *buffer, const int *count, const int *type, const int *source, const int *tag, const int *comm,
       int *request, int *error),
      MPI_Irecv(buffer, *count, *type, *source, *tag, *comm, request))
ENTRY(mpi_wait_, (int *request, void *status, int *error), MPI_Wait(request, status))
ENTRY(mpi_waitall_, (const int *count, int *requests, void *statuses, int *error),
      MPI_Waitall(*count, requests, statuses))

/* ---- collectives ---- */

ENTRY(mpi_barrier_, (const int *comm, int *error), known(*comm))
ENTRY(mpi_bcast_, (void *buffer, const int *count, const int *type, const int *root, const int *comm, int *error),
      MPI_Bcast(buffer, *count, *type, *root, *comm))
ENTRY(mpi_allreduce_,
      (void *out, void *in, const int *count, const int *type, const int *op, const int *comm, int *error),
      MPI_Allreduce(out, in, *count, *type, *op, *comm))
