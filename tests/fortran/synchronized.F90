! Synchronizing collectives, one of each and then barriers: tests/fortran/test_synchronized.py says what the traces must tell. Compiled for each
! binding. Four ranks.
#if defined(BINDING_F08)
#define HANDLE(kind) type(kind)
#define BINDING use mpi_f08
#elif defined(BINDING_MPI)
#define HANDLE(kind) integer
#define BINDING use mpi
#else
#define HANDLE(kind) integer
#define BINDING
#endif

program synchronized
    BINDING
    implicit none
#if defined(BINDING_MPIF_H)
    include 'mpif.h'
#endif
    HANDLE(MPI_Comm) :: comm
    integer :: rank, error, i, in(16), out(16)
    integer :: counts(4), places(4)

    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, error)
    call MPI_Comm_set_name(comm, 'all', error)
    in = rank
    counts = (/ 1, 0, 2, 1 /)
    places = (/ 0, 1, 1, 3 /)
    call MPI_Allreduce(in, out, 2, MPI_INTEGER, MPI_SUM, comm, error)                                       ! 1
    call MPI_Allgather(in, 1, MPI_INTEGER, out, 1, MPI_INTEGER, comm, error)                                ! 2
    call MPI_Allreduce(in, out, 0, MPI_INTEGER, MPI_SUM, comm, error)                                       ! nothing
    call MPI_Alltoall(in, 1, MPI_INTEGER, out, 1, MPI_INTEGER, comm, error)                                 ! 3
    call MPI_Allgatherv(in, counts(rank + 1), MPI_INTEGER, out, counts, places, MPI_INTEGER, comm, error)   ! 4
    call MPI_Reduce_scatter_block(in, out, 1, MPI_INTEGER, MPI_SUM, comm, error)                            ! 5
    call MPI_Reduce_scatter(in, out, counts, MPI_INTEGER, MPI_SUM, comm, error)                             ! 6
    do i = 7, 30
        call MPI_Barrier(comm, error)
    end do
    call MPI_Comm_free(comm, error)
    print '(a, i0, a)', 'rank ', rank, ' is done'
    call MPI_Finalize(error)
end program
