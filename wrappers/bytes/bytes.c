#include "wrappers/bytes/bytes.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "pmpi_queries.h"
#include "record/object/object.h"
#include "record/object/type_signature.h"
#include "wrappers/object/datatype.h"

/* ---- the size of a received message ---- */

static __attribute__((noinline)) MPI_Count asked(const MPI_Status *status)
{
    MPI_Count bytes = 0;
    cs_mpi_Get_elements_x(status, MPI_BYTE, &bytes);
    return bytes;
}

/* Reads the byte count directly from the status. MPI_Get_count would take five times as long as all other work on a
   status. */
static inline MPI_Count field(const MPI_Status *status)
{
#if defined(OPEN_MPI)
    return (MPI_Count)status->_ucount;
#elif defined(MPICH_VERSION) || defined(MPICH_NAME)
    return (MPI_Count)(status->count_hi_and_cancelled >> 1) << 32 | (uint32_t)status->count_lo;
#else
    return asked(status);
#endif
}

/* Another release may store something else there: this test checks it with some numbers. */
static bool field_holds_bytes(void)
{
    static const MPI_Count numbers[] = {1, 0x7fffffff, 0x9abcdef0, 0x123456789a, 0};
    MPI_Status status;
    memset(&status, 0, sizeof status);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (cs_mpi_Status_set_elements_x(&status, MPI_BYTE, numbers[i]) != MPI_SUCCESS ||
            field(&status) != numbers[i] || asked(&status) != numbers[i])
            return false;
    return cs_mpi_Status_set_cancelled(&status, 1) == MPI_SUCCESS && field(&status) == 0;
}

enum where { UNKNOWN, THERE, ELSEWHERE };
static atomic_int where = UNKNOWN;

static __attribute__((noinline)) MPI_Count bytes_otherwise(const MPI_Status *status)
{
    if (atomic_load_explicit(&where, memory_order_relaxed) == UNKNOWN)
        atomic_store_explicit(&where, field_holds_bytes() ? THERE : ELSEWHERE, memory_order_relaxed);
    return asked(status);
}

uint64_t cs_status_bytes(const MPI_Status *status)
{
    bool there = __builtin_expect(atomic_load_explicit(&where, memory_order_relaxed) == THERE, 1);
    MPI_Count bytes = there ? field(status) : bytes_otherwise(status);
    return bytes > 0 ? (uint64_t)bytes : 0; /* MPI_UNDEFINED is negative */
}

/* ---- calls ---- */

uint64_t cs_bytes_of_other(MPI_Count count, MPI_Datatype type)
{
    const struct callsign_record *object = cs_type_look_up(type);
    return object && object->bytes > 0 ? (uint64_t)count * (uint64_t)object->bytes : 0;
}

static uint64_t bytes_of_all(const struct cs_call *call, struct cs_counts counts, int partners, MPI_Datatype type)
{
    MPI_Count total = 0;
    for (int i = 0; i < partners; i++)
        total += cs_count_at(counts, i);
    return cs_bytes_of(call, total, type);
}

static uint64_t bytes_of_each(const struct cs_call *call, struct cs_counts counts, int partners, struct cs_types types)
{
    uint64_t total = 0;
    for (int i = 0; i < partners; i++)
        total += cs_bytes_of(call, cs_count_at(counts, i), cs_type_at(types, i));
    return total;
}

/* ---- the communicator of a collective ---- */

static bool is_inter(const struct callsign_record *comm)
{
    return comm->remote_size >= 0;
}

/* Number of processes that this one exchanges data with: the group, or the remote group. */
static int partners(const struct cs_call *call)
{
    const struct callsign_record *comm = call->on;
    return !comm ? 0 : is_inter(comm) ? comm->remote_size : comm->size;
}

enum part { NO_PART, ROOT, LEAF };

