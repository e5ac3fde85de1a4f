/* A program in C that loads plugin.f90 while it runs. Usage: plugin_host PLUGIN */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    /* Opened so that only the plugin sees its Fortran libraries. */
    void *plugin = dlopen(argv[argc - 1], RTLD_NOW | RTLD_LOCAL);
    void (*work)(void) = NULL;
    if (plugin)
        *(void **)&work = dlsym(plugin, "work");
    if (!work) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    work();
    work();
    dlclose(plugin);
    MPI_Finalize();
    return 0;
}
