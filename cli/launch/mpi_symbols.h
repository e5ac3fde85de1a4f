/* Facts about the MPI of a program or library from its symbol tables. */
#pragma once

#include <stdbool.h>

struct cs_mpi_symbols {
    /* functions that it defines, and mpi_init_: an MPI library, a program with its MPI inside, or another tool */
    unsigned defined, defined_dynamic; /* those of them that the dynamic linker sees */
    char defined_example[64];
    unsigned defined_pmpi; /* PMPI_x; callsign-static-mpi makes such names, too */
    /* undefined functions */
    unsigned called;         /* MPI_x */
    unsigned weak;           /* MPI_x that may be missing */
    unsigned called_pmpi;    /* PMPI_x */
    unsigned called_fortran; /* mpi_x_, mpi_x_f08_ */
    unsigned fortran_f08;    /* those of the module mpi_f08 */
    char weak_example[64], pmpi_example[64];
    bool leads_on; /* it can load libraries or start programs later, which may call MPI */
};

/* Reads the file. If it is no ELF file, all fields are 0. */
void cs_mpi_symbols_read(const char *path, struct cs_mpi_symbols *symbols);

/* ---- functions that callsign does not record: their calls reach the MPI as without callsign ---- */

/* The functions that a flavour's library passes through unrecorded (gen/passed_on.py), for the MPI that it was built
   for: "MPIX_Future, mpi_future_". NULL: none, or the file cannot be read. The caller frees it. */
char *cs_list_passed_on(const char *flavour);

/* The functions that the program calls and the flavour does not record, also for lack of an entry point for Fortran:
   those of Open MPI 6 have other names than those of 4. The result is like that of cs_list_passed_on.
   `others`: how many more C functions of the installed MPI library have no wrapper, as the MPI may be newer than the
   flavour's, and the first of them. */
struct cs_passed_on {
    unsigned count;
    char example[64];
};
char *cs_list_passed_on_calls(const char *flavour, const char *mpi, const char *program, struct cs_passed_on *others);

/* Number of C functions of callsign's library that the program defines, too. The dynamic linker takes the program's,
   so callsign never sees these calls. */
unsigned cs_count_taken_from_callsign(const char *library, const char *program);
