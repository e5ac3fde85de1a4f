/* Stacks that are not walked again: with the real unwinder, on stacks made of frames of every kind, in every order,
   what is recognized is what a walk finds. */
#include <alloca.h>
#include <dlfcn.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/own_memory.h"
#include "record/call/thread_life.h"
#include "record/process/thread.h"
#include "record/recording.h"
#include "record/site/stack.h"
#include "tests/support/unit_test.h"

#define PLAIN __attribute__((noinline, noclone))
#ifdef __clang__
#undef PLAIN
#define PLAIN __attribute__((noinline))
#endif

static cs_unwind_function *unwinder;
static cs_unwind_words_function *words;
static unsigned walks;
static volatile int after;

static int counting(void **frame, int size, enum cs_unwind how, void *stack)
{
    walks++;
    return unwinder(frame, size, how, stack);
}

static int begin(void **state)
{
    (void)state;
    int how = RTLD_NOW | RTLD_LOCAL;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    how |= RTLD_DEEPBIND; /* libunwind finds the functions that the library has for it */
#endif
    void *library = dlopen(CS_TEST_UNWIND, how);
    if (!library)
        return -1;
    *(void **)&unwinder = dlsym(library, "callsign_unwind");
    *(void **)&words = dlsym(library, "callsign_unwind_words");
    cs_stack_set_unwinder(counting, words);
    return unwinder && words && cs_recorder_start(8, "test") ? 0 : -1;
}

/* Stands for a wrapper. First as in the program, then with a walk that is surely done. */
static PLAIN void asks(void)
{
    struct cs_thread *thread = cs_thread_self ? cs_thread_self : cs_thread_begin();
    uint64_t site = (uint64_t)(uintptr_t)__builtin_return_address(0);
    uint64_t recognized_site = cs_stack_take(thread, site, __builtin_frame_address(0));
    struct cs_recognized *recognized = thread->recognized;
    thread->recognized = NULL;
    cs_stack_set_unwinder(unwinder, NULL);
    uint64_t walked = cs_stack_take(thread, site, NULL);
    cs_stack_set_unwinder(counting, words);
    thread->recognized = recognized;
    assert_true(walked & CS_SITE_STACK);
    assert_int_equal(recognized_site, walked);
    after++;
}

/* ---- frames of every kind; which one calls which is told by digits ---- */

static void next(uint32_t digits);

static PLAIN void plain(uint32_t digits)
{
    next(digits);
    after++;
}

/* No fixed size: what lies in the hole is what other frames left there, return addresses among it. */
static PLAIN void hole(uint32_t digits)
{
    char *memory = alloca((digits & 3) * 16 + 16);
    __asm__ volatile("" ::"r"(memory) : "memory");
    next(digits >> 2);
    after++;
}

static PLAIN void other_hole(uint32_t digits)
{
    char *memory = alloca((digits & 3) * 16 + 16);
    __asm__ volatile("" ::"r"(memory) : "memory");
    next(digits >> 2);
    after += 2;
}

static PLAIN void large(uint32_t digits)
{
    char memory[5000];
    __asm__ volatile("" ::"r"(memory) : "memory");
    next(digits);
    after++;
}

static PLAIN void realigned(uint32_t digits)
{
    _Alignas(64) char memory[64];
    __asm__ volatile("" ::"r"(memory) : "memory");
    next(digits);
    after++;
}

static uint32_t handed_on;

static PLAIN int compare(const void *a, const void *b)
{
    (void)a, (void)b;
    uint32_t digits = handed_on;
    if (digits)
        next(digits);
    handed_on = 0;
    return 0;
}

static PLAIN void sorting(uint32_t digits)
{
    int two[2] = {1, 2};
    handed_on = digits;
    qsort(two, 2, sizeof *two, compare);
    after++;
}

static PLAIN void two_places(uint32_t digits)
{
    if (digits & 1)
        next(digits >> 1);
    else
        next(digits >> 1);
    after++;
}

static PLAIN void many_registers(uint32_t digits)
{
    uint64_t a = digits * 3u, b = digits * 5u, c = digits * 7u, d = digits * 11u, e = digits * 13u, f = digits * 17u;
    __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f));
    next(digits);
    __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f));
    after ^= (int)(a + b + c + d + e + f);
}

