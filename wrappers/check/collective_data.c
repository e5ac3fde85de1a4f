#include "wrappers/check/collective_data.h"

#include "record/object/progress.h"
#include "record/object/type_signature.h"
#include "wrappers/mpi/handle.h"
#include "wrappers/object/datatype.h"
#include "wrappers/object/members.h"

static inline struct cs_data_side side_of(const struct callsign_record *type, MPI_Count count)
{
    if (count == 0)
        return (struct cs_data_side){CS_DATA_EMPTY, 0, 0};
    if (!type || type->bytes < 0 || count < 0)
        return CS_UNKNOWN_SIDE;
    return (struct cs_data_side){cs_data_signature(type->uid, type->bytes, count),
                                 (uint64_t)count * (uint64_t)type->bytes, type->id};
}

/* ---- data of one size ---- */

/* The type may be invalid if the count is 0. */
static inline struct cs_data_side side_before(struct cs_call *call, MPI_Count count, MPI_Datatype type)
{
    return side_of(count ? cs_type_before_call(call, type) : NULL, count);
}

static inline void fill_unknown(struct cs_call *call)
{
    call->data = (struct cs_collective_data){
        .size_bytes = CS_NO_BYTES, .own_bytes = CS_NO_BYTES, .compared = CS_COMPARED_DATA_NONE};
}

void cs_check_agreed_otherwise(struct cs_call *call, MPI_Count count, MPI_Datatype type)
{
    if (cs_is_compared(call))
        cs_fill_agreed(call, side_before(call, count, type), CS_UNKNOWN_SIDE);
    else
        fill_unknown(call);
}

void cs_check_agreed_gather(struct cs_call *call, const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                            MPI_Count recvcount, MPI_Datatype recvtype, int root)
{
    if (!cs_is_compared(call))
        fill_unknown(call);
    else if (call->on->rank != root)
        cs_fill_agreed(call, side_before(call, sendcount, sendtype), CS_UNKNOWN_SIDE);
    else
        cs_fill_agreed(call, side_before(call, recvcount, recvtype),
                       sendbuf == MPI_IN_PLACE ? CS_UNKNOWN_SIDE : side_before(call, sendcount, sendtype));
}

void cs_check_agreed_scatter(struct cs_call *call, MPI_Count sendcount, MPI_Datatype sendtype, const void *recvbuf,
                             MPI_Count recvcount, MPI_Datatype recvtype, int root)
{
    if (!cs_is_compared(call))
        fill_unknown(call);
    else if (call->on->rank != root)
        cs_fill_agreed(call, side_before(call, recvcount, recvtype), CS_UNKNOWN_SIDE);
    else
        cs_fill_agreed(call, side_before(call, sendcount, sendtype),
                       recvbuf == MPI_IN_PLACE ? CS_UNKNOWN_SIDE : side_before(call, recvcount, recvtype));
}

void cs_check_agreed_blocks(struct cs_call *call, const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                            MPI_Count recvcount, MPI_Datatype recvtype)
{
    if (cs_is_compared(call))
        cs_fill_agreed(call, side_before(call, recvcount, recvtype),
                       sendbuf == MPI_IN_PLACE ? CS_UNKNOWN_SIDE : side_before(call, sendcount, sendtype));
    else
        fill_unknown(call);
}

/* Usual operations first. */
static uint16_t number_of(MPI_Op op)
{
    const struct {
        MPI_Op op;
        uint16_t number;
    } predefined[] = {
        {MPI_MAX, CS_REDUCTION_MAX},         {MPI_MIN, CS_REDUCTION_MIN},     {MPI_SUM, CS_REDUCTION_SUM},
        {MPI_LOR, CS_REDUCTION_LOR},         {MPI_LAND, CS_REDUCTION_LAND},   {MPI_BOR, CS_REDUCTION_BOR},
        {MPI_BAND, CS_REDUCTION_BAND},       {MPI_PROD, CS_REDUCTION_PROD},   {MPI_MAXLOC, CS_REDUCTION_MAXLOC},
        {MPI_MINLOC, CS_REDUCTION_MINLOC},   {MPI_LXOR, CS_REDUCTION_LXOR},   {MPI_BXOR, CS_REDUCTION_BXOR},
        {MPI_REPLACE, CS_REDUCTION_REPLACE}, {MPI_NO_OP, CS_REDUCTION_NO_OP},
    };
#pragma GCC unroll 16
    for (size_t i = 0; i < sizeof predefined / sizeof *predefined; i++)
        if (op == predefined[i].op)
            return predefined[i].number;
    return cs_object_find(CALLSIGN_OP, CS_KEY(op)) ? CS_REDUCTION_USER : CS_REDUCTION_UNKNOWN;
}

