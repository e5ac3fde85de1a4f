! What callsign knows of a Fortran program: names, attributes, bytes, completion, callbacks, handles that cross between languages. Compiled for
! each binding; test_semantics.py says what the trace must tell. Two ranks.
#if defined(BINDING_F08)
#define HANDLE(kind) type(kind)
#define STATUS(name) type(MPI_Status) :: name
#define STATUSES(name, length) type(MPI_Status) :: name(length)
#define VALUE_OF(handle) handle%MPI_VAL
#else
#define HANDLE(kind) integer
#define STATUS(name) integer :: name(MPI_STATUS_SIZE)
#define STATUSES(name, length) integer :: name(MPI_STATUS_SIZE, length)
#define VALUE_OF(handle) handle
#endif
#if defined(BINDING_F08)
#define BINDING use mpi_f08
#elif defined(BINDING_MPI)
#define BINDING use mpi
#else
#define BINDING
#endif

module callbacks
    BINDING
    implicit none
    HANDLE(MPI_Comm) :: ending ! what is being freed
contains
    subroutine forget(comm, keyval, value, extra, error)
        BINDING
        implicit none
#if defined(BINDING_MPIF_H)
        include 'mpif.h'
#endif
        HANDLE(MPI_Comm) :: comm
        integer :: keyval, error, rank
        integer(MPI_ADDRESS_KIND) :: value, extra
        call MPI_Comm_rank(MPI_COMM_WORLD, rank, error) ! Open MPI 4.1 passes no valid handle here
        error = MPI_SUCCESS
    end subroutine

    ! What is being freed is used once more.
    subroutine use_at_end(comm, keyval, value, extra, error)
        BINDING
        implicit none
#if defined(BINDING_MPIF_H)
        include 'mpif.h'
#endif
        HANDLE(MPI_Comm) :: comm
        integer :: keyval, error, n, size
        integer(MPI_ADDRESS_KIND) :: value, extra
        character(MPI_MAX_OBJECT_NAME) :: name
        call MPI_Comm_get_name(ending, name, n, error)
        print '(3a, i0)', 'at its end "', name(1:n), '" of length ', n
        call MPI_Comm_size(ending, size, error)
        error = MPI_SUCCESS
    end subroutine

    subroutine on_error(comm, code)
        BINDING
        implicit none
#if defined(BINDING_MPIF_H)
        include 'mpif.h'
#endif
        HANDLE(MPI_Comm) :: comm
        integer :: code, class, error
        call MPI_Error_class(code, class, error)
    end subroutine

#if defined(BINDING_F08)
    subroutine add(in, inout, count, kind)
        use mpi_f08
        use, intrinsic :: iso_c_binding
        implicit none
        type(c_ptr), value :: in, inout
        integer :: count, bytes, error
        type(MPI_Datatype) :: kind
        integer, pointer :: from(:), to(:)
        call c_f_pointer(in, from, (/count/))
        call c_f_pointer(inout, to, (/count/))
#else
    subroutine add(from, to, count, kind)
        BINDING
        implicit none
#if defined(BINDING_MPIF_H)
        include 'mpif.h'
#endif
        integer :: count, kind, from(count), to(count), bytes, error
#endif
        to = to + from
        call MPI_Type_size(kind, bytes, error)
    end subroutine
end module

program semantics
    BINDING
    use callbacks
    implicit none
#if defined(BINDING_MPIF_H)
    include 'mpif.h'