static enum part part_in(const struct cs_call *call, int root)
{
    const struct callsign_record *comm = call->on;
    if (!comm || root == MPI_PROC_NULL)
        return NO_PART;
    if (is_inter(comm))
        return root == MPI_ROOT ? ROOT : LEAF;
    return root == comm->rank ? ROOT : LEAF;
}

/* The root of an intracommunicator is also a leaf. */
static bool is_leaf_too(const struct cs_call *call, enum part part)
{
    return part == LEAF || (part == ROOT && !is_inter(call->on));
}

/* ---- point-to-point ---- */

/* Rare parts of the roles of messages are functions of their own, so that the others need few registers. */

static inline __attribute__((always_inline)) void send_as(struct cs_call *call, MPI_Count count,
                                                          const struct callsign_record *object)
{
    if (!object || object->bytes < 0) {
        call->sent_signature = CS_TYPE_MISSING;
        return;
    }
    call->sent_bytes += (uint64_t)count * (uint64_t)object->bytes;
    call->sent_signature = object->uid;
    call->sent_type_bytes = (uint64_t)object->bytes;
    call->sent_type = object->id;
}

static __attribute__((noinline)) void send_as_other(struct cs_call *call, MPI_Count count, MPI_Datatype type)
{
    send_as(call, count, cs_type_look_up(type));
}

void cs_bytes_sent(struct cs_call *call, MPI_Count count, MPI_Datatype type, int dest)
{
    call->sends = true;
    const struct callsign_record *last = cs_type_of_call(call, type);
    if (count <= 0 || dest == MPI_PROC_NULL)
        call->sent_signature = CS_TYPE_BYTES; /* of no data: the type may be invalid here */
    else if (last)
        send_as(call, count, last);
    else
        send_as_other(call, count, type);
}

void cs_bytes_received(struct cs_call *call, const MPI_Status *status)
{
    call->received_bytes += cs_status_bytes(status);
}

static inline void receive_as(struct cs_call *call, const struct callsign_record *type)
{
    if (!type || type->bytes < 0)
        return;
    call->received_signature = type->uid;
    call->received_type_bytes = (uint64_t)type->bytes;
    call->received_type = type->id;
}

static __attribute__((noinline)) void receive_as_other(struct cs_call *call, MPI_Datatype type)
{
    receive_as(call, cs_type_look_up(type));
}

void cs_bytes_received_as(struct cs_call *call, MPI_Datatype type)
{
    const struct callsign_record *last = cs_type_of_call(call, type);
    if (last)
        receive_as(call, last);
    else
        receive_as_other(call, type);
}

void cs_bytes_posted(struct cs_call *call, MPI_Count count, MPI_Datatype type)
{
    const struct callsign_record *object = count > 0 ? cs_type_record(type) : NULL; /* it may be invalid otherwise */
    call->receives = true;
    receive_as(call, object);
    if (object && object->bytes > 0)
        call->posted_bytes += (uint64_t)count * (uint64_t)object->bytes;
}

void cs_bytes_partitions_sent(struct cs_call *call, int partitions, MPI_Count count, MPI_Datatype type, int dest)
{
    cs_bytes_sent(call, partitions * count, type, dest);
    call->sent_signature = CS_TYPE_MISSING; /* in MPICH 4.0 the receiver's status has no size */
}

void cs_bytes_partitions_posted(struct cs_call *call, int partitions, MPI_Count count, MPI_Datatype type)
{
    cs_bytes_posted(call, partitions * count, type);
    call->received_signature = CS_TYPE_UNKNOWN;
}

void cs_bytes_written(struct cs_call *call, MPI_Count count, MPI_Datatype type)
{
    call->sent_bytes += cs_bytes_of(call, count, type);
}

/* ---- collective ---- */

void cs_bytes_bcast(struct cs_call *call, MPI_Count count, MPI_Datatype type, int root)
{
    enum part part = part_in(call, root);
    if (part == ROOT)
        call->sent_bytes += cs_bytes_of(call, count, type);
    else if (part == LEAF)
        call->received_bytes += cs_bytes_of(call, count, type);
}

