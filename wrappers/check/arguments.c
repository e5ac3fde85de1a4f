#include "wrappers/check/arguments.h"

#include "functions.h"
#include "pmpi_queries.h"
#include "record/object/object.h"
#include "record/object/type_signature.h"
#include "record/process/run_folder.h"
#include "wrappers/call/about.h"
#include "wrappers/check/layouts.h"
#include "wrappers/check/pending.h"
#include "wrappers/check/threads.h"
#include "wrappers/check/variables.h"
#include "wrappers/mpi/answers.h"
#include "wrappers/mpi/constants.h"
#include "wrappers/object/datatype.h"

static __attribute__((noinline)) void check_begun(struct cs_call *call)
{
    const struct cs_function *function = cs_function_find(call->function);
    if (function && function->needs_mpi)
        cs_misuse_note(call, CS_MISUSE_NOT_INITIALIZED, 0, 0);
}

void cs_begin_checks(struct cs_call *call)
{
    cs_uses_begin(call);
    if (__builtin_expect(!cs_mpi_answers(), 0))
        check_begun(call);
    cs_check_threads(call);
}

/* ---- ranks, tags, operations ---- */

static bool is_rank(const struct cs_call *call, int rank)
{
    const struct callsign_record *on = call->on;
    if (!on || on->size < 0)
        return true;
    return rank >= 0 && rank < (on->remote_size >= 0 ? on->remote_size : on->size);
}

void cs_checks_rank(struct cs_call *call, int rank)
{
    if (rank != MPI_PROC_NULL && !is_rank(call, rank))
        cs_misuse_note(call, CS_MISUSE_INVALID_RANK, rank, 0);
}

void cs_checks_source(struct cs_call *call, int rank)
{
    if (rank != MPI_ANY_SOURCE)
        cs_checks_rank(call, rank);
}

void cs_checks_root(struct cs_call *call, int root)
{
    if (call->on && call->on->remote_size < 0 && !is_rank(call, root))
        cs_misuse_note(call, CS_MISUSE_INVALID_ROOT, root, 0);
}

static _Atomic int largest_tag; /* MPI_TAG_UB of this MPI; 0: not asked yet */

/* Asks for it once. A program of sessions alone has no MPI_COMM_WORLD: then the communicator of the call is asked
   (MPI 4.1, 9.1.2). Returns INT32_MAX if there is no answer yet. */
static int ask_largest_tag(const struct cs_call *call)
{
    int known = INT32_MAX, found = 0;
    const int *value = NULL;
    if (!cs_mpi_answers() || !(call->on || cs_recorder_has_world()))
        return known;
    MPI_Comm comm = cs_recorder_has_world() ? MPI_COMM_WORLD : CS_HANDLE_OF(MPI_Comm, call->on->handle);
    if (cs_mpi_Comm_get_attr(comm, MPI_TAG_UB, (void *)&value, &found) == MPI_SUCCESS && found && value)
        known = *value;
    atomic_store_explicit(&largest_tag, known, memory_order_relaxed);
    return known;
}

/* A function of its own, so that cs_checks_tag saves no register. */
static __attribute__((noinline)) void check_tag_otherwise(struct cs_call *call, int tag, int peer)
{
    const int known = atomic_load_explicit(&largest_tag, memory_order_relaxed);
    if (peer != MPI_PROC_NULL && (tag < 0 || tag > (known ? known : ask_largest_tag(call))))
        cs_misuse_note(call, CS_MISUSE_INVALID_TAG, tag, 0);
}

void cs_checks_tag(struct cs_call *call, int tag, int peer)
{
    if (__builtin_expect(tag < 0 || tag > atomic_load_explicit(&largest_tag, memory_order_relaxed), 0))
        check_tag_otherwise(call, tag, peer);
}

void cs_checks_received_tag(struct cs_call *call, int tag, int peer)
{
    if (tag != MPI_ANY_TAG)
        cs_checks_tag(call, tag, peer);
}

static bool is_of_truth(MPI_Op op)
{
    return op == MPI_LAND || op == MPI_LOR || op == MPI_LXOR;
}

static bool is_of_bits(MPI_Op op)
{
    return op == MPI_BAND || op == MPI_BOR || op == MPI_BXOR;
}

static bool is_of_place(MPI_Op op)
{
    return op == MPI_MAXLOC || op == MPI_MINLOC;
}

