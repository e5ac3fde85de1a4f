/* The process, handles, errors. */
#include "inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static bool initialized;

int MPI_Init(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    initialized = true;
    return MPI_SUCCESS;
}

int MPI_Initialized(int *flag)
{
    *flag = initialized;
    return MPI_SUCCESS;
}

int MPI_Finalize(void)
{
    return MPI_SUCCESS;
}

int MPI_Abort(MPI_Comm comm, int code)
{
    (void)comm;
    exit(code);
}

double MPI_Wtime(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

double MPI_Wtick(void)
{
    return 1e-9;
}

int MPI_Get_version(int *version, int *subversion)
{
    *version = 1;
    *subversion = 1;
    return MPI_SUCCESS;
}

/* ---- handles ---- */

int table_add(struct table *table, void *object)
{
    for (int handle = table->first; handle < MOST; handle++)
        if (!table->objects[handle]) {
            table->objects[handle] = object;
            return handle;
        }
    return 0;
}

void *table_get(const struct table *table, int handle)
{
    return handle > 0 && handle < MOST ? table->objects[handle] : NULL;
}

void *table_remove(struct table *table, int handle)
{
    void *object = table_get(table, handle);
    if (object)
        table->objects[handle] = NULL;
    return object;
}

/* ---- errors ---- */

struct handler {
    MPI_Handler_function *function;
    int references; /* communicators, and the program's handle */
};

static struct table handlers = {.first = 3};

int MPI_Error_class(int code, int *class_of_code)
{
    *class_of_code = code;
    return MPI_SUCCESS;
}

int MPI_Error_string(int code, char *string, int *length)
{
    static const char *const words[MPI_ERR_LASTCODE] = {
        "success",      "bad buffer",    "bad count", "bad datatype",  "bad tag",      "bad communicator",
        "bad rank",     "bad root",      "bad group", "bad operation", "bad topology", "bad dimensions",
        "bad argument", "unknown error", "too long",  "other",         "internal",     "in status",
        "pending",      "bad request"};
    *length =
        snprintf(string, MPI_MAX_ERROR_STRING, "%s", code >= 0 && code < MPI_ERR_LASTCODE ? words[code] : "no code");
    return MPI_SUCCESS;
}

static void drop_handler(MPI_Errhandler handle)
{
    struct handler *handler = table_get(&handlers, handle);
    if (handler && --handler->references == 0)
        free(table_remove(&handlers, handle));
}

int MPI_Errhandler_create(MPI_Handler_function *function, MPI_Errhandler *handle)
{
    struct handler *handler = malloc(sizeof *handler);
    *handler = (struct handler){function, 1};
    *handle = table_add(&handlers, handler);
    return MPI_SUCCESS;
}

int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler handle)
{
    struct comm *known = comm_of(comm);
    struct handler *handler = table_get(&handlers, handle);
    if (!known)
        return failed(comm, MPI_ERR_COMM);
    if (handler)
        handler->references++;
    drop_handler(known->handler);
    known->handler = handle;
    return MPI_SUCCESS;
}

int MPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler *handle)
{
    struct comm *known = comm_of(comm);
    if (!known)
        return failed(comm, MPI_ERR_COMM);
    struct handler *handler = table_get(&handlers, known->handler);
    if (handler)
        handler->references++;
    *handle = known->handler;
    return MPI_SUCCESS;
}

int MPI_Errhandler_free(MPI_Errhandler *handle)
{
    drop_handler(*handle);
    *handle = MPI_ERRHANDLER_NULL;
    return MPI_SUCCESS;
}

int failed(MPI_Comm comm, int code)
{
    struct comm *known = comm_of(comm) ? comm_of(comm) : comm_of(MPI_COMM_WORLD);
    struct handler *handler = table_get(&handlers, known->handler);
    if (handler) {
        handler->function(&comm, &code);
    } else if (known->handler == MPI_ERRORS_ARE_FATAL) {
        char text[MPI_MAX_ERROR_STRING];
        int length;
        MPI_Error_string(code, text, &length);
        fprintf(stderr, "MPI: %s\n", text);
        exit(1);
    }
    return code;
}

void deadlock(const char *function)
{
    fprintf(stderr, "MPI: %s waits for ever: nobody else is there\n", function);
    abort();
}
