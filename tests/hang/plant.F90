! What plant.c is for programs in Fortran: each is a table of modes. Compiled for `use mpi` and, with BINDING_F08, for `use mpi_f08`.
#include "plant_binding.inc"
module plant
    use, intrinsic :: iso_c_binding
    BINDING
    implicit none

    abstract interface
        subroutine body(rank)
            integer, intent(in) :: rank
        end subroutine body
    end interface

    type mode
        character(40) :: name = ''
        integer :: ranks = 0
        character(16) :: answer = '' ! as in plant.h
        procedure(body), pointer, nopass :: run => null()
    end type mode

    integer :: error, world_rank
    integer(c_int64_t) :: began

    interface
        integer(c_int) function usleep(microseconds) bind(c)
            import :: c_int
            integer(c_int), value :: microseconds
        end function usleep
        integer(c_int) function getpid() bind(c)
            import :: c_int
        end function getpid
        integer(c_int) function alarm(seconds) bind(c)
            import :: c_int
            integer(c_int), value :: seconds
        end function alarm
    end interface

contains
    function plant_file(name) result(path)
        character(*), intent(in) :: name
        character(:), allocatable :: path
        character(4096) :: folder
        call get_environment_variable('PLANT_FOLDER', folder)
        path = trim(folder)//'/'//name
    end function plant_file

    subroutine mark(word)
        character(*), intent(in) :: word
        character(12) :: number
        integer :: unit
        write (number, '(i0)') world_rank
        open (newunit=unit, file=plant_file(word//'.'//trim(number)))
        write (unit, '(i0)') getpid()
        close (unit)
    end subroutine mark

    logical function plant_goes_on()
        character(32) :: text
        integer(c_int64_t) :: now, rate
        real :: seconds
        logical :: there
        call get_environment_variable('PLANT_SECONDS', text)
        seconds = 1
        if (text /= '') read (text, *) seconds
        call system_clock(now, rate)
        inquire (file=plant_file('go'), exist=there)
        plant_goes_on = .not. there .and. real(now - began) / real(rate) < seconds
    end function plant_goes_on

    subroutine plant_hold()
        integer :: ignored
        call mark('held')
        do while (plant_goes_on())
            ignored = usleep(2000)
        end do
    end subroutine plant_hold

    subroutine plant_send(dest, tag)
        integer, intent(in) :: dest, tag
        integer :: number
        number = tag
        call MPI_Send(number, 1, MPI_INTEGER, dest, tag, MPI_COMM_WORLD, error)
    end subroutine plant_send

    subroutine plant_receive(source, tag)
        integer, intent(in) :: source, tag
        integer :: number
        call MPI_Recv(number, 1, MPI_INTEGER, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    end subroutine plant_receive

    subroutine plant_main(modes)
        type(mode), intent(in) :: modes(:)
        character(64) :: name
        integer :: i, ignored, size
        call get_command_argument(1, name)
        if (name == '--list') then
            do i = 1, ubound(modes, 1)
                write (*, '(a,a,i0,a,a,a)') trim(modes(i)%name), char(9), modes(i)%ranks, char(9), trim(modes(i)%answer), char(9)
            end do
            return
        end if
        do i = 1, ubound(modes, 1)
            if (modes(i)%name == name) exit
        end do
        if (i > ubound(modes, 1)) stop 2
        call MPI_Init(error)
        call MPI_Comm_rank(MPI_COMM_WORLD, world_rank, error)
        call MPI_Comm_size(MPI_COMM_WORLD, size, error)
        if (size /= modes(i)%ranks) call MPI_Abort(MPI_COMM_WORLD, 2, error)
        ignored = alarm(300)
        call system_clock(began)
        call mark('at')
        call modes(i)%run(world_rank)
        call MPI_Finalize(error)
    end subroutine plant_main
end module plant
