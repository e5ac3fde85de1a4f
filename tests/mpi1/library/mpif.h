! What programs in Fortran include, in fixed and in free form. The handles are those of C (mpi.h), and a status has the
! words of its structure.
      integer MPI_SUCCESS
      parameter (MPI_SUCCESS=0)
      integer MPI_UNDEFINED, MPI_PROC_NULL, MPI_ANY_SOURCE, MPI_ANY_TAG
      parameter (MPI_UNDEFINED=-32766, MPI_PROC_NULL=-2)
      parameter (MPI_ANY_SOURCE=-3, MPI_ANY_TAG=-1)
! A key that no function of this MPI takes, and that mpi.h does not have.
      integer MPI_TAG_UB
      parameter (MPI_TAG_UB=1681915906)
      integer MPI_STATUS_SIZE, MPI_SOURCE, MPI_TAG, MPI_ERROR
      parameter (MPI_STATUS_SIZE=5)
      parameter (MPI_SOURCE=1, MPI_TAG=2, MPI_ERROR=3)
      integer MPI_COMM_NULL, MPI_COMM_WORLD
      parameter (MPI_COMM_NULL=0, MPI_COMM_WORLD=1)
      integer MPI_REQUEST_NULL, MPI_DATATYPE_NULL
      parameter (MPI_REQUEST_NULL=0, MPI_DATATYPE_NULL=0)
      integer MPI_ERRORS_ARE_FATAL, MPI_ERRORS_RETURN
      parameter (MPI_ERRORS_ARE_FATAL=1, MPI_ERRORS_RETURN=2)
      integer MPI_CHARACTER, MPI_BYTE, MPI_INTEGER
      parameter (MPI_CHARACTER=1, MPI_BYTE=2, MPI_INTEGER=5)
      integer MPI_REAL, MPI_DOUBLE_PRECISION
      parameter (MPI_REAL=11, MPI_DOUBLE_PRECISION=12)
      integer MPI_MAX, MPI_MIN, MPI_SUM
      parameter (MPI_MAX=1, MPI_MIN=2, MPI_SUM=3)
      double precision MPI_WTIME
      external MPI_WTIME
