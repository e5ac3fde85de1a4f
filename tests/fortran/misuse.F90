! One rank calls MPI wrongly from Fortran, and returns errors. Each wrong call is on the line after the one that prints its kind. The calls before look
! alike and are allowed.
#ifdef BINDING_F08
#define COMM_TYPE type(MPI_Comm)
#define REQUEST_TYPE type(MPI_Request)
#else
#define COMM_TYPE integer
#define REQUEST_TYPE integer
#endif
program misuse
#if defined(BINDING_F08)
    use mpi_f08
    implicit none
#elif defined(BINDING_MPI)
    use mpi
    implicit none
#else
    implicit none
    include 'mpif.h'
#endif
    COMM_TYPE :: copy, stale
    REQUEST_TYPE :: first, second
    integer :: numbers(16), others(16), answer, error

    call MPI_Init(error)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, error)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, error)
    numbers = 1

    call MPI_Comm_dup(MPI_COMM_SELF, copy, error)
    call MPI_Comm_free(copy, error)
    call MPI_Comm_dup(MPI_COMM_SELF, copy, error)
    call MPI_Comm_rank(copy, answer, error)
    call MPI_Irecv(others, 8, MPI_INTEGER, 0, 1, copy, first, error)
    call MPI_Irecv(others(9), 8, MPI_INTEGER, 0, 2, copy, second, error)
    call MPI_Send(numbers, 8, MPI_INTEGER, 0, 1, copy, error)
    call MPI_Send(numbers, 8, MPI_INTEGER, 0, 2, copy, error)
    call MPI_Wait(first, MPI_STATUS_IGNORE, error)
    call MPI_Wait(second, MPI_STATUS_IGNORE, error)
    call MPI_Send(numbers, 1, MPI_INTEGER, MPI_PROC_NULL, 1, copy, error)

#ifdef BINDING_F08
    if (MPI_SUBARRAYS_SUPPORTED) then ! sections that lie between each other
        call MPI_Irecv(others(1:16:2), 8, MPI_INTEGER, 0, 1, copy, first, error)
        call MPI_Irecv(others(2:16:2), 8, MPI_INTEGER, 0, 2, copy, second, error)
        call MPI_Send(numbers(1:16:2), 8, MPI_INTEGER, 0, 1, copy, error)
        call MPI_Send(numbers(2:16:2), 8, MPI_INTEGER, 0, 2, copy, error)
        call MPI_Wait(first, MPI_STATUS_IGNORE, error)
        call MPI_Wait(second, MPI_STATUS_IGNORE, error)
    end if
#endif
    call MPI_Irecv(others, 8, MPI_INTEGER, 0, 1, copy, first, error)
    print '(a,i0)', 'fault overwritten_buffer ', __LINE__ + 1
    call MPI_Irecv(others(5), 8, MPI_INTEGER, 0, 2, copy, second, error)
    call MPI_Send(numbers, 8, MPI_INTEGER, 0, 1, copy, error)
    call MPI_Send(numbers, 8, MPI_INTEGER, 0, 2, copy, error)
    call MPI_Wait(first, MPI_STATUS_IGNORE, error)
    call MPI_Wait(second, MPI_STATUS_IGNORE, error)
    print '(a,i0)', 'fault invalid_rank ', __LINE__ + 1
    call MPI_Send(numbers, 1, MPI_INTEGER, 7, 1, copy, error)
    print '(a,i0)', 'fault negative_count ', __LINE__ + 1
    call MPI_Send(numbers, -1, MPI_INTEGER, 0, 1, copy, error)
    stale = copy
    call MPI_Comm_free(copy, error)
    print '(a,i0)', 'fault freed_handle ', __LINE__ + 1
    call MPI_Send(numbers, 0, MPI_INTEGER, MPI_PROC_NULL, 1, stale, error)
    call MPI_Finalize(error)
end program