void cs_bytes_gather(struct cs_call *call, const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                     MPI_Count recvcount, MPI_Datatype recvtype, int root)
{
    enum part part = part_in(call, root);
    if (part == ROOT)
        call->received_bytes += cs_bytes_of(call, recvcount, recvtype) * (uint64_t)partners(call);
    if (is_leaf_too(call, part) && sendbuf != MPI_IN_PLACE)
        call->sent_bytes += cs_bytes_of(call, sendcount, sendtype);
}

void cs_bytes_gatherv(struct cs_call *call, const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                      struct cs_counts recvcounts, MPI_Datatype recvtype, int root)
{
    enum part part = part_in(call, root);
    if (part == ROOT)
        call->received_bytes += bytes_of_all(call, recvcounts, partners(call), recvtype);
    if (is_leaf_too(call, part) && sendbuf != MPI_IN_PLACE)
        call->sent_bytes += cs_bytes_of(call, sendcount, sendtype);
}

void cs_bytes_scatter(struct cs_call *call, MPI_Count sendcount, MPI_Datatype sendtype, const void *recvbuf,
                      MPI_Count recvcount, MPI_Datatype recvtype, int root)
{
    enum part part = part_in(call, root);
    if (part == ROOT)
        call->sent_bytes += cs_bytes_of(call, sendcount, sendtype) * (uint64_t)partners(call);
    if (is_leaf_too(call, part) && recvbuf != MPI_IN_PLACE)
        call->received_bytes += cs_bytes_of(call, recvcount, recvtype);
}

void cs_bytes_scatterv(struct cs_call *call, struct cs_counts sendcounts, MPI_Datatype sendtype, const void *recvbuf,
                       MPI_Count recvcount, MPI_Datatype recvtype, int root)
{
    enum part part = part_in(call, root);
    if (part == ROOT)
        call->sent_bytes += bytes_of_all(call, sendcounts, partners(call), sendtype);
    if (is_leaf_too(call, part) && recvbuf != MPI_IN_PLACE)
        call->received_bytes += cs_bytes_of(call, recvcount, recvtype);
}

void cs_bytes_allgather(struct cs_call *call, const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                        MPI_Count recvcount, MPI_Datatype recvtype)
{
    uint64_t each = cs_bytes_of(call, recvcount, recvtype);
    call->received_bytes += each * (uint64_t)partners(call);
    call->sent_bytes += sendbuf == MPI_IN_PLACE ? each : cs_bytes_of(call, sendcount, sendtype);
}

void cs_bytes_allgatherv(struct cs_call *call, const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                         struct cs_counts recvcounts, MPI_Datatype recvtype)
{
    const struct callsign_record *comm = call->on;
    call->received_bytes += bytes_of_all(call, recvcounts, partners(call), recvtype);
    if (sendbuf != MPI_IN_PLACE)
        call->sent_bytes += cs_bytes_of(call, sendcount, sendtype);
    else if (comm && comm->rank >= 0)
        call->sent_bytes += cs_bytes_of(call, cs_count_at(recvcounts, comm->rank), recvtype);
}

void cs_bytes_alltoall(struct cs_call *call, const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                       MPI_Count recvcount, MPI_Datatype recvtype)
{
    uint64_t each = cs_bytes_of(call, recvcount, recvtype), others = (uint64_t)partners(call);
    call->received_bytes += each * others;
    call->sent_bytes += others * (sendbuf == MPI_IN_PLACE ? each : cs_bytes_of(call, sendcount, sendtype));
}

void cs_bytes_alltoallv(struct cs_call *call, const void *sendbuf, struct cs_counts sendcounts, MPI_Datatype sendtype,
                        struct cs_counts recvcounts, MPI_Datatype recvtype)
{
    uint64_t received = bytes_of_all(call, recvcounts, partners(call), recvtype);
    call->received_bytes += received;
    call->sent_bytes += sendbuf == MPI_IN_PLACE ? received : bytes_of_all(call, sendcounts, partners(call), sendtype);
}