void cs_check_agreed_other_op(struct cs_call *call, MPI_Op op)
{
    call->data.op = number_of(op);
}

/* ---- data whose size differs between pairs of members ---- */

/* A sum over pairs. */
struct pairs {
    uint64_t sum, bytes;
    bool typed; /* every signature is known */
    bool sized; /* every size is known */
};
static const struct pairs no_pairs = {.typed = true, .sized = true};

static inline void add_pair(struct pairs *pairs, struct cs_data_side side, int source, int dest)
{
    pairs->typed &= side.signature != CS_DATA_UNKNOWN && side.signature != CS_DATA_BYTES;
    pairs->sized &= side.signature != CS_DATA_UNKNOWN && side.bytes != CS_NO_BYTES;
    pairs->sum += cs_data_of_pair(side.signature, source, dest);
    pairs->bytes += side.bytes;
}

static uint64_t sum_of(struct pairs pairs)
{
    return pairs.typed ? CS_SUM_KNOWN | (pairs.sum & (CS_SUM_KNOWN - 1)) : CS_DATA_UNKNOWN;
}

static void fill_pairs(struct cs_call *call, struct pairs sent, struct pairs received, uint32_t type)
{
    call->data = (struct cs_collective_data){.signature = sum_of(received),
                                             .own = sum_of(sent),
                                             .size_bytes = received.sized ? received.bytes : CS_NO_BYTES,
                                             .own_bytes = sent.sized ? sent.bytes : CS_NO_BYTES,
                                             .type = type,
                                             .compared = CS_COMPARED_DATA_PAIRS};
}

/* except: the member whose part is in place; -1: none. */
static struct pairs pairs_to(struct cs_call *call, struct cs_counts counts, MPI_Datatype type, int except)
{
    struct pairs all = no_pairs;
    const struct callsign_record *record = cs_type_before_call(call, type);
    for (int i = 0; i < call->on->size; i++)
        if (i != except)
            add_pair(&all, side_of(record, cs_count_at(counts, i)), call->on->rank, i);
    return all;
}

static struct pairs pairs_from(struct cs_call *call, struct cs_counts counts, MPI_Datatype type, int except)
{
    struct pairs all = no_pairs;
    const struct callsign_record *record = cs_type_before_call(call, type);
    for (int i = 0; i < call->on->size; i++)
        if (i != except)
            add_pair(&all, side_of(record, cs_count_at(counts, i)), i, call->on->rank);
    return all;
}

void cs_check_paired_gather(struct cs_call *call, const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                            struct cs_counts recvcounts, MPI_Datatype recvtype, int root)
{
    if (!cs_is_compared(call)) {
        fill_unknown(call);
        return;
    }
    struct pairs sent = no_pairs, received = no_pairs;
    int own = call->on->rank;
    bool in_place = own == root && sendbuf == MPI_IN_PLACE;
    struct cs_data_side side = in_place ? CS_UNKNOWN_SIDE : side_before(call, sendcount, sendtype);
    if (!in_place)
        add_pair(&sent, side, own, root);
    if (own == root && recvcounts.values)
        received = pairs_from(call, recvcounts, recvtype, in_place ? own : -1);
    fill_pairs(call, sent, received, side.type);
}

void cs_check_paired_scatter(struct cs_call *call, struct cs_counts sendcounts, MPI_Datatype sendtype,
                             const void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root)
{
    if (!cs_is_compared(call)) {
        fill_unknown(call);
        return;
    }
    struct pairs sent = no_pairs, received = no_pairs;
    int own = call->on->rank;
    bool in_place = own == root && recvbuf == MPI_IN_PLACE;
    struct cs_data_side side = in_place ? CS_UNKNOWN_SIDE : side_before(call, recvcount, recvtype);
    if (!in_place)
        add_pair(&received, side, root, own);
    if (own == root && sendcounts.values)
        sent = pairs_to(call, sendcounts, sendtype, in_place ? own : -1);
    fill_pairs(call, sent, received, side.type);
}

