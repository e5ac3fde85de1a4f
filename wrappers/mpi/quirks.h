/* Differences between MPIs: which MPI it is, missing queries, error codes. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "whole_mpi.h"

/* ---- which MPI ---- */

/* True for MPICH and its derivatives. */
#if defined(MPICH_VERSION) || defined(MPICH_NAME)
static inline bool cs_is_mpich(void)
{
    return true;
}
#elif !defined(OPEN_MPI) && defined(MPI_ABI_VERSION)
#define CS_WHOSE_MPI_IS_ASKED 1
/* Queries the MPI once. */
bool cs_is_mpich(void);
#else
static inline bool cs_is_mpich(void)
{
    return false;
}
#endif

/* ---- questions in the words of an older function ---- */

int cs_type_size_x(MPI_Datatype type, MPI_Count *size);
int cs_type_get_extent(MPI_Datatype type, MPI_Aint *lower, MPI_Aint *extent);
int cs_type_get_extent_x(MPI_Datatype type, MPI_Count *lower, MPI_Count *extent);
int cs_type_get_envelope_c(MPI_Datatype type, MPI_Count *integers, MPI_Count *addresses, MPI_Count *counts,
                           MPI_Count *types, int *combiner);
int cs_get_elements(const MPI_Status *status, MPI_Datatype type, int *count);
int cs_get_elements_x(const MPI_Status *status, MPI_Datatype type, MPI_Count *count);
int cs_status_c2f(const MPI_Status *status, MPI_Fint *words);
int cs_status_f2c(const MPI_Fint *words, MPI_Status *status);

/* ---- error codes ---- */

struct cs_error_words {
    int32_t error;  /* class of the error, or the code itself if it has no class of the standard: a code from a callback
                       of the program, or an internal one of the MPI */
    char words[48]; /* "MPI_ERR_KEYVAL"; "code 9999" */
};

struct cs_error_words cs_error_words(int result);

/* The same for a function that returns only codes of the MPI, not those of the program's callbacks. */
struct cs_error_words cs_error_of_call(int result);
