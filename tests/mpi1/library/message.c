/* Messages of the process to itself. A send copies its bytes at once unless a receive waits for them. */
#include "message.h"

#include <stdlib.h>
#include <string.h>

struct message {
    struct message *next;
    MPI_Comm comm;
    int tag, bytes;
    char data[];
};

static struct message *unexpected;
static struct request *posted;

const MPI_Status empty = {MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_SUCCESS, 0, 0};
const MPI_Status from_nobody = {MPI_PROC_NULL, MPI_ANY_TAG, MPI_SUCCESS, 0, 0};

int check_arguments(MPI_Comm comm, int count, MPI_Datatype type, int peer, int tag, bool receives)
{
    int error = !comm_of(comm)                                                                ? MPI_ERR_COMM
                : count < 0                                                                   ? MPI_ERR_COUNT
                : !type_of(type)                                                              ? MPI_ERR_TYPE
                : peer != 0 && peer != MPI_PROC_NULL && !(receives && peer == MPI_ANY_SOURCE) ? MPI_ERR_RANK
                : tag < 0 && peer != MPI_PROC_NULL && !(receives && tag == MPI_ANY_TAG)       ? MPI_ERR_TAG
                                                                                              : MPI_SUCCESS;
    return error == MPI_SUCCESS ? MPI_SUCCESS : failed(comm, error);
}

static bool match(MPI_Comm comm, int tag, MPI_Comm wanted_comm, int wanted_tag)
{
    return comm == wanted_comm && (wanted_tag == MPI_ANY_TAG || wanted_tag == tag);
}

/* The bytes arrive in a receive. Returns MPI_ERR_TRUNCATE if they are too many. */
static int arrive(const char *data, int bytes, int tag, void *buffer, int count, const struct type *type,
                  MPI_Status *status)
{
    int room = count * type->size;
    int taken = bytes < room ? bytes : room;
    *status = (MPI_Status){0, tag, bytes > room ? MPI_ERR_TRUNCATE : MPI_SUCCESS, taken, 0};
    unpack(data, (size_t)taken, buffer, type);
    return status->MPI_ERROR;
}

void send_bytes(struct request *request)
{
    int bytes = request->count * request->type->size;
    struct message *message = malloc(sizeof *message + (size_t)bytes);
    *message = (struct message){.comm = request->comm, .tag = request->tag, .bytes = bytes};
    pack(request->buffer, request->count, request->type, message->data);
    for (struct request **link = &posted; *link; link = &(*link)->next) {
        struct request *receive = *link;
        if (!match(message->comm, message->tag, receive->comm, receive->tag))
            continue;
        *link = receive->next;
        arrive(message->data, bytes, message->tag, receive->buffer, receive->count, receive->type, &receive->status);
        receive->done = true;
        free(message);
        return;
    }
    struct message **last = &unexpected;
    while (*last)
        last = &(*last)->next;
    *last = message;
}

static struct message *take(MPI_Comm comm, int tag, bool keep)
{
    for (struct message **link = &unexpected; *link; link = &(*link)->next) {
        struct message *message = *link;
        if (!match(message->comm, message->tag, comm, tag))
            continue;
        if (!keep)
            *link = message->next;
        return message;
    }
    return NULL;
}

void receive_bytes(struct request *request)
{
    struct message *message = take(request->comm, request->tag, false);
    if (message) {
        arrive(message->data, message->bytes, message->tag, request->buffer, request->count, request->type,
               &request->status);
        request->done = true;
        free(message);
        return;
    }
    struct request **last = &posted;
    while (*last)
        last = &(*last)->next;
    request->next = NULL;
    *last = request;
}

void forget(struct request *request)
{
    for (struct request **link = &posted; *link; link = &(*link)->next)
        if (*link == request) {
            *link = request->next;
            return;
        }
}

/* ---- blocking ---- */

