! Names and attributes between Fortran and C (MPI 4.1, 19.3.6 and 19.3.7), and in Fortran alone: lines of behaviour, what the standard says and
! what is found. Compiled for each binding; one rank. languages_in_c.c is its part in C.
#if defined(BINDING_F08)
#define HANDLE(kind) type(kind)
#define VALUE_OF(handle) handle%MPI_VAL
#define BINDING use mpi_f08
#define MPIF_H
#elif defined(BINDING_MPI)
#define HANDLE(kind) integer
#define VALUE_OF(handle) handle
#define BINDING use mpi
#define MPIF_H
#else
#define HANDLE(kind) integer
#define VALUE_OF(handle) handle
#define BINDING
#define MPIF_H include 'mpif.h'
#endif

module languages_functions
    use iso_c_binding, only : wide => c_intptr_t
    implicit none
    integer :: deleted_key = 0, small_value = 0, small_extra = 0
    integer(wide) :: deleted_value = 0, deleted_extra = 0
    logical :: refuses = .false.
contains
    subroutine say(behaviour, expected, found)
        character(*) :: behaviour, expected, found
        print '(5a)', behaviour, '|', expected, '|', found
    end subroutine

    function text(number)
        integer(wide) :: number
        character(:), allocatable :: text
        character(40) :: digits
        write (digits, '(i0)') number
        text = trim(digits)
    end function

    function class_of(error)
        BINDING
        implicit none
        MPIF_H
        integer :: error, class, ignored
        character(:), allocatable :: class_of
        call MPI_Error_class(error, class, ignored)
        if (class == MPI_SUCCESS) then
            class_of = 'success'
        else if (class == MPI_ERR_KEYVAL) then
            class_of = 'MPI_ERR_KEYVAL'
        else if (class == MPI_ERR_COMM) then
            class_of = 'MPI_ERR_COMM'
        else
            class_of = text(int(class, wide))
        end if
    end function

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
        if (refuses) error = 9999
    end subroutine

    subroutine drop(comm, keyval, value, extra, error)
        BINDING
        implicit none
        MPIF_H
        HANDLE(MPI_Comm) :: comm
        integer :: keyval, error
        integer(MPI_ADDRESS_KIND) :: value, extra
        deleted_key = keyval
        deleted_value = value
        deleted_extra = extra
        error = MPI_SUCCESS
    end subroutine

    subroutine at_end(comm, keyval, value, extra, error)
        BINDING
        implicit none
        MPIF_H
        HANDLE(MPI_Comm) :: comm
        integer :: keyval, error, size
        integer(MPI_ADDRESS_KIND) :: value, extra
        call MPI_Comm_size(comm, size, error)
        print '(a)', 'at the end ' // text(value)
        error = MPI_SUCCESS
    end subroutine

    subroutine drop_small(comm, keyval, value, extra, error)
        BINDING
        implicit none
        MPIF_H
        HANDLE(MPI_Comm) :: comm
        integer :: keyval, value, extra, error
        small_value = value
        small_extra = extra
        error = MPI_SUCCESS
    end subroutine
end module

program languages
    use languages_functions
    BINDING
    implicit none
    MPIF_H
    interface
        subroutine c_version() bind(c)
        end subroutine
        subroutine c_names(comm, name) bind(c)
            use iso_c_binding
            integer(c_int), value :: comm
            character(kind=c_char) :: name(*)
        end subroutine
        integer(c_int) function c_name(comm, name) bind(c)
            use iso_c_binding
            integer(c_int), value :: comm
            character(kind=c_char) :: name(*)
        end function
        integer(c_intptr_t) function c_reads(comm, keyval, what) bind(c)
            use iso_c_binding
            integer(c_int), value :: comm, keyval, what
        end function
        integer(c_intptr_t) function c_sets(comm, keyval) bind(c)
            use iso_c_binding
            integer(c_int), value :: comm, keyval
        end function
        integer(c_int) function c_makes_keyval() bind(c)
            use iso_c_binding
        end function
    end interface
    integer(wide), parameter :: large = 1234567890123_wide
    HANDLE(MPI_Comm) :: comm, made
    HANDLE(MPI_Datatype) :: couple, twin
    character(MPI_MAX_OBJECT_NAME) :: name
    character(300) :: long
    integer(wide) :: value, address
    integer :: error, length, own, ready, of_types, in_c
    logical :: flag