#endif
    interface
        subroutine in_c(handle) bind(C, name="in_c")
            integer, value :: handle
        end subroutine
        subroutine name_in_c(handle) bind(C, name="name_in_c")
            integer, value :: handle
        end subroutine
        subroutine complete_in_c(request) bind(C, name="complete_in_c")
            integer, value :: request
        end subroutine
        subroutine cancel_in_c(request) bind(C, name="cancel_in_c")
            integer, value :: request
        end subroutine
        integer function receive_in_c(source, comm) bind(C, name="receive_in_c")
            integer, value :: source, comm
        end function
    end interface
    HANDLE(MPI_Comm) :: rows, crossing, one_more
    HANDLE(MPI_Request) :: request(2), one
    HANDLE(MPI_Datatype) :: pair, types(2)
    HANDLE(MPI_Errhandler) :: handler
    HANDLE(MPI_Op) :: op
    STATUS(status)
    STATUSES(statuses, 2)
    integer :: rank, other, error, keyval, i, n, indices(2), buf(16), out(16), counts(2), places(2)
    integer(MPI_ADDRESS_KIND) :: value, displacements(2)
    logical :: flag
    character(MPI_MAX_OBJECT_NAME) :: name

    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    other = 1 - rank
    buf = rank
    call MPI_Comm_dup(MPI_COMM_WORLD, rows, error)
    ! The name that callsign gave it is not shown.
    name = repeat('?', len(name))
    call MPI_Comm_get_name(rows, name, n, error)
    print '(a, i0, 3a, i0)', 'rank ', rank, ' no name "', name, '" of length ', n
    call MPI_Comm_set_name(rows, "  rows    ", error)
    call MPI_Comm_get_name(rows, name, n, error)
    print '(a, i0, 3a, i0)', 'rank ', rank, ' name "', trim(name), '" of length ', n
    call name_in_c(VALUE_OF(rows))

    ! completion
    call MPI_Irecv(out, 5, MPI_INTEGER, other, 1, rows, request(1), error)
    call MPI_Isend(buf, 5, MPI_INTEGER, other, 1, rows, request(2), error)
    call MPI_Waitall(2, request, MPI_STATUSES_IGNORE, error)
    call MPI_Isend(buf, 3, MPI_INTEGER, other, 2, rows, one, error)
    call MPI_Recv(out, 16, MPI_INTEGER, other, 2, rows, MPI_STATUS_IGNORE, error)
    call MPI_Wait(one, MPI_STATUS_IGNORE, error)
    call MPI_Isend(buf, 2, MPI_INTEGER, other, 3, rows, one, error)
    call MPI_Recv(out, 16, MPI_INTEGER, other, 3, rows, status, error)
    call MPI_Wait(one, status, error)
    call MPI_Irecv(out, 16, MPI_INTEGER, other, 4, rows, request(1), error)
    call MPI_Ssend_init(buf, 7, MPI_INTEGER, other, 4, rows, request(2), error)
    call MPI_Start(request(2), error)
    call MPI_Waitany(1, request, i, MPI_STATUS_IGNORE, error)
    print '(a, i0, a, i0)', 'rank ', rank, ' completed ', i
    call MPI_Wait(request(2), MPI_STATUS_IGNORE, error)
    call MPI_Irecv(out, 16, MPI_INTEGER, other, 4, rows, request(1), error)
    call MPI_Startall(1, request(2:), error)
    call MPI_Waitsome(1, request, n, indices, statuses, error)
    print '(a, i0, a, i0, a, i0)', 'rank ', rank, ' completed ', n, ': ', indices(1)
    call MPI_Wait(request(2), MPI_STATUS_IGNORE, error)
    call MPI_Request_free(request(2), error)
    call requests_of_two_languages

    ! collectives
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_INTEGER, out, 2, MPI_INTEGER, rows, error)
    if (rank == 0) then
        call MPI_Gather(MPI_IN_PLACE, 0, MPI_INTEGER, out, 2, MPI_INTEGER, 0, rows, error)
    else
        call MPI_Gather(buf, 2, MPI_INTEGER, out, 2, MPI_INTEGER, 0, rows, error)
    end if
    call MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INTEGER, out, 3, MPI_INTEGER, rows, error)
    types = MPI_INTEGER
    counts = 2
    places = (/0, 8/)
    call MPI_Alltoallw(buf, counts, places, types, out, counts, places, types, rows, error)
    call MPI_Op_create(add, .true., op, error)
    call MPI_Allreduce(MPI_IN_PLACE, buf, 4, MPI_INTEGER, op, rows, error)
    call MPI_Op_free(op, error)
    print '(a, i0, a, 4(i0, 1x))', 'rank ', rank, ' sum ', buf(1:4)

    ! datatypes
    displacements = (/0, 8/)
    types(1) = MPI_DOUBLE_PRECISION
    call MPI_Type_create_struct(2, (/1, 1/), displacements, types, pair, error)
    call MPI_Type_set_name(pair, "pair", error)
    call MPI_Type_commit(pair, error)

    ! attributes
    call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, forget, keyval, 0_MPI_ADDRESS_KIND, error)
    call MPI_Comm_set_attr(rows, keyval, 4711_MPI_ADDRESS_KIND, error)
    call MPI_Comm_get_attr(rows, keyval, value, flag, error)
    print '(a, i0, a, l1, i0)', 'rank ', rank, ' attribute ', flag, value
    call MPI_Comm_delete_attr(rows, keyval, error)
    call MPI_Comm_get_attr(rows, keyval, value, flag, error)
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag, error)
    print '(a, i0, a, l1, i0)', 'rank ', rank, ' tags ', flag, value

    ! errors; when a handler of the program's own has returned, MPICH 5 says that all went well
    call MPI_Comm_set_errhandler(rows, MPI_ERRORS_RETURN, error)
    call MPI_Comm_set_attr(rows, MPI_TAG_UB, 4711_MPI_ADDRESS_KIND, error)
    print '(a, i0, a, l1)', 'rank ', rank, ' refused ', error /= MPI_SUCCESS
    call MPI_Comm_delete_attr(rows, MPI_TAG_UB, error)
    print '(a, i0, a, l1)', 'rank ', rank, ' refused ', error /= MPI_SUCCESS
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, error)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, error)
    call MPI_Comm_set_name(MPI_COMM_NULL, "nobody", error)
    print '(a, i0, a, l1)', 'rank ', rank, ' refused ', error /= MPI_SUCCESS
    call MPI_Type_set_name(MPI_DATATYPE_NULL, "nothing", error)
    print '(a, i0, a, l1)', 'rank ', rank, ' refused ', error /= MPI_SUCCESS
    call MPI_Comm_create_errhandler(on_error, handler, error)
    call MPI_Comm_set_errhandler(rows, handler, error)
    call MPI_Errhandler_free(handler, error)
    call MPI_Send(buf, 0, MPI_INTEGER, 99, 1, rows, error)
    print '(a, i0, a, l1)', 'rank ', rank, ' error ', error /= MPI_SUCCESS

    call MPI_Comm_compare(rows, MPI_COMM_WORLD, n, error)
    print '(a, i0, a, l1)', 'rank ', rank, ' congruent ', n == MPI_CONGRUENT

    ! one language makes it, the other names and frees it
    call MPI_Comm_split(rows, rank, 0, crossing, error)
    call in_c(VALUE_OF(crossing))
    call MPI_Comm_get_name(MPI_COMM_SELF, name, n, error)
    print '(a, i0, 2a)', 'rank ', rank, ' name given in C: ', trim(name)
    call kinds
    call MPI_Comm_dup(MPI_COMM_SELF, ending, error)
    call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, use_at_end, keyval, 0_MPI_ADDRESS_KIND, error)
    call MPI_Comm_set_attr(ending, keyval, 0_MPI_ADDRESS_KIND, error)
    one_more = ending
    call MPI_Comm_free(one_more, error)
    call MPI_Comm_free_keyval(keyval, error)
    call MPI_Type_free(pair, error)
    call MPI_Comm_free(rows, error)
    call MPI_Finalize(error)
