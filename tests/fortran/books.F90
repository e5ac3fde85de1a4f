! A random message program that keeps books of its messages, as tests/mpi/books does in C. Compiled for each binding; test_books.py compares the
! books with the traces. All ranks draw the same plan from the seed. books SEED
#if defined(BINDING_F08)
#define HANDLE(kind) type(kind)
#define BINDING use mpi_f08
#define STATUS(name) type(MPI_Status) :: name
#define STATUSES(name, length) type(MPI_Status) :: name(length)
#define SOURCE_OF(status) status%MPI_SOURCE
#define TAG_OF(status) status%MPI_TAG
#define NTH(statuses, i) statuses(i)
#else
#define HANDLE(kind) integer
#define STATUS(name) integer :: name(MPI_STATUS_SIZE)
#define STATUSES(name, length) integer :: name(MPI_STATUS_SIZE, length)
#define SOURCE_OF(status) status(MPI_SOURCE)
#define TAG_OF(status) status(MPI_TAG)
#define NTH(statuses, i) statuses(:, i)
#if defined(BINDING_MPI)
#define BINDING use mpi
#else
#define BINDING
#endif
#endif

program books
    BINDING
    use, intrinsic :: iso_fortran_env, only: output_unit
    implicit none
#if defined(BINDING_MPIF_H)
    include 'mpif.h'
#endif
    integer, parameter :: places = 3, most = 8, room = 3000, messages_max = 16, rounds = 8, header = 3
    integer, parameter :: tags(5) = (/0, 3, 500, 32767, 32768/)
    integer, parameter :: sends = 1, receives = 2, blocking = 1, nonblocking = 2, persistent = 3
    character(len=14), parameter :: names(places) = (/'MPI_COMM_WORLD', 'reversed      ', 'across        '/)
    type message
        integer :: place, side, source, dest, tag, length, mode, way, receive_way
        logical :: any_source, any_tag
    end type

    HANDLE(MPI_Comm) :: comm(places), half
    HANDLE(MPI_Request) :: request(2 * messages_max)
    STATUSES(statuses, 2 * messages_max)
    STATUS(state)
    type(message) :: plan(messages_max)
    integer, asynchronous :: in(room, messages_max), out(room, messages_max), space(1000000)
    integer :: side_size(places, 0:1), member(places, 0:1, 0:most - 1), own_side(places), own_rank(places)
    integer :: counted(2, places, -1:most - 1), bytes(2, places, -1:most - 1), tagged(2, places, size(tags))
    integer :: rank, ranks, error, i, first_index, count_of_plan, upper, round
    integer(8) :: common, own
    logical :: blind, open_request(2 * messages_max)
    character(len=20) :: word

    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    call get_command_argument(1, word)
    read (word, *) common
    own = common * 100 + rank
    counted = 0
    bytes = 0
    tagged = 0
    call MPI_Buffer_attach(space, 4 * size(space), error)
    call make_places
    call find_first_index
    do round = 1, rounds
        call draw_plan
        call follow_plan
        call turn(1 + roll(common, 2), 3 + roll(common, 50))
    end do
    call talk_to_nobody
    call cancel
    call tell
    call MPI_Comm_free(comm(3), error)
    call MPI_Comm_free(comm(2), error)
    call MPI_Finalize(error)

