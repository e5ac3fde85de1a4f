! Collective calls of random_collectives.c that a rank makes in Fortran.
subroutine fortran_barrier(comm) bind(C)
    use mpi
    integer, value :: comm
    integer :: code
    call MPI_Barrier(comm, code)
end subroutine

subroutine fortran_bcast(buffer, n, type, root, comm) bind(C)
    use mpi
    integer :: buffer(*)
    integer, value :: n, type, root, comm
    integer :: code
    call MPI_Bcast(buffer, n, type, root, comm, code)
end subroutine

subroutine fortran_ibcast(buffer, n, type, root, comm) bind(C)
    use mpi
    integer, asynchronous :: buffer(*)
    integer, value :: n, type, root, comm
    integer :: request, code
    call MPI_Ibcast(buffer, n, type, root, comm, request, code)
    call MPI_Wait(request, MPI_STATUS_IGNORE, code)
end subroutine

subroutine fortran_gather(sent, s, st, received, r, rt, root, comm) bind(C)
    use mpi
    integer :: sent(*), received(*)
    integer, value :: s, st, r, rt, root, comm
    integer :: code
    call MPI_Gather(sent, s, st, received, r, rt, root, comm, code)
end subroutine

subroutine fortran_alltoallv(sent, s, sd, st, received, r, rd, rt, comm) bind(C)
    use mpi
    integer :: sent(*), received(*), s(*), sd(*), r(*), rd(*)
    integer, value :: st, rt, comm
    integer :: code
    call MPI_Alltoallv(sent, s, sd, st, received, r, rd, rt, comm, code)
end subroutine

subroutine fortran_reduce(sent, received, n, type, op, root, comm) bind(C)
    use mpi
    integer :: sent(*), received(*)
    integer, value :: n, type, op, root, comm
    integer :: code
    call MPI_Reduce(sent, received, n, type, op, root, comm, code)
end subroutine

subroutine fortran_allreduce(sent, received, n, type, op, in_place, comm) bind(C)
    use mpi
    integer :: sent(*), received(*)
    integer, value :: n, type, op, in_place, comm
    integer :: code
    if (in_place /= 0) then
        call MPI_Allreduce(MPI_IN_PLACE, received, n, type, op, comm, code)
    else
        call MPI_Allreduce(sent, received, n, type, op, comm, code)
    end if
end subroutine
