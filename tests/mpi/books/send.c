#include "books.h"

struct blocking {
    const char *name;
    int (*call)(const void *data, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm);
};

struct nonblocking {
    const char *name;
    int (*call)(const void *data, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request);
};

void send_by(enum send_way way, enum send_mode mode, const struct envelope *message, MPI_Request *request)
{
    static const struct blocking blocking[SEND_MODES] = {
        {"MPI_Send", MPI_Send}, {"MPI_Bsend", MPI_Bsend}, {"MPI_Ssend", MPI_Ssend}, {"MPI_Rsend", MPI_Rsend}};
    static const struct nonblocking nonblocking[SEND_WAYS][SEND_MODES] = {
        [NONBLOCKING] = {{"MPI_Isend", MPI_Isend},
                         {"MPI_Ibsend", MPI_Ibsend},
                         {"MPI_Issend", MPI_Issend},
                         {"MPI_Irsend", MPI_Irsend}},
        [PERSISTENT] = {{"MPI_Send_init", MPI_Send_init},
                        {"MPI_Bsend_init", MPI_Bsend_init},
                        {"MPI_Ssend_init", MPI_Ssend_init},
                        {"MPI_Rsend_init", MPI_Rsend_init}}};
    const struct nonblocking *begin = &nonblocking[way][mode];
    check_count(way == BLOCKING ? blocking[mode].name : begin->name, 1);
    if (way == BLOCKING)
        blocking[mode].call(message->data, message->count, message->type, message->dest, message->tag,
                            message->on->comm);
    else
        begin->call(message->data, message->count, message->type, message->dest, message->tag, message->on->comm,
                    request);
    if (way != PERSISTENT)
        book_sent(message->on, message->dest, message->tag, message->bytes);
}

MPI_Datatype pairs(void)
{
    MPI_Datatype type;
    CALL(MPI_Type_contiguous)(2, MPI_INT, &type);
    CALL(MPI_Type_commit)(&type);
    return type;
}

MPI_Datatype every_second(int count)
{
    MPI_Datatype type;
    CALL(MPI_Type_vector)(count, 1, 2, MPI_INT, &type);
    CALL(MPI_Type_commit)(&type);
    return type;
}
