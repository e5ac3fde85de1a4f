! Handles of the module mpi_f08, and one that is a plain INTEGER.
program shown
    use mpi_f08
    implicit none
    type(MPI_Comm) :: rows, none
    type(MPI_Datatype) :: column
    integer :: number
    call MPI_Init()
    call MPI_Comm_dup(MPI_COMM_WORLD, rows)
    call MPI_Comm_set_name(rows, "rows")
    call MPI_Type_vector(4, 2, 8, MPI_DOUBLE_PRECISION, column)
    none = MPI_COMM_NULL
    number = rows%MPI_VAL
    call stop_here(rows, column)
    call MPI_Finalize()
contains
    subroutine stop_here(comm, type)
        type(MPI_Comm), intent(in) :: comm
        type(MPI_Datatype), intent(in) :: type
        if (comm == MPI_COMM_NULL .and. type == MPI_DATATYPE_NULL) print *, "never"
    end subroutine
end program
