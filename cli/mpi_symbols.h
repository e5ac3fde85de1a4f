/* What the symbol tables of a program or library say about its MPI. */
#pragma once

#include <stdbool.h>

struct cs_mpi_symbols {
    /* functions that it defines, and mpi_init_: an MPI library, a program with its MPI inside, another tool */
    unsigned defined, defined_dynamic; /* of these: those that the dynamic linker sees */
    char defined_example[64];
    unsigned defined_pmpi; /* PMPI_x: also what callsign-static-mpi makes of a static MPI */
    /* functions that it takes from elsewhere */
    unsigned called;         /* MPI_x */
    unsigned weak;           /* MPI_x that may be missing */
    unsigned called_pmpi;    /* PMPI_x */
    unsigned called_fortran; /* mpi_x_, mpi_x_f08_ */
    unsigned fortran_f08;    /* of these: of the module mpi_f08 */
    char weak_example[64], pmpi_example[64];
    bool leads_on; /* it can load libraries or start programs later, which may call MPI */
};

/* Reads the file; of one that is none of ELF all is 0. */
void cs_mpi_symbols_read(const char *path, struct cs_mpi_symbols *symbols);

/* ---- functions that callsign does not record: their calls reach the MPI as without callsign ---- */

/* The names that stand in a flavour's library (gen/passed_on.py), of the MPI that it was built for, with ", " between
   them: "MPIX_Future, mpi_future_". NULL: none, or the file cannot be read. The caller frees it. */
char *cs_passed_on(const char *flavour);

/* The functions of C of the MPI library at hand that the flavour's library has no wrapper for: the MPI may be newer
   than the one that the flavour was built for. As above. */
char *cs_passed_on_here(const char *flavour, const char *mpi);

/* How many functions of C that callsign's library has are defined in the program, too: the dynamic linker takes those
   of the program, and callsign never sees their calls. */
unsigned cs_taken_from_callsign(const char *library, const char *program);
