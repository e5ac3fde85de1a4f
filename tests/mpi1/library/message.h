/* Messages, for requests. */
#pragma once

#include "inside.h"

#pragma GCC visibility push(hidden)

struct request {
    bool persistent, active, done, receives;
    void *buffer;
    int count, tag, peer;
    struct type *type;
    MPI_Comm comm;
    MPI_Status status;
    struct request *next; /* of those that wait for a message */
};

extern const MPI_Status empty, from_nobody;

/* Returns whether the arguments of a call are valid, else the result of the error handler. */
int check_arguments(MPI_Comm comm, int count, MPI_Datatype type, int peer, int tag, bool receives);

void send_bytes(struct request *request);
/* Now, or when the message comes. */
void receive_bytes(struct request *request);
/* It waits for nothing any more. */
void forget(struct request *request);

#pragma GCC visibility pop
