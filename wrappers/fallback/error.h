/* Error classes that the MPI's own mpi.h lacks, and callsign's names and attributes need. */
#pragma once

#include "next.h"

/* Of such a class itself; of all else the MPI's. */
#ifdef CS_HAS_MPI_Error_class
int cs_fallback_Error_class(int code, int *class_of_code);
#endif
#ifdef CS_HAS_MPI_Error_string
int cs_fallback_Error_string(int code, char *string, int *length);
#endif
