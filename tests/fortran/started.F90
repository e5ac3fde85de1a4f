! A program that begins MPI in the module mpi_f08 and calls it nowhere else. Its argument: init or thread.
program started
    use mpi_f08
    implicit none
    character(len=16) :: how
    integer :: rank, total, provided
    type(MPI_Comm) :: row

    call get_command_argument(1, how)
    if (how == 'thread') then
        call MPI_Init_thread(MPI_THREAD_FUNNELED, provided)
    else
        call MPI_Init()
    end if
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_split(MPI_COMM_WORLD, 0, rank, row)
    call MPI_Comm_set_name(row, 'row')
    call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, row)
    call MPI_Comm_free(row)
    print '(a, i0, a, i0)', 'rank ', rank, ': ', total
    call MPI_Finalize()
end program
