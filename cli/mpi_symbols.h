/* What the symbol tables of a program or library say about its MPI. */
#pragma once

enum cs_mpi_family { CS_MPI_NAMES, CS_MPI_ATTRIBUTES, CS_MPI_FAMILIES };

struct cs_mpi_symbols {
    /* functions that it defines: an MPI library, a program with its MPI inside, another tool */
    unsigned defined;
    char defined_example[64];
    /* functions that it takes from elsewhere */
    unsigned called;         /* MPI_x */
    unsigned weak;           /* MPI_x that may be missing */
    unsigned called_pmpi;    /* PMPI_x */
    unsigned called_fortran; /* mpi_x_, mpi_x_f08_ */
    unsigned fortran_f08;    /* of these: of the module mpi_f08 */
    char weak_example[64], pmpi_example[64];
    /* routines of a family that it does not define */
    unsigned known[CS_MPI_FAMILIES], missing[CS_MPI_FAMILIES];
    char missing_example[CS_MPI_FAMILIES][64];
};

/* Reads the file; of one that is none of ELF all is 0 but what is missing. */
void cs_mpi_symbols_read(const char *path, struct cs_mpi_symbols *symbols);
