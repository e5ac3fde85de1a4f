/* Processes that end badly in a known call. argv[1]: compute (half a second of MPI_Allreduce, then it ends itself
   outside MPI), receive, wait, waitall (blocked until an alarm ends it, or argv[2] is "live": until somebody does),
   nowhere (its last call goes to MPI_PROC_NULL), threads (four are blocked, more have ended), jump (an error handler
   leaves MPI_Send by longjmp, and the program goes on), jumped (it ends outside MPI after that). */
#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SHORT_LIVED = 13, BLOCKED = 4, JUMPS = 3 };

static MPI_Comm team;
static jmp_buf back;

static void end(void)
{
    kill(getpid(), SIGKILL);
}

static void compute(void)
{
    int one = 1, sum;
    MPI_Datatype left;
    for (int i = 0; i < 3; i++)
        MPI_Type_contiguous(2 + i, MPI_INT, &left);
    for (double begin = MPI_Wtime(); MPI_Wtime() - begin < 0.5;)
        for (int i = 0; i < 100; i++)
            MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, team);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, team);
    end();
}

static void receive(void)
{
    int numbers[100];
    MPI_Recv(numbers, 100, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, team, MPI_STATUS_IGNORE);
}

static void wait_for_one(void)
{
    double numbers[25];
    MPI_Request request;
    MPI_Irecv(numbers, 25, MPI_DOUBLE, 0, 7, team, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* The first request is not under way. */
static void wait_for_all(void)
{
    char text[3][8];
    MPI_Request requests[3];
    MPI_Recv_init(text[0], 8, MPI_CHAR, 0, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(text[1], 8, MPI_CHAR, MPI_ANY_SOURCE, 9, team, &requests[1]);
    MPI_Irecv(text[2], 4, MPI_CHAR, 0, 10, team, &requests[2]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
}

static void nowhere(void)
{
    MPI_Send(&team, 0, MPI_BYTE, MPI_PROC_NULL, 3, team);
    end();
}

static void *ask(void *nothing)
{
    int rank;
    MPI_Comm_rank(team, &rank);
    return nothing;
}

static void *block(void *lane)
{
    int number;
    MPI_Recv(&number, 1, MPI_INT, 0, 0, *(MPI_Comm *)lane, MPI_STATUS_IGNORE);
    return NULL;
}

static void threads(void)
{
    pthread_t thread;
    static MPI_Comm lanes[BLOCKED];
    for (int i = 0; i < SHORT_LIVED; i++)
        if (pthread_create(&thread, NULL, ask, NULL) == 0)
            pthread_join(thread, NULL);
    for (int i = 0; i < BLOCKED; i++) {
        char name[] = "lane 0";
        name[5] += (char)i;
        MPI_Comm_dup(team, &lanes[i]);
        MPI_Comm_set_name(lanes[i], name);
    }
    for (int i = 0; i < BLOCKED; i++)
        if (pthread_create(&thread, NULL, block, &lanes[i]) != 0)
            abort();
    sleep(1);
    end();
}

static void leave(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
    usleep(20000); /* in the call, not in the code after it */
    longjmp(back, 1);
}

static void jump(void)
{
    MPI_Errhandler handler;
    int size;
    MPI_Comm_create_errhandler(leave, &handler);
    MPI_Comm_set_errhandler(team, handler);
    MPI_Comm_size(team, &size);
    for (volatile int i = 0; i < JUMPS; i++)
        if (!setjmp(back))
            MPI_Send(&size, 1, MPI_INT, 9999, 0, team);
    MPI_Errhandler_free(&handler);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    int provided;
    MPI_Init_thread(&argc, &argv, strcmp(how, "threads") == 0 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    MPI_Comm_dup(MPI_COMM_SELF, &team);
    MPI_Comm_set_name(team, "team");
    signal(SIGALRM, SIG_DFL);
    alarm(argc > 2 ? 60 : strcmp(how, "threads") == 0 ? 20 : 1);
    if (strcmp(how, "compute") == 0)
        compute();
    else if (strcmp(how, "receive") == 0)
        receive();
    else if (strcmp(how, "wait") == 0)
        wait_for_one();
    else if (strcmp(how, "waitall") == 0)
        wait_for_all();
    else if (strcmp(how, "nowhere") == 0)
        nowhere();
    else if (strcmp(how, "threads") == 0)
        threads();
    else
        jump();
    if (strcmp(how, "jumped") == 0)
        end();
    MPI_Comm_free(&team);
    MPI_Finalize();
    return 0;
}
