/* The tests of calls.c with the calls of a Fortran program, as its compiler emits them. */
#pragma once

void comm_rank_mpif(long n); /* mpif.h and use mpi */
void comm_rank_f08(long n);  /* use mpi_f08 */
void to_self_mpif(long n);
void know_handles(void);
void meet_type(void);
