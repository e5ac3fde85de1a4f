#include "check.h"

#include <pthread.h>
#include <stdarg.h>
#include <unistd.h>

enum { FACTS = 4096, TEXT = 600, FAILURES_MAX = 50 };

struct fact {
    char key[TEXT]; /* a whole line, or one that still wants its numbers */
    long first, second;
    int numbers;
};

static struct fact facts[FACTS];
static int fact_count;
static int failures;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Adds to the line of that key; numbers tells how many it has. */
static void add(const char *key, int numbers, long first, long second)
{
    pthread_mutex_lock(&lock);
    int i = 0;
    while (i < fact_count && strcmp(facts[i].key, key) != 0)
        i++;
    if (i == FACTS)
        abort();
    if (i == fact_count) {
        snprintf(facts[i].key, sizeof facts[i].key, "%s", key);
        facts[i].numbers = numbers;
        fact_count++;
    }
    facts[i].first += first;
    facts[i].second += second;
    pthread_mutex_unlock(&lock);
}

void check_count(const char *function, long n)
{
    char key[TEXT];
    snprintf(key, sizeof key, "calls\t%s", function);
    add(key, 1, n, 0);
}

void check_bytes(const char *function, const char *communicator, long sent, long received)
{
    char key[TEXT];
    snprintf(key, sizeof key, "bytes\t%s\t%s", function, communicator ? communicator : "");
    add(key, 2, sent, received);
}

void check_made(const char *kind, const char *function, int n)
{
    char key[TEXT];
    snprintf(key, sizeof key, "made\t%s\t%s", kind, function);
    add(key, 1, n, 0);
}

void check_freed(const char *kind, const char *function, int n)
{
    char key[TEXT];
    snprintf(key, sizeof key, "freed\t%s\t%s", kind, function);
    add(key, 1, n, 0);
}

void check_message(const char *object, const char *direction, int peer, int source, int dest, int tag, long bytes)
{
    char key[TEXT];
    snprintf(key, sizeof key, "traffic\t%s\t%s\t%d\t%d\t%d", object, direction, peer, source, dest);
    add(key, 2, 1, bytes);
    if (tag < 0)
        return;
    snprintf(key, sizeof key, "tag\t%s\t%s\t%d", object, direction, tag);
    add(key, 1, 1, 0);
}

void check_sql(const char *format, ...)
{
    char text[TEXT - 8], key[TEXT];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0 || length >= (int)sizeof text)
        abort();
    snprintf(key, sizeof key, "sql\t%s", text);
    add(key, 0, 0, 0);
}

void check_outcome(const char *outcome)
{
    char key[TEXT];
    snprintf(key, sizeof key, "outcome\t%s", outcome);
    add(key, 0, 0, 0);
}

void check_skip(const char *what)
{
    char key[TEXT];
    snprintf(key, sizeof key, "skip\t%s", what);
    add(key, 0, 0, 0);
}

static void say(const char *format, va_list arguments)
{
    char line[TEXT];
    int length = vsnprintf(line, sizeof line - 1, format, arguments);
    if (length < 0)
        return;
    if (length > (int)sizeof line - 2)
        length = (int)sizeof line - 2;
    line[length] = '\n';
    fflush(stdout);
    if (write(1, line, (size_t)length + 1) < 0)
        failures++;
}

void check_say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
}

void check_give_up(const char *format, ...)
{
    int begun = 0, ended = 0;
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
    PMPI_Initialized(&begun);
    PMPI_Finalized(&ended);
    if (begun && !ended)
        PMPI_Abort(MPI_COMM_WORLD, 1);
    _exit(1);
}

void check_that(bool holds, const char *condition, const char *file, int line)
{
    if (holds)
        return;
    check_say("%s:%d: does not hold: %s", file, line, condition);
    if (__atomic_add_fetch(&failures, 1, __ATOMIC_RELAXED) >= FAILURES_MAX)
        check_give_up("%d checks failed: given up", FAILURES_MAX);
}

#ifdef MPI_MAX_LIBRARY_VERSION_STRING
bool check_is_mpich(void)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    PMPI_Get_library_version(version, &length);
    return strstr(version, "MPICH") != NULL;
}
#endif

int check_write(void)
{
    const char *folder = getenv("CHECK_FOLDER");
    if (!folder)
        return failures != 0;
    char path[4096];
    snprintf(path, sizeof path, "%s/facts.%ld", folder, (long)getpid());
    FILE *file = fopen(path, "w");
    if (!file)
        return 1;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < fact_count; i++) {
        fputs(facts[i].key, file);
        if (facts[i].numbers > 0)
            fprintf(file, "\t%ld", facts[i].first);
        if (facts[i].numbers > 1)
            fprintf(file, "\t%ld", facts[i].second);
        fputc('\n', file);
    }
    pthread_mutex_unlock(&lock);
    return fclose(file) != 0 || failures != 0;
}