contains

    integer function roll(dice, sides)
        integer(8), intent(inout) :: dice
        integer, intent(in) :: sides
        dice = mod(dice * 1103515245_8 + 12345_8, 2147483648_8)
        roll = int(mod(dice / 65536_8, int(sides, 8)))
    end function

    subroutine make_places
        integer :: world
        comm(1) = MPI_COMM_WORLD
        call MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, comm(2), error)
        call MPI_Comm_set_name(comm(2), 'reversed', error)
        upper = ranks / 2
        call MPI_Comm_split(MPI_COMM_WORLD, merge(1, 0, rank >= upper), rank, half, error)
        call MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, merge(0, upper, rank >= upper), 5, comm(3), error)
        call MPI_Comm_set_name(comm(3), 'across', error)
        call MPI_Comm_free(half, error)
        side_size = 0
        do world = 0, ranks - 1
            call add_member(1, 0, world)
            call add_member(2, 0, ranks - 1 - world)
            call add_member(3, merge(1, 0, world >= upper), world)
        end do
    end subroutine

    subroutine add_member(place, side, world)
        integer, intent(in) :: place, side, world
        if (world == rank) then
            own_side(place) = side
            own_rank(place) = side_size(place, side)
        end if
        member(place, side, side_size(place, side)) = world
        side_size(place, side) = side_size(place, side) + 1
    end subroutine

    integer function other_side(place, side)
        integer, intent(in) :: place, side
        other_side = merge(1 - side, side, place == 3)
    end function

    ! Fortran counts from 1, but mpi_f08 of MPICH 4.0 from 0.
    subroutine find_first_index
        call MPI_Isend(out(:, 1), 0, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, request(1), error)
        call MPI_Waitany(1, request, first_index, MPI_STATUS_IGNORE, error)
        call book(sends, 1, MPI_PROC_NULL, 0, 0)
    end subroutine

    ! ---- the books ----

    subroutine book(direction, place, peer, tag, integers)
        integer, intent(in) :: direction, place, peer, tag, integers
        integer :: at, which
        at = merge(-1, peer, peer == MPI_PROC_NULL)
        counted(direction, place, at) = counted(direction, place, at) + 1
        if (at < 0) return
        bytes(direction, place, at) = bytes(direction, place, at) + 4 * integers
        do which = 1, size(tags)
            if (tags(which) == tag) tagged(direction, place, which) = tagged(direction, place, which) + 1
        end do
    end subroutine

    subroutine tell
        character(len=7), parameter :: directions(2) = (/'send   ', 'receive'/)
        integer :: direction, place, peer, other
        do direction = 1, 2
            do place = 1, places
                do peer = -1, most - 1
                    if (counted(direction, place, peer) == 0) cycle
                    other = -1
                    if (peer >= 0) other = member(place, other_side(place, own_side(place)), peer)
                    print '(a, i0, 4a, 5(a, i0))', 'traffic,', rank, ',', trim(names(place)), ',', trim(directions(direction)), ',', &
                        merge(-2, peer, peer < 0), ',', merge(rank, other, direction == sends), ',', &
                        merge(other, rank, direction == sends), ',', counted(direction, place, peer), ',', bytes(direction, place, peer)
                end do
                do i = 1, size(tags)
                    if (tagged(direction, place, i) > 0) print '(a, i0, 5a, i0, a, i0)', 'tag,', rank, ',', trim(names(place)), ',', &
                        trim(directions(direction)), ',', tags(i), ',', tagged(direction, place, i)
                end do
            end do
        end do
    end subroutine

    ! ---- a round ----

    ! All receives of one rank on one communicator are wild in the same way.
    subroutine draw_plan
        logical :: any_source(places), any_tag(places)
        integer :: place
        do place = 1, places
            any_source(place) = roll(common, 2) == 0
            any_tag(place) = roll(common, 2) == 0
        end do
        blind = roll(common, 3) == 0
        count_of_plan = 1 + roll(common, messages_max)
        do i = 1, count_of_plan
            place = 1 + roll(common, places)
            plan(i)%place = place
            plan(i)%side = merge(roll(common, 2), 0, place == 3)
            plan(i)%source = roll(common, side_size(place, plan(i)%side))
            plan(i)%dest = roll(common, side_size(place, other_side(place, plan(i)%side)))
            plan(i)%tag = tags(1 + roll(common, size(tags)))
            plan(i)%length = roll(common, merge(room, 20, roll(common, 4) == 0)) + merge(header, 0, blind)
            plan(i)%length = min(plan(i)%length, room)
            plan(i)%mode = 1 + roll(common, 4)
            plan(i)%way = 1 + roll(common, 3)
            plan(i)%receive_way = nonblocking + roll(common, 2)
            plan(i)%any_source = any_source(place)
            plan(i)%any_tag = any_tag(place)
        end do
    end subroutine

    subroutine follow_plan
        request = MPI_REQUEST_NULL
        do i = 1, count_of_plan
            if (is_mine(plan(i), receives)) call post(plan(i), i)
        end do
        call MPI_Barrier(MPI_COMM_WORLD, error)
        do i = 1, count_of_plan
            if (is_mine(plan(i), sends)) call send(plan(i), i, request(messages_max + i))
        end do
        do i = 1, size(request)
            open_request(i) = request(i) /= MPI_REQUEST_NULL
        end do
        call complete(roll(own, 6))
        do i = 1, size(request)
            if (request(i) /= MPI_REQUEST_NULL) call MPI_Request_free(request(i), error)
        end do
    end subroutine

    logical function is_mine(it, direction)
        type(message), intent(in) :: it
        integer, intent(in) :: direction
        if (direction == sends) then
            is_mine = own_side(it%place) == it%side .and. own_rank(it%place) == it%source
        else
            is_mine = own_side(it%place) == other_side(it%place, it%side) .and. own_rank(it%place) == it%dest
        end if
    end function

    subroutine post(it, at)
        type(message), intent(in) :: it
        integer, intent(in) :: at
        integer :: source, tag
        source = merge(MPI_ANY_SOURCE, it%source, it%any_source)
        tag = merge(MPI_ANY_TAG, it%tag, it%any_tag)
        if (it%receive_way == persistent) then
            call MPI_Recv_init(in(:, at), room, MPI_INTEGER, source, tag, comm(it%place), request(at), error)
            call MPI_Start(request(at), error)
        else
            call MPI_Irecv(in(:, at), room, MPI_INTEGER, source, tag, comm(it%place), request(at), error)
        end if
    end subroutine

    subroutine send(it, at, made)
        type(message), intent(in) :: it
        integer, intent(in) :: at
        HANDLE(MPI_Request) :: made
        integer :: n
        out(1, at) = it%source
        out(2, at) = it%tag
        out(3, at) = it%length
        n = it%length
        call book(sends, it%place, it%dest, it%tag, n)
        select case (10 * it%way + it%mode)
        case (11)
            call MPI_Send(out(:, at), n, MPI_INTEGER, it%dest, it%tag, comm(it%place), error)
        case (12)
            call MPI_Bsend(out(:, at), n, MPI_INTEGER, it%dest, it%tag, comm(it%place), error)
        case (13)
            call MPI_Ssend(out(:, at), n, MPI_INTEGER, it%dest, it%tag, comm(it%place), error)
        case (14)
            call MPI_Rsend(out(:, at), n, MPI_INTEGER, it%dest, it%tag, comm(it%place), error)
        case (21)
            call MPI_Isend(out(:, at), n, MPI_INTEGER, it%dest, it%tag, comm(it%place), made, error)
        case (22)
            call MPI_Ibsend(out(:, at), n, MPI_INTEGER, it%dest, it%tag, comm(it%place), made, error)
        case (23)
            call MPI_Issend(out(:, at), n, MPI_INTEGER, it%dest, it%tag, comm(it%place), made, error)
        case (24)
            call MPI_Irsend(out(:, at), n, MPI_INTEGER, it%dest, it%tag, comm(it%place), made, error)
        case (31)
            call MPI_Send_init(out(:, at), n, MPI_INTEGER, it%dest, it%tag, comm(it%place), made, error)
        case (32)
            call MPI_Bsend_init(out(:, at), n, MPI_INTEGER, it%dest, it%tag, comm(it%place), made, error)
        case (33)
            call MPI_Ssend_init(out(:, at), n, MPI_INTEGER, it%dest, it%tag, comm(it%place), made, error)
        case (34)
            call MPI_Rsend_init(out(:, at), n, MPI_INTEGER, it%dest, it%tag, comm(it%place), made, error)
        end select
        if (it%way == persistent) call MPI_Start(made, error)
    end subroutine

#include "books_completion.inc"
end program
