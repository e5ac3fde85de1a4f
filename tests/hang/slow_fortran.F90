! slow.c has these in C, and says what each is about.
#include "plant_binding.inc"
module slow_modes
    use plant
    implicit none
    integer :: number, numbers(8)

contains
    subroutine halo(rank)
        integer, intent(in) :: rank
        HANDLE(MPI_Request) :: requests(2)
        real(8), allocatable, save :: out(:, :), in(:, :)
        integer :: size, left, right, round
        logical :: mine, again
        call MPI_Comm_size(MPI_COMM_WORLD, size, error)
        left = modulo(rank - 1, size)
        right = modulo(rank + 1, size)
        allocate (out(20000, 2), in(20000, 2), source=0d0)
        again = .true.
        round = 0
        do while (again)
            round = round + 1
            call MPI_Irecv(in(1, 1), 20000, MPI_DOUBLE_PRECISION, left, 1, MPI_COMM_WORLD, requests(1), error)
            call MPI_Irecv(in(1, 2), 20000, MPI_DOUBLE_PRECISION, right, 2, MPI_COMM_WORLD, requests(2), error)
            call MPI_Send(out(1, 1), 20000, MPI_DOUBLE_PRECISION, right, 1, MPI_COMM_WORLD, error)
            call MPI_Send(out(1, 2), 20000, MPI_DOUBLE_PRECISION, left, 2, MPI_COMM_WORLD, error)
            call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
            mine = plant_goes_on()
            if (mod(round, 8) == 0) call MPI_Allreduce(mine, again, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD, error)
        end do
    end subroutine halo

    subroutine collectives(rank)
        integer, intent(in) :: rank
        integer :: size, root
        logical :: mine, again
        call MPI_Comm_size(MPI_COMM_WORLD, size, error)
        again = .true.
        root = 0
        do while (again)
            root = mod(root + 1, size)
            call MPI_Reduce(rank, number, 1, MPI_INTEGER, MPI_SUM, root, MPI_COMM_WORLD, error)
            call MPI_Bcast(number, 1, MPI_INTEGER, root, MPI_COMM_WORLD, error)
            call MPI_Gather(rank, 1, MPI_INTEGER, numbers, 1, MPI_INTEGER, root, MPI_COMM_WORLD, error)
            call MPI_Barrier(MPI_COMM_WORLD, error)
            mine = plant_goes_on()
            call MPI_Allreduce(mine, again, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD, error)
        end do
    end subroutine collectives

    subroutine late_sender_of_a_chain(rank)
        integer, intent(in) :: rank
        if (rank == 2) then
            call plant_hold()
        else
            call plant_receive(rank + 1, 1)
        end if
        if (rank > 0) call plant_send(rank - 1, 1)
    end subroutine late_sender_of_a_chain

    subroutine waitall_for_one_that_sent(rank)
        integer, intent(in) :: rank
        HANDLE(MPI_Request) :: requests(2)
        integer :: source
        if (rank == 0) then
            do source = 1, 2
                call MPI_Irecv(numbers(source), 1, MPI_INTEGER, source, 1, MPI_COMM_WORLD, requests(source), error)
            end do
            call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
        else
            if (rank == 2) call plant_hold()
            call plant_send(0, 1)
        end if
        call MPI_Barrier(MPI_COMM_WORLD, error)
    end subroutine waitall_for_one_that_sent

    subroutine receive_from_any_rank(rank)
        integer, intent(in) :: rank
        if (rank == 0) then
            call plant_receive(MPI_ANY_SOURCE, 1)
            call plant_send(1, 2)
        end if
        if (rank == 1) call plant_receive(0, 2)
        if (rank == 2) then
            call plant_hold()
            call plant_send(0, 1)
        end if
    end subroutine receive_from_any_rank

    subroutine waitany(rank)
        integer, intent(in) :: rank
        HANDLE(MPI_Request) :: requests(2)
        integer :: which, source
        if (rank == 0) then
            do source = 1, 2
                call MPI_Irecv(numbers(source), 1, MPI_INTEGER, source, 1, MPI_COMM_WORLD, requests(source), error)
            end do
            call MPI_Waitany(2, requests, which, MPI_STATUS_IGNORE, error)
            call plant_send(1, 2)
            call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
        end if
        if (rank == 1) call plant_receive(0, 2)
        if (rank == 2) call plant_hold()
        if (rank > 0) call plant_send(0, 1)
    end subroutine waitany

    subroutine test_loop(rank)
        integer, intent(in) :: rank
        HANDLE(MPI_Request) :: request
        logical :: done
        if (rank == 0) then
            call MPI_Irecv(number, 1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, request, error)
            done = .false.
            do while (.not. done)
                call MPI_Test(request, done, MPI_STATUS_IGNORE, error)
            end do
        end if
        if (rank == 1) then
            call plant_receive(2, 1)
            call plant_send(0, 1)
        end if
        if (rank == 2) then
            call plant_hold()
            call plant_send(1, 1)
        end if
    end subroutine test_loop

    subroutine late_receiver_of_a_synchronous_send(rank)
        integer, intent(in) :: rank
        if (rank == 1) then
            call plant_hold()
            call plant_receive(0, 1)
        else
            number = 1
            call MPI_Ssend(number, 1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, error)
        end if
        call MPI_Barrier(MPI_COMM_WORLD, error)
    end subroutine late_receiver_of_a_synchronous_send

    subroutine late_start_of_a_persistent_send(rank)
        integer, intent(in) :: rank
        HANDLE(MPI_Request) :: request
        integer :: round
        if (rank == 0) then
            call MPI_Recv_init(number, 1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, request, error)
        else
            call MPI_Send_init(number, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, request, error)
        end if
        do round = 1, 3
            if (rank == 1 .and. round == 3) call plant_hold()
            call MPI_Start(request, error)
            call MPI_Wait(request, MPI_STATUS_IGNORE, error)
        end do
        call MPI_Request_free(request, error)
    end subroutine late_start_of_a_persistent_send

    subroutine late_rank_of_a_sendrecv_ring(rank)
        integer, intent(in) :: rank
        integer :: round
        if (rank == 1) call plant_hold()
        do round = 1, 4
            call MPI_Sendrecv(rank, 1, MPI_INTEGER, mod(rank + 1, 3), 1, number, 1, MPI_INTEGER, mod(rank + 2, 3), 1, &
                              MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
        end do
    end subroutine late_rank_of_a_sendrecv_ring

    subroutine reduce_then_bcast(rank)
        integer, intent(in) :: rank
        if (rank == 2) call plant_hold()
        call MPI_Reduce(rank, number, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, error)
        call MPI_Bcast(number, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
    end subroutine reduce_then_bcast

    subroutine gather_then_barrier(rank)
        integer, intent(in) :: rank
        if (rank == 2) call plant_hold()
        call MPI_Gather(rank, 1, MPI_INTEGER, numbers, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
        call MPI_Barrier(MPI_COMM_WORLD, error)
    end subroutine gather_then_barrier

    subroutine bcast_then_receive(rank)
        integer, intent(in) :: rank
        if (rank == 2) call plant_hold()
        call MPI_Bcast(number, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
        if (rank == 0) call plant_receive(3, 1)
        if (rank == 3) call plant_send(0, 1)
    end subroutine bcast_then_receive

    subroutine late_member_of_a_split(rank)
        integer, intent(in) :: rank
        HANDLE(MPI_Comm) :: comm
        if (rank == 2) call plant_hold()
        call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, comm, error)
        call MPI_Comm_free(comm, error)
    end subroutine late_member_of_a_split

    subroutine ibarrier(rank)
        integer, intent(in) :: rank
        HANDLE(MPI_Request) :: request
        if (rank == 1) call plant_hold()
        call MPI_Ibarrier(MPI_COMM_WORLD, request, error)
        call MPI_Wait(request, MPI_STATUS_IGNORE, error)
    end subroutine ibarrier

    subroutine late_fence(rank)
        integer, intent(in) :: rank
        HANDLE(MPI_Win) :: window
        type(c_ptr) :: memory
        call MPI_Win_allocate(4_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, memory, window, error)
        call MPI_Win_fence(0, window, error)
        if (rank == 1) call plant_hold()
        call MPI_Win_fence(0, window, error)
        call MPI_Win_free(window, error)
    end subroutine late_fence

    subroutine late_post(rank)
        integer, intent(in) :: rank
        HANDLE(MPI_Win) :: window
        HANDLE(MPI_Group) :: world, other
        type(c_ptr) :: memory
        integer :: round
        call MPI_Win_allocate(4_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, memory, window, error)
        call MPI_Comm_group(MPI_COMM_WORLD, world, error)
        call MPI_Group_incl(world, 1, [1 - rank], other, error)
        do round = 1, 4
            if (rank == 0) then
                call MPI_Win_start(other, 0, window, error)
                call MPI_Win_complete(window, error)
            else
                if (round == 3) call plant_hold()
                call MPI_Win_post(other, 0, window, error)
                call MPI_Win_wait(window, error)
            end if
        end do
        call MPI_Group_free(other, error)
        call MPI_Group_free(world, error)
        call MPI_Win_free(window, error)
    end subroutine late_post

    subroutine finalize(rank)
        integer, intent(in) :: rank
        if (rank == 1) call plant_hold()
    end subroutine finalize
end module slow_modes

program slow
    use slow_modes
    implicit none
    call plant_main([ &
        mode('halo', 4, 'moves', halo), &
        mode('collectives', 4, 'moves', collectives), &
        mode('late_sender_of_a_chain', 3, '2', late_sender_of_a_chain), &
        mode('waitall_for_one_that_sent', 3, '2', waitall_for_one_that_sent), &
        mode('receive_from_any_rank', 3, '2', receive_from_any_rank), &
        mode('waitany', 3, '2', waitany), &
        mode('test_loop', 3, '2', test_loop), &
        mode('late_receiver_of_a_synchronous_send', 2, '1', late_receiver_of_a_synchronous_send), &
        mode('late_start_of_a_persistent_send', 2, '1', late_start_of_a_persistent_send), &
        mode('late_rank_of_a_sendrecv_ring', 3, '1', late_rank_of_a_sendrecv_ring), &
        mode('reduce_then_bcast', 3, '2', reduce_then_bcast), &
        mode('gather_then_barrier', 3, '2', gather_then_barrier), &
        mode('bcast_then_receive', 4, '2', bcast_then_receive), &
        mode('late_member_of_a_split', 3, '2', late_member_of_a_split), &
        mode('ibarrier', 3, '1', ibarrier), &
        mode('late_fence', 3, '1', late_fence), &
        mode('late_post', 2, '1', late_post), &
        mode('finalize', 3, '1', finalize)])
end program slow
