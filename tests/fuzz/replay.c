/* In place of libFuzzer, for any compiler: fuzz_NAME FILE... runs the target on each file, then on the same changed
   versions of it each time. What the target logs is not shown. */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { INPUT_MOST = 1 << 16, CHANGED_VERSIONS = 400, CHANGES_MOST = 8 };

int LLVMFuzzerInitialize(int *argc, char ***argv) __attribute__((weak));
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int messages; /* what stderr was */
static const char *volatile file;
static volatile int version;

static void say_where(int number)
{
    dprintf(messages, "signal %d on changed version %d of %s\n", number, version, file);
    raise(number);
}

/* xorshift64: any good numbers, but the same ones in each run. */
static uint64_t any(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Most fields are words of 4 or 8 bytes: most changes are of these, to numbers at which something ends. */
static void change(uint8_t *data, size_t size, uint64_t *state)
{
    static const uint64_t numbers[] = {0, 1, 7, 255, 4096, INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_MAX, 1ull << 60};
    size_t width = (size_t)1 << any(state) % 4;
    size_t at = any(state) % size / width * width;
    uint64_t number = any(state) % 4 ? numbers[any(state) % (sizeof numbers / sizeof *numbers)] : any(state);
    if (at + width <= size)
        memcpy(data + at, &number, width);
}

static void run_file(void)
{
    static uint8_t whole[INPUT_MOST];
    FILE *from = fopen(file, "r");
    if (!from)
        exit(2);
    size_t size = fread(whole, 1, sizeof whole, from);
    fclose(from);
    uint64_t state = 1;
    for (version = 0; version <= CHANGED_VERSIONS; version++) {
        size_t here = version && any(&state) % 8 == 0 ? any(&state) % (size + 1) : size;
        uint8_t *data = malloc(here + 1); /* of its own, so that a sanitizer sees its end */
        if (!data)
            exit(2);
        memcpy(data, whole, here);
        for (uint64_t i = version && here ? 1 + any(&state) % CHANGES_MOST : 0; i > 0; i--)
            change(data, here, &state);
        LLVMFuzzerTestOneInput(data, here);
        free(data);
    }
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    messages = dup(STDERR_FILENO);
    static const int deadly[] = {SIGABRT, SIGBUS, SIGFPE, SIGSEGV};
    for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++)
        sigaction(deadly[i], &(struct sigaction){.sa_handler = say_where, .sa_flags = SA_RESETHAND | SA_NODEFER}, NULL);
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (messages < 0 || nowhere < 0 || dup2(nowhere, STDERR_FILENO) < 0)
        return 2;
    if (LLVMFuzzerInitialize)
        LLVMFuzzerInitialize(&argc, &argv);
    for (int i = 1; i < argc; i++) {
        file = argv[i];
        run_file();
    }
    return 0;
}
