/* Calls of MPI from stacks of every kind. Usage: stacks nested|jumping|leaving|deep|thread|signal|context|small|names,
   or library FIRST SECOND. */
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "check.h"

#define PLAIN __attribute__((noinline, noclone))

/* Code after a call keeps compilers from making it a jump. */
static volatile int after;

static PLAIN void innermost(void)
{
    MPI_Comm comm;
    MPI_Datatype type;
    int *bound, found;
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Comm_set_name(comm, "nested");
    MPI_Comm_get_attr(comm, MPI_TAG_UB, &bound, &found);
    MPI_Type_contiguous(3, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&type);
    MPI_Comm_free(&comm);
    after++;
}

static PLAIN void middle(void)
{
    innermost();
    after++;
}

static PLAIN void other(void)
{
    innermost();
    after++;
}

static PLAIN void outermost(void)
{
    middle();
    for (volatile int i = 0; i < 100; i++) /* volatile: gcc 14 makes two calls of one otherwise */
        other();
    after++;
}

/* Its last call is a jump: it has no frame while it is in MPI. */
static PLAIN int jumper(MPI_Comm *comm)
{
    return MPI_Comm_dup(MPI_COMM_SELF, comm);
}

static PLAIN int jumper_to_jumper(MPI_Comm *comm)
{
    return jumper(comm);
}

static int (*volatile pointer)(MPI_Comm from, MPI_Comm *to) = MPI_Comm_dup;

static PLAIN void jumping(void)
{
    MPI_Comm comm[4];
    jumper(&comm[0]);
    jumper_to_jumper(&comm[1]);
    pointer(MPI_COMM_SELF, &comm[2]);
    MPI_Comm_dup(MPI_COMM_SELF, &comm[3]);
    static const char *const names[] = {"jumped", "jumped twice", "by pointer", "plain"};
    for (int i = 0; i < 4; i++) {
        MPI_Comm_set_name(comm[i], names[i]);
        MPI_Comm_free(&comm[i]);
    }
    after++;
}

static PLAIN void make_one(const char *name)
{
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Comm_set_name(comm, name);
    MPI_Comm_free(&comm);
    after++;
}

/* These leave by jumps; what they jump to calls MPI and keeps its frame. */
static PLAIN void leaver(const char *name)
{
    make_one(name);
}

static PLAIN void leaver_to_leaver(const char *name)
{
    leaver(name);
}

static PLAIN void leaver_in_the_middle(const char *name)
{
    leaver(name);
    after++;
}

static PLAIN void leaver_to_the_middle(const char *name)
{
    leaver_in_the_middle(name);
}

static PLAIN __attribute__((cold)) void make_cold(const char *name)
{
    make_one(name);
    after++;
}

/* The compiler puts the call elsewhere, as a part that has an unwind rule of its own. */
static PLAIN int rarely(int count)
{
    if (count > 1)
        return count + after;
    make_cold("cold");
    return count;
}

static void (*volatile pointer_to_leaver)(const char *name) = leaver;
static sigjmp_buf before_trap;

static void trapped(int number)
{
    (void)number;
    make_one("in a signal");
    siglongjmp(before_trap, 1);
}

/* The signal interrupts it behind its call, as if that had called the handler. */
static PLAIN void trap(void)
{
    leaver("before a signal");
    __builtin_trap();
}

static PLAIN void leaving(void)
{
    leaver("left");
    leaver_to_leaver("left twice");
    leaver_to_the_middle("left at two places");
    pointer_to_leaver("left by pointer");
    make_one("not left");
    rarely((int)after & 1);
    rarely(2);
    struct sigaction action = {.sa_handler = trapped, .sa_flags = SA_NODEFER};
    CHECK(sigaction(SIGILL, &action, NULL) == 0);
    if (sigsetjmp(before_trap, 1) == 0)
        trap();
    after++;
}

/* More frames than callsign records. */
static PLAIN void deep(int levels)
{
    if (levels > 0)
        deep(levels - 1);
    else
        innermost();
    after++;
}

/* Little stack is needed for these: a program may well make them on a small one. */
static PLAIN void small(void)
{
    MPI_Datatype type;
    int *bound, found;
    MPI_Type_contiguous(3, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&type);
    MPI_Comm_get_attr(MPI_COMM_SELF, MPI_TAG_UB, &bound, &found);
    after++;
}

