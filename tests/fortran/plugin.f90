! A library in Fortran that a program in another language loads while it runs. It begins MPI unless the program has.
subroutine work() bind(C, name="work")
    use mpi
    implicit none
    integer :: comm, rank, size, total, error, status(MPI_STATUS_SIZE)
    logical :: already
    call MPI_Initialized(already, error)
    if (.not. already) call MPI_Init(error)
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, error)
    call MPI_Comm_set_name(comm, 'plugin', error)
    call MPI_Comm_rank(comm, rank, error)
    call MPI_Comm_size(comm, size, error)
    call MPI_Allreduce(rank + 1, total, 1, MPI_INTEGER, MPI_SUM, comm, error)
    call MPI_Sendrecv(total, 1, MPI_INTEGER, rank, 1, size, 1, MPI_INTEGER, rank, 1, comm, status, error)
    call MPI_Comm_free(comm, error)
    if (total /= size .or. total /= 3) call MPI_Abort(MPI_COMM_WORLD, 3, error)
    if (.not. already) call MPI_Finalize(error)
end subroutine
