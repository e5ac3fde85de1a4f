/* Calls MPI from code that it generates, as just-in-time compilers do, and writes the map for Linux perf.
   argv[1]: what the map is like. none; good; stale: written before the process began; foreign: of somebody else;
   damaged: its lines are no lines; twice: two functions were at one address; died: good, and the process kills itself.
   The map is /tmp/perf-PID.map and stays there: the test removes it. */
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef int function(MPI_Comm comm);

enum { CODE_BYTES = 64, PAGE_BYTES = 4096 };

static unsigned char *page;

/* Generates "int name(MPI_Comm comm) { return called(comm); }" with a frame of its own. */
static function *generate(size_t at, function *called)
{
    uint64_t address = (uint64_t)(uintptr_t)called;
#if defined(__x86_64__)
    unsigned char code[] = {0x55,                                  /* push rbp */
                            0x48, 0x89, 0xe5,                      /* mov rbp, rsp */
                            0x48, 0xb8, 0,    0, 0, 0, 0, 0, 0, 0, /* mov rax, address */
                            0xff, 0xd0,                            /* call rax */
                            0x5d,                                  /* pop rbp */
                            0xc3};                                 /* ret */
    memcpy(code + 6, &address, sizeof address);
#elif defined(__aarch64__)
    uint32_t code[] = {0xa9bf7bfd,        /* stp x29, x30, [sp, -16]! */
                       0x910003fd,        /* mov x29, sp */
                       0x58000090,        /* ldr x16, address */
                       0xd63f0200,        /* blr x16 */
                       0xa8c17bfd,        /* ldp x29, x30, [sp], 16 */
                       0xd65f03c0, 0, 0}; /* ret; address */
    memcpy(code + 6, &address, sizeof address);
#else
    static const char code[] = "";
    (void)address;
    puts("this processor is not supported");
    exit(77);
#endif
    function *made;
    void *to = page + at;
    memcpy(to, code, sizeof code);
    __builtin___clear_cache(to, (char *)to + sizeof code);
    memcpy(&made, &to, sizeof made);
    return made;
}

static void write_map(const char *how)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
    unlink(path);
    FILE *map = fopen(path, "w");
    if (!map)
        exit(1);
    unsigned long begin = (unsigned long)(uintptr_t)page;
    if (strcmp(how, "damaged") == 0) {
        fprintf(map, "%lx %x\nbarrier\n\n%lxx %x barrier_of_map\n %lx 0 barrier_of_map\n-%lx %x barrier_of_map\n",
                begin, CODE_BYTES, begin, CODE_BYTES, begin, begin, CODE_BYTES);
        fprintf(map, "%lx ffffffffffffffff barrier_of_map\n%lx %x barrier_of_map", begin, begin, CODE_BYTES);
    } else {
        fprintf(map, "%lx %x barrier_of_map\n%lx %x the next one\n", begin, CODE_BYTES, begin + CODE_BYTES, CODE_BYTES);
        if (strcmp(how, "twice") == 0)
            fprintf(map, "%lx %x another_of_map\n%lx %x another_of_map\n", begin, CODE_BYTES, begin + CODE_BYTES,
                    CODE_BYTES);
    }
    if (fclose(map) != 0)
        exit(1);
    if (strcmp(how, "stale") == 0) {
        const struct timespec then[2] = {{.tv_sec = 1700000000}, {.tv_sec = 1700000000}};
        if (utimensat(AT_FDCWD, path, then, 0) != 0)
            exit(1);
    }
    if (strcmp(how, "foreign") == 0 && chmod(path, 0666) != 0)
        exit(1);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    page = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return 77;
    function *barrier = generate(0, MPI_Barrier);
    MPI_Init(&argc, &argv);
    if (strcmp(argv[1], "none") != 0)
        write_map(argv[1]);
    MPI_Barrier(MPI_COMM_SELF);
    for (int i = 0; i < 3; i++)
        barrier(MPI_COMM_SELF);
    if (strcmp(argv[1], "died") == 0)
        raise(SIGKILL);
    MPI_Finalize();
    return 0;
}