int MPI_Send(void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    int error = check_arguments(comm, count, type, dest, tag, false);
    if (error == MPI_SUCCESS && dest != MPI_PROC_NULL)
        send_bytes(
            &(struct request){.buffer = buffer, .count = count, .type = type_of(type), .tag = tag, .comm = comm});
    return error;
}

int MPI_Ssend(void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    bool waits = true;
    for (const struct request *receive = posted; receive; receive = receive->next)
        waits &= !match(comm, tag, receive->comm, receive->tag);
    if (waits && dest != MPI_PROC_NULL)
        deadlock("MPI_Ssend");
    return MPI_Send(buffer, count, type, dest, tag, comm);
}

int MPI_Rsend(void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    return MPI_Send(buffer, count, type, dest, tag, comm);
}

int MPI_Bsend(void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    return MPI_Send(buffer, count, type, dest, tag, comm);
}

static void *attached;
static int attached_bytes;

int MPI_Buffer_attach(void *buffer, int size)
{
    attached = buffer;
    attached_bytes = size;
    return MPI_SUCCESS;
}

int MPI_Buffer_detach(void *buffer, int *size)
{
    *(void **)buffer = attached;
    *size = attached_bytes;
    attached = NULL;
    return MPI_SUCCESS;
}

int MPI_Recv(void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    int error = check_arguments(comm, count, type, source, tag, true);
    if (error != MPI_SUCCESS)
        return error;
    *status = from_nobody;
    if (source == MPI_PROC_NULL)
        return MPI_SUCCESS;
    struct message *message = take(comm, tag, false);
    if (!message)
        deadlock("MPI_Recv");
    error = arrive(message->data, message->bytes, message->tag, buffer, count, type_of(type), status);
    free(message);
    return error == MPI_SUCCESS ? MPI_SUCCESS : failed(comm, error);
}

int MPI_Sendrecv(void *out, int out_count, MPI_Datatype out_type, int dest, int out_tag, void *in, int in_count,
                 MPI_Datatype in_type, int source, int in_tag, MPI_Comm comm, MPI_Status *status)
{
    int error = MPI_Send(out, out_count, out_type, dest, out_tag, comm);
    return error == MPI_SUCCESS ? MPI_Recv(in, in_count, in_type, source, in_tag, comm, status) : error;
}

int MPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
    int error = check_arguments(comm, 0, MPI_BYTE, source, tag, true);
    if (error != MPI_SUCCESS)
        return error;
    const struct message *message = source == MPI_PROC_NULL ? NULL : take(comm, tag, true);
    *flag = message || source == MPI_PROC_NULL;
    if (*flag)
        *status = message ? (MPI_Status){0, message->tag, MPI_SUCCESS, message->bytes, 0} : from_nobody;
    return MPI_SUCCESS;
}

int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    int found, error = MPI_Iprobe(source, tag, comm, &found, status);
    if (error == MPI_SUCCESS && !found)
        deadlock("MPI_Probe");
    return error;
}

int MPI_Get_count(MPI_Status *status, MPI_Datatype type, int *count)
{
    int size = type_of(type) ? type_of(type)->size : 0;
    if (!type_of(type))
        return failed(MPI_COMM_WORLD, MPI_ERR_TYPE);
    *count = size == 0 ? 0 : status->bytes % size ? MPI_UNDEFINED : status->bytes / size;
    return MPI_SUCCESS;
}

/* ---- for collectives ---- */

int copy(const void *from, int count, MPI_Datatype type, void *to, int room, MPI_Datatype to_type, MPI_Comm comm)
{
    MPI_Status status;
    if (!comm_of(comm) || !type_of(type) || !type_of(to_type))
        return failed(comm, comm_of(comm) ? MPI_ERR_TYPE : MPI_ERR_COMM);
    int bytes = count * type_of(type)->size;
    char *data = malloc((size_t)bytes + 1);
    pack(from, count, type_of(type), data);
    int error = arrive(data, bytes, 0, to, room, type_of(to_type), &status);
    free(data);
    return error == MPI_SUCCESS ? MPI_SUCCESS : failed(comm, error);
}