contains
    ! one language makes them, the other completes them
    subroutine requests_of_two_languages
        call MPI_Irecv(out, 5, MPI_INTEGER, other, 6, rows, one, error)
        call MPI_Send(buf, 5, MPI_INTEGER, other, 6, rows, error)
        call complete_in_c(VALUE_OF(one))
        VALUE_OF(one) = receive_in_c(other, VALUE_OF(rows))
        call MPI_Send(buf, 3, MPI_INTEGER, other, 7, rows, error)
        call MPI_Wait(one, MPI_STATUS_IGNORE, error)
        ! of both in one call
        call MPI_Irecv(out, 5, MPI_INTEGER, other, 8, rows, request(1), error)
        VALUE_OF(request(2)) = receive_in_c(other, VALUE_OF(rows))
        call MPI_Send(buf, 3, MPI_INTEGER, other, 7, rows, error)
        call MPI_Send(buf, 1, MPI_INTEGER, other, 8, rows, error)
        call MPI_Waitall(2, request, MPI_STATUSES_IGNORE, error)
        ! what is complete at once is one handle in some MPIs
        call MPI_Isend(buf, 1, MPI_INTEGER, MPI_PROC_NULL, 9, rows, request(1), error)
        call MPI_Isend(buf, 1, MPI_INTEGER, MPI_PROC_NULL, 9, rows, request(2), error)
        call MPI_Waitall(2, request, MPI_STATUSES_IGNORE, error)
        call MPI_Isend(buf, 1, MPI_INTEGER, MPI_PROC_NULL, 9, rows, one, error)
        call complete_in_c(VALUE_OF(one))
        ! a cancelled one brings nothing
        call MPI_Irecv(out, 5, MPI_INTEGER, other, 10, rows, one, error)
        call cancel_in_c(VALUE_OF(one))
        call MPI_Wait(one, MPI_STATUS_IGNORE, error)
    end subroutine

    ! objects of which nothing is asked but who made them and whether they were freed
    subroutine kinds
        use, intrinsic :: iso_c_binding
        HANDLE(MPI_Group) :: world, again, alone
        HANDLE(MPI_Info) :: info, twin
        integer :: key
        integer, pointer :: words(:)
        character(MPI_MAX_LIBRARY_VERSION_STRING) :: version
        character(MPI_MAX_PORT_NAME) :: port
        character(MPI_MAX_PROCESSOR_NAME) :: processor
