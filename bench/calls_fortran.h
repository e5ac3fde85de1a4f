/* Tests of calls.c as a program in Fortran makes the calls: what its compiler makes of call MPI_Comm_rank(...). */
#pragma once

void comm_rank_mpif(long n); /* mpif.h and use mpi */
void comm_rank_f08(long n);  /* use mpi_f08 */
void to_self_mpif(long n);
void meet_type(void);