static bool is_arithmetic(MPI_Op op)
{
    return op == MPI_MAX || op == MPI_MIN || op == MPI_SUM || op == MPI_PROD;
}

/* One number, not a pair or complex number. */
static bool is_number(const struct callsign_record *type)
{
    const enum cs_basic kinds[] = {CS_BASIC_INTEGER, CS_BASIC_UNSIGNED, CS_BASIC_REAL};
    for (int i = 0; i < 3; i++)
        if (type->uid == cs_type_basic(kinds[i], (uint64_t)type->bytes))
            return true;
    return false;
}

/* For an operation of these; on intercommunicators, some members' arguments have no meaning. */
static bool is_unfit(struct cs_call *call, MPI_Op op, MPI_Datatype type)
{
    const struct callsign_record *known = cs_type_before_call(call, type);
    if (!known || (call->on && call->on->remote_size >= 0) || !(cs_object_flags(known) & CS_OBJECT_PREDEFINED))
        return false;
    return is_of_place(op)     ? is_number(known)
           : is_arithmetic(op) ? cs_type_is_of(known->uid, CS_BASIC_LOGICAL)
                               : cs_type_is_of(known->uid, CS_BASIC_REAL);
}

static __attribute__((noinline)) void check_reduction(struct cs_call *call, MPI_Op op, MPI_Datatype type)
{
    const bool predefined = is_arithmetic(op) || is_of_truth(op) || is_of_bits(op) || is_of_place(op);
    if (op == MPI_OP_NULL)
        cs_misuse_note(call, CS_MISUSE_NULL_OPERATION, 0, 0);
    else if (op == MPI_REPLACE || op == MPI_NO_OP || (predefined && is_unfit(call, op, type)))
        cs_misuse_note(call, CS_MISUSE_INVALID_OPERATION, 0, 0);
    else if (!predefined)
        cs_checks_handle(call, CALLSIGN_OP, CS_KEY(op));
}

/* Arithmetic on the predefined datatype that the thread used last, the usual case, is looked at first. */
void cs_checks_reduction(struct cs_call *call, MPI_Op op, MPI_Datatype type)
{
    const struct callsign_record *same = cs_type_same(call->thread, type);
    if (!same || !is_arithmetic(op) || !(cs_object_flags(same) & CS_OBJECT_PREDEFINED) ||
        cs_type_is_of(same->uid, CS_BASIC_LOGICAL))
        check_reduction(call, op, type);
}

void cs_checks_accumulation(struct cs_call *call, MPI_Op op)
{
    if (op == MPI_OP_NULL)
        cs_misuse_note(call, CS_MISUSE_NULL_OPERATION, 0, 0);
    else if (!cs_constant_name(CALLSIGN_OP, CS_KEY(op)) && cs_object_find(CALLSIGN_OP, CS_KEY(op)))
        cs_misuse_note(call, CS_MISUSE_INVALID_OPERATION, 0, 0);
}

/* ---- data ---- */

/* False if it may be: MPI_Type_dup copies the state. */
static bool is_uncommitted(const struct callsign_record *type)
{
    const uint32_t others = CS_OBJECT_PREDEFINED | CS_OBJECT_ADOPTED | CS_OBJECT_INTERNAL | CS_OBJECT_COMMITTED;
    return type->function && type->function != CS_MPI_Type_dup && !(cs_object_flags(type) & others);
}

/* True if an element uses all bytes from its address to its end. */
static bool is_whole(const struct callsign_record *type)
{
    while (type && type->function == CS_MPI_Type_contiguous)
        type = cs_object_find_id(type->parent);
    return type && cs_object_flags(type) & CS_OBJECT_PREDEFINED && type->bytes > 0;
}

static __attribute__((noinline)) uint64_t check_other_data(struct cs_call *call, MPI_Count count, MPI_Datatype type)
{
    if (count == 0)
        return 0;
    if (count < 0) {
        cs_misuse_note(call, CS_MISUSE_NEGATIVE_COUNT, count, 0);
        return 0;
    }
    if (type == MPI_DATATYPE_NULL) {
        cs_misuse_note(call, CS_MISUSE_NULL_DATATYPE, 0, 0);
        return 0;
    }
    const struct callsign_record *known = cs_type_before_call(call, type);
    if (!known) {
        cs_checks_handle(call, CALLSIGN_DATATYPE, CS_KEY(type));
        return 0;
    }
    if (is_uncommitted(known))
        cs_misuse_note(call, CS_MISUSE_UNCOMMITTED_DATATYPE, 0, 0);
    return is_whole(known) ? (uint64_t)count * (uint64_t)known->bytes : 0;
}

