/* What the MPI of a flavour has and callsign does not record. */
#pragma once

/* The names that stand in a flavour's library (gen/passed_on.py), with ", " between them: "MPIX_Future, mpi_future_".
   NULL: none, or the file cannot be read. The caller frees it. */
char *cs_passed_on(const char *library);
