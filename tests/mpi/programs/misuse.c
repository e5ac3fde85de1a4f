/* Two ranks. "wrong", "handles", "sizes": a call for each local check, which prints its kind and its line; those of
   messages only on rank 0. The MPI returns errors. There are several parts because 64 faults are kept. "right": calls
   that look alike and are allowed; "unseen": some with objects that PMPI functions made. misuse_pieces.c has more. */
#include "misuse.h"

#include <string.h>

static MPI_Datatype pairs(int commit)
{
    MPI_Datatype made;
    MPI_Type_contiguous(2, MPI_INT, &made);
    if (commit)
        MPI_Type_commit(&made);
    return made;
}

static void wrong_arguments(void)
{
    MPI_Comm self = MPI_COMM_SELF;
    MPI_Request request;
    MPI_Datatype type = pairs(0);
    FAULT("invalid_rank", MPI_Send(data, 1, MPI_INT, 7, 1, self));
    FAULT("invalid_rank", MPI_Irecv(data, 1, MPI_INT, 9, 1, self, &request));
    FAULT("invalid_tag", MPI_Send(data, 1, MPI_INT, 0, -5, self));
    FAULT("negative_count", MPI_Send(data, -1, MPI_INT, 0, 1, self));
    FAULT("null_datatype", MPI_Send(data, 1, MPI_DATATYPE_NULL, 0, 1, self));
    FAULT("uncommitted_datatype", MPI_Send(data, 1, type, 0, 1, self));
    FAULT("null_buffer", MPI_Send(NULL, 4, MPI_INT, 0, 1, self));
    MPI_Type_free(&type);
}

/* Nothing but the handle is used: the object is gone. */
static void wrong_handles(void)
{
    MPI_Comm comm, stale_comm;
    MPI_Group group, stale_group, made;
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Comm_group(comm, &group);
    MPI_Group_incl(group, 1, &(int){0}, &made);
    stale_group = made;
    MPI_Group_free(&made);
    MPI_Group_free(&group);
    stale_comm = comm;
    MPI_Comm_free(&comm);
    FAULT("freed_handle", MPI_Send(data, 0, MPI_INT, MPI_PROC_NULL, 0, stale_comm));
    FAULT("freed_handle", MPI_Group_incl(stale_group, 0, NULL, &made));
}

static void wrong_null_handles(void)
{
    MPI_Comm comm = MPI_COMM_NULL, world = MPI_COMM_WORLD;
    MPI_Datatype type = MPI_INT, made;
    MPI_Group group;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Message message __attribute__((unused)) = MPI_MESSAGE_NULL;
    MPI_Offset size;
    int number;
    FAULT("null_communicator", MPI_Send(data, 1, MPI_INT, 0, 1, MPI_COMM_NULL));
    FAULT("null_communicator", MPI_Comm_size(MPI_COMM_NULL, &number));
    FAULT("null_communicator", MPI_Comm_free(&comm));
    FAULT("null_window", MPI_Win_get_group(MPI_WIN_NULL, &group));
    FAULT("null_file", MPI_File_get_size(MPI_FILE_NULL, &size));
    FAULT("null_group", MPI_Group_size(MPI_GROUP_NULL, &number));
    FAULT("null_datatype", MPI_Type_contiguous(2, MPI_DATATYPE_NULL, &made));
    FAULT("null_datatype", MPI_Type_size(MPI_DATATYPE_NULL, &number));
    FAULT("null_operation", MPI_Op_commutative(MPI_OP_NULL, &number));
    FAULT("null_info", MPI_Info_set(MPI_INFO_NULL, "key", "value"));
    FAULT("null_errhandler", MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRHANDLER_NULL));
    FAULT("null_request", MPI_Start(&request));
    FAULT("null_request", MPI_Cancel(&request));
#ifndef OPEN_MPI /* which ends the program */
    FAULT("null_message", MPI_Mrecv(data, 1, MPI_INT, &message, MPI_STATUS_IGNORE));
#endif
    memset(&comm, 0, sizeof comm);
    FAULT("no_handle", MPI_Comm_rank(comm, &number));
    FAULT("predefined_freed", MPI_Comm_free(&world));
    FAULT("predefined_freed", MPI_Type_free(&type));
}