void cs_bytes_alltoallw(struct cs_call *call, const void *sendbuf, struct cs_counts sendcounts,
                        struct cs_types sendtypes, struct cs_counts recvcounts, struct cs_types recvtypes)
{
    uint64_t received = bytes_of_each(call, recvcounts, partners(call), recvtypes);
    call->received_bytes += received;
    call->sent_bytes += sendbuf == MPI_IN_PLACE ? received : bytes_of_each(call, sendcounts, partners(call), sendtypes);
}

void cs_bytes_reduce(struct cs_call *call, MPI_Count count, MPI_Datatype type, int root)
{
    enum part part = part_in(call, root);
    if (part == ROOT)
        call->received_bytes += cs_bytes_of(call, count, type);
    if (is_leaf_too(call, part))
        call->sent_bytes += cs_bytes_of(call, count, type);
}

void cs_bytes_exscan(struct cs_call *call, MPI_Count count, MPI_Datatype type)
{
    const struct callsign_record *comm = call->on;
    uint64_t bytes = cs_bytes_of(call, count, type);
    call->sent_bytes += bytes;
    if (comm && comm->rank > 0)
        call->received_bytes += bytes;
}

void cs_bytes_reduce_scatter(struct cs_call *call, struct cs_counts recvcounts, MPI_Datatype type)
{
    /* recvcounts describes the local group, also on an intercommunicator. */
    const struct callsign_record *comm = call->on;
    if (!comm || comm->rank < 0)
        return;
    call->sent_bytes += bytes_of_all(call, recvcounts, comm->size, type);
    call->received_bytes += cs_bytes_of(call, cs_count_at(recvcounts, comm->rank), type);
}

void cs_bytes_reduce_scatter_block(struct cs_call *call, MPI_Count recvcount, MPI_Datatype type)
{
    const struct callsign_record *comm = call->on;
    uint64_t bytes = cs_bytes_of(call, recvcount, type);
    call->received_bytes += bytes;
    if (comm)
        call->sent_bytes += bytes * (uint64_t)comm->size;
}

/* ---- one-sided ---- */

void cs_bytes_put(struct cs_call *call, MPI_Count count, MPI_Datatype type, int target)
{
    if (target != MPI_PROC_NULL)
        call->sent_bytes += cs_bytes_of(call, count, type);
}

void cs_bytes_get(struct cs_call *call, MPI_Count count, MPI_Datatype type, int target)
{
    if (target != MPI_PROC_NULL)
        call->received_bytes += cs_bytes_of(call, count, type);
}

void cs_bytes_get_accumulate(struct cs_call *call, MPI_Count count, MPI_Datatype type, MPI_Count result_count,
                             MPI_Datatype result_type, int target)
{
    cs_bytes_put(call, count, type, target);
    cs_bytes_get(call, result_count, result_type, target);
}

void cs_bytes_fetch(struct cs_call *call, MPI_Datatype type, int target)
{
    cs_bytes_get_accumulate(call, 1, type, 1, type, target);
}

void cs_bytes_fetch_and_op(struct cs_call *call, MPI_Datatype type, int target, MPI_Op op)
{
    cs_bytes_get_accumulate(call, op != MPI_NO_OP, type, 1, type, target);
}

/* ---- neighbourhood collectives ---- */

struct neighbours {
    const struct callsign_record *comm; /* NULL: unknown, no bytes are counted */
    bool grid;                          /* a grid: some neighbours may be missing */
};

static struct neighbours neighbours_of(const struct cs_call *call)
{
    return (struct neighbours){.comm = call->on, .grid = call->on && cs_object_flags(call->on) & CS_OBJECT_GRID};
}

