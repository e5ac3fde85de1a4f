! Keys of attributes: their functions, extra state and holders, and what duplicates get. Compiled for each binding; test_keyvals.py says what the trace must tell. Two ranks.
#if defined(BINDING_F08)
#define HANDLE(kind) type(kind)
#define BINDING use mpi_f08
#define MPIF_H
#elif defined(BINDING_MPI)
#define HANDLE(kind) integer
#define BINDING use mpi
#define MPIF_H
#else
#define HANDLE(kind) integer
#define BINDING
#define MPIF_H include 'mpif.h'
#endif

module key_functions
    BINDING
    implicit none
contains
    subroutine keep(comm, keyval, extra, value, copy, flag, error)
        BINDING
        implicit none
        MPIF_H
        HANDLE(MPI_Comm) :: comm
        integer :: keyval, error
        integer(MPI_ADDRESS_KIND) :: extra, value, copy
        logical :: flag
        copy = value + extra
        flag = .true.
        error = MPI_SUCCESS
    end subroutine

    subroutine drop(comm, keyval, value, extra, error)
        BINDING
        implicit none
        MPIF_H
        HANDLE(MPI_Comm) :: comm
        integer :: keyval, error
        integer(MPI_ADDRESS_KIND) :: value, extra
        error = MPI_SUCCESS
    end subroutine
end module

program keyvals
    use key_functions
    BINDING
    implicit none
    MPIF_H
    HANDLE(MPI_Comm) :: first, second, third
    HANDLE(MPI_Request) :: request
    integer(MPI_ADDRESS_KIND) :: value
    logical :: flag
    HANDLE(MPI_Datatype) :: couple, twin
    integer :: error, own, ready, none, of_types, none_of_types, of_windows, none_of_windows
#if !defined(BINDING_F08)
    integer :: old, old_none
#endif

    call MPI_Init(error)
    call MPI_Comm_split(MPI_COMM_WORLD, 0, 0, first, error)
    call MPI_Comm_set_name(first, 'first', error)

    call MPI_Comm_create_keyval(keep, drop, own, 1000_MPI_ADDRESS_KIND, error)
    call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, ready, -5_MPI_ADDRESS_KIND, error)
    call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, drop, none, 0_MPI_ADDRESS_KIND, error)
    call MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, of_types, 0_MPI_ADDRESS_KIND, error)
    call MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, none_of_types, 0_MPI_ADDRESS_KIND, error)
    call MPI_Win_create_keyval(MPI_WIN_DUP_FN, MPI_WIN_NULL_DELETE_FN, of_windows, 0_MPI_ADDRESS_KIND, error)
    call MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, none_of_windows, 0_MPI_ADDRESS_KIND, error)
#if !defined(BINDING_F08)
    call MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, old, -7, error)
    call MPI_Keyval_create(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, old_none, 8, error)
#endif

    call MPI_Comm_set_attr(first, own, 4711_MPI_ADDRESS_KIND, error)
    call MPI_Comm_set_attr(first, ready, -33_MPI_ADDRESS_KIND, error)
    call MPI_Comm_set_attr(first, none, 44_MPI_ADDRESS_KIND, error)
#if !defined(BINDING_F08)
    call MPI_Attr_put(first, old, -77, error)
    call MPI_Attr_put(first, old_none, 88, error)
#endif
    call MPI_Comm_dup(first, second, error)
    call MPI_Comm_set_name(second, 'second', error)
    call MPI_Comm_get_attr(second, own, value, flag, error)
    print '(a, l1, i0)', 'copy ', flag, value
    call MPI_Comm_idup(second, third, request, error)
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)
    call MPI_Comm_set_name(third, 'third', error)
    call MPI_Type_contiguous(2, MPI_INTEGER, couple, error)
    call MPI_Type_set_attr(couple, of_types, 12_MPI_ADDRESS_KIND, error)
    call MPI_Type_set_attr(couple, none_of_types, 13_MPI_ADDRESS_KIND, error)
    call MPI_Type_dup(couple, twin, error)
    call MPI_Type_set_name(twin, 'twin', error)

    call MPI_Comm_free_keyval(own, error)
    call MPI_Comm_free_keyval(ready, error)
    call MPI_Type_free_keyval(of_types, error)
    call MPI_Type_free_keyval(none_of_types, error)
    call MPI_Win_free_keyval(of_windows, error)
    call MPI_Win_free_keyval(none_of_windows, error)
#if !defined(BINDING_F08)
    call MPI_Keyval_free(old, error)
    call MPI_Keyval_free(old_none, error)
#endif
    call MPI_Type_free(couple, error)
    call MPI_Type_free(twin, error)
    call MPI_Comm_free(first, error)
    call MPI_Comm_free(second, error)
    call MPI_Comm_free(third, error)
    print '(a)', 'done'
    call MPI_Finalize(error)
end program
