! Collective calls of ranks in Fortran and of one rank in C (mismatched_in_c.c). Its argument: the argument that rank 1 gives wrongly in call 5 on
! "rows": none, operation, type.
#ifdef BINDING_F08
#define COMM_TYPE type(MPI_Comm)
#define TYPE_TYPE type(MPI_Datatype)
#define OP_TYPE type(MPI_Op)
#else
#define COMM_TYPE integer
#define TYPE_TYPE integer
#define OP_TYPE integer
#endif
program mismatched
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
    interface
        subroutine calls_in_c() bind(c)
        end subroutine
    end interface
    character(len=16) :: wrong
    COMM_TYPE :: rows
    TYPE_TYPE :: column, element
    OP_TYPE :: op
    integer :: rank, error, i
    integer :: numbers(12), all(36)
    double precision :: values(4)

    call get_command_argument(1, wrong)
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    if (rank == 2) then
        call calls_in_c()
    else
        numbers = (/ (i, i = 1, 12) /)
        values = rank
        call MPI_Comm_dup(MPI_COMM_WORLD, rows, error)
        call MPI_Comm_set_name(rows, 'rows', error)
        call MPI_Bcast(numbers, 4, MPI_INTEGER, 0, rows, error)
        call MPI_Type_vector(4, 1, 3, MPI_INTEGER, column, error)
        call MPI_Type_commit(column, error)
        call MPI_Bcast(numbers, 1, column, 0, rows, error)
        call MPI_Reduce(values, all, 4, MPI_DOUBLE_PRECISION, MPI_MAX, 0, rows, error)
        call MPI_Gather(numbers, 4, MPI_INTEGER, all, 1, column, 1, rows, error)
        op = MPI_SUM
        element = MPI_INTEGER
        if (rank == 1 .and. wrong == 'operation') op = MPI_MAX
        if (rank == 1 .and. wrong == 'type') element = MPI_REAL
        call MPI_Allreduce(numbers, all, 4, element, op, rows, error)
        call MPI_Barrier(rows, error)
        call MPI_Type_free(column, error)
        call MPI_Comm_free(rows, error)
    end if
    call MPI_Finalize(error)
end program
