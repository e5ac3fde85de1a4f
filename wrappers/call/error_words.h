/* What a call that failed has returned, in words. */
#pragma once

#include <stdint.h>

struct cs_error_words {
    int32_t error;  /* its class; or the code itself, where the MPI has no class of the standard's for it: one that a
                       callback of the program made up, or an internal one of the MPI */
    char words[48]; /* "MPI_ERR_KEYVAL"; "code 9999" */
};

struct cs_error_words cs_error_words(int result);
