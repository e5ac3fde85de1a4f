! What a program in Fortran does with a small MPI: communicators, datatypes, messages to itself, collectives, errors.
program calls
  implicit none
  include 'mpif.h'
  integer, parameter :: numbers(6) = [1, 2, 3, 4, 5, 6]
  integer :: twin, part, leaked, row, rank, requests(2), got(6), count, error, i
  integer :: status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 2)
  double precision :: one = 1, all = 0

  call MPI_Init(error)
  call MPI_Comm_dup(MPI_COMM_WORLD, twin, error)
  call MPI_Comm_rank(twin, rank, error)
  call MPI_Comm_split(twin, 3, 0, part, error)
  call MPI_Comm_dup(part, leaked, error)
  call MPI_Comm_free(part, error)

  call MPI_Type_vector(3, 1, 2, MPI_INTEGER, row, error)
  call MPI_Type_commit(row, error)
  got = 0
  call MPI_Send(numbers, 1, row, 0, 4, MPI_COMM_WORLD, error)
  call MPI_Recv(got, 6, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status, error)
  call MPI_Get_count(status, MPI_INTEGER, count, error)
  print '(a, 4i2)', 'received', count, got(1:3)
  call MPI_Type_free(row, error)

  do i = 1, 2
    call MPI_Irecv(got, 6, MPI_INTEGER, MPI_ANY_SOURCE, 7, twin, requests(1), error)
    call MPI_Isend(numbers, 5, MPI_INTEGER, 0, 7, twin, requests(2), error)
    call MPI_Waitall(2, requests, statuses, error)
  end do
  print '(a, 2i2)', 'completed', statuses(MPI_TAG, 1), got(5)

  call MPI_Barrier(twin, error)
  call MPI_Allreduce(one, all, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
  call MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN, error)
  call MPI_Send(numbers, 1, MPI_INTEGER, 5, 0, MPI_COMM_WORLD, error)
  print '(a, i2, f4.1)', 'error', error, all
  call MPI_Comm_free(twin, error)
  call MPI_Finalize(error)
  print '(a, i2)', 'end', rank
end program
