! Names and attributes in a program in Fortran, for an MPI that has none of them: callsign has them, and the file that is included behind mpif.h.
module functions
  implicit none
  integer :: copied = 0, deleted = 0
contains
  subroutine copy(comm, keyval, extra_state, value, made, flag, error)
    integer, parameter :: address = 8
    integer :: comm, keyval, error
    integer(address) :: extra_state, value, made
    logical :: flag
    made = value + extra_state
    flag = .true.
    error = 0
    copied = copied + 1
  end subroutine
  subroutine delete(comm, keyval, value, extra_state, error)
    integer, parameter :: address = 8
    integer :: comm, keyval, error
    integer(address) :: value, extra_state
    error = 0
    deleted = deleted + 1
  end subroutine
end module

program attributes
  use functions
  implicit none
  include 'mpif.h'
  include 'callsign/mpif_names_mpi.h'
  integer :: twin, row, keyval, plain, old, length, error, small
  integer(MPI_ADDRESS_KIND) :: value, extra_state = 5
  logical :: found
  character(MPI_MAX_OBJECT_NAME) :: name
  character(MPI_MAX_PROCESSOR_NAME) :: processor

  call MPI_Init(error)
  call MPI_Comm_get_name(MPI_COMM_WORLD, name, length, error)
  print '(2a, i3)', name(1:length), '|', length
  call MPI_Type_contiguous(4, MPI_INTEGER, row, error)
  call MPI_Type_set_name(row, 'row  ', error)
  call MPI_Type_get_name(row, name, length, error)
  print '(2a, i3)', trim(name), '|', length
  call MPI_Type_free(row, error)

  call MPI_Comm_create_keyval(copy, delete, keyval, extra_state, error)
  call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, plain, extra_state, error)
  call MPI_Keyval_create(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, old, 0, error)
  value = 30
  call MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, value, error)
  value = 40
  call MPI_Comm_set_attr(MPI_COMM_WORLD, plain, value, error)
  call MPI_Attr_put(MPI_COMM_WORLD, old, 50, error)
  call MPI_Comm_dup(MPI_COMM_WORLD, twin, error)
  call MPI_Comm_set_name(twin, 'twin', error)
  call MPI_Comm_get_attr(twin, keyval, value, found, error)
  print '(i3, l2)', value, found
  call MPI_Comm_get_attr(twin, plain, value, found, error)
  print '(i3, l2)', value, found
  call MPI_Attr_get(twin, old, small, found, error)
  print '(l2)', found
  call MPI_Attr_get(MPI_COMM_WORLD, old, small, found, error)
  print '(i3, l2)', small, found
  call MPI_Comm_free(twin, error)
  print '(2i2)', copied, deleted
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, found, error)
  print '(i11, l2)', value, found
  call MPI_Comm_free_keyval(keyval, error)
  print '(l2)', keyval == MPI_KEYVAL_INVALID
  call MPI_Get_processor_name(processor, length, error)
  print '(2l2)', length > 0, processor(length + 1:) == ' '
  call MPI_Finalize(error)
  print '(2i2)', copied, deleted
end program
