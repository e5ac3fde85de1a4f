! stuck.c has these in C, and says what each is about.
#include "plant_binding.inc"
module stuck_modes
    use plant
    implicit none
    integer :: number, numbers(8)

contains
    integer function ranks()
        call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    end function ranks

    subroutine second_waits_for_first(rank)
        integer, intent(in) :: rank
        if (rank == 1) call plant_receive(0, 77)
    end subroutine second_waits_for_first

    subroutine receive_cycle(rank)
        integer, intent(in) :: rank
        call plant_receive(mod(rank + 1, ranks()), 1)
    end subroutine receive_cycle

    subroutine synchronous_send_cycle(rank)
        integer, intent(in) :: rank
        call MPI_Ssend(rank, 1, MPI_INTEGER, mod(rank + 1, ranks()), 1, MPI_COMM_WORLD, error)
    end subroutine synchronous_send_cycle

    subroutine large_sends_to_each_other(rank)
        integer, intent(in) :: rank
        integer, allocatable :: large(:)
        allocate (large(1000000), source=0)
        call MPI_Send(large, 1000000, MPI_INTEGER, 1 - rank, 1, MPI_COMM_WORLD, error)
        call MPI_Recv(large, 1000000, MPI_INTEGER, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    end subroutine large_sends_to_each_other

    subroutine two_cycles(rank)
        integer, intent(in) :: rank
        call plant_receive(ieor(rank, 1), 1)
    end subroutine two_cycles

    subroutine wrong_tag(rank)
        integer, intent(in) :: rank
        if (rank == 0) call plant_receive(1, 1)
        if (rank == 1) call MPI_Ssend(rank, 1, MPI_INTEGER, 0, 2, MPI_COMM_WORLD, error)
    end subroutine wrong_tag

    subroutine wrong_communicator(rank)
        integer, intent(in) :: rank
        HANDLE(MPI_Comm) :: other
        call MPI_Comm_dup(MPI_COMM_WORLD, other, error)
        if (rank == 0) call MPI_Recv(number, 1, MPI_INTEGER, 1, 1, other, MPI_STATUS_IGNORE, error)
        if (rank == 1) call MPI_Ssend(rank, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, error)
    end subroutine wrong_communicator

    subroutine probe_cycle(rank)
        integer, intent(in) :: rank
        call MPI_Probe(1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    end subroutine probe_cycle

    subroutine waitall_of_which_one_is_missing(rank)
        integer, intent(in) :: rank
        HANDLE(MPI_Request) :: requests(2)
        if (rank == 0) then
            call MPI_Irecv(numbers(2), 1, MPI_INTEGER, 2, 1, MPI_COMM_WORLD, requests(1), error)
            call MPI_Irecv(numbers(1), 1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, requests(2), error)
            call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
        end if
        call second_waits_for_first(rank)
        if (rank > 0) call plant_send(0, 1)
        call MPI_Barrier(MPI_COMM_WORLD, error)
    end subroutine waitall_of_which_one_is_missing

    subroutine sendrecv_of_a_wrong_tag(rank)
        integer, intent(in) :: rank
        call MPI_Sendrecv(rank, 1, MPI_INTEGER, 1 - rank, rank, number, 1, MPI_INTEGER, 1 - rank, rank, MPI_COMM_WORLD, &
                          MPI_STATUS_IGNORE, error)
    end subroutine sendrecv_of_a_wrong_tag

    subroutine receives_from_any_rank(rank)
        integer, intent(in) :: rank
        if (rank == 0) call plant_receive(MPI_ANY_SOURCE, 1)
        call plant_receive(0, 1)
    end subroutine receives_from_any_rank

    subroutine persistent_cycle(rank)
        integer, intent(in) :: rank
        HANDLE(MPI_Request) :: request
        call MPI_Recv_init(number, 1, MPI_INTEGER, 1 - rank, 1, MPI_COMM_WORLD, request, error)
        call MPI_Start(request, error)
        call MPI_Wait(request, MPI_STATUS_IGNORE, error)
    end subroutine persistent_cycle

    subroutine loop_left_too_early(rank)
        integer, intent(in) :: rank
        integer :: round
        do round = 1, merge(4, 5, rank == 1)
            call MPI_Allreduce(rank, number, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, error)
        end do
        call second_waits_for_first(rank)
        if (rank == 0) call plant_send(1, 77)
    end subroutine loop_left_too_early

    subroutine barrier_against_allreduce(rank)
        integer, intent(in) :: rank
        if (rank == 0) then
            call MPI_Barrier(MPI_COMM_WORLD, error)
        else
            call MPI_Allreduce(rank, number, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, error)
        end if
    end subroutine barrier_against_allreduce

    subroutine bcast_of_different_roots(rank)
        integer, intent(in) :: rank
        call MPI_Bcast(number, 1, MPI_INTEGER, mod(rank + 1, ranks()), MPI_COMM_WORLD, error)
    end subroutine bcast_of_different_roots

    subroutine two_communicators_in_opposite_order(rank)
        integer, intent(in) :: rank
        HANDLE(MPI_Comm) :: pair(0:1)
        call MPI_Comm_dup(MPI_COMM_WORLD, pair(rank), error)
        call MPI_Comm_dup(MPI_COMM_WORLD, pair(1 - rank), error)
        call MPI_Barrier(pair(0), error)
        call MPI_Barrier(pair(1), error)
    end subroutine two_communicators_in_opposite_order

    subroutine nonblocking_allreduce(rank)
        integer, intent(in) :: rank
        HANDLE(MPI_Request) :: request
        call second_waits_for_first(rank)
        call MPI_Iallreduce(rank, number, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request, error)
        call MPI_Wait(request, MPI_STATUS_IGNORE, error)
        if (rank == 0) call plant_send(1, 77)
    end subroutine nonblocking_allreduce

    subroutine fence_missing(rank)
        integer, intent(in) :: rank
        HANDLE(MPI_Win) :: window
        type(c_ptr) :: memory
        call MPI_Win_allocate(4_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, memory, window, error)
        call MPI_Win_fence(0, window, error)
        call second_waits_for_first(rank)
        call MPI_Win_fence(0, window, error)
        if (rank == 0) call plant_send(1, 77)
    end subroutine fence_missing

    subroutine make_window_and_group(rank, window, other)
        integer, intent(in) :: rank
        HANDLE(MPI_Win), intent(out) :: window
        HANDLE(MPI_Group), intent(out) :: other
        HANDLE(MPI_Group) :: world
        type(c_ptr) :: memory
        call MPI_Win_allocate(4_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, memory, window, error)
        call MPI_Comm_group(MPI_COMM_WORLD, world, error)
        call MPI_Group_incl(world, 1, [1 - rank], other, error)
    end subroutine make_window_and_group

    subroutine epoch_without_a_complete(rank)
        integer, intent(in) :: rank
        HANDLE(MPI_Win) :: window
        HANDLE(MPI_Group) :: other
        call make_window_and_group(rank, window, other)
        call second_waits_for_first(rank)
        call MPI_Win_post(other, 0, window, error)
        call MPI_Win_wait(window, error)
    end subroutine epoch_without_a_complete

    subroutine loop_of_epochs_left_too_early(rank)
        integer, intent(in) :: rank
        HANDLE(MPI_Win) :: window
        HANDLE(MPI_Group) :: other
        integer :: round
        logical :: done
        call make_window_and_group(rank, window, other)
        do round = 1, merge(4, 3, rank == 0)
            if (rank == 0) then
                call MPI_Win_start(other, 0, window, error)
                call MPI_Win_complete(window, error)
            else
                call MPI_Win_post(other, 0, window, error)
                done = round /= 2
                do while (.not. done)
                    call MPI_Win_test(window, done, error)
                end do
                if (round /= 2) call MPI_Win_wait(window, error)
            end if
        end do
        call second_waits_for_first(rank)
    end subroutine loop_of_epochs_left_too_early
end module stuck_modes

program stuck
    use stuck_modes
    implicit none
    call plant_main([ &
        mode('receive_cycle_of_two', 2, '0,1', receive_cycle), &
        mode('receive_cycle_of_three', 3, '0,1,2', receive_cycle), &
        mode('synchronous_send_cycle', 3, '0,1,2', synchronous_send_cycle), &
        mode('large_sends_to_each_other', 2, '0,1', large_sends_to_each_other), &
        mode('two_cycles', 4, '0,1 2,3', two_cycles), &
        mode('wrong_tag', 2, '0,1', wrong_tag), &
        mode('wrong_communicator', 2, '0,1', wrong_communicator), &
        mode('probe_cycle', 2, '0,1', probe_cycle), &
        mode('waitall_of_which_one_is_missing', 3, '0,1 (2)', waitall_of_which_one_is_missing), &
        mode('sendrecv_of_a_wrong_tag', 2, '0,1', sendrecv_of_a_wrong_tag), &
        mode('receives_from_any_rank', 3, '0,1,2', receives_from_any_rank), &
        mode('persistent_cycle', 2, '0,1', persistent_cycle), &
        mode('loop_left_too_early', 3, '0,1 (2)', loop_left_too_early), &
        mode('barrier_against_allreduce', 3, '0,1,2', barrier_against_allreduce), &
        mode('bcast_of_different_roots', 3, '0,1,2', bcast_of_different_roots), &
        mode('two_communicators_in_opposite_order', 2, '0,1', two_communicators_in_opposite_order), &
        mode('nonblocking_allreduce', 3, '0,1 (2)', nonblocking_allreduce), &
        mode('fence_missing', 3, '0,1 (2)', fence_missing), &
        mode('epoch_without_a_complete', 2, '0,1', epoch_without_a_complete), &
        mode('loop_of_epochs_left_too_early', 2, '0,1', loop_of_epochs_left_too_early)])
end program stuck