static void wrong_requests(void)
{
    MPI_Request request, list[2];
    int index;
    MPI_Recv_init(data, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_SELF, &request);
    MPI_Start(&request);
    FAULT("active_request", MPI_Start(&request));
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Grequest_start(no_query, no_free, no_cancel, NULL, &request);
    FAULT("not_persistent", MPI_Start(&request));
    MPI_Grequest_complete(request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Grequest_start(no_query, no_free, no_cancel, NULL, &list[0]);
    list[1] = list[0];
    MPI_Grequest_complete(list[0]);
    FAULT("same_request", MPI_Waitany(2, list, &index, MPI_STATUS_IGNORE));
}

static void wrong_groups(void)
{
    MPI_Group world, made = MPI_GROUP_EMPTY;
    MPI_Comm cart, comm;
    int place, other_rank;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    FAULT("invalid_rank", MPI_Group_incl(world, 1, &(int){7}, &made));
    FAULT("repeated_rank", MPI_Group_incl(world, 2, (int[]){0, 0}, &made));
    if (made != MPI_GROUP_EMPTY) /* Open MPI makes it */
        MPI_Group_free(&made);
    FAULT("zero_stride", MPI_Group_range_incl(world, 1, (int[][3]){{0, 1, 0}}, &made));
#ifndef OMPI_MAJOR_VERSION /* it reads beyond the group */
    FAULT("invalid_rank", MPI_Group_translate_ranks(world, 1, &(int){-5}, world, &other_rank));
#endif
    FAULT("invalid_dimensions", MPI_Cart_create(MPI_COMM_SELF, 1, &(int){2}, &(int){0}, 0, &cart));
    FAULT("invalid_dimensions", MPI_Dims_create(6, 2, (int[]){4, 0}));
    MPI_Cart_create(MPI_COMM_SELF, 1, &(int){1}, &(int){0}, 0, &cart);
    MPI_Comm_set_errhandler(cart, MPI_ERRORS_RETURN);
    FAULT("invalid_dimension", MPI_Cart_shift(cart, 3, 1, &place, &other_rank));
    FAULT("no_topology", MPI_Graphdims_get(cart, &place, &other_rank));
    FAULT("no_topology", MPI_Cartdim_get(MPI_COMM_SELF, &place));
    FAULT("not_inter", MPI_Comm_remote_size(MPI_COMM_SELF, &place));
    FAULT("invalid_color", MPI_Comm_split(MPI_COMM_SELF, -3, 0, &comm));
    MPI_Comm_free(&cart);
    MPI_Group_free(&world);
}

/* Most of these have no object afterwards. */
static void wrong_sizes(void)
{
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Win win;
    int lengths[] = {1, -2}, places[] = {0, 4};
    MPI_Aint displacements[] = {0, 8};
    MPI_Datatype types[] = {MPI_INT, MPI_DATATYPE_NULL};
    FAULT("negative_count", MPI_Type_contiguous(-1, MPI_INT, &made));
    FAULT("invalid_size", MPI_Type_vector(2, -1, 4, MPI_INT, &made));
    FAULT("invalid_size", MPI_Type_indexed(2, lengths, places, MPI_INT, &made));
    FAULT("null_datatype", MPI_Type_create_struct(2, (int[]){1, 1}, displacements, types, &made));
    FAULT("invalid_size", MPI_Type_create_subarray(1, (int[]){4}, (int[]){5}, (int[]){0}, MPI_ORDER_C, MPI_INT, &made));
    FAULT("invalid_start",
          MPI_Type_create_subarray(1, (int[]){4}, (int[]){3}, (int[]){2}, MPI_ORDER_C, MPI_INT, &made));
    FAULT("null_output", MPI_Type_contiguous(2, MPI_INT, NULL));
    FAULT("null_output", MPI_Irecv(data, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_SELF, NULL));
    FAULT("invalid_size", MPI_Win_create(data, sizeof data, 0, MPI_INFO_NULL, MPI_COMM_SELF, &win));
    FAULT("null_datatype", MPI_Unpack(other, 8, &places[0], data, 1, MPI_DATATYPE_NULL, MPI_COMM_SELF));
    /* also on a communicator of one */
    FAULT("null_datatype", MPI_Bcast(data, 1, MPI_DATATYPE_NULL, 0, MPI_COMM_SELF));
    FAULT("negative_count", MPI_Bcast(data, -1, MPI_INT, 0, MPI_COMM_SELF));
    if (made != MPI_DATATYPE_NULL) /* some MPIs make it */
        MPI_Type_free(&made);
}

/* NULL for arrays, results and packed data; a group and a datatype that do not fit. */
static void wrong_nulls(void)
{
    MPI_Comm made;
    MPI_Datatype none = MPI_DATATYPE_NULL;
    FAULT("null_array", MPI_Cart_create(MPI_COMM_SELF, 1, &(int){1}, NULL, 0, &made));
    FAULT("null_datatype", MPI_Type_commit(&none));
    FAULT("null_output", MPI_Initialized(NULL));
#ifdef MPICH_VERSION
    MPI_Group world;
    int place = 0;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    FAULT("invalid_rank", MPI_Comm_create(MPI_COMM_SELF, world, &made));    /* Open MPI waits */
    FAULT("null_output", MPI_Probe(MPI_PROC_NULL, 0, MPI_COMM_SELF, NULL)); /* MPI_STATUS_IGNORE of Open MPI */
    FAULT("null_buffer", MPI_Pack(NULL, 1, MPI_INT, other, sizeof other, &place, MPI_COMM_SELF)); /* which crashes */
    MPI_Group_free(&world);
#else
    FAULT("null_buffer", MPI_Pack(data, 1, MPI_INT, NULL, sizeof other, &(int){0}, MPI_COMM_SELF));
#endif
}

static void right_nulls(void)
{
    MPI_Comm made;
    MPI_Group world, some;
    MPI_Request request;
    MPI_Datatype type = pairs(1);
    int place = 0;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &(int){1}, &some);
    MPI_Comm_create(MPI_COMM_WORLD, some, &made);
    if (made != MPI_COMM_NULL)
        MPI_Comm_free(&made);
    MPI_Group_free(&some);
    MPI_Group_incl(world, 1, &rank, &some);
    MPI_Comm_create(MPI_COMM_SELF, some, &made);
    MPI_Comm_free(&made);
    MPI_Comm_create(MPI_COMM_SELF, MPI_GROUP_EMPTY, &made);
    MPI_Group_translate_ranks(world, 0, NULL, some, NULL);
    MPI_Group_free(&some);
    MPI_Group_free(&world);
    MPI_Type_commit(&type);
    MPI_Type_free(&type);
    type = MPI_INT;
    MPI_Type_commit(&type);
    MPI_Isend(data, 4, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &request);
    MPI_Pack(data, 4, MPI_INT, other, sizeof other, &place, MPI_COMM_SELF);
    MPI_Pack(data, 0, MPI_INT, other, sizeof other, &place, MPI_COMM_SELF);
    MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
    MPI_Waitall(0, NULL, NULL);
    MPI_Recv(data, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

/* Columns that lie between each other: five fit, six do not. */
static MPI_Datatype columns(void)
{
    MPI_Datatype column, made;
    MPI_Type_vector(10, 1, 5, MPI_INT, &column);
    MPI_Type_create_resized(column, 0, sizeof(int), &made);
    MPI_Type_commit(&made);
    MPI_Type_free(&column);
    return made;
}

/* Buffers of persistent requests, from the start on; elements that overlap each other. */
static void wrong_starts(void)
{
    MPI_Request list[2], pending;
    MPI_Datatype type = columns();
    MPI_Recv_init(data, 4, MPI_INT, 0, 81, MPI_COMM_SELF, &list[0]);
    MPI_Recv_init(data + 2, 4, MPI_INT, 0, 82, MPI_COMM_SELF, &list[1]);
    FAULT("overwritten_buffer", MPI_Startall(2, list));
    MPI_Send(other, 4, MPI_INT, 0, 81, MPI_COMM_SELF);
    MPI_Send(other, 4, MPI_INT, 0, 82, MPI_COMM_SELF);
    MPI_Waitall(2, list, MPI_STATUSES_IGNORE);
    MPI_Request_free(&list[0]);
    MPI_Send_init(data + 5, 1, MPI_INT, 0, 83, MPI_COMM_SELF, &list[0]);
    MPI_Irecv(data + 4, 2, MPI_INT, 0, 84, MPI_COMM_SELF, &pending);
    FAULT("unfinished_buffer", MPI_Start(&list[0]));
    MPI_Recv(other, 1, MPI_INT, 0, 83, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Send(other, 2, MPI_INT, 0, 84, MPI_COMM_SELF);
    MPI_Wait(&pending, MPI_STATUS_IGNORE);
    MPI_Wait(&list[0], MPI_STATUS_IGNORE);
    MPI_Request_free(&list[0]);
    MPI_Request_free(&list[1]);
    FAULT("overlapping_entries", MPI_Unpack(other, sizeof other, &(int){0}, data, 6, type, MPI_COMM_SELF));
    MPI_Type_free(&type);
}

static void right_starts(void)
{
    MPI_Request list[4];
    MPI_Datatype type = columns();
    MPI_Recv_init(data, 4, MPI_INT, 0, 81, MPI_COMM_SELF, &list[0]);
    MPI_Recv_init(data + 2, 4, MPI_INT, 0, 82, MPI_COMM_SELF, &list[1]);
    MPI_Send_init(other, 4, MPI_INT, 0, 81, MPI_COMM_SELF, &list[2]);
    MPI_Send_init(other, 4, MPI_INT, 0, 82, MPI_COMM_SELF, &list[3]);
    for (int i = 0; i < 3; i++) { /* one after the other */
        MPI_Start(&list[0]);
        MPI_Startall(2, &list[2]);
        MPI_Wait(&list[0], MPI_STATUS_IGNORE);
        MPI_Start(&list[1]);
        MPI_Waitall(3, &list[1], MPI_STATUSES_IGNORE);
    }
    for (int i = 0; i < 4; i++)
        MPI_Request_free(&list[i]);
    MPI_Irecv(data, 4, MPI_INT, 0, 83, MPI_COMM_SELF, &list[0]);
    MPI_Recv_init(data, 4, MPI_INT, 0, 84, MPI_COMM_SELF, &list[1]); /* not started yet */
    MPI_Send(other, 4, MPI_INT, 0, 83, MPI_COMM_SELF);
    MPI_Wait(&list[0], MPI_STATUS_IGNORE);
    MPI_Start(&list[1]);
    MPI_Send(other, 4, MPI_INT, 0, 84, MPI_COMM_SELF);
    MPI_Wait(&list[1], MPI_STATUS_IGNORE);
    MPI_Request_free(&list[1]);
    MPI_Unpack(other, sizeof other, &(int){0}, data, 5, type, MPI_COMM_SELF);
    MPI_Type_free(&type);
}

/* The MPI refuses these. */
static void wrong_in_place(void)
{
    FAULT("misplaced_in_place", MPI_Allreduce(data, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF));
    FAULT("misplaced_in_place", MPI_Allgather(data, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, MPI_COMM_SELF));
    FAULT("misplaced_in_place", MPI_Scan(data, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF));
}

static void wrong_attached(void)
{
    static char buffer[MPI_BSEND_OVERHEAD + sizeof data / 2];
    void *detached;
    int bytes;
    FAULT("no_attached_buffer", MPI_Bsend(data, 1, MPI_INT, 0, 31, MPI_COMM_SELF));
    MPI_Buffer_attach(buffer, sizeof buffer);
    FAULT("attached_twice", MPI_Buffer_attach(other, sizeof other));
    FAULT("attached_too_small", MPI_Bsend(data, 64, MPI_INT, 0, 31, MPI_COMM_SELF));
    MPI_Buffer_detach(&detached, &bytes);
    FAULT("no_attached_buffer", MPI_Bsend(data, 1, MPI_INT, 0, 31, MPI_COMM_SELF));
}

static void right_attached(void)
{
    static char buffer[MPI_BSEND_OVERHEAD + sizeof data];
    MPI_Request request;
    void *detached;
    int bytes;
    MPI_Bsend(data, 1, MPI_INT, MPI_PROC_NULL, 31, MPI_COMM_SELF);
    MPI_Bsend_init(data, 64, MPI_INT, 0, 31, MPI_COMM_SELF, &request); /* starts later */
    for (int i = 0; i < 2; i++) {
        MPI_Buffer_attach(buffer, sizeof buffer);
        MPI_Bsend(data, 64, MPI_INT, 0, 31, MPI_COMM_SELF);
        MPI_Recv(other, 64, MPI_INT, 0, 31, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        MPI_Buffer_detach(&detached, &bytes);
        MPI_Buffer_attach(buffer, sizeof buffer);
        MPI_Start(&request);
        MPI_Recv(other, 64, MPI_INT, 0, 31, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Buffer_detach(&detached, &bytes);
    }
    MPI_Request_free(&request);
}

/* With partitions each request is started twice; the second time in another order. */
static void partitions(int wrong)
{
#if MPI_VERSION >= 4
    enum { PARTITIONS = 4 };
    MPI_Request requests[2];
    MPI_Psend_init(data, PARTITIONS, 1, MPI_INT, 0, 33, MPI_COMM_SELF, MPI_INFO_NULL, &requests[0]);
    MPI_Precv_init(other, PARTITIONS, 1, MPI_INT, 0, 33, MPI_COMM_SELF, MPI_INFO_NULL, &requests[1]);
    for (int i = 0; i < 2; i++) {
        MPI_Startall(2, requests);
        MPI_Pready(PARTITIONS - 1, requests[0]);
        if (wrong && i == 0) /* this MPI counts them */
            FAULT("readied_twice", MPI_Pready(PARTITIONS - 1, requests[0]));
        else
            MPI_Pready_list(1, &(int){0}, requests[0]);
        MPI_Pready_range(1, 2, requests[0]);
        if (wrong && i == 1)
            FAULT("invalid_partition", MPI_Pready(PARTITIONS, requests[0]));
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    if (wrong)
        FAULT("inactive_request", MPI_Pready(0, requests[0]));
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
#else
    (void)wrong;
#endif
}

/* The variable has room for one number, which is what the messages have. */
static void __attribute__((noinline)) wrong_variable(void)
{
    MPI_Request request;
    int one = 0;
    FAULT("beyond_frame", MPI_Irecv(&one, 64, MPI_INT, 0, 21, MPI_COMM_SELF, &request));
    MPI_Send(data, 1, MPI_INT, 0, 21, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (one != data[0])
        printf("another number\n");
}

static MPI_Win __attribute__((noinline)) window_of_a_frame(void)
{
    MPI_Win win = MPI_WIN_NULL;
    int memory[256];
    memset(memory, 0, sizeof memory);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    return win;
}

static void wrong_memory(void)
{
    MPI_Win win = window_of_a_frame();
    if (win != MPI_WIN_NULL) /* Open MPI may be unable to make it */
        FAULT("dead_memory", MPI_Win_free(&win));
}

static void wrong_intercommunicator(void)
{
    MPI_Comm inter, cart;
    MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank, 3, &inter);
    MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
    FAULT("not_intra", MPI_Cart_create(inter, 1, &(int){1}, &(int){0}, 0, &cart));
    MPI_Comm_free(&inter);
}

/* Errors in statuses, and of a function whose wrapper is written by hand: the MPI returns them. */
static void wrong_by_the_mpi(void)
{
    MPI_Request request[2];
    MPI_Status status[2];
    char name[MPI_MAX_OBJECT_NAME];
    int length;
    MPI_Irecv(data + 40, 1, MPI_INT, 0, 8, MPI_COMM_SELF, &request[0]);
    MPI_Isend(other + 40, 4, MPI_INT, 0, 8, MPI_COMM_SELF, &request[1]);
    if (MPI_Waitall(2, request, status) != MPI_SUCCESS) /* not in Open MPI 4.1 */
        printf("the error is in the status\n");
    MPI_Wait(&request[1], MPI_STATUS_IGNORE); /* MPICH leaves it pending */
    MPI_Comm_get_name(MPI_COMM_NULL, name, &length);
}

static void wrong_files(void)
{
    MPI_File file;
    FAULT("never_closed",
          MPI_File_open(MPI_COMM_SELF, "misuse.file", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
}

static void wrong_collectives(void)
{
    FAULT("invalid_root", MPI_Bcast(data, 1, MPI_INT, 2, MPI_COMM_WORLD));
    FAULT("aliased_buffers", MPI_Allreduce(data, data, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    FAULT("null_operation", MPI_Allreduce(data, other, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD));
    FAULT("invalid_operation", MPI_Allreduce(data, other, 1, MPI_INT, MPI_REPLACE, MPI_COMM_WORLD));
    FAULT("invalid_operation", MPI_Allreduce(data, other, 1, MPI_FLOAT, MPI_LXOR, MPI_COMM_WORLD));
    FAULT("invalid_operation", MPI_Reduce(data, other, 1, MPI_DOUBLE, MPI_BAND, 0, MPI_COMM_WORLD));
    FAULT("invalid_operation", MPI_Allreduce(data, other, 1, MPI_C_BOOL, MPI_PROD, MPI_COMM_WORLD));
    FAULT("invalid_operation", MPI_Reduce(data, other, 1, MPI_INT, MPI_MAXLOC, 0, MPI_COMM_WORLD));
    FAULT("overlapping_blocks",
          MPI_Allgatherv(data, 2, MPI_INT, other, (int[]){2, 2}, (int[]){0, 1}, MPI_INT, MPI_COMM_WORLD));
}

static void wrong_buffers(void)
{
    MPI_Request request[4];
    MPI_Datatype two;
    MPI_Irecv(data, 8, MPI_INT, 0, 1, MPI_COMM_SELF, &request[0]);
    FAULT("overwritten_buffer", MPI_Irecv(data + 4, 8, MPI_INT, 0, 2, MPI_COMM_SELF, &request[1]));
    FAULT("unfinished_buffer", MPI_Isend(data + 2, 1, MPI_INT, 0, 3, MPI_COMM_SELF, &request[2]));
    MPI_Irecv(other, 1, MPI_INT, 0, 3, MPI_COMM_SELF, &request[3]);
    MPI_Send(other + 8, 8, MPI_INT, 0, 1, MPI_COMM_SELF);
    MPI_Send(other + 8, 8, MPI_INT, 0, 2, MPI_COMM_SELF);
    MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
    FAULT("never_completed", MPI_Irecv(data, 1, MPI_INT, 0, 6, MPI_COMM_SELF, &request[0]));
    MPI_Send(other, 1, MPI_INT, 0, 6, MPI_COMM_SELF);
    MPI_Irecv(data + 20, 4, MPI_INT, 0, 9, MPI_COMM_SELF, &request[0]);
    MPI_Type_contiguous(2, MPI_INT, &two);
    MPI_Type_commit(&two);
    FAULT("overwritten_buffer", MPI_Irecv(data + 23, 1, two, 0, 10, MPI_COMM_SELF, &request[1]));
    MPI_Send(other + 8, 4, MPI_INT, 0, 9, MPI_COMM_SELF);
    MPI_Send(other + 8, 1, two, 0, 10, MPI_COMM_SELF);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Type_free(&two);
    MPI_Type_create_hvector(2, 1, 3, MPI_INT, &two);
    MPI_Type_commit(&two);
    FAULT("overlapping_entries",
          MPI_Sendrecv(data + 50, 2, MPI_INT, 0, 13, other + 30, 1, two, 0, 13, MPI_COMM_SELF, MPI_STATUS_IGNORE));
    MPI_Type_free(&two);
    MPI_Ibarrier(MPI_COMM_SELF, &request[0]);
    FAULT("request_freed", MPI_Request_free(&request[0]));
    if (request[0] != MPI_REQUEST_NULL) /* MPICH refuses */
        MPI_Wait(&request[0], MPI_STATUS_IGNORE);
}

static void wrong_windows(void)
{
    MPI_Win win;
    int *memory;
    MPI_Win_allocate(sizeof data, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    FAULT("no_epoch", MPI_Put(other, 1, MPI_INT, rank, 0, 1, MPI_INT, win));
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    MPI_Put(other, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win);
    FAULT("false_assertion", MPI_Win_fence(MPI_MODE_NOPRECEDE, win));
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    FAULT("not_locked", MPI_Win_unlock(rank, win));
    FAULT("not_opened", MPI_Win_flush(rank, win));
    FAULT("not_opened", MPI_Win_complete(win));
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    MPI_Put(other, 4, MPI_INT, rank, 8, 4, MPI_INT, win);
    FAULT("conflicting_access", MPI_Get(other + 8, 1, MPI_INT, rank, 8, 1, MPI_INT, win));
    FAULT("overwritten_buffer", MPI_Get(other + 3, 1, MPI_INT, rank, 16, 1, MPI_INT, win));
    MPI_Accumulate(other + 40, 4, MPI_INT, rank, 40, 4, MPI_INT, MPI_SUM, win);
    FAULT("overwritten_buffer", MPI_Get(other + 43, 1, MPI_INT, rank, 48, 1, MPI_INT, win));
    MPI_Get_accumulate(NULL, 0, MPI_INT, other + 44, 4, MPI_INT, rank, 52, 4, MPI_INT, MPI_NO_OP, win);
    FAULT("unfinished_buffer", MPI_Put(other + 45, 1, MPI_INT, rank, 60, 1, MPI_INT, win));
    FAULT("target_too_small", MPI_Put(other + 24, 4, MPI_INT, rank, 20, 2, MPI_INT, win));
    MPI_Win_flush_local(rank, win); /* does not complete the MPI_Put at the target */
    FAULT("conflicting_access", MPI_Get(other + 12, 1, MPI_INT, rank, 10, 1, MPI_INT, win));
    FAULT("conflicting_access", MPI_Get(other + 13, 1, MPI_INT, rank, 8, 1, MPI_INT, win));
    FAULT("locked_twice", MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win));
    MPI_Win_unlock(rank, win);
    MPI_Win_free(&win);
}

/* Reads a few bytes too many. Only rank 1 knows how large its window is. */
static void wrong_places(void)
{
    MPI_Win win;
    int *memory;
    MPI_Win_allocate((rank == 0 ? 128 : 64) * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        FAULT("beyond_window", MPI_Get(other, 4, MPI_INT, 1, 62, 4, MPI_INT, win));
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

/* Both ranks write one place of rank 0, and rank 0 receives into it. */
static void wrong_at_once(void)
{
    MPI_Win win;
    int *memory, fresh[8] = {0};
    MPI_Win_allocate(64 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Put(fresh, 8, MPI_INT, 0, 0, 8, MPI_INT, win);
        MPI_Put(fresh, 8, MPI_INT, 0, 8, 8, MPI_INT, win);
    } else {
        FAULT("racing_access", MPI_Accumulate(fresh, 1, MPI_INT, 0, 9, 1, MPI_INT, MPI_SUM, win));
    }
    MPI_Win_fence(0, win);
    MPI_Win_lock_all(0, win);
    if (rank == 1)
        FAULT("racing_access", MPI_Put(fresh, 4, MPI_INT, 0, 32, 4, MPI_INT, win));
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Sendrecv(fresh, 1, MPI_INT, 0, 1, memory + 34, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

/* If the MPI refuses to free the window, the lock is still there. */
static void wrong_end(void)
{
    MPI_Win win;
    int *memory, result;
    MPI_Win_allocate(sizeof data, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    FAULT("open_epoch", result = MPI_Win_free(&win));
    if (result != MPI_SUCCESS && win != MPI_WIN_NULL) {
        MPI_Win_unlock(rank, win);
        MPI_Win_free(&win);
    }
}

static void right_messages(void)
{
    MPI_Request request[3];
    MPI_Datatype type = pairs(1), copy, gaps;
    MPI_File file;
    MPI_Type_dup(type, &copy);
    MPI_Send(NULL, 0, MPI_INT, MPI_PROC_NULL, 7, MPI_COMM_SELF);
    MPI_Recv(other, 4, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    /* two sends from one buffer; a buffer used again after its operation */
    MPI_Irecv(other, 4, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &request[0]);
    MPI_Irecv(other + 4, 4, MPI_INT, 0, 2, MPI_COMM_SELF, &request[1]);
    MPI_Isend(data, 4, MPI_INT, 0, 1, MPI_COMM_SELF, &request[2]);
    MPI_Send(data, 2, copy, 0, 2, MPI_COMM_SELF);
    MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 3; i++) {
        MPI_Irecv(other, 4, MPI_INT, 0, 3, MPI_COMM_SELF, &request[0]);
        MPI_Send(data, 2, type, 0, 3, MPI_COMM_SELF);
        MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    }
    /* an active request of a message may be freed; handles are used again */
    MPI_Isend(data, 1, MPI_INT, 0, 4, MPI_COMM_SELF, &request[0]);
    MPI_Request_free(&request[0]);
    MPI_Recv(other, 1, MPI_INT, 0, 4, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    for (int i = 0; i < 3; i++) {
        MPI_Comm comm;
        MPI_Group group;
        MPI_Comm_dup(MPI_COMM_SELF, &comm);
        MPI_Comm_group(comm, &group);
        MPI_Sendrecv(data, 4, MPI_INT, 0, 5, other, 4, MPI_INT, 0, 5, comm, MPI_STATUS_IGNORE);
        MPI_Group_free(&group);
        MPI_Comm_free(&comm);
    }
    /* a vector leaves gaps: another receive fills them */
    MPI_Type_vector(2, 1, 2, MPI_INT, &gaps);
    MPI_Type_commit(&gaps);
    MPI_Irecv(other, 1, gaps, 0, 11, MPI_COMM_SELF, &request[0]);
    MPI_Irecv(other + 1, 1, MPI_INT, 0, 12, MPI_COMM_SELF, &request[1]);
    MPI_Send(data, 1, type, 0, 11, MPI_COMM_SELF);
    MPI_Send(data, 1, MPI_INT, 0, 12, MPI_COMM_SELF);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Type_free(&gaps);
    /* a datatype that sends an entry twice */
    MPI_Type_create_hvector(2, 1, 0, MPI_INT, &gaps);
    MPI_Type_commit(&gaps);
    MPI_Sendrecv(data, 1, gaps, 0, 13, other, 2, MPI_INT, 0, 13, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Type_free(&gaps);
    /* neighbouring bytes; a derived datatype in a common buffer */
    MPI_Sendrecv(data, 4, MPI_INT, 0, 5, data + 4, 4, MPI_INT, 0, 5, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(data, 4, MPI_INT, 0, 5, 0, 5, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    /* a persistent request that is not active */
    MPI_Recv_init(other, 4, MPI_INT, 0, 6, MPI_COMM_SELF, &request[0]);
    MPI_Send_init(data, 4, MPI_INT, 0, 6, MPI_COMM_SELF, &request[1]);
    MPI_Sendrecv(data, 4, MPI_INT, 0, 7, other, 4, MPI_INT, 0, 7, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Startall(2, request);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Sendrecv(other, 4, MPI_INT, 0, 7, data, 4, MPI_INT, 0, 7, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
    MPI_File_open(MPI_COMM_SELF, rank ? "misuse.1" : "misuse.0", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_close(&file);
    MPI_Type_free(&copy);
    MPI_Type_free(&type);
}

static void right_handles(void)
{
    MPI_Request request = MPI_REQUEST_NULL, several[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Errhandler handler;
    MPI_Comm comm, part;
    MPI_Info info;
    int flag, number;
    /* null handles that are allowed, and predefined ones that are to be freed */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Waitall(2, several, MPI_STATUSES_IGNORE);
    MPI_Testany(2, several, &number, &flag, MPI_STATUS_IGNORE);
    MPI_Comm_dup_with_info(MPI_COMM_SELF, MPI_INFO_NULL, &comm);
    MPI_Comm_get_errhandler(comm, &handler);
    MPI_Errhandler_free(&handler);
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
    MPI_Comm_split(MPI_COMM_SELF, MPI_UNDEFINED, 0, &part);
    MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_EMPTY, &part);
    MPI_Info_create(&info);
    MPI_Info_set(info, "key", "value");
    MPI_Info_free(&info);
    MPI_Comm_free(&comm);
}

/* Objects that callsign does not see made, one of them perhaps with the handle of a freed one. In such a run callsign
   reports less: the other correct calls are made in a run of their own. */
static void right_unseen(void)
{
    MPI_Comm comm, unseen;
    MPI_Group group;
    int number;
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    PMPI_Comm_dup(comm, &unseen);
    MPI_Comm_rank(unseen, &number);
    MPI_Comm_group(unseen, &group);
    MPI_Group_size(group, &number);
    MPI_Group_free(&group);
    MPI_Comm_free(&unseen);
    PMPI_Comm_group(comm, &group);
    MPI_Group_rank(group, &number);
    MPI_Group_free(&group);
    PMPI_Type_contiguous(3, MPI_INT, &(MPI_Datatype){MPI_DATATYPE_NULL});
    MPI_Comm_free(&comm);
}

static void right_requests(void)
{
    MPI_Request list[4];
    MPI_Message message;
    int index;
    /* started again after its end; requests that share a handle because nothing is to be done */
    MPI_Recv_init(data, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &list[0]);
    for (int i = 0; i < 2; i++) {
        MPI_Start(&list[0]);
        MPI_Send(other, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
        MPI_Waitany(1, list, &index, MPI_STATUS_IGNORE);
    }
    MPI_Wait(&list[0], MPI_STATUS_IGNORE); /* inactive */
    MPI_Request_free(&list[0]);
    for (int i = 0; i < 4; i++)
        MPI_Isend(data, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_SELF, &list[i]);
    MPI_Waitall(4, list, MPI_STATUSES_IGNORE);
    MPI_Mprobe(MPI_PROC_NULL, 1, MPI_COMM_SELF, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(data, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Grequest_start(no_query, no_free, no_cancel, NULL, &list[0]);
    MPI_Grequest_start(no_query, no_free, no_cancel, NULL, &list[1]);
    MPI_Grequest_complete(list[0]);
    MPI_Grequest_complete(list[1]);
    MPI_Waitall(2, list, MPI_STATUSES_IGNORE);
}

static void right_groups(void)
{
    MPI_Group world, made;
    MPI_Comm inter, cart, line;
    int ranks[2], before, after, sizes[2] = {0, 0};
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 2, (int[]){1, 0}, &made);
    MPI_Group_translate_ranks(world, 2, (int[]){MPI_PROC_NULL, 1}, made, ranks);
    MPI_Group_free(&made);
    MPI_Group_range_incl(world, 1, (int[][3]){{1, 0, -1}}, &made);
    MPI_Group_free(&made);
    MPI_Group_excl(world, 0, NULL, &made);
    MPI_Group_free(&made);
    MPI_Group_free(&world);
    MPI_Dims_create(6, 2, sizes);
    MPI_Dims_create(6, 2, (int[]){3, 0});
    MPI_Cart_create(MPI_COMM_WORLD, 2, (int[]){2, 1}, (int[]){1, 1}, 0, &cart);
    MPI_Cart_shift(cart, 1, 1, &before, &after);
    MPI_Cart_sub(cart, (int[]){1, 0}, &line);
    MPI_Cart_shift(line, 0, 1, &before, &after);
    MPI_Neighbor_allgather(data, 1, MPI_INT, other, 1, MPI_INT, line);
    MPI_Comm_free(&line);
    MPI_Comm_free(&cart);
    MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank, 3, &inter);
    MPI_Comm_remote_size(inter, &before);
    MPI_Barrier(inter);
    MPI_Comm_split(inter, 0, 0, &line);
    MPI_Comm_free(&line);
    MPI_Comm_free(&inter);
}

static void right_collectives(void)
{
    int counts[2] = {0, 0};
    MPI_Request request;
    float real[2] = {1, 2}, sum[2];
    bool truth = true, all;
    struct {
        double value;
        int place;
    } pair = {1, rank}, largest;
    MPI_Allreduce(real, sum, 2, MPI_FLOAT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(&truth, &all, 1, MPI_C_BOOL, MPI_LXOR, MPI_COMM_WORLD);
    MPI_Allreduce(data, other, 4, MPI_BYTE, MPI_BAND, MPI_COMM_WORLD);
    MPI_Allreduce(data, other, 4, MPI_INT, MPI_LXOR, MPI_COMM_WORLD);
    MPI_Allreduce(&pair, &largest, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    MPI_Allreduce(data, other, 1, MPI_2INT, MPI_MINLOC, MPI_COMM_WORLD);
    MPI_Allreduce(real, sum, 1, MPI_C_FLOAT_COMPLEX, MPI_PROD, MPI_COMM_WORLD);
    MPI_Bcast(NULL, 0, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Reduce(data, rank == 0 ? other : NULL, 4, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(rank == 0 ? MPI_IN_PLACE : data, rank == 0 ? data : NULL, 4, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Gather(data, 4, MPI_INT, rank == 0 ? other : data, rank == 0 ? 4 : -1, rank == 0 ? MPI_INT : MPI_DATATYPE_NULL,
               0, MPI_COMM_WORLD);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, 4, MPI_INT, MPI_COMM_WORLD);
    MPI_Scatter(rank == 1 ? data : NULL, 4, MPI_INT, rank == 1 ? MPI_IN_PLACE : other, 4, MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Alltoallv(data, counts, counts, MPI_INT, other, counts, counts, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgatherv(data, 2, MPI_INT, other, (int[]){2, 2}, (int[]){2, 0}, MPI_INT, MPI_COMM_WORLD);
    MPI_Gatherv(data, 2, MPI_INT, other, rank == 0 ? (int[]){2, 2} : NULL, rank == 0 ? (int[]){0, 2} : NULL, MPI_INT, 0,
                MPI_COMM_WORLD);
    MPI_Alltoallv(data, (int[]){1, 1}, (int[]){0, 0}, MPI_INT, other, (int[]){1, 1}, (int[]){0, 1}, MPI_INT,
                  MPI_COMM_WORLD); /* sends the same bytes twice */
    MPI_Ibcast(data, 4, MPI_INT, 0, MPI_COMM_WORLD, &request);
    MPI_Allreduce(other, other + 8, 4, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Allreduce(MPI_IN_PLACE, data, 4, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Bcast(NULL, 0, MPI_INT, 0, MPI_COMM_SELF); /* no data */
    MPI_Allgatherv(data, 0, MPI_INT, data, (int[]){0}, (int[]){0}, MPI_INT, MPI_COMM_SELF);
}

/* Like wrong_at_once: other places, other epochs, one datatype, after the completion, ordered by locks. */
static void right_at_once(void)
{
    MPI_Win win;
    int *memory;
    MPI_Win_allocate(64 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
    MPI_Put(data, 8, MPI_INT, 0, 8 * rank, 8, MPI_INT, win);
    MPI_Put(data, 8, MPI_INT, 1, 8 * rank, 8, MPI_INT, win);
    MPI_Accumulate(data, 2, MPI_INT, 0, 20 + rank, 2, MPI_INT, MPI_SUM, win);
    MPI_Get(other, 4, MPI_INT, 0, 32, 4, MPI_INT, win);
    MPI_Get_accumulate(NULL, 0, MPI_DATATYPE_NULL, other + 8, 4, MPI_INT, 0, 32, 4, MPI_INT, MPI_NO_OP, win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(data, 4, MPI_INT, 0, 32, 4, MPI_INT, win);
    MPI_Win_fence(0, win);
    if (rank == 1)
        MPI_Put(data, 4, MPI_INT, 0, 32, 4, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    for (int i = 0; i < 20; i++) { /* ranks wait for each other, or begin at once */
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Put(data, 4, MPI_INT, 0, 32, 4, MPI_INT, win);
        MPI_Win_unlock(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    if (rank == 1) {
        MPI_Put(data, 4, MPI_INT, 0, 40, 4, MPI_INT, win);
        MPI_Win_flush_all(win);
        MPI_Get(other, 4, MPI_INT, 0, 48, 4, MPI_INT, win);
        MPI_Fetch_and_op(NULL, other + 4, MPI_INT, 0, 56, MPI_NO_OP, win);
        MPI_Get(other + 8, 4, MPI_INT, 0, 52, 4, MPI_INT, win);
        MPI_Win_flush_local(0, win); /* what was read is there */
        MPI_Put(data, 4, MPI_INT, 0, 52, 4, MPI_INT, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Put(data, 4, MPI_INT, 0, 40, 4, MPI_INT, win);
        MPI_Put(data, 4, MPI_INT, 0, 48, 4, MPI_INT, win);
        MPI_Put(data, 1, MPI_INT, 0, 56, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        MPI_Sendrecv(data, 1, MPI_INT, 0, 1, memory + 41, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

static void right_sizes(void)
{
    MPI_Datatype made;
    MPI_Request request;
    int one[4], sent = 1;
    MPI_Type_contiguous(0, MPI_INT, &made);
    MPI_Type_free(&made);
    MPI_Type_vector(2, 0, -4, MPI_INT, &made);
    MPI_Type_free(&made);
    MPI_Type_create_subarray(1, (int[]){4}, (int[]){4}, (int[]){0}, MPI_ORDER_C, MPI_INT, &made);
    MPI_Type_free(&made);
#ifdef MPICH_VERSION /* Open MPI may be unable to make them */
    MPI_Win win;
    MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_free(&win);
    MPI_Win_create(one, sizeof one, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win); /* in a frame that lives */
    MPI_Win_free(&win);
#endif
    MPI_Irecv(one, 4, MPI_INT, 0, 22, MPI_COMM_SELF, &request);
    MPI_Send(&sent, 1, MPI_INT, 0, 22, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void right_windows(void)
{
    MPI_Win win;
    int *memory;
    MPI_Group group;
    MPI_Request request;
    MPI_Win_allocate(sizeof data, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
    MPI_Put(other, 4, MPI_INT, 1 - rank, 8, 4, MPI_INT, win);
    MPI_Put(other, 4, MPI_INT, 1 - rank, 16, 4, MPI_INT, win); /* the same origin, another place */
    MPI_Put(data, 4, MPI_INT, MPI_PROC_NULL, 16, 4, MPI_INT, win);
    MPI_Put(data, 4, MPI_INT, 1 - rank, 60, 4, MPI_INT, win); /* the end of the window */
    MPI_Win_fence(0, win);
    MPI_Get(other, 4, MPI_INT, 1 - rank, 8, 4, MPI_INT, win);
    MPI_Get(other + 4, 4, MPI_INT, 1 - rank, 8, 4, MPI_INT, win); /* two reads */
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    MPI_Win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED, win); /* no access since the last one */
    /* one lock for each target, and again after its end */
    for (int target = 0; target < 2; target++)
        MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win);
    MPI_Win_unlock(0, win);
    MPI_Win_unlock(1, win);
    MPI_Win_lock(MPI_LOCK_SHARED, 1 - rank, 0, win);
    MPI_Accumulate(other, 4, MPI_INT, 1 - rank, 0, 4, MPI_INT, MPI_SUM, win);
    MPI_Accumulate(other, 4, MPI_INT, 1 - rank, 0, 4, MPI_INT, MPI_SUM, win);
    MPI_Win_flush(1 - rank, win);
    MPI_Get(other, 4, MPI_INT, 1 - rank, 0, 4, MPI_INT, win);
    MPI_Win_unlock(1 - rank, win);
    MPI_Win_lock_all(0, win);
    MPI_Get_accumulate(NULL, 0, MPI_DATATYPE_NULL, other + 50, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, MPI_NO_OP, win);
    /* a read that has ended */
    MPI_Rget(other, 1, MPI_INT, 1 - rank, 24, 1, MPI_INT, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Put(other, 1, MPI_INT, 1 - rank, 24, 1, MPI_INT, win);
    MPI_Win_unlock_all(win);
    MPI_Win_get_group(win, &group);
    MPI_Win_post(group, 0, win);
    MPI_Win_start(group, 0, win);
    MPI_Put(other, 1, MPI_INT, 1 - rank, 20, 1, MPI_INT, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    MPI_Group_free(&group);
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    begin(argc, argv);
    if (argc > 1 && argv[1][0] == 'w') {
        wrong_collectives();
        if (rank == 0) {
            wrong_arguments();
            wrong_buffers();
            wrong_handles();
            wrong_by_the_mpi();
            wrong_files();
        }
        wrong_windows();
        wrong_places();
        wrong_at_once();
        wrong_end();
    } else if (argc > 1 && argv[1][0] == 'h') {
        wrong_intercommunicator();
        if (rank == 0) {
            wrong_null_handles();
            wrong_requests();
            wrong_groups();
        }
    } else if (argc > 1 && argv[1][0] == 's') {
        if (rank == 0) {
            wrong_sizes();
            wrong_nulls();
            wrong_starts();
            wrong_in_place();
            wrong_attached();
            partitions(1);
            wrong_variable();
        }
        wrong_memory();
    } else if (argc > 1 && argv[1][0] == 'u') {
        right_unseen();
    } else {
        right_messages();
        right_handles();
        right_requests();
        right_groups();
        right_collectives();
        right_windows();
        right_at_once();
        right_sizes();
        right_nulls();
        right_starts();
        right_attached();
        partitions(0);
    }
    MPI_Finalize();
    return 0;
}
