/* Makes a communicator. With WITH_OWN_LIBRARIES it exports functions of the libraries that callsign uses; each ends the
   program, because nobody but callsign could call them. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef WITH_OWN_LIBRARIES
#define OWN(name)                                                                                                      \
    void name(void);                                                                                                   \
    void name(void)                                                                                                    \
    {                                                                                                                  \
        fputs("the program's own " #name " was called\n", stderr);                                                     \
        abort();                                                                                                       \
    }
OWN(sqlite3_initialize)
OWN(sqlite3_libversion_number)
OWN(sqlite3_open_v2)
OWN(sqlite3_prepare_v2)
OWN(sqlite3_prepare_v3)
OWN(sqlite3_step)
OWN(sqlite3_exec)
OWN(sqlite3_malloc)
OWN(sqlite3_malloc64)
OWN(sqlite3_free)
OWN(sqlite3_finalize)
OWN(unw_backtrace)
OWN(_ULx86_64_init_local)
OWN(_ULx86_64_step)
OWN(_ULx86_64_get_reg)
OWN(_ULaarch64_init_local)
OWN(_ULaarch64_step)
OWN(elf_version)
OWN(elf_begin)
OWN(dwfl_begin)
OWN(dwfl_addrmodule)
OWN(dwfl_module_getsrc)
#endif

int main(int argc, char **argv)
{
    MPI_Comm copy;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy); /* at */
    MPI_Comm_free(&copy);
    MPI_Finalize();
    puts("done");
    return 0;
}
