! A program of mpif.h. MPICH's Fortran layer calls the C functions by their MPI_ names: each call is the program's, and counted
! once where it reaches C.
program callers
    use, intrinsic :: iso_c_binding
    implicit none
    include 'mpif.h'

    interface ! tests/mpi/check.h
        subroutine check_count(function, n) bind(c)
            import
            character(kind=c_char), intent(in) :: function(*)
            integer(c_long), value :: n
        end subroutine
        subroutine check_bytes(function, communicator, sent, received) bind(c)
            import
            character(kind=c_char), intent(in) :: function(*), communicator(*)
            integer(c_long), value :: sent, received
        end subroutine
        subroutine check_made(kind, function, n) bind(c)
            import
            character(kind=c_char), intent(in) :: kind(*), function(*)
            integer(c_int), value :: n
        end subroutine
        subroutine check_freed(kind, function, n) bind(c)
            import
            character(kind=c_char), intent(in) :: kind(*), function(*)
            integer(c_int), value :: n
        end subroutine
        integer(c_int) function check_write() bind(c)
            import
        end function
    end interface

    integer :: ierror, rank, size, comm, i, value, total, status(MPI_STATUS_SIZE)

    call MPI_Init(ierror)
    call did('MPI_Init')
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call did('MPI_Comm_rank')
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
    call did('MPI_Comm_size')
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierror)
    call did('MPI_Comm_dup')
    call check_made('communicator' // c_null_char, 'MPI_Comm_dup' // c_null_char, 1_c_int)
    call MPI_Comm_set_name(comm, 'from fortran', ierror)
    call did('MPI_Comm_set_name')
    value = rank
    do i = 1, 10
        call MPI_Allreduce(value, total, 1, MPI_INTEGER, MPI_SUM, comm, ierror)
        call did('MPI_Allreduce')
    end do
    call check_bytes('MPI_Allreduce' // c_null_char, 'from fortran' // c_null_char, 40_c_long, 40_c_long)
    call MPI_Sendrecv(rank, 1, MPI_INTEGER, mod(rank + 1, size), 1, value, 1, MPI_INTEGER, &
        mod(rank + size - 1, size), 1, comm, status, ierror)
    call did('MPI_Sendrecv')
    call check_bytes('MPI_Sendrecv' // c_null_char, 'from fortran' // c_null_char, 4_c_long, 4_c_long)
    call MPI_Barrier(comm, ierror)
    call did('MPI_Barrier')
    call MPI_Comm_free(comm, ierror)
    call did('MPI_Comm_free')
    call check_freed('communicator' // c_null_char, 'MPI_Comm_free' // c_null_char, 1_c_int)
    print '(a,i0,a,i0,a,i0)', 'rank ', rank, ' total ', total, ' neighbour ', value
    call MPI_Finalize(ierror)
    call did('MPI_Finalize')
    if (check_write() /= 0) stop 1

contains

    subroutine did(function)
        character(len=*), intent(in) :: function
        call check_count(function // c_null_char, 1_c_long)
    end subroutine

end program callers
