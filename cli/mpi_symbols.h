/* What the symbol tables of a program or library say about its MPI. */
#pragma once

#include <stdbool.h>

/* Whether it is a name like "MPI_Send", "MPIX_Query_cuda_support": of the tools' interface
   (MPI_T_) and of parts that a compiler made of a function (MPI_Send.part.0) it is not. */
bool cs_mpi_is_function_of_c(const char *name);

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
