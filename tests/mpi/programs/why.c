/* The rank in the middle comes late to every Allreduce on "ring", for the reason that the argument names: rank 2 of 4,
   rank 1 of 2 or 3. Rank 0 of "master" gives work to the others. Ranks spend little time on a core where they can, so
   that few cores suffice. why.f90 and why_mpi4py.py do the same. */
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STEPS = 4, SHORT_STEPS = 40 };

static int rank, ranks;
static const char *reason;
static MPI_Comm ring;

static int is(const char *other)
{
    return strcmp(reason, other) == 0;
}

static double thread_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* A fixed amount of work: a slower core needs longer for it. */
static void run_rounds(int rounds)
{
    for (volatile int i = 0; i < rounds * 50000; i++)
        ;
}

static void work(double seconds)
{
    double end = thread_seconds() + seconds;
    while (thread_seconds() < end) /* mostly outside the kernel, which the clock asks */
        run_rounds(1);
}

static void touch(size_t bytes)
{
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (size_t i = 0; i < bytes; i += 4096)
        memory[i] = 1;
    munmap(memory, bytes);
}

/* Reads the program's own file again and again: it is in memory. */
static void read_file(size_t bytes)
{
    static char buffer[1 << 20];
    int file = open("/proc/self/exe", O_RDONLY);
    for (size_t done = 0; done < bytes;) {
        ssize_t got = pread(file, buffer, sizeof buffer, 0);
        done += got > 0 ? (size_t)got : bytes;
    }
    close(file);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *hold(void *unused)
{
    (void)unused;
    work(0.15);
    pthread_mutex_unlock(&lock); /* which the other thread took for it: works on Linux for this kind of mutex */
    return NULL;
}

/* Waits for a lock that another thread holds while it works. */
static void wait_for_lock(void)
{
    pthread_t thread;
    pthread_mutex_lock(&lock);
    pthread_create(&thread, NULL, hold, NULL);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
}

/* A child stops this process for a while. */
static void be_stopped(void)
{
    pid_t child = fork();
    if (child == 0) {
        kill(getppid(), SIGSTOP);
        usleep(200000);
        kill(getppid(), SIGCONT);
        _exit(0);
    }
    while (waitpid(child, NULL, 0) < 0)
        ;
}

static void compute(void)
{
    int late = rank == ranks / 2;
    if (is("work"))
        work(late ? 0.2 : 0.02);
    else if (is("equal"))
        run_rounds(4000);
    else if (is("sleep"))
        usleep(late ? 200000 : 20000);
    else if (is("touch"))
        touch(late ? (size_t)192 << 20 : (size_t)1 << 20);
    else if (is("huge"))
        touch(late ? (size_t)1 << 30 : (size_t)1 << 20);
    else if (is("file"))
        read_file(late ? (size_t)1500 << 20 : (size_t)1 << 20);
    else if (late && is("lock"))
        wait_for_lock();
    else if (late && is("stop"))
        be_stopped();
    else if (is("jitter"))
        usleep((unsigned)(20000 + random() % 45000));
}

static void step(void)
{
    double value = rank, sum;
    MPI_Barrier(MPI_COMM_SELF); /* begins the code */
    compute();
    MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, ring);
}

/* Steps so short that ranks without a core are often last. Prints how long they really waited, by their own clocks:
   from the own begin of each call to the last one's. */
static void measure(MPI_Comm all)
{
    double begin[SHORT_STEPS], last[SHORT_STEPS], own = 0, waited = 0;
    for (int i = 0; i < SHORT_STEPS; i++) {
        struct timespec now;
        MPI_Barrier(MPI_COMM_SELF);
        work(rank == ranks / 2 ? 0.012 : 0.003);
        clock_gettime(CLOCK_MONOTONIC, &now);
        begin[i] = (double)now.tv_sec + (double)now.tv_nsec / 1e9;
        MPI_Barrier(ring);
    }
    MPI_Allreduce(begin, last, SHORT_STEPS, MPI_DOUBLE, MPI_MAX, all);
    for (int i = 0; i < SHORT_STEPS; i++)
        own += last[i] - begin[i];
    MPI_Reduce(&own, &waited, 1, MPI_DOUBLE, MPI_SUM, 0, all);
    if (rank == 0)
        printf("waited %.6f\n", waited);
}

/* The late rank waits for the last one, which is in no ring, and comes late with what it gets. */
static void chain(MPI_Comm all)
{
    double value = rank, sum;
    if (rank == ranks - 1) {
        usleep(200000);
        MPI_Send(&value, 1, MPI_DOUBLE, ranks / 2, 0, all);
        return;
    }
    if (rank == ranks / 2)
        MPI_Recv(&value, 1, MPI_DOUBLE, ranks - 1, 0, all, MPI_STATUS_IGNORE);
    MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, ring);
}

