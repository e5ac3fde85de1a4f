#include "base/library_kind.h"

#include <stddef.h>
#include <string.h>

#include "base/path.h"

/* The first prefix of the name decides. Versions are left out: an MPI that no build of callsign is for is one, too. */
static const struct {
    const char *prefix;
    enum cs_library_kind kind;
} names[] = {
    {"libcallsign", CS_LIBRARY_CALLSIGN},
    {"libmpi_cxx", CS_LIBRARY_MPI_BINDING},
    {"libmpichcxx", CS_LIBRARY_MPI_BINDING},
    {"libmpicxx", CS_LIBRARY_MPI_BINDING},
    {"libmpi_java", CS_LIBRARY_MPI_BINDING},
    {"libmpichfort", CS_LIBRARY_MPI_FORTRAN},
    {"libmpifort", CS_LIBRARY_MPI_FORTRAN},
    {"libmpi_mpifh", CS_LIBRARY_MPI_FORTRAN},
    {"libmpi_usempi", CS_LIBRARY_MPI_FORTRAN},
    {"libmpi.so", CS_LIBRARY_MPI},
    {"libmpich.so", CS_LIBRARY_MPI},
    {"libmpi_abi.so", CS_LIBRARY_MPI},
    {"libmpitrampoline", CS_LIBRARY_MPI_TRANSLATOR},
    {"libmpi", CS_LIBRARY_MPI_INSIDE},
    {"libpmpi", CS_LIBRARY_MPI_INSIDE},
    {"mca_", CS_LIBRARY_MPI_INSIDE},
    {"libopen_mpi", CS_LIBRARY_MPI_INSIDE}, /* Open MPI 6: what its libraries for C and for the standard ABI share */
    {"libopen-rte", CS_LIBRARY_MPI_RUNTIME},
    {"libopen-pal", CS_LIBRARY_MPI_RUNTIME},
    {"libopal", CS_LIBRARY_MPI_RUNTIME},
    {"libprrte", CS_LIBRARY_MPI_RUNTIME},
    {"libpmix", CS_LIBRARY_MPI_RUNTIME}, /* all that the launcher of Open MPI 6 needs */
    {"libc.so", CS_LIBRARY_C},
    {"libc-", CS_LIBRARY_C},
    {"libpthread", CS_LIBRARY_C},
    {"ld-", CS_LIBRARY_C},
};

static const char *one_more_mpi;

void cs_library_is_mpi(const char *soname)
{
    one_more_mpi = *soname ? soname : NULL;
}

enum cs_library_kind cs_library_kind_of(const char *path)
{
    const char *name = cs_path_name(path);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i].prefix, strlen(names[i].prefix)) == 0)
            return names[i].kind;
    return one_more_mpi && strncmp(name, one_more_mpi, strlen(one_more_mpi)) == 0 ? CS_LIBRARY_MPI : CS_LIBRARY_OTHER;
}
