! Waits for ever in a call from Fortran.
program blocked
    use mpi
    implicit none
    integer :: rows, got, error
    call MPI_Init(error)
    call MPI_Comm_dup(MPI_COMM_WORLD, rows, error)
    call MPI_Comm_set_name(rows, 'rows', error)
    call MPI_Recv(got, 1, MPI_INTEGER, 0, 99, rows, MPI_STATUS_IGNORE, error)
    call MPI_Finalize(error)
end program blocked
