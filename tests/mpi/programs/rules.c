/* Makes objects in several ways and frees them. On stdout what the program can see of their names and of the process.
 */
#include <dlfcn.h>
#include <unistd.h>

#include "check.h"

#define PLAIN __attribute__((noinline, noclone))

void grid_make(MPI_Comm comm, int color, MPI_Comm *row);

/* Code after a call keeps compilers from making it a jump. */
static volatile int after;
static int rank, size;

static void say_comm(const char *what, MPI_Comm comm)
{
    char name[MPI_MAX_OBJECT_NAME] = "?";
    int length = -1;
    MPI_Comm_get_name(comm, name, &length);
    check_say("%s of %d: '%s' %d", what, rank, name, length);
}

static PLAIN void in_library(void)
{
    MPI_Comm row;
    for (int i = 0; i < 2; i++) {
        grid_make(MPI_COMM_WORLD, 10 + rank % 2, &row);
        say_comm("row", row);
        MPI_Comm_free(&row);
    }
}

static PLAIN void halo(void)
{
    MPI_Comm comm;
    MPI_Win window;
    void *base;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm); /* at */
    after++;
    say_comm("halo", comm);
    MPI_Win_allocate(8, 1, MPI_INFO_NULL, comm, &base, &window);
    MPI_Win_free(&window);
    MPI_Comm_free(&comm);
}

static PLAIN void columns(void)
{
    MPI_Comm named, derived;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &named);
    MPI_Comm_set_name(named, "columns");
    MPI_Comm_dup(named, &derived);
    say_comm("columns", derived);
    MPI_Comm_free(&derived);
    MPI_Comm_free(&named);
    after++;
}

static PLAIN void type(void)
{
    MPI_Datatype triple;
    MPI_Type_contiguous(3, MPI_INT, &triple);
    MPI_Type_free(&triple);
    after++;
}

static const char *file_of(const char *name)
{
    Dl_info about;
    void *address = dlsym(RTLD_DEFAULT, name);
    return address && dladdr(address, &about) ? about.dli_fname : "nowhere";
}

int main(int argc, char **argv)
{
    check_skip("objects");
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    in_library();
    halo();
    columns();
    type();
    check_say("dlopen: %s, dwfl_begin: %s", file_of("dlopen"), file_of("dwfl_begin"));
    int file = dup(0);
    check_say("next descriptor: %d", file);
    close(file);
    MPI_Finalize();
    return 0;
}