static void *small_thread(void *unused)
{
    for (int i = 0; i < 3; i++)
        small();
    return unused;
}

static void in_thread(void)
{
    static const size_t more[] = {0, 4096, 16384, 65536};
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        pthread_attr_t about;
        pthread_t thread;
        pthread_attr_init(&about);
        CHECK(pthread_attr_setstacksize(&about, (size_t)sysconf(_SC_THREAD_STACK_MIN) + more[i]) == 0);
        CHECK(pthread_create(&thread, &about, small_thread, NULL) == 0);
        pthread_join(thread, NULL);
        pthread_attr_destroy(&about);
    }
}

static void handler(int number)
{
    (void)number;
    small();
}

static void in_signal(void)
{
    static const size_t sizes[] = {16384, 32768, 262144};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        stack_t stack = {.ss_sp = malloc(sizes[i]), .ss_size = sizes[i]};
        struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
        CHECK(stack.ss_sp && sigaltstack(&stack, NULL) == 0 && sigaction(SIGUSR1, &action, NULL) == 0);
        raise(SIGUSR1);
        CHECK(sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL) == 0);
        free(stack.ss_sp);
    }
}

static ucontext_t back;

static void context(void)
{
    small();
    innermost();
    swapcontext(&(ucontext_t){0}, &back);
}

/* bytes: of the coroutine's stack. Below it lies a page that nobody may touch. */
static void in_context(size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *memory = mmap(NULL, page + bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ucontext_t inside;
    CHECK(memory != MAP_FAILED && mprotect(memory, page, PROT_NONE) == 0);
    for (int i = 0; i < 3; i++) {
        CHECK(getcontext(&inside) == 0);
        inside.uc_stack.ss_sp = memory + page;
        inside.uc_stack.ss_size = bytes;
        inside.uc_link = NULL;
        makecontext(&inside, context, 0);
        CHECK(swapcontext(&back, &inside) == 0);
    }
}

/* Loads a library that makes objects, unloads it, and does the same with its twin, which is likely to be put in its
 * place. */
static void in_library(const char *first, const char *second)
{
    for (int i = 0; i < 6; i++) {
        void *library = dlopen(i & 1 ? second : first, RTLD_NOW | RTLD_LOCAL);
        void (*make)(void) = NULL;
        if (library)
            *(void **)&make = dlsym(library, "make_and_free");
        CHECK(make != NULL);
        if (make)
            make();
        if (library)
            dlclose(library);
    }
}

static const char *file_of(void *address)
{
    Dl_info about;
    return address && dladdr(address, &about) ? about.dli_fname : "nowhere";
}

/* Nobody but the C library answers to these names, and no descriptor is left open. */
static void same_names(void)
{
    static const char *const names[] = {"backtrace", "pipe2", "read", "write", "syscall"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        check_say("%s: %s", names[i], file_of(dlsym(RTLD_DEFAULT, names[i])));
    check_say("unw_backtrace: %s", file_of(dlsym(RTLD_DEFAULT, "unw_backtrace")));
    int file = dup(0);
    check_say("next descriptor: %d", file);
    close(file);
}

int main(int argc, char **argv)
{
    int provided;
    const char *mode = argc > 1 ? argv[1] : "nested";
    check_skip("calls");
    check_skip("objects");
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (strcmp(mode, "nested") == 0)
        outermost();
    else if (strcmp(mode, "jumping") == 0)
        jumping();
    else if (strcmp(mode, "leaving") == 0)
        leaving();
    else if (strcmp(mode, "deep") == 0)
        deep(100);
    else if (strcmp(mode, "thread") == 0 && provided == MPI_THREAD_MULTIPLE)
        in_thread();
    else if (strcmp(mode, "signal") == 0)
        in_signal();
    else if (strcmp(mode, "context") == 0)
        in_context(256 << 10);
    else if (strcmp(mode, "small") == 0)
        in_context(8 << 10);
    else if (strcmp(mode, "library") == 0 && argc > 3)
        in_library(argv[2], argv[3]);
    else if (strcmp(mode, "names") == 0) {
        outermost();
        same_names();
    }
    MPI_Finalize();
    check_say("%s done", mode);
    check_outcome("finalized");
    return check_write();
}