/* Bytes of the predefined datatype that the thread used last; 0: another one, or none. */
static inline uint64_t bytes_of_same(const struct cs_call *call, MPI_Count count, MPI_Datatype type)
{
    const struct callsign_record *known = cs_type_same(call->thread, type);
    return known && count > 0 && known->bytes > 0 && cs_object_flags(known) & CS_OBJECT_PREDEFINED
               ? (uint64_t)count * (uint64_t)known->bytes
               : 0;
}

uint64_t cs_check_data(struct cs_call *call, MPI_Count count, MPI_Datatype type)
{
    const uint64_t bytes = bytes_of_same(call, count, type);
    return __builtin_expect(bytes != 0, 1) ? bytes : check_other_data(call, count, type);
}

/* The bytes that there must be twice: elements have more data than bytes between their first and last one. */
static int64_t bytes_twice(MPI_Count count, MPI_Datatype type, int64_t bytes)
{
    MPI_Count lower = 0, extent = 0, span = 0, all, further;
    if (cs_mpi_Type_get_true_extent_x(type, &lower, &span) != MPI_SUCCESS || __builtin_mul_overflow(bytes, count, &all))
        return 0;
    if (bytes > span)
        return (bytes - span) * count;
    if (count == 1 || cs_mpi_Type_get_extent_x(type, &lower, &extent) != MPI_SUCCESS ||
        __builtin_mul_overflow(extent < 0 ? -extent : extent, count - 1, &further) ||
        __builtin_add_overflow(span, further, &span))
        return 0;
    return all > span ? all - span : 0;
}

static void check_entries(struct cs_call *call, MPI_Count count, MPI_Datatype type)
{
    const struct callsign_record *known = cs_type_before_call(call, type);
    const uint32_t others = CS_OBJECT_PREDEFINED | CS_OBJECT_ADOPTED | CS_OBJECT_INTERNAL;
    if (!known || !known->function || cs_object_flags(known) & others)
        return;
    int64_t twice = bytes_twice(count, type, known->bytes);
    if (twice > 0)
        cs_misuse_note(call, CS_MISUSE_OVERLAPPING_ENTRIES, twice, known->created_pc);
}

/* Uses the buffer of a datatype with gaps. */
static __attribute__((noinline)) void use_pieces(struct cs_call *call, enum cs_use access, const void *buffer,
                                                 MPI_Count count, MPI_Datatype type)
{
    const struct cs_layout *layout = cs_layout_of_type(call, type);
    if (layout)
        cs_uses_add_elements(call, access == CS_USE_WRITE, buffer, count, layout);
}

/* Uses what is not data of predefined datatypes in a buffer. */
static __attribute__((noinline)) void use_otherwise(struct cs_call *call, enum cs_use access, const void *buffer,
                                                    MPI_Count count, MPI_Datatype type, uint64_t blocks)
{
    const bool is_data = count > 0 && type != MPI_DATATYPE_NULL;
    if (access == CS_USE_WRITE && is_data)
        check_entries(call, count, type);
    const uint64_t bytes = cs_check_data(call, count, type) * blocks;
    if (buffer == cs_scattered_buffer || blocks == 0)
        return;
    if (bytes && buffer)
        cs_uses_add(call, access == CS_USE_WRITE, buffer, bytes);
    else if (bytes)
        cs_misuse_note(call, CS_MISUSE_NULL_BUFFER, 0, 0);
    else if (is_data)
        use_pieces(call, access, buffer, count * (MPI_Count)blocks, type);
}

/* The datatype and the count of each block are checked also where no buffer is. */
static inline void use_all(struct cs_call *call, enum cs_use access, const void *buffer, MPI_Count count,
                           MPI_Datatype type, uint64_t blocks)
{
    const uint64_t bytes = bytes_of_same(call, count, type);
    if (count == 0)
        return;
    if (bytes && (buffer == cs_scattered_buffer || blocks == 0))
        return;
    if (__builtin_expect(bytes && buffer, 1))
        cs_uses_add(call, access == CS_USE_WRITE, buffer, bytes * blocks);
    else
        use_otherwise(call, access, buffer, count, type, blocks);
}

