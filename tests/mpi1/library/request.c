/* Requests. */
#include "message.h"

#include <stdlib.h>

static struct table requests = {.first = 1};

static struct request *request_of(MPI_Request handle)
{
    return table_get(&requests, handle);
}

static void destroy(struct request *request)
{
    forget(request);
    type_drop(request->type);
    free(request);
}

/* A completed request that is not persistent goes, and its handle with it. */
static void end(MPI_Request *handle)
{
    struct request *request = request_of(*handle);
    request->active = false;
    if (request->persistent)
        return;
    destroy(table_remove(&requests, *handle));
    *handle = MPI_REQUEST_NULL;
}

static void start(struct request *request, int peer)
{
    request->active = true;
    request->done = !request->receives || peer == MPI_PROC_NULL;
    request->status = peer == MPI_PROC_NULL ? from_nobody : empty;
    if (peer == MPI_PROC_NULL)
        return;
    if (request->receives)
        receive_bytes(request);
    else
        send_bytes(request);
}

static int make(struct request set, MPI_Datatype type, int peer, bool begin, MPI_Request *handle)
{
    int error = check_arguments(set.comm, set.count, type, peer, set.tag, set.receives);
    if (error != MPI_SUCCESS)
        return error;
    struct request *request = malloc(sizeof *request);
    *request = set;
    request->peer = peer;
    request->type = type_of(type);
    type_keep(request->type);
    *handle = table_add(&requests, request);
    if (begin)
        start(request, peer);
    return MPI_SUCCESS;
}

int MPI_Isend(void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
    return make((struct request){.buffer = buffer, .count = count, .tag = tag, .comm = comm}, type, dest, true,
                request);
}

int MPI_Issend(void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
    return MPI_Isend(buffer, count, type, dest, tag, comm, request);
}

int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request *request)
{
    return make((struct request){.receives = true, .buffer = buffer, .count = count, .tag = tag, .comm = comm}, type,
                source, true, request);
}

int MPI_Send_init(void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
    return make((struct request){.persistent = true, .buffer = buffer, .count = count, .tag = tag, .comm = comm}, type,
                dest, false, request);
}

int MPI_Recv_init(void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request *request)
{
    return make(
        (struct request){
            .persistent = true, .receives = true, .buffer = buffer, .count = count, .tag = tag, .comm = comm},
        type, source, false, request);
}

int MPI_Start(MPI_Request *request)
{
    struct request *known = request_of(*request);
    if (!known || !known->persistent || known->active)
        return failed(MPI_COMM_WORLD, MPI_ERR_REQUEST);
    start(known, known->peer);
    return MPI_SUCCESS;
}

int MPI_Startall(int count, MPI_Request *all)
{
    for (int i = 0; i < count; i++) {
        int error = MPI_Start(&all[i]);
        if (error != MPI_SUCCESS)
            return error;
    }
    return MPI_SUCCESS;
}

int MPI_Request_free(MPI_Request *request)
{
    if (!request_of(*request))
        return failed(MPI_COMM_WORLD, MPI_ERR_REQUEST);
    destroy(table_remove(&requests, *request));
    *request = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}

int MPI_Cancel(MPI_Request *request)
{
    struct request *known = request_of(*request);
    if (!known || !known->active)
        return failed(MPI_COMM_WORLD, MPI_ERR_REQUEST);
    if (!known->done) {
        forget(known);
        known->done = true;
        known->status.cancelled = 1;
    }
    return MPI_SUCCESS;
}

int MPI_Test_cancelled(MPI_Status *status, int *flag)
{
    *flag = status->cancelled;
    return MPI_SUCCESS;
}

static bool is_done(MPI_Request request)
{
    const struct request *known = request_of(request);
    return !known || !known->active || known->done;
}

/* Completes a request that is done. */
static int complete(MPI_Request *request, MPI_Status *status)
{
    const struct request *known = request_of(*request);
    *status = known && known->active ? known->status : empty;
    MPI_Comm comm = known ? known->comm : MPI_COMM_WORLD;
    if (known && known->active)
        end(request);
    return status->MPI_ERROR == MPI_SUCCESS ? MPI_SUCCESS : failed(comm, status->MPI_ERROR);
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    if (!is_done(*request))
        deadlock("MPI_Wait");
    return complete(request, status);
}

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    *flag = is_done(*request);
    return *flag ? complete(request, status) : MPI_SUCCESS;
}

int MPI_Waitall(int count, MPI_Request *all, MPI_Status *statuses)
{
    int error = MPI_SUCCESS;
    for (int i = 0; i < count; i++) {
        if (!is_done(all[i]))
            deadlock("MPI_Waitall");
        int one = complete(&all[i], &statuses[i]);
        error = one == MPI_SUCCESS ? error : MPI_ERR_IN_STATUS;
    }
    return error;
}

int MPI_Testall(int count, MPI_Request *all, int *flag, MPI_Status *statuses)
{
    *flag = 1;
    for (int i = 0; i < count; i++)
        *flag &= is_done(all[i]);
    return *flag ? MPI_Waitall(count, all, statuses) : MPI_SUCCESS;
}

static bool is_active(MPI_Request request)
{
    return request_of(request) && request_of(request)->active;
}

int MPI_Waitany(int count, MPI_Request *all, int *index, MPI_Status *status)
{
    bool any = false;
    for (int i = 0; i < count; i++) {
        any |= is_active(all[i]);
        if (is_active(all[i]) && is_done(all[i])) {
            *index = i;
            return complete(&all[i], status);
        }
    }
    if (any)
        deadlock("MPI_Waitany");
    *index = MPI_UNDEFINED;
    *status = empty;
    return MPI_SUCCESS;
}

int MPI_Waitsome(int count, MPI_Request *all, int *completed, int *indices, MPI_Status *statuses)
{
    int found = 0;
    bool any = false;
    for (int i = 0; i < count; i++) {
        any |= is_active(all[i]);
        if (is_active(all[i]) && is_done(all[i])) {
            complete(&all[i], &statuses[found]);
            indices[found++] = i;
        }
    }
    if (any && !found)
        deadlock("MPI_Waitsome");
    *completed = any ? found : MPI_UNDEFINED;
    return MPI_SUCCESS;
}
