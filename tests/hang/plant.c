#include "plant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LAST_RESORT_SECONDS = 300, PATH_SIZE = 4096 };

static int world_rank;
static double began;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

const char *plant_file(const char *name)
{
    static _Thread_local char path[PATH_SIZE];
    const char *folder = getenv("PLANT_FOLDER");
    snprintf(path, sizeof path, "%s/%s", folder ? folder : "/nonexistent", name);
    return path;
}

/* Tells the test how far this rank is, and its pid. */
static void mark(const char *word)
{
    char name[64];
    snprintf(name, sizeof name, "%s.%d", word, world_rank);
    FILE *file = fopen(plant_file(name), "w");
    if (file) {
        fprintf(file, "%d\n", (int)getpid());
        fclose(file);
    }
}

bool plant_goes_on(void)
{
    const char *seconds = getenv("PLANT_SECONDS");
    return access(plant_file("go"), F_OK) != 0 && now() - began < (seconds ? atof(seconds) : 1);
}

void plant_hold(void)
{
    mark("held");
    while (plant_goes_on())
        usleep(2000);
}

void plant_send(int dest, int tag, MPI_Comm comm)
{
    int value = tag;
    MPI_Send(&value, 1, MPI_INT, dest, tag, comm);
}

void plant_receive(int source, int tag, MPI_Comm comm)
{
    int value;
    MPI_Recv(&value, 1, MPI_INT, source, tag, comm, MPI_STATUS_IGNORE);
}

int plant_size(void)
{
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

MPI_Comm plant_team(unsigned members)
{
    MPI_Comm team;
    MPI_Comm_split(MPI_COMM_WORLD, members >> world_rank & 1 ? 1 : MPI_UNDEFINED, world_rank, &team);
    return team;
}

static void list(void)
{
    for (const struct plant *plant = plants; plant < plants + plants_count; plant++)
        printf("%s\t%d\t%s\t%s\n", plant->name, plant->ranks, plant->answer, plant->only ? plant->only : "");
}

static const struct plant *find(const char *name)
{
    for (const struct plant *plant = plants; plant < plants + plants_count; plant++)
        if (strcmp(plant->name, name) == 0)
            return plant;
    return NULL;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    if (strcmp(name, "--list") == 0) {
        list();
        return 0;
    }
    const struct plant *plant = find(name);
    if (!plant) {
        fprintf(stderr, "no mode %s; --list names them\n", name);
        return 2;
    }
    if (plant->over_tcp)
        setenv("OMPI_MCA_btl", "tcp,self", 1);
    int provided, size;
    MPI_Comm parent;
    MPI_Init_thread(&argc, &argv, plant->threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_get_parent(&parent);
    bool spawned = parent != MPI_COMM_NULL;
    if ((!spawned && size != plant->ranks) || (plant->threads && provided < MPI_THREAD_MULTIPLE))
        MPI_Abort(MPI_COMM_WORLD, 2);
    alarm(LAST_RESORT_SECONDS);
    began = now();
    mark(spawned ? "spawned" : "at");
    plant->run(world_rank);
    MPI_Finalize();
    return 0;
}