#if !defined(BINDING_F08)
    integer :: old, small
    character(8) :: short
#endif

    call MPI_Init(error)
    call c_version()
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, error)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, error)
    call MPI_Comm_dup(MPI_COMM_SELF, comm, error)
    call MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN, error)

    ! ---- names ----
    call MPI_Comm_set_name(comm, '  rows   ', error)
    call MPI_Comm_get_name(comm, name, length, error)
    call say('blanks before a name are part of it', '[  rows] 6', '[' // name(1:length) // '] ' // text(int(length, wide)))
    call say('a name is padded with blanks', 'T', merge('T', 'F', name(length + 1:) == ' '))
    length = c_name(VALUE_OF(comm), long)
    call say('C sees it without those behind it', '[  rows]', '[' // long(1:length) // ']')
    call MPI_Comm_set_name(comm, '     ', error)
    call MPI_Comm_get_name(comm, name, length, error)
    call say('a name of blanks is empty', '0', text(int(length, wide)))
    call c_names(VALUE_OF(comm), 'from C ' // char(0))
    call MPI_Comm_get_name(comm, name, length, error)
    call say('a blank behind a name of C is part of it', '7', text(int(length, wide)))
    long = repeat('x', 300)
    call MPI_Comm_set_name(comm, long, error)
    call MPI_Comm_get_name(comm, name, length, error)
    call say('one that is too long is cut', 'T', merge('T', 'F', length == MPI_MAX_OBJECT_NAME .or. length == MPI_MAX_OBJECT_NAME - 1))
#if !defined(BINDING_F08)
    call MPI_Comm_set_name(comm, 'much longer than that', error)
    call MPI_Comm_get_name(comm, short, length, error)
    call say('a short variable gets the beginning', '[much lon]', '[' // short // ']')
#endif
    call MPI_Type_get_name(MPI_DOUBLE_PRECISION, name, length, error)
    call say('predefined datatypes have names', '[MPI_DOUBLE_PRECISION]', '[' // name(1:length) // ']')

    ! ---- attributes ----
    call MPI_Comm_create_keyval(keep, drop, own, 1000_wide, error)
    call MPI_Comm_set_attr(comm, own, large, error)
    call MPI_Comm_get_attr(comm, own, value, flag, error)
    call say('values are as large as addresses', text(large), merge(text(value), repeat('?', len(text(value))), flag))
    call say('C reads the address of an address', text(large), text(int(c_reads(VALUE_OF(comm), own, 2), wide)))
    call MPI_Comm_set_attr(comm, own, huge(value), error)
    call MPI_Comm_get_attr(comm, own, value, flag, error)
    call say('up to the largest', text(huge(value)), text(value))
    call MPI_Comm_set_attr(comm, own, -5_wide, error)
    call MPI_Comm_get_attr(comm, own, value, flag, error)
    call say('and negative ones', '-5', text(value))
    address = c_sets(VALUE_OF(comm), own)
    call MPI_Comm_get_attr(comm, own, value, flag, error)
    call say('a pointer of C is its address', text(address), text(value))
    in_c = c_makes_keyval()
    call MPI_Comm_set_attr(comm, in_c, 77_wide, error)
    call MPI_Comm_dup(comm, made, error)
    call say('a keyval of C copies what Fortran set', '77', text(int(c_reads(VALUE_OF(made), in_c, 2), wide)))
    call MPI_Comm_delete_attr(comm, in_c, error)
    call MPI_Comm_free(made, error)

    call MPI_Comm_set_attr(comm, own, 5_wide, error)
    call MPI_Comm_dup(comm, made, error)
    call MPI_Comm_get_attr(made, own, value, flag, error)
    call say('copy callbacks get value and extra state', '1005', text(value))
    deleted_value = 0
    call MPI_Comm_free(made, error)
    call say('delete callbacks do', '1005 1000 T', text(deleted_value) // ' ' // text(deleted_extra) // ' ' // merge('T', 'F', deleted_key == own))
    refuses = .true.
    call MPI_Comm_dup(comm, made, error)
    call say('a copy that is refused fails the dup', '9999 T', text(int(error, wide)) // ' ' // merge('T', 'F', made == MPI_COMM_NULL))
    refuses = .false.

    call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, ready, 0_wide, error)
    call MPI_Comm_set_attr(comm, ready, 8_wide, error)
    call MPI_Comm_dup(comm, made, error)
    call MPI_Comm_get_attr(made, ready, value, flag, error)
    call say('MPI_COMM_DUP_FN copies', 'T 8', merge('T', 'F', flag) // ' ' // text(value))
    call say('for C, too', '8', text(int(c_reads(VALUE_OF(made), ready, 2), wide)))
    call MPI_Comm_free(made, error)

    call MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, of_types, 0_wide, error)
    call MPI_Type_contiguous(2, MPI_INTEGER, couple, error)
    call MPI_Type_set_attr(couple, of_types, large, error)
    call MPI_Type_dup(couple, twin, error)
    call MPI_Type_get_attr(twin, of_types, value, flag, error)
    call say('so does MPI_TYPE_DUP_FN', 'T ' // text(large), merge('T', 'F', flag) // ' ' // text(value))
    call MPI_Type_free(twin, error)
    call MPI_Type_free(couple, error)

    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag, error)
    call say('predefined ones are values', 'T', merge('T', 'F', flag .and. value >= 32767))
    call MPI_Comm_set_attr(MPI_COMM_WORLD, MPI_TAG_UB, 5_wide, error)
    call say('which nobody sets', 'MPI_ERR_KEYVAL', class_of(error))
    call MPI_Comm_set_attr(MPI_COMM_NULL, own, 5_wide, error)
    call say('attributes of MPI_COMM_NULL', 'MPI_ERR_COMM', class_of(error))
    call MPI_Comm_set_attr(comm, of_types, 5_wide, error)
    call say('a keyval of datatypes on a communicator', 'MPI_ERR_KEYVAL', class_of(error))

#if !defined(BINDING_F08)
    ! ---- of MPI-1 ----
    call MPI_Keyval_create(MPI_DUP_FN, drop_small, old, 9, error)
    call MPI_Attr_put(comm, old, -7, error)
    call MPI_Attr_get(comm, old, small, flag, error)
    call say('values of MPI-1 keep their sign', 'T -7', merge('T', 'F', flag) // ' ' // text(int(small, wide)))
    call MPI_Comm_get_attr(comm, old, value, flag, error)
    call say('as addresses, too', '-7', text(value))
    call say('C reads the address of an integer', '-7', text(int(c_reads(VALUE_OF(comm), old, 1), wide)))
    call MPI_Comm_dup(comm, made, error)
    call MPI_Attr_get(made, old, small, flag, error)
    call say('MPI_DUP_FN copies', 'T -7', merge('T', 'F', flag) // ' ' // text(int(small, wide)))
    call MPI_Comm_free(made, error)
    call say('delete callbacks of MPI-1 get value and extra state', '-7 9', text(int(small_value, wide)) // ' ' // text(int(small_extra, wide)))
    call MPI_Comm_set_attr(comm, own, 8589934599_wide, error)
    call MPI_Attr_get(comm, own, small, flag, error)
    call say('of a larger value they have the lower half', '7', text(int(small, wide)))
    call MPI_Attr_delete(comm, old, error)
    call MPI_Attr_get(comm, old, small, flag, error)
    call say('MPI_Attr_delete deletes', 'F', merge('T', 'F', flag))
    call MPI_Keyval_free(old, error)
#endif

    call MPI_Comm_free_keyval(ready, error)
    call say('freeing a keyval makes it invalid', 'T', merge('T', 'F', ready == MPI_KEYVAL_INVALID))
    call MPI_Comm_free(comm, error)
    call say('freeing a communicator makes it null', 'T', merge('T', 'F', comm == MPI_COMM_NULL))
    call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_end, ready, 0_wide, error)
    call MPI_Comm_set_attr(MPI_COMM_SELF, ready, 1_wide, error)
    call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_end, ready, 0_wide, error)
    call MPI_Comm_set_attr(MPI_COMM_SELF, ready, 2_wide, error)
    call MPI_Finalize(error)
    print '(a)', 'end'
end program
