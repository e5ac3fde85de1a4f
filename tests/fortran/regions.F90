! Regions of the program, named as for IPM: the name ends with NUL. MPICH without callsign writes an error code over it.
program regions
    implicit none
    include 'mpif.h'
    character(len=16) :: name
    integer :: i, rank, total, error

    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    do i = 1, 3
        name = 'solve'//char(0)
        call MPI_Pcontrol(1, name)
        call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
        name = 'solve'//char(0)
        call MPI_Pcontrol(-1, name)
    end do
    call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    print '(a, i0, a, i0)', 'rank ', rank, ': ', total
    call MPI_Finalize(error)
end program