#if defined(BINDING_F08)
        type(c_ptr) :: base
#else
        integer(MPI_ADDRESS_KIND) :: base
#endif
        call MPI_Comm_group(MPI_COMM_WORLD, world, error)
        call MPI_Comm_group(MPI_COMM_WORLD, again, error)
        call MPI_Group_incl(world, 1, (/rank/), alone, error)
        call MPI_Group_compare(world, alone, n, error)
        call MPI_Group_free(again, error)
        call MPI_Group_free(world, error)
        call MPI_Group_free(alone, error)
        call MPI_Info_create(info, error)
        call MPI_Info_dup(info, twin, error)
        call MPI_Info_free(twin, error)
        call MPI_Info_free(info, error)
        call MPI_Comm_get_errhandler(rows, handler, error)
        call MPI_Errhandler_free(handler, error)
        call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, forget, key, 0_MPI_ADDRESS_KIND, error)
        call MPI_Comm_free_keyval(key, error)
        call MPI_Alloc_mem(64_MPI_ADDRESS_KIND, MPI_INFO_NULL, base, error)
#if defined(BINDING_F08)
        call c_f_pointer(base, words, (/16/))
#else
        call c_f_pointer(transfer(base, c_null_ptr), words, (/16/))
#endif
        words = rank
        call MPI_Free_mem(words, error)
        do key = 1, 2
            call MPI_Get_processor_name(processor, n, error)
        end do
        call MPI_Get_library_version(version, n, error)
        if (index(version(1:n), 'Open MPI') > 0) then ! not every MPI can open one
            call MPI_Open_port(MPI_INFO_NULL, port, error)
            call MPI_Close_port(port, error)
        end if
    end subroutine
end program
