/* Starts a program bound as the words before "--" say; no MPI is in it.
   cpu=each: each rank to another processor; cpu=first: all to the first one; cpu=all: to none.
   memory=NODE: memory of that NUMA node only. hide: without the kernel's description of the processors.
   Exits with 77 where that is forbidden or not possible. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { IMPOSSIBLE = 77, BIND = 2 }; /* BIND: MPOL_BIND of linux/mempolicy.h */

static void need(int done, const char *word)
{
    if (done == 0)
        return;
    perror(word);
    exit(IMPOSSIBLE);
}

static int own_rank(void)
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    if (!rank)
        rank = getenv("PMI_RANK");
    return rank ? atoi(rank) : 0;
}

/* The number-th of the processors, around. */
static void bind_to(const cpu_set_t *all, int number)
{
    cpu_set_t one;
    int cpu = 0;
    for (number %= CPU_COUNT(all); !CPU_ISSET(cpu, all) || number-- > 0;)
        cpu++;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    need(sched_setaffinity(0, sizeof one, &one), "cpu");
}

static void bind_cpu(const char *how)
{
    cpu_set_t all; /* also those that the launcher took away */
    memset(&all, 0xff, sizeof all);
    need(sched_setaffinity(0, sizeof all, &all), "cpu");
    need(sched_getaffinity(0, sizeof all, &all), "cpu");
    if (strcmp(how, "all") != 0)
        bind_to(&all, strcmp(how, "each") == 0 ? own_rank() : 0);
}

static void bind_memory(const char *node)
{
    unsigned long mask = 1UL << atoi(node);
    need((int)syscall(SYS_set_mempolicy, BIND, &mask, 8 * sizeof mask), "memory");
}

static void hide_processors(void)
{
    need(unshare(CLONE_NEWNS), "hide");
    need(mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL), "hide");
    need(mount("none", "/sys/devices/system/cpu", "tmpfs", 0, NULL), "hide");
}

int main(int argc, char **argv)
{
    int i = 1;
    for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strncmp(argv[i], "cpu=", 4) == 0)
            bind_cpu(argv[i] + 4);
        else if (strncmp(argv[i], "memory=", 7) == 0)
            bind_memory(argv[i] + 7);
        else
            hide_processors();
    }
    if (i + 1 < argc)
        execvp(argv[i + 1], argv + i + 1);
    perror("bound");
    return 1;
}
