/* Questions to an MPI that lacks the function for them, in the words of an older one. gen/standard/asked.txt says which
   are asked so. */
#pragma once

#include "whole_mpi.h"

int cs_type_size_x(MPI_Datatype type, MPI_Count *size);
int cs_type_get_extent(MPI_Datatype type, MPI_Aint *lower, MPI_Aint *extent);
int cs_type_get_extent_x(MPI_Datatype type, MPI_Count *lower, MPI_Count *extent);
int cs_type_get_envelope_c(MPI_Datatype type, MPI_Count *integers, MPI_Count *addresses, MPI_Count *counts,
                           MPI_Count *types, int *combiner);
int cs_get_elements(const MPI_Status *status, MPI_Datatype type, int *count);
int cs_get_elements_x(const MPI_Status *status, MPI_Datatype type, MPI_Count *count);
int cs_status_c2f(const MPI_Status *status, MPI_Fint *words);
int cs_status_f2c(const MPI_Fint *words, MPI_Status *status);
