/* Reaches MPI in the ways of Julia's MPI.jl: nothing is linked; the library is opened lazily and globally by its path,
 * functions are found by their name alone in the search order, or in a handle that was opened with RTLD_DEEPBIND, and
 * the calls are made by code that was generated while the program runs. argv[1]: the MPI library. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { TIMES = 5, CODE_BYTES = 64, CALLERS_MOST = 16 };

typedef int (*function)(void *, void *, void *, void *, void *, void *);

static char *code; /* one page, CODE_BYTES for each function */
static struct caller {
    const char *name;
    function call;
    int calls;
} callers[CALLERS_MOST];

static void give_up(const char *why)
{
    printf("%s\n", why);
    exit(1);
}

/* Code that calls the function with the arguments that it was called with itself. */
static function generate(size_t slot, void *target)
{
#if defined(__x86_64__)
    unsigned char bytes[CODE_BYTES] = {0x55, 0x48, 0x89, 0xe5, 0x48, 0xb8}; /* push rbp; mov rbp, rsp; mov rax, ... */
    static const unsigned char end[] = {0xff, 0xd0, 0x5d, 0xc3};            /* call rax; pop rbp; ret */
    memcpy(bytes + 6, &target, sizeof target);
    memcpy(bytes + 14, end, sizeof end);
#elif defined(__aarch64__)
    uint32_t words[CODE_BYTES / 4] = {
        0xa9bf7bfd, 0x910003fd, 0x58000090,  /* stp x29, x30, [sp, #-16]!; mov x29, sp; ldr x16, ... */
        0xd63f0200, 0xa8c17bfd, 0xd65f03c0}; /* blr x16; ldp x29, x30, [sp], #16; ret */
    memcpy(words + 6, &target, sizeof target);
    const void *bytes = words;
#else
#error "how does one call here?"
#endif
    memcpy(code + slot * CODE_BYTES, bytes, CODE_BYTES);
    return (function)(uintptr_t)(code + slot * CODE_BYTES);
}

static void find(void *handle, const char *name)
{
    size_t slot = 0;
    while (slot < CALLERS_MOST && callers[slot].name)
        slot++;
    void *target = slot < CALLERS_MOST ? dlsym(handle, name) : NULL;
    if (!target)
        give_up(name);
    callers[slot] = (struct caller){name, generate(slot, target), 0};
}

static int call(const char *name, void *a, void *b, void *c, void *d, void *e, void *f)
{
    for (size_t i = 0; i < CALLERS_MOST && callers[i].name; i++)
        if (strcmp(callers[i].name, name) == 0) {
            callers[i].calls++;
            return callers[i].call(a, b, c, d, e, f);
        }
    give_up(name);
    return 0;
}

static void call_mpi(const char *name, void *a, void *b, void *c, void *d, void *e, void *f)
{
    if (call(name, a, b, c, d, e, f) != 0)
        give_up(name);
}

static int is_standard_abi;

/* Open MPI's handles are addresses of objects, MPICH's are numbers, and those of the standard ABI are others. */
static void *handle_of(const char *object, uintptr_t number, uintptr_t standard)
{
    void *found = is_standard_abi ? (void *)standard : dlsym(RTLD_DEFAULT, object);
    return found ? found : (void *)number;
}

static void write_facts(void)
{
    const char *folder = getenv("CHECK_FOLDER");
    if (!folder)
        return;
    char path[4096];
    snprintf(path, sizeof path, "%s/facts.%ld", folder, (long)getpid());
    FILE *file = fopen(path, "w");
    if (!file)
        give_up(path);
    for (size_t i = 0; i < CALLERS_MOST && callers[i].name; i++)
        fprintf(file, "calls\t%s\t%d\n", callers[i].name, callers[i].calls);
    fprintf(file, "bytes\tMPI_Allreduce\tMPI_COMM_WORLD\t%d\t%d\n", 4 * TIMES, 4 * TIMES);
    fprintf(file, "made\tcommunicator\tMPI_Comm_dup\t1\nfreed\tcommunicator\tMPI_Comm_free\t1\noutcome\tfinalized\n");
    fclose(file);
}

int main(int argc, char **argv)
{
    static const char *const by_name[] = {"MPI_Init",     "MPI_Comm_rank", "MPI_Comm_size", "MPI_Allreduce",
                                          "MPI_Comm_dup", "MPI_Comm_free", "MPI_Finalize"};
    is_standard_abi = argc > 1 && strstr(argv[1], "libmpi_abi");
    void *opened = argc > 1 ? dlopen(argv[1], RTLD_LAZY | RTLD_GLOBAL) : NULL;
    void *deep = opened ? dlopen(argv[1], RTLD_LAZY | RTLD_DEEPBIND) : NULL;
    code = mmap(NULL, CODE_BYTES * CALLERS_MOST, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!deep || code == MAP_FAILED)
        give_up("there is no MPI, or no memory");
    /* Looks up a function first that this MPI may lack. */
    printf("MPI_Session_init %s\n", dlsym(opened, "MPI_Session_init") ? "is there" : "is not there");
    for (size_t i = 0; i < sizeof by_name / sizeof *by_name; i++)
        find(RTLD_DEFAULT, by_name[i]);
    find(deep, "MPI_Initialized");
    if (mprotect(code, CODE_BYTES * CALLERS_MOST, PROT_READ | PROT_EXEC) != 0)
        give_up("generated code may not be run here");

    void *world = handle_of("ompi_mpi_comm_world", 0x44000000, 0x101);
    void *integer = handle_of("ompi_mpi_int", 0x4c000405, 0x209), *sum = handle_of("ompi_mpi_op_sum", 0x58000003, 0x21);
    void *copy = NULL;
    int rank, size, total, begun = 0;
    call_mpi("MPI_Init", NULL, NULL, NULL, NULL, NULL, NULL);
    call_mpi("MPI_Initialized", &begun, NULL, NULL, NULL, NULL, NULL);
    call_mpi("MPI_Comm_rank", world, &rank, NULL, NULL, NULL, NULL);
    call_mpi("MPI_Comm_size", world, &size, NULL, NULL, NULL, NULL);
    for (int i = 0; i < TIMES; i++)
        call_mpi("MPI_Allreduce", &rank, &total, (void *)1, integer, sum, world);
    call_mpi("MPI_Comm_dup", world, &copy, NULL, NULL, NULL, NULL);
    call_mpi("MPI_Comm_free", &copy, NULL, NULL, NULL, NULL, NULL);
    printf("rank %d of %d: begun %d, total %d\n", rank, size, begun, total);
    call_mpi("MPI_Finalize", NULL, NULL, NULL, NULL, NULL, NULL);
    write_facts();
    return 0;
}
