! The predefined attributes of windows of every making. Compiled for each binding; test_windows.py says what they must be. One rank.
#if defined(BINDING_F08)
#define HANDLE(kind) type(kind)
#define BINDING use mpi_f08
#define MPIF_H
#define ADDRESS type(c_ptr)
#elif defined(BINDING_MPI)
#define HANDLE(kind) integer
#define BINDING use mpi
#define MPIF_H
#define ADDRESS integer(MPI_ADDRESS_KIND)
#else
#define HANDLE(kind) integer
#define BINDING
#define MPIF_H include 'mpif.h'
#define ADDRESS integer(MPI_ADDRESS_KIND)
#endif

program windows
    use, intrinsic :: iso_c_binding
    BINDING
    implicit none
    MPIF_H
    integer(MPI_ADDRESS_KIND), parameter :: bytes = 24, nothing = 0
    integer(MPI_ADDRESS_KIND) :: where
    integer, target, save :: memory(6)
    ADDRESS :: allocated
    HANDLE(MPI_Win) :: win
    integer :: error

    call MPI_Init(error)
    ! Some MPIs have not every kind of window everywhere.
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, error)
    call MPI_Get_address(memory, where, error)
    call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, error)
    call tell('create', where)
    call MPI_Win_allocate(bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, allocated, win, error)
    call tell('allocate', transfer(allocated, where))
    call MPI_Win_allocate_shared(bytes, 2, MPI_INFO_NULL, MPI_COMM_WORLD, allocated, win, error)
    call tell('allocate_shared', transfer(allocated, where))
    call MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, win, error)
    call tell('create_dynamic', nothing)
    call MPI_Finalize(error)
contains
    ! How it was made|is that its base|size|displacement unit|flavor|model
    subroutine tell(how, base)
        character(*), intent(in) :: how
        integer(MPI_ADDRESS_KIND), intent(in) :: base
        if (error /= MPI_SUCCESS) then
            print '(2a)', how, '|not here'
            return
        end if
        print '(2a,l1,4(a,i0))', how, '|', value_of(MPI_WIN_BASE) == base, '|', value_of(MPI_WIN_SIZE), '|', value_of(MPI_WIN_DISP_UNIT), &
            '|', which(value_of(MPI_WIN_CREATE_FLAVOR), MPI_WIN_FLAVOR_CREATE, MPI_WIN_FLAVOR_ALLOCATE, MPI_WIN_FLAVOR_SHARED, MPI_WIN_FLAVOR_DYNAMIC), &
            '|', which(value_of(MPI_WIN_MODEL), MPI_WIN_SEPARATE, MPI_WIN_UNIFIED, -1, -1)
        call MPI_Win_free(win, error)
    end subroutine

    integer(MPI_ADDRESS_KIND) function value_of(keyval)
        integer, intent(in) :: keyval
        logical :: found
        value_of = -99
        call MPI_Win_get_attr(win, keyval, value_of, found, error)
        if (error /= MPI_SUCCESS .or. .not. found) value_of = -99
    end function

    ! Which of these constants it is, from 1 on.
    integer function which(value, first, second, third, fourth)
        integer(MPI_ADDRESS_KIND), intent(in) :: value
        integer, intent(in) :: first, second, third, fourth
        which = findloc([first, second, third, fourth], int(value), dim=1)
    end function
end program
