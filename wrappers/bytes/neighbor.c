#include "wrappers/bytes/neighbor.h"

#include "asked.h"
#include "record/object.h"
#include "wrappers/bytes/bytes.h"

struct neighbours {
    const struct callsign_record *comm; /* NULL: not known, no bytes */
    bool grid;                          /* some may be missing */
};

static struct neighbours neighbours_of(const struct cs_call *call)
{
    return (struct neighbours){.comm = call->on, .grid = call->on && cs_object_flags(call->on) & CS_OBJECT_GRID};
}

/* In a grid the neighbours of dimension d are 2d (before) and 2d + 1 (after), MPI 8.6. */
static bool is_there(const struct neighbours *all, int i)
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
        there += is_there(all, i);
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

static uint64_t bytes_of_all(const struct neighbours *all, int degree, struct cs_counts counts, MPI_Datatype type)
{
    MPI_Count total = 0;
    for (int i = 0; i < degree; i++)
        if (is_there(all, i))
            total += cs_count_at(counts, i);
    return cs_bytes_of(total, type);
}

static uint64_t bytes_of_each(const struct neighbours *all, int degree, struct cs_counts counts, struct cs_types types)
{
    uint64_t total = 0;
    for (int i = 0; i < degree; i++)
        if (is_there(all, i))
            total += cs_bytes_of(cs_count_at(counts, i), cs_type_at(types, i));
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
    call->sent_bytes += cs_bytes_of(sendcount, sendtype) * (uint64_t)present(&all, dests(&all));
    call->received_bytes += bytes_of_all(&all, sources(&all), recvcounts, recvtype);
}

void cs_bytes_neighbor_alltoall(struct cs_call *call, MPI_Count sendcount, MPI_Datatype sendtype, MPI_Count recvcount,
                                MPI_Datatype recvtype)
{
    struct neighbours all = neighbours_of(call);
    call->sent_bytes += cs_bytes_of(sendcount, sendtype) * (uint64_t)present(&all, dests(&all));
    call->received_bytes += cs_bytes_of(recvcount, recvtype) * (uint64_t)present(&all, sources(&all));
}

void cs_bytes_neighbor_alltoallv(struct cs_call *call, struct cs_counts sendcounts, MPI_Datatype sendtype,
                                 struct cs_counts recvcounts, MPI_Datatype recvtype)
{
    struct neighbours all = neighbours_of(call);
    call->sent_bytes += bytes_of_all(&all, dests(&all), sendcounts, sendtype);
    call->received_bytes += bytes_of_all(&all, sources(&all), recvcounts, recvtype);
}

void cs_bytes_neighbor_alltoallw(struct cs_call *call, struct cs_counts sendcounts, struct cs_types sendtypes,
                                 struct cs_counts recvcounts, struct cs_types recvtypes)
{
    struct neighbours all = neighbours_of(call);
    call->sent_bytes += bytes_of_each(&all, dests(&all), sendcounts, sendtypes);
    call->received_bytes += bytes_of_each(&all, sources(&all), recvcounts, recvtypes);
}
