/* A C program that runs Python inside: some of its calls come from Python, others from C while Python is there.
   argv[1]: the library libpython3; argv[2]: "global" or "local", how to open it. */
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As in Python.h, which may be missing. */
struct method {
    const char *name;
    void *(*function)(void *, void *);
    int flags;
    const char *doc;
};
enum { NO_ARGUMENTS = 4 };

static void *library;
static void *none;
static void (*keep)(void *);

static void *find(const char *name)
{
    void *symbol = dlsym(library, name);
    if (!symbol) {
        fprintf(stderr, "no %s: %s\n", name, dlerror());
        exit(1);
    }
    return symbol;
}

/* Called by Python. */
__attribute__((noinline)) static void *make(void *self, void *arguments)
{
    (void)self;
    (void)arguments;
    MPI_Comm made;
    MPI_Comm_dup(MPI_COMM_SELF, &made);
    MPI_Comm_set_name(made, "of Python");
    MPI_Comm_free(&made);
    MPI_Barrier(MPI_COMM_SELF);
    keep(none);
    return none;
}

/* Has no Python, although the program does. */
static void *work(void *nothing)
{
    int size;
    MPI_Comm_size(MPI_COMM_SELF, &size);
    return nothing;
}

/* Its stack has no Python, although the thread has one. This is also how callsign sees that a library came. */
__attribute__((noinline)) static void make_in_c(void)
{
    MPI_Comm made;
    MPI_Comm_dup(MPI_COMM_SELF, &made);
    MPI_Comm_set_name(made, "of C");
    MPI_Comm_free(&made);
}

__attribute__((noinline)) static void run_python(void)
{
    static struct method method = {"make", make, NO_ARGUMENTS, ""};
    void *(*new_function)(struct method *, void *, void *);
    void *(*add_module)(const char *);
    int (*set)(void *, const char *, void *), (*run)(const char *);
    void *(*save)(void);
    void (*restore)(void *);
    pthread_t thread;
    *(void **)&new_function = find("PyCFunction_NewEx");
    *(void **)&add_module = find("PyImport_AddModule");
    *(void **)&set = find("PyObject_SetAttrString");
    *(void **)&run = find("PyRun_SimpleString");
    *(void **)&save = find("PyEval_SaveThread");
    *(void **)&restore = find("PyEval_RestoreThread");
    none = find("_Py_NoneStruct");
    *(void **)&keep = find("Py_IncRef");
    set(add_module("__main__"), "make", new_function(&method, NULL, NULL));
    make_in_c();
    if (run("def inner():\n"
            "    make()\n"
            "def outer():\n"
            "    inner()\n"
            "list(map(lambda _: outer(), (1,)))\n") != 0)
        exit(1);
    /* This thread has a Python, but is in no code of it. */
    MPI_Barrier(MPI_COMM_SELF);
    make_in_c();
    void *state = save();
    MPI_Barrier(MPI_COMM_SELF);
    if (pthread_create(&thread, NULL, work, NULL) != 0 || pthread_join(thread, NULL) != 0)
        exit(1);
    restore(state);
}

int main(int argc, char **argv)
{
    int provided, rank;
    void (*start)(int);
    int (*end)(void);
    if (argc != 3)
        return 2;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    library = dlopen(argv[1], RTLD_NOW | (strcmp(argv[2], "global") == 0 ? RTLD_GLOBAL : RTLD_LOCAL));
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    *(void **)&start = find("Py_InitializeEx");
    *(void **)&end = find("Py_FinalizeEx");
    start(0);
    run_python();
    if (end() != 0)
        return 1;
    MPI_Comm_rank(MPI_COMM_SELF, &rank);
    MPI_Finalize();
    return 0;
}
