/* What an MPI has and callsign does not record: calls of it reach the MPI as without callsign. */
#pragma once

/* The names that stand in a flavour's library (gen/passed_on.py), of the MPI that it was built for, with ", " between
   them: "MPIX_Future, mpi_future_". NULL: none, or the file cannot be read. The caller frees it. */
char *cs_passed_on(const char *flavour);

/* The functions of C of the MPI library at hand that the flavour's library has no wrapper for: the MPI may be newer
   than the one that the flavour was built for. As above. */
char *cs_passed_on_here(const char *flavour, const char *mpi);

/* How many functions of C that callsign's library has are defined in the program, too: the dynamic linker takes those
   of the program, and callsign never sees their calls. */
unsigned cs_taken_from_callsign(const char *library, const char *program);