/* Rank 0 hands out work and takes results; nobody is to blame. */
static void master(MPI_Comm all)
{
    int value = 0;
    if (rank > 0) {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, all, MPI_STATUS_IGNORE);
        usleep(50000);
        MPI_Send(&value, 1, MPI_INT, 0, 0, all);
        return;
    }
    for (int i = 1; i < ranks; i++)
        MPI_Send(&value, 1, MPI_INT, i, 0, all);
    for (int i = 1; i < ranks; i++)
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, all, MPI_STATUS_IGNORE);
}

/* Two stretches that are long enough for samples. */
static void rest(void)
{
    for (int i = 0; i < 2; i++) {
        usleep(8000);
        MPI_Barrier(MPI_COMM_SELF);
    }
}

/* One code for the first part of the run, another one for the rest. Prints when they changed, and when the run ended,
   since MPI_Init returned. */
static void change(double begin)
{
    double started = MPI_Wtime();
    for (int i = 0; i < 200; i++) {
        usleep(1000);
        MPI_Barrier(MPI_COMM_SELF);
    }
    double changed = MPI_Wtime();
    for (int i = 0; i < 20; i++) {
        usleep(15000);
        MPI_Barrier(MPI_COMM_SELF);
    }
    printf("%.6f %.6f %.6f\n", started - begin, changed - begin, MPI_Wtime() - begin);
}

static void *rest_in_thread(void *unused)
{
    rest();
    return unused;
}

/* Closes descriptors that are not its own, gets these numbers for a file of its own, and goes on there; forks. A thread
   makes calls, too. Prints how many were open, whether exec closes them, what shows that its file is as it was, and
   what the process has needed. */
static void reuse_descriptors(void)
{
    enum { NUMBERS = 1 << 20 };
    int own = open("/tmp", O_TMPFILE | O_RDWR, 0600), files = 0, closed_by_exec = 1, status = 0;
    pthread_t thread;
    struct stat is, now;
    char link[64], path[256];
    rest();
    if (own < 0 || write(own, "1 2 3\n", 6) != 6 || fstat(own, &is) != 0)
        abort();
    static int reused[64];
    for (int number = own + 1; number < NUMBERS && files < 64; number++) {
        int flags = fcntl(number, F_GETFD);
        if (flags < 0)
            continue;
        snprintf(link, sizeof link, "/proc/self/fd/%d", number);
        ssize_t length = readlink(link, path, sizeof path - 1);
        path[length > 0 ? length : 0] = '\0';
        if (!strstr(path, "/schedstat") && !strstr(path, "/io") && strcmp(path, "/proc/stat") != 0 &&
            strcmp(path, "/proc/loadavg") != 0)
            continue;
        closed_by_exec &= (flags & FD_CLOEXEC) != 0;
        close(number);
        dup2(own, number);
        reused[files++] = number;
    }
    rest();
    if (pthread_create(&thread, NULL, rest_in_thread, NULL) == 0)
        pthread_join(thread, NULL);
    pid_t child = fork();
    if (child == 0)
        _exit(lseek(own, 0, SEEK_CUR) == 6 ? 0 : 1);
    while (waitpid(child, &status, 0) < 0)
        ;
    rest();
    for (int i = 0; i < files; i++)
        if (fstat(reused[i], &now) != 0 || now.st_ino != is.st_ino)
            abort();
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    double seconds = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                     (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
    printf("%d %d %d %d %ld %.6f\n", files, closed_by_exec, status, (int)lseek(own, 0, SEEK_CUR), usage.ru_maxrss,
           seconds);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    double begin = MPI_Wtime();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    reason = argc > 1 ? argv[1] : "";
    srandom((unsigned)getpid());
    MPI_Comm_split(MPI_COMM_WORLD, is("chain") && rank == ranks - 1, rank, &ring);
    MPI_Comm_set_name(ring, "ring");
    if (is("clocks"))
        measure(MPI_COMM_WORLD);
    if (is("descriptors"))
        reuse_descriptors();
    if (is("changes"))
        change(begin);
    for (int i = 0; i < STEPS && !is("clocks") && !is("descriptors") && !is("changes"); i++) {
        if (is("chain"))
            chain(MPI_COMM_WORLD);
        else if (is("master"))
            master(MPI_COMM_WORLD);
        else
            step();
    }
    if (is("alone") && rank == ranks / 2)
        usleep(300000); /* nobody waits for this rank but in MPI_Finalize */
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