/* Collective calls of intercommunicators give arguments other meanings. */
static bool is_within_group(const struct cs_call *call)
{
    return call->on && call->on->remote_size < 0;
}

/* A communicator of one may move no data: its buffers are not compared. */
static uint64_t blocks_on(const struct cs_call *call, uint64_t blocks)
{
    return call->on->size > 1 ? blocks : 0;
}

void cs_use_data(struct cs_call *call, enum cs_use access, const void *buffer, MPI_Count count, MPI_Datatype type)
{
    if (call->peer != CS_PEER_NULL && buffer != MPI_IN_PLACE && is_within_group(call))
        use_all(call, access, buffer, count, type, blocks_on(call, 1));
}

void cs_use_data_with(struct cs_call *call, enum cs_use access, const void *buffer, MPI_Count count, MPI_Datatype type,
                      int peer)
{
    if (peer != MPI_PROC_NULL && buffer == MPI_IN_PLACE && count > 0)
        cs_misuse_note(call, CS_MISUSE_MISPLACED_IN_PLACE, 0, 0);
    else if (peer != MPI_PROC_NULL)
        use_all(call, access, buffer, count, type, 1);
}

void cs_use_here(struct cs_call *call, enum cs_use access, const void *buffer, MPI_Count count, MPI_Datatype type)
{
    use_all(call, access, buffer, count, type, 1);
}

void cs_use_element(struct cs_call *call, enum cs_use access, const void *buffer, MPI_Datatype type)
{
    if (call->peer != CS_PEER_NULL)
        use_all(call, access, buffer, 1, type, 1);
}

void cs_use_combined(struct cs_call *call, const void *buffer, MPI_Count count, MPI_Datatype type, MPI_Op op)
{
    if (op != MPI_NO_OP && call->peer != CS_PEER_NULL)
        use_all(call, CS_USE_READ, buffer, count, type, 1);
}

void cs_use_combined_element(struct cs_call *call, const void *buffer, MPI_Datatype type, MPI_Op op)
{
    cs_use_combined(call, buffer, 1, type, op);
}

void cs_use_blocks(struct cs_call *call, enum cs_use access, const void *buffer, MPI_Count count, MPI_Datatype type)
{
    if (buffer != MPI_IN_PLACE && is_within_group(call))
        use_all(call, access, buffer, count, type, blocks_on(call, (uint64_t)call->on->size));
}

void cs_use_broadcast(struct cs_call *call, const void *buffer, MPI_Count count, MPI_Datatype type, int root)
{
    enum cs_use access = is_within_group(call) && call->on->rank == root ? CS_USE_READ : CS_USE_WRITE;
    if (is_within_group(call))
        use_all(call, access, buffer, count, type, blocks_on(call, 1));
}

static bool overlap(int64_t a, int64_t a_bytes, int64_t b, int64_t b_bytes)
{
    return a_bytes > 0 && b_bytes > 0 && a < b + b_bytes && b < a + a_bytes;
}

/* The blocks that the call receives; compares neighbors. */
static void check_blocks(struct cs_call *call, struct cs_counts counts, struct cs_integers displacements, int64_t bytes,
                         int64_t extent)
{
    int64_t last = 0, last_bytes = 0;
    for (int i = 0; i < call->on->size; i++) {
        int64_t count = cs_count_at(counts, i), at = cs_integer_at(displacements, i) * extent;
        if (overlap(last, last_bytes, at, count * bytes))
            cs_misuse_note(call, CS_MISUSE_OVERLAPPING_BLOCKS, i, 0);
        if (count > 0) {
            last = at;
            last_bytes = count * bytes;
        }
    }
}

/* Blocks in a buffer of the program. At NULL, which is MPI_BOTTOM, they may lie in several variables. */
struct blocks_end {
    uint64_t end; /* farthest end of a block, in bytes from the buffer */
    bool unknown; /* a block begins before the buffer, or has gaps */
};

static void add_block(struct blocks_end *blocks, int64_t at, uint64_t bytes)
{
    uint64_t end;
    if (at < 0 || !bytes || __builtin_add_overflow((uint64_t)at, bytes, &end))
        blocks->unknown = true;
    else if (end > blocks->end)
        blocks->end = end;
}

