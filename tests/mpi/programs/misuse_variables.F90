! As misuse_variables.c, in Fortran: arguments "wrong" or "right".
subroutine exchange(data, count, type)
    implicit none
    include 'mpif.h'
    integer :: data(*), count, type, room(1000), error
    call MPI_Sendrecv(data, count, type, 0, 7, room, 4000, MPI_BYTE, 0, 7, MPI_COMM_SELF, MPI_STATUS_IGNORE, error)
end subroutine

#define SEND(data, count, type) call MPI_Sendrecv(data, count, type, 0, 7, room, 4000, MPI_BYTE, 0, 7, MPI_COMM_SELF, MPI_STATUS_IGNORE, error)
#define FAULT(data, count, type) print '(a,i0)', 'fault beyond_variable ', __LINE__; SEND(data, count, type)

subroutine calls(n, wrong)
    implicit none
    include 'mpif.h'
    type pair
        sequence
        integer :: first
        real :: rest(3)
    end type
    integer :: n, error, local(6), other(5), short(4), long(10), i
    integer, allocatable :: room(:)
    integer, save :: kept(3)
    integer :: x(2), y(2)
    logical :: wrong
    character(len=20) :: text
    double precision :: single
    type(pair) :: both
    equivalence (short(1), long(1))
    common /block/ x, y
    allocate(room(1000))
    local = n; other = n; long = n; kept = n; text = 'text'; single = n; both%first = n; both%rest = 1; x = n; y = n
    if (wrong) then
        FAULT(kept, 4, MPI_INTEGER)
        FAULT(x, 5, MPI_INTEGER)
#if !defined __SSP__ && !defined __SSP_STRONG__ && !defined __SSP_ALL__
        FAULT(local, 7, MPI_INTEGER)
        FAULT(text, 21, MPI_CHARACTER)
        FAULT(single, 1, MPI_DOUBLE_COMPLEX)
        FAULT(both%rest, 4, MPI_REAL)
        FAULT(short, 11, MPI_INTEGER)
#endif
    else
        SEND(kept, 3, MPI_INTEGER)
        SEND(x, 4, MPI_INTEGER)
        SEND(local, 6, MPI_INTEGER)
        SEND(text, 20, MPI_CHARACTER)
        SEND(single, 1, MPI_DOUBLE_PRECISION)
        SEND(both%rest, 3, MPI_REAL)
        SEND(short, 10, MPI_INTEGER)
        call exchange((/(i, i=1, 80)/), 80, MPI_INTEGER)
        call exchange(local(2:6:2) + other(1:3), 3, MPI_INTEGER)
        call exchange(local(1:6:2), 3, MPI_INTEGER)
    end if
end subroutine

program misuse_variables
    implicit none
    include 'mpif.h'
    integer :: error
    character(len=10) :: word
    call get_command_argument(1, word)
    call MPI_Init(error)
    call calls(4, word == 'wrong')
    call MPI_Finalize(error)
end program