/* A member sends the same to all: one pair stands for all of them, as often as there are members. */
void cs_check_paired_allgather(struct cs_call *call, const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                               struct cs_counts recvcounts, MPI_Datatype recvtype)
{
    if (!cs_is_compared(call) || !recvcounts.values) {
        fill_unknown(call);
        return;
    }
    struct pairs sent = no_pairs, received = no_pairs;
    int own = call->on->rank, size = call->on->size;
    const struct callsign_record *record = cs_type_before_call(call, recvtype);
    struct cs_data_side side = sendbuf == MPI_IN_PLACE ? side_of(record, cs_count_at(recvcounts, own))
                                                       : side_before(call, sendcount, sendtype);
    add_pair(&sent, side, own, 0);
    sent.sum *= (uint64_t)size;
    sent.bytes *= (uint64_t)size;
    for (int i = 0; i < size; i++)
        add_pair(&received, side_of(record, cs_count_at(recvcounts, i)), i, 0);
    fill_pairs(call, sent, received, side.type);
}

void cs_check_paired_alltoall(struct cs_call *call, const void *sendbuf, struct cs_counts sendcounts,
                              MPI_Datatype sendtype, struct cs_counts recvcounts, MPI_Datatype recvtype)
{
    bool in_place = sendbuf == MPI_IN_PLACE;
    if (!cs_is_compared(call) || !recvcounts.values || !(in_place || sendcounts.values)) {
        fill_unknown(call);
        return;
    }
    struct pairs sent = in_place ? pairs_to(call, recvcounts, recvtype, -1) : pairs_to(call, sendcounts, sendtype, -1);
    const struct callsign_record *type = cs_type_before_call(call, recvtype);
    fill_pairs(call, sent, pairs_from(call, recvcounts, recvtype, -1), type ? type->id : 0);
}

void cs_check_paired_alltoallw(struct cs_call *call, const void *sendbuf, struct cs_counts sendcounts,
                               struct cs_types sendtypes, struct cs_counts recvcounts, struct cs_types recvtypes)
{
    bool in_place = sendbuf == MPI_IN_PLACE;
    if (!cs_is_compared(call) || !recvcounts.values || !recvtypes.handles ||
        !(in_place || (sendcounts.values && sendtypes.handles))) {
        fill_unknown(call);
        return;
    }
    struct cs_counts counts = in_place ? recvcounts : sendcounts;
    struct cs_types types = in_place ? recvtypes : sendtypes;
    struct pairs sent = no_pairs, received = no_pairs;
    int own = call->on->rank;
    for (int i = 0; i < call->on->size; i++) {
        add_pair(&sent, side_before(call, cs_count_at(counts, i), cs_type_at(types, i)), own, i);
        add_pair(&received, side_before(call, cs_count_at(recvcounts, i), cs_type_at(recvtypes, i)), i, own);
    }
    fill_pairs(call, sent, received, 0);
}

void cs_check_agreed_counts(struct cs_call *call, struct cs_counts recvcounts, MPI_Datatype type)
{
    if (!cs_is_compared(call) || !recvcounts.values) {
        fill_unknown(call);
        return;
    }
    struct pairs all = pairs_to(call, recvcounts, type, -1);
    const struct callsign_record *record = cs_type_before_call(call, type);
    uint64_t hash = 0;
    for (int i = 0; i < call->on->size; i++)
        hash = cs_hash_mix(hash, side_of(record, cs_count_at(recvcounts, i)).signature);
    call->data = (struct cs_collective_data){.signature = all.typed ? hash | 4 : CS_DATA_UNKNOWN,
                                             .size_bytes = all.sized ? all.bytes : CS_NO_BYTES,
                                             .own_bytes = CS_NO_BYTES,
                                             .type = record ? record->id : 0,
                                             .compared = CS_COMPARED_DATA_ALL};
}

/* ---- groups ---- */

void cs_check_agreed_group(struct cs_call *call, MPI_Group group)
{
    /* The MPI may end the program if it is asked about an invalid handle. */
    bool valid = group == MPI_GROUP_EMPTY || cs_object_find(CALLSIGN_GROUP, CS_KEY(group));
    uint64_t hash = 0;
    bool member = false;
    int size = -1;
    fill_unknown(call);
    if (!cs_is_compared(call) || !valid)
        return;
    if (group == MPI_GROUP_EMPTY)
        size = 0;
    else
        size = cs_group_hash(group, CS_HANDLE_OF(MPI_Comm, call->on->handle), &hash, &member);
    if (size < 0)
        return;
    call->data.signature = size ? hash | 4 : CS_DATA_EMPTY;
    call->data.size_bytes = (uint64_t)size;
    call->data.own = member;
    call->data.compared = CS_COMPARED_DATA_GROUP;
}
