! The late rank of why.c, in Fortran; for why_campaign.py.
program why
    use mpi
    use, intrinsic :: iso_c_binding
    implicit none
    interface
        integer(c_int) function usleep(microseconds) bind(c)
            import
            integer(c_int), value :: microseconds
        end function
    end interface
    integer, parameter :: steps = 4
    character(16) :: reason
    integer :: rank, ranks, ring, error, i, color
    logical :: late
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    call get_command_argument(1, reason)
    late = rank == ranks / 2
    color = 0
    if (reason == 'chain' .and. rank == ranks - 1) color = 1
    call MPI_Comm_split(MPI_COMM_WORLD, color, rank, ring, error)
    call MPI_Comm_set_name(ring, 'ring', error)
    do i = 1, steps
        if (reason == 'chain') then
            call chain
        else
            call step
        end if
    end do
    call MPI_Comm_free(ring, error)
    call MPI_Finalize(error)
contains
    subroutine step
        double precision :: mine, total
        mine = rank
        call MPI_Barrier(MPI_COMM_SELF, error)
        call compute
        call MPI_Allreduce(mine, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, ring, error)
    end subroutine

    subroutine compute
        select case (reason)
        case ('work')
            call work(merge(0.2d0, 0.02d0, late))
        case ('equal')
            call run_rounds(2000)
        case ('sleep')
            error = usleep(merge(200000, 20000, late))
        case ('touch')
            call touch(merge(192, 1, late))
        case ('huge')
            call touch(merge(1024, 1, late))
        case ('file')
            call read_file(merge(1500, 1, late))
        end select
    end subroutine

    subroutine work(seconds)
        double precision, intent(in) :: seconds
        double precision :: begin, now
        call cpu_time(begin)
        do
            call run_rounds(1)
            call cpu_time(now)
            if (now >= begin + seconds) exit
        end do
    end subroutine

    subroutine run_rounds(rounds)
        integer, intent(in) :: rounds
        double precision, volatile :: sum
        integer :: n
        sum = 0
        do n = 1, rounds * 50000
            sum = sum + n
        end do
    end subroutine

    subroutine touch(megabytes)
        integer, intent(in) :: megabytes
        integer(8), allocatable :: memory(:)
        integer :: n
        allocate (memory(megabytes * 131072))
        do n = 1, size(memory), 512
            memory(n) = n
        end do
        if (sum(memory(1:1)) < 0) print *, 'never'
        deallocate (memory)
    end subroutine

    subroutine read_file(megabytes)
        integer, intent(in) :: megabytes
        character(1048576), save :: buffer
        integer :: unit, n, status
        open (newunit=unit, file=trim(data_file()), access='stream', form='unformatted', action='read')
        do n = 1, megabytes
            read (unit, pos=1, iostat=status) buffer
        end do
        close (unit)
    end subroutine

    function data_file() result(path)
        character(512) :: path
        call get_command_argument(2, path)
    end function

    subroutine chain
        double precision :: mine, total
        mine = rank
        if (rank == ranks - 1) then
            error = usleep(200000)
            call MPI_Send(mine, 1, MPI_DOUBLE_PRECISION, ranks / 2, 0, MPI_COMM_WORLD, error)
            return
        end if
        if (late) call MPI_Recv(mine, 1, MPI_DOUBLE_PRECISION, ranks - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
        call MPI_Allreduce(mine, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, ring, error)
    end subroutine
end program
