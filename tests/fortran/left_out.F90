! Who is not in a communicator, and what was freed while requests on it were pending: the same as tests/mpi/programs/left_out.c. Compiled for
! each binding; tests/mpi/left_out.py says what the traces must tell. Four ranks.
#if defined(BINDING_F08)
#define HANDLE(kind) type(kind)
#define BINDING use mpi_f08
#elif defined(BINDING_MPI)
#define HANDLE(kind) integer
#define BINDING use mpi
#else
#define HANDLE(kind) integer
#define BINDING
#endif

program left_out
    BINDING
    implicit none
#if defined(BINDING_MPIF_H)
    include 'mpif.h'
#endif
    HANDLE(MPI_Comm) :: made, line, half, inter, early
    HANDLE(MPI_Group) :: all, some
    HANDLE(MPI_Request) :: request(2)
    integer :: rank, error, i, peer, out, in(2)
    integer :: dims(2), range(3, 1)
    logical :: periods(2), remain(2)

    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call by_color
    call by_group
    call by_topology
    call between_groups
    call free_early
    print '(a, i0, a)', 'rank ', rank, ' is done'
    call MPI_Finalize(error)
contains
    subroutine take(comm, name)
        HANDLE(MPI_Comm) :: comm
        character(*) :: name
        if (comm == MPI_COMM_NULL) then
            print '(a, i0, 2a)', 'rank ', rank, ' is not in ', name
        else
            call MPI_Comm_set_name(comm, name, error)
            call MPI_Comm_free(comm, error)
        end if
    end subroutine

    subroutine by_color
        call MPI_Comm_split(MPI_COMM_WORLD, merge(MPI_UNDEFINED, 7, rank == 1), 0, made, error)
        call take(made, 'colored')
        call MPI_Comm_split_type(MPI_COMM_WORLD, merge(MPI_UNDEFINED, MPI_COMM_TYPE_SHARED, rank == 2), 0, MPI_INFO_NULL, made, error)
        call take(made, 'node')
        call MPI_Comm_split(MPI_COMM_WORLD, MPI_UNDEFINED, 0, made, error)
        call take(made, 'nobody')
    end subroutine

    subroutine by_group
        range(:, 1) = (/ 1, 2, 1 /)
        call MPI_Comm_group(MPI_COMM_WORLD, all, error)
        call MPI_Group_range_incl(all, 1, range, some, error)
        call MPI_Comm_create(MPI_COMM_WORLD, some, made, error)
        call take(made, 'rows')
        if (rank == 1 .or. rank == 2) then
            call MPI_Comm_create_group(MPI_COMM_WORLD, some, 5, made, error)
            call take(made, 'members only')
        end if
        call MPI_Group_free(some, error)
        call MPI_Group_free(all, error)
    end subroutine

    subroutine by_topology
        dims = (/ 3, 1 /)
        periods = .false.
        remain = (/ .true., .false. /)
        call MPI_Graph_create(MPI_COMM_WORLD, 2, (/ 1, 2 /), (/ 1, 0 /), .false., made, error)
        call take(made, 'graph')
        call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, .false., made, error)
        if (made /= MPI_COMM_NULL) then
            call MPI_Cart_sub(made, remain, line, error)
            call take(line, 'line')
        end if
        call take(made, 'grid')
    end subroutine

    subroutine between_groups
        call MPI_Comm_split(MPI_COMM_WORLD, rank / 2, 0, half, error)
        call MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, merge(2, 0, rank < 2), 9, inter, error)
        call MPI_Comm_set_name(inter, 'between', error)
        call MPI_Comm_group(inter, all, error)
        call MPI_Group_incl(all, 1, (/ 0 /), some, error)
        call MPI_Comm_create(inter, some, made, error)
        call take(made, 'leaders')
        call MPI_Comm_split(inter, merge(0, MPI_UNDEFINED, mod(rank, 2) == 0), 0, made, error)
        call take(made, 'colored leaders')
        call MPI_Group_free(some, error)
        call MPI_Group_free(all, error)
        call take(inter, 'between')
        call take(half, 'half')
    end subroutine

    subroutine free_early
        peer = ieor(rank, 1)
        out = rank
        call MPI_Comm_dup(MPI_COMM_WORLD, early, error)
        call MPI_Comm_set_name(early, 'early', error)
        do i = 1, 2
            call MPI_Irecv(in(i), 1, MPI_INTEGER, peer, i, early, request(i), error)
        end do
        do i = 1, 2
            call MPI_Send(out, 1, MPI_INTEGER, peer, i, early, error)
        end do
        call MPI_Comm_free(early, error)
        call MPI_Waitall(2, request, MPI_STATUSES_IGNORE, error)
        print '(a, i0, a, l1)', 'rank ', rank, ' received ', all_of(in == peer)
    end subroutine

    logical function all_of(right)
        logical :: right(2)
        all_of = right(1) .and. right(2)
    end function
end program