static PLAIN void next(uint32_t digits)
{
    static void (*const kinds[])(uint32_t) = {plain,     hole,    other_hole, large,
                                              realigned, sorting, two_places, many_registers};
    if (digits < 8)
        asks();
    else
        kinds[digits & 7](digits >> 3);
    after++;
}

static uint32_t random_state = 12345;

static uint32_t any(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return random_state >> 8;
}

static void what_is_recognized_is_what_a_walk_finds(void **state)
{
    (void)state;
    enum { CALLS = 4000 };
    const char *wanted = getenv("ROUNDS"); /* by hand: 2500 rounds make 10 million calls */
    unsigned rounds = wanted ? (unsigned)strtoul(wanted, NULL, 10) : 100;
    walks = 0;
    for (unsigned round = 0; round < rounds; round++) {
        uint32_t some[4] = {any(), any(), any() & 0xffff, any() & 0xfff};
        for (unsigned i = 0; i < CALLS; i++)
            next(some[any() & 3]);
    }
    assert_true(walks < rounds * CALLS / 2);
}

/* The hole of the inner frame shrinks by what that of the outer one grows: the innermost frame is at the same place,
   and where the inner one's return address was, into another outer function, it still lies, in the hole. */
static void frames_that_moved_are_not_mistaken(void **state)
{
    (void)state;
    enum { HOLE = 1, OTHER_HOLE = 2, PLAIN_ONE = 8 << 5 };
    for (unsigned i = 0; i < 100; i++) {
        uint32_t way = any() & 3, outer = any() & 1 ? HOLE : OTHER_HOLE;
        for (unsigned times = 0; times < 200; times++)
            next(outer | way << 3 | (HOLE | (3 - way) << 3 | PLAIN_ONE) << 5);
    }
}

static PLAIN void loop(unsigned times)
{
    for (unsigned i = 0; i < times; i++)
        asks();
}

static void *loops_twice(void *counts)
{
    for (unsigned *count = counts; count < (unsigned *)counts + 2; count++) {
        walks = 0;
        loop(1000);
        *count = walks;
    }
    return NULL;
}