static void check_blocks_end(struct cs_call *call, enum cs_use access, const void *buffer,
                             const struct blocks_end *blocks)
{
    if (blocks->end && !blocks->unknown && buffer && buffer != cs_scattered_buffer)
        cs_check_variable(call, access == CS_USE_WRITE, (uint64_t)(uintptr_t)buffer, blocks->end);
}

static bool has_negative(struct cs_call *call, struct cs_counts counts)
{
    for (int i = 0; i < call->on->size; i++)
        if (cs_count_at(counts, i) < 0) {
            cs_misuse_note(call, CS_MISUSE_NEGATIVE_COUNT, cs_count_at(counts, i), 0);
            return true;
        }
    return false;
}

/* Whether the call has blocks with a count for each member. arrays: it has all arrays that describe them. */
static bool has_blocks(struct cs_call *call, const void *buffer, bool arrays, struct cs_counts counts)
{
    if (buffer == MPI_IN_PLACE || !is_within_group(call))
        return false;
    if (!arrays)
        cs_misuse_note(call, CS_MISUSE_NULL_ARRAY, 0, 0);
    return arrays && !has_negative(call, counts);
}

void cs_use_varying_blocks(struct cs_call *call, enum cs_use access, const void *buffer, struct cs_counts counts,
                           struct cs_integers displacements, MPI_Datatype type)
{
    MPI_Count lower = 0, extent = 0;
    if (!has_blocks(call, buffer, counts.values && displacements.values, counts))
        return;
    int64_t bytes = (int64_t)cs_check_data(call, 1, type);
    if (type == MPI_DATATYPE_NULL || !blocks_on(call, 1) ||
        cs_mpi_Type_get_extent_x(type, &lower, &extent) != MPI_SUCCESS)
        return;
    if (bytes && access == CS_USE_WRITE)
        check_blocks(call, counts, displacements, bytes, extent);
    struct blocks_end end = {0};
    for (int i = 0; bytes && i < call->on->size; i++)
        if (cs_count_at(counts, i) > 0)
            add_block(&end, cs_integer_at(displacements, i) * extent, (uint64_t)(cs_count_at(counts, i) * bytes));
    check_blocks_end(call, access, buffer, &end);
    const struct cs_layout *element = cs_layout_of_type(call, type);
    struct cs_layout *all = element ? cs_uses_layout(call) : NULL;
    const struct cs_blocks blocks = {counts, 0, displacements, extent, call->on->size};
    if (all && buffer != cs_scattered_buffer && cs_layout_add_blocks(all, element, &blocks))
        cs_uses_add_elements(call, access == CS_USE_WRITE, buffer, 1, all);
}

void cs_use_typed_blocks(struct cs_call *call, enum cs_use access, const void *buffer, struct cs_counts counts,
                         struct cs_integers displacements, struct cs_types types)
{
    if (!has_blocks(call, buffer, counts.values && displacements.values && types.handles, counts))
        return;
    struct cs_layout *all = blocks_on(call, 1) ? cs_uses_layout(call) : NULL;
    bool described = all && buffer != cs_scattered_buffer;
    struct blocks_end end = {0};
    for (int i = 0; i < call->on->size; i++) {
        MPI_Count count = cs_count_at(counts, i);
        if (count == 0)
            continue;
        MPI_Datatype type = cs_type_at(types, i);
        add_block(&end, cs_integer_at(displacements, i), cs_check_data(call, count, type));
        const struct cs_layout *element = described && type != MPI_DATATYPE_NULL ? cs_layout_of_type(call, type) : NULL;
        described = element && cs_layout_add_block(all, element, cs_integer_at(displacements, i), count, 0, 1);
    }
    if (blocks_on(call, 1))
        check_blocks_end(call, access, buffer, &end);
    if (described)
        cs_uses_add_elements(call, access == CS_USE_WRITE, buffer, 1, all);
}

void cs_use_reduced_blocks(struct cs_call *call, const void *sent, const void *received, struct cs_counts counts,
                           MPI_Datatype type)
{
    MPI_Count all = 0;
    if (!is_within_group(call) || !counts.values || has_negative(call, counts))
        return;
    for (int i = 0; i < call->on->size; i++)
        all += cs_count_at(counts, i);
    cs_use_data(call, CS_USE_READ, sent, all, type);
    cs_use_data(call, CS_USE_WRITE, received, cs_count_at(counts, call->on->rank), type);
}