/* In a grid the neighbours of dimension d have the numbers 2d (before) and 2d + 1 (after), MPI 8.6. */
static bool neighbor_is_there(const struct neighbours *all, int i)
{
    if (!all->grid)
        return true;
    int before, after;
    cs_mpi_Cart_shift(CS_HANDLE_OF(MPI_Comm, all->comm->handle), i / 2, 1, &before, &after);
    return (i % 2 ? after : before) != MPI_PROC_NULL;
}

static int present(const struct neighbours *all, int degree)
{
    int there = 0;
    for (int i = 0; i < degree; i++)
        there += neighbor_is_there(all, i);
    return there;
}

static int sources(const struct neighbours *all)
{
    return all->comm ? all->comm->in_degree : 0;
}

static int dests(const struct neighbours *all)
{
    return all->comm ? all->comm->out_degree : 0;
}

static uint64_t neighbor_bytes_of_all(const struct cs_call *call, const struct neighbours *all, int degree,
                                      struct cs_counts counts, MPI_Datatype type)
{
    MPI_Count total = 0;
    for (int i = 0; i < degree; i++)
        if (neighbor_is_there(all, i))
            total += cs_count_at(counts, i);
    return cs_bytes_of(call, total, type);
}

static uint64_t neighbor_bytes_of_each(const struct cs_call *call, const struct neighbours *all, int degree,
                                       struct cs_counts counts, struct cs_types types)
{
    uint64_t total = 0;
    for (int i = 0; i < degree; i++)
        if (neighbor_is_there(all, i))
            total += cs_bytes_of(call, cs_count_at(counts, i), cs_type_at(types, i));
    return total;
}

void cs_bytes_neighbor_allgather(struct cs_call *call, MPI_Count sendcount, MPI_Datatype sendtype, MPI_Count recvcount,
                                 MPI_Datatype recvtype)
{
    cs_bytes_neighbor_alltoall(call, sendcount, sendtype, recvcount, recvtype);
}

void cs_bytes_neighbor_allgatherv(struct cs_call *call, MPI_Count sendcount, MPI_Datatype sendtype,
                                  struct cs_counts recvcounts, MPI_Datatype recvtype)
{
    struct neighbours all = neighbours_of(call);
    call->sent_bytes += cs_bytes_of(call, sendcount, sendtype) * (uint64_t)present(&all, dests(&all));
    call->received_bytes += neighbor_bytes_of_all(call, &all, sources(&all), recvcounts, recvtype);
}

void cs_bytes_neighbor_alltoall(struct cs_call *call, MPI_Count sendcount, MPI_Datatype sendtype, MPI_Count recvcount,
                                MPI_Datatype recvtype)
{
    struct neighbours all = neighbours_of(call);
    call->sent_bytes += cs_bytes_of(call, sendcount, sendtype) * (uint64_t)present(&all, dests(&all));
    call->received_bytes += cs_bytes_of(call, recvcount, recvtype) * (uint64_t)present(&all, sources(&all));
}

void cs_bytes_neighbor_alltoallv(struct cs_call *call, struct cs_counts sendcounts, MPI_Datatype sendtype,
                                 struct cs_counts recvcounts, MPI_Datatype recvtype)
{
    struct neighbours all = neighbours_of(call);
    call->sent_bytes += neighbor_bytes_of_all(call, &all, dests(&all), sendcounts, sendtype);
    call->received_bytes += neighbor_bytes_of_all(call, &all, sources(&all), recvcounts, recvtype);
}

void cs_bytes_neighbor_alltoallw(struct cs_call *call, struct cs_counts sendcounts, struct cs_types sendtypes,
                                 struct cs_counts recvcounts, struct cs_types recvtypes)
{
    struct neighbours all = neighbours_of(call);
    call->sent_bytes += neighbor_bytes_of_each(call, &all, dests(&all), sendcounts, sendtypes);
    call->received_bytes += neighbor_bytes_of_each(call, &all, sources(&all), recvcounts, recvtypes);
}