/* A thread of its own: what other tests left in the same slot makes the first one walk more often. */
static void a_loop_is_walked_a_few_times_only(void **state)
{
    (void)state;
    pthread_t thread;
    unsigned counts[2];
    assert_int_equal(pthread_create(&thread, NULL, loops_twice, counts), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(counts[0] < 100);
    assert_true(counts[1] < 100);
}

/* A layer: functions that differ only in their callers. */
static PLAIN void layer(void)
{
    asks();
    after++;
}

/* Different, or the compiler would make one function of them. */
#define CALLER(name, number)                                                                                           \
    static PLAIN void name(void)                                                                                       \
    {                                                                                                                  \
        layer();                                                                                                       \
        after += (number);                                                                                             \
    }
CALLER(first_caller, 1)
CALLER(second_caller, 2)
CALLER(third_caller, 3)
CALLER(fourth_caller, 4)

static void *calls_in_turn(void *count)
{
    static void (*const callers[])(void) = {first_caller, second_caller, third_caller, fourth_caller};
    walks = 0;
    for (unsigned i = 0; i < 4000; i++)
        callers[i % 4]();
    *(unsigned *)count = walks;
    return NULL;
}

static void callers_in_turn_are_recognized(void **state)
{
    (void)state;
    pthread_t thread;
    unsigned count;
    assert_int_equal(pthread_create(&thread, NULL, calls_in_turn, &count), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(count < 400);
}

static void on_signal(int number)
{
    (void)number;
    next(0);
}

static void signals_are_walked(void **state)
{
    (void)state;
    assert_true(signal(SIGUSR1, on_signal) != SIG_ERR);
    for (unsigned i = 0; i < 200; i++) {
        raise(SIGUSR1);
        next(0);
    }
}

static ucontext_t back;

static void in_context(void)
{
    loop(3);
    next(0);
    swapcontext(&(ucontext_t){0}, &back);
}

/* The stack of a coroutine is unmapped, and a shorter one comes to lie where it was. */
static void stacks_that_are_gone_are_not_read(void **state)
{
    (void)state;
    enum { STACK = 256 << 10 };
    char *memory = mmap(NULL, STACK, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(memory != MAP_FAILED);
    for (unsigned i = 0; i < 400; i++) {
        size_t bytes = i % 50 < 40 ? STACK : STACK - 8192;
        assert_int_equal(mprotect(memory, STACK, PROT_NONE), 0);
        assert_int_equal(mprotect(memory, bytes, PROT_READ | PROT_WRITE), 0);
        ucontext_t inside;
        assert_int_equal(getcontext(&inside), 0);
        inside.uc_stack.ss_sp = memory;
        inside.uc_stack.ss_size = bytes;
        inside.uc_link = NULL;
        makecontext(&inside, in_context, 0);
        assert_int_equal(swapcontext(&back, &inside), 0);
    }
    munmap(memory, STACK);
}

static void *in_thread(void *unused)
{
    for (unsigned i = 0; i < 2000; i++)
        next(any() & 0xfff);
    return unused;
}

static void each_thread_recognizes_its_own(void **state)
{
    (void)state;
    for (int i = 0; i < 8; i++) {
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, in_thread, NULL), 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
    }
}

/* Calls walk(results) from a frame of which no table says how to leave it: the walk reads memory that it must check. */
void *walk_without_tables(void *results, void *(*walk)(void *results));
#if defined(__x86_64__)
__asm__(".text\n.globl walk_without_tables\n.type walk_without_tables, @function\nwalk_without_tables:\n"
        "push %rbp\nmov %rsp, %rbp\ncall *%rsi\npop %rbp\nret\n");
#else
void *walk_without_tables(void *results, void *(*walk)(void *results))
{
    return walk(results);
}
#endif

/* Number of frames from here, and the result of reading an address that is not mapped. */
static void *walk(void *results)
{
    void *frame[64];
    char byte;
    int *result = results;
    result[0] = unwinder(frame, 64, CS_UNWIND_ANEW, NULL);
    result[1] = (int)cs_own_memory_read(0, &byte, 1);
    return results;
}

static void *begin_walk(void *results)
{
    return walk_without_tables(results, walk);
}

/* Docker and others forbid process_vm_readv in containers. */
static bool forbid_reading(void)
{
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof steps / sizeof *steps, steps};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* Each walk is in a thread with a stack of another size, because libunwind checks a page only once. */
static bool walk_in_thread(size_t stack, int result[2])
{
    pthread_t thread;
    pthread_attr_t how;
    return pthread_attr_init(&how) == 0 && pthread_attr_setstacksize(&how, stack) == 0 &&
           pthread_create(&thread, &how, begin_walk, result) == 0 && pthread_join(thread, NULL) == 0;
}

static void callers_are_found_where_reading_own_memory_is_forbidden(void **state)
{
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        int allowed[2] = {0}, forbidden[2] = {0};
        bool good = walk_in_thread(1 << 20, allowed) && forbid_reading() && walk_in_thread(64 << 20, forbidden);
        good = good && allowed[0] > 1 && forbidden[0] == allowed[0] && allowed[1] == -1 && forbidden[1] == -1;
        if (!good)
            printf("frames: %d, then %d; reads: %d, then %d\n", allowed[0], forbidden[0], allowed[1], forbidden[1]);
        fflush(stdout);
        _exit(good ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_recognized_is_what_a_walk_finds),
        cmocka_unit_test(frames_that_moved_are_not_mistaken),
        cmocka_unit_test(a_loop_is_walked_a_few_times_only),
        cmocka_unit_test(callers_in_turn_are_recognized),
        cmocka_unit_test(signals_are_walked),
        cmocka_unit_test(stacks_that_are_gone_are_not_read),
        cmocka_unit_test(each_thread_recognizes_its_own),
        cmocka_unit_test(callers_are_found_where_reading_own_memory_is_forbidden),
    };
#ifdef __SANITIZE_THREAD__
    puts("not run: threads that libunwind walked crash the thread sanitizer at their end");
    return tests[0].name ? 0 : 1;
#endif
    return cmocka_run_group_tests(tests, begin, NULL);
}
