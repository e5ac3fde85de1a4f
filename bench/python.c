/* Measures what the line of Python costs in calls of a program. Usage: python LIBPYTHON [DEPTH]. Prints nanoseconds per
   MPI_Comm_rank, of the fastest of many batches of less than a millisecond: as PMPI; recorded before Python begins, in
   a thread of Python by C outside it, and from a function of Python; and what the last one is more than the second.
   DEPTH: functions of Python around that one. By hand:

       LD_PRELOAD=build/release/lib/libcallsign.so build/release/bench/python-openmpi /usr/lib/.../libpython3.11.so.1.0
 */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCHES = 401, CALLS = 20000, NO_ARGUMENTS = 4 };

/* As in Python.h, which may be missing. */
struct method {
    const char *name;
    void *(*function)(void *, void *);
    int flags;
    const char *doc;
};

static void *library, *none;
static void (*keep)(void *);
static double measured;

static void *find(const char *name)
{
    void *symbol = dlsym(library, name);
    if (!symbol) {
        fprintf(stderr, "no %s: %s\n", name, dlerror());
        exit(1);
    }
    return symbol;
}

static double now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static double measure(int (*call)(MPI_Comm, int *))
{
    int rank;
    double begin = now_ns();
    for (int i = 0; i < CALLS; i++)
        call(MPI_COMM_SELF, &rank);
    return (now_ns() - begin) / CALLS;
}

/* Called by Python. */
static void *batch(void *self, void *arguments)
{
    (void)self;
    (void)arguments;
    measured = measure(MPI_Comm_rank);
    keep(none);
    return none;
}

/* Other load only adds to a batch. */
static double least(const double *values)
{
    double found = values[0];
    for (int i = 1; i < BATCHES; i++)
        found = values[i] < found ? values[i] : found;
    return found;
}

int main(int argc, char **argv)
{
    static struct method method = {"batch", batch, NO_ARGUMENTS, ""};
    static double bare[BATCHES], before[BATCHES], by_c[BATCHES], by_python[BATCHES];
    char code[512];
    if (argc < 2 || !(library = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL))) {
        fprintf(stderr, "usage: python LIBPYTHON [DEPTH]\n");
        return 2;
    }
    void (*start)(int), *(*new_function)(struct method *, void *, void *), *(*add_module)(const char *);
    int (*set)(void *, const char *, void *), (*run)(const char *);
    *(void **)&start = find("Py_InitializeEx");
    *(void **)&new_function = find("PyCFunction_NewEx");
    *(void **)&add_module = find("PyImport_AddModule");
    *(void **)&set = find("PyObject_SetAttrString");
    *(void **)&run = find("PyRun_SimpleString");
    none = find("_Py_NoneStruct");
    *(void **)&keep = find("Py_IncRef");
    MPI_Init(&argc, &argv);
    for (int i = 0; i < BATCHES; i++)
        before[i] = measure(MPI_Comm_rank);
    start(0);
    set(add_module("__main__"), "batch", new_function(&method, NULL, NULL));
    snprintf(code, sizeof code,
             "def work(deep):\n"
             "    if deep:\n"
             "        work(deep - 1)\n"
             "    else:\n"
             "        batch()\n"
             "def go():\n"
             "    work(%d)\n",
             argc > 2 ? atoi(argv[2]) : 0);
    run(code);
    for (int i = 0; i < BATCHES; i++) {
        bare[i] = measure(PMPI_Comm_rank);
        by_c[i] = measure(MPI_Comm_rank);
        run("go()");
        by_python[i] = measured;
    }
    printf("as PMPI %.1f ns, without Python %.1f ns, from C %.1f ns, from Python %.1f ns: %+.1f ns\n", least(bare),
           least(before), least(by_c), least(by_python), least(by_python) - least(before));
    MPI_Finalize();
    return 0;
}
