/* Makes, names and frees for ever: two threads, so that what reads the table always meets an update. A name repeats a
   number, and so tells whether it is whole and its object's own: the size of the datatype is that number. */
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

enum { KEPT = 300, REPEATED = 6 };

void __attribute__((noinline)) stop_here(MPI_Datatype type);
void stop_here(MPI_Datatype type)
{
    (void)type;
    __asm__ volatile("" ::: "memory");
}

static void *churn(void *argument)
{
    int base = (int)(intptr_t)argument;
    MPI_Datatype kept[KEPT];
    for (int i = 0;; i++) {
        int place = i % KEPT, number = base + i % 99000;
        char name[MPI_MAX_OBJECT_NAME] = "";
        if (i >= KEPT)
            MPI_Type_free(&kept[place]);
        MPI_Type_contiguous(number, MPI_BYTE, &kept[place]);
        for (int part = 0, length = 0; part < REPEATED; part++)
            length += sprintf(name + length, "%d.", number);
        MPI_Type_set_name(kept[place], name);
        MPI_Type_set_name(kept[place], ""); /* and its memory is another name's */
        MPI_Type_set_name(kept[place], name);
        stop_here(kept[place]);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided == MPI_THREAD_MULTIPLE)
        pthread_create(&thread, NULL, churn, (void *)(intptr_t)100000);
    churn((void *)(intptr_t)200000);
}
