#include "wrappers/check/layouts.h"

#include <stdlib.h>
#include <string.h>

#include "base/guard.h"
#include "pmpi_queries.h"
#include "wrappers/mpi/answers.h"

enum { DEPTH_MOST = 8, NUMBERS_MOST = 2048, LAYOUTS_MOST = 512, TYPES_MOST = 256 };

static bool describe(MPI_Datatype type, struct cs_layout *layout, int depth);

/* ---- one datatype ---- */

/* What MPI_Type_get_contents returns. */
struct contents {
    int combiner, integers, addresses, types;
    int *integer;
    MPI_Aint *address;
    MPI_Datatype *type;
};

static int64_t place_of(const struct cs_blocks *blocks, int i)
{
    return cs_integer_at(blocks->places, i) * blocks->unit;
}

static int64_t length_of(const struct cs_blocks *blocks, int i)
{
    return blocks->lengths.values ? cs_count_at(blocks->lengths, i) : blocks->length;
}

bool cs_layout_add_block(struct cs_layout *layout, const struct cs_layout *element, int64_t begin, int64_t length,
                         int64_t step, int64_t times)
{
    for (int i = 0; i < element->runs && length > 0 && times > 0; i++) {
        struct cs_run run = element->run[i];
        run.begin += begin;
        if (!cs_run_repeat(&run, element->extent, length) || !cs_run_repeat(&run, step, times) ||
            !cs_layout_add(layout, &run))
            return false;
    }
    return true;
}

bool cs_layout_add_blocks(struct cs_layout *layout, const struct cs_layout *element, const struct cs_blocks *blocks)
{
    bool added = true;
    for (int i = 0, next; i < blocks->count && added; i = next) {
        int64_t step = i + 1 < blocks->count ? place_of(blocks, i + 1) - place_of(blocks, i) : 0;
        next = i + 1;
        while (next < blocks->count && length_of(blocks, next) == length_of(blocks, i) &&
               place_of(blocks, next) - place_of(blocks, next - 1) == step)
            next++;
        added = cs_layout_add_block(layout, element, place_of(blocks, i), length_of(blocks, i), step, next - i);
    }
    return added;
}

static bool add_struct(struct cs_layout *layout, const struct contents *of, int depth)
{
    bool added = of->integers > of->types && of->addresses >= of->types;
    struct cs_layout *member = malloc(sizeof *member);
    for (int i = 0; added && member && i < of->types; i++)
        added = describe(of->type[i], member, depth) &&
                cs_layout_add_block(layout, member, of->address[i], of->integer[1 + i], 0, 1);
    free(member);
    return added && member;
}

/* A part of an array: dimension by dimension, from the one whose elements are next to each other. */
static bool add_subarray(struct cs_layout *layout, const struct cs_layout *element, const int *integer)
{
    const int dimensions = integer[0], *sizes = integer + 1, *parts = sizes + dimensions, *starts = parts + dimensions;
    const bool is_fortran = starts[dimensions] == MPI_ORDER_FORTRAN;
    for (int i = 0; i < element->runs; i++) {
        struct cs_run run = element->run[i];
        int64_t step = element->extent;
        for (int k = 0; k < dimensions; k++) {
            int d = is_fortran ? k : dimensions - 1 - k;
            run.begin += starts[d] * step;
            if (!cs_run_repeat(&run, step, parts[d]) || __builtin_mul_overflow(step, (int64_t)sizes[d], &step))
                return false;
        }
        if (!cs_layout_add(layout, &run))
            return false;
    }
    return true;
}

/* Blocks of one other datatype. */
static bool add_contents(struct cs_layout *layout, const struct cs_layout *element, const struct contents *of)
{
    const int *integer = of->integer, count = of->integers ? integer[0] : 0;
    const int64_t unit = element->extent;
    switch (cs_type_combiner(of->combiner)) {
    case CS_COMBINER_DUP:
    case CS_COMBINER_RESIZED:
        return cs_layout_add_block(layout, element, 0, 1, 0, 1);
    case CS_COMBINER_CONTIGUOUS:
        return cs_layout_add_block(layout, element, 0, count, 0, 1);
    case CS_COMBINER_VECTOR:
        return cs_layout_add_block(layout, element, 0, integer[1], integer[2] * unit, count);
    case CS_COMBINER_HVECTOR:
        return cs_layout_add_block(layout, element, 0, integer[1], of->address[0], count);
    case CS_COMBINER_INDEXED:
        return cs_layout_add_blocks(
            layout, element,
            &(struct cs_blocks){cs_counts_int(integer + 1), 0, cs_integers_int(integer + 1 + count), unit, count});
    case CS_COMBINER_HINDEXED:
        return cs_layout_add_blocks(
            layout, element,
            &(struct cs_blocks){cs_counts_int(integer + 1), 0, cs_integers_address(of->address), 1, count});
    case CS_COMBINER_INDEXED_BLOCK:
        return cs_layout_add_blocks(
            layout, element,
            &(struct cs_blocks){cs_counts_int(NULL), integer[1], cs_integers_int(integer + 2), unit, count});
    case CS_COMBINER_HINDEXED_BLOCK:
        return cs_layout_add_blocks(
            layout, element,
            &(struct cs_blocks){cs_counts_int(NULL), integer[1], cs_integers_address(of->address), 1, count});
    case CS_COMBINER_SUBARRAY:
        return add_subarray(layout, element, integer);
    default:
        return false;
    }
}

/* A predefined datatype without gaps; the markers of bounds have no data. */
static bool describe_basic(MPI_Datatype type, struct cs_layout *layout)
{
    MPI_Count size = 0, lower = 0, extent = 0;
    if (cs_mpi_Type_size_x(type, &size) != MPI_SUCCESS)
        return false;
    if (size == 0)
        return true;
    return cs_mpi_Type_get_true_extent_x(type, &lower, &extent) == MPI_SUCCESS && size == extent &&
           cs_layout_add(layout, &(struct cs_run){.begin = lower, .bytes = size});
}

static bool is_of_the_mpi(int combiner)
{
    int number = cs_type_combiner(combiner);
    return number == CS_COMBINER_NAMED || number == CS_COMBINER_F90_REAL || number == CS_COMBINER_F90_COMPLEX ||
           number == CS_COMBINER_F90_INTEGER;
}

/* The numbers of a datatype, if they are few and not large counts, for which the older function fails. */
static bool has_few_contents(MPI_Datatype type, struct contents *of)
{
    MPI_Count integers = 0, addresses = 0, counts = 0, types = 0;
    if (cs_mpi_Type_get_envelope_c(type, &integers, &addresses, &counts, &types, &of->combiner) != MPI_SUCCESS ||
        counts || integers > NUMBERS_MOST || addresses > NUMBERS_MOST || types > CS_LAYOUT_RUNS_MOST)
        return false;
    of->integers = (int)integers;
    of->addresses = (int)addresses;
    of->types = (int)types;
    return true;
}

static void free_types(struct contents *of)
{
    struct contents inner;
    for (int i = 0; i < of->types; i++)
        if (has_few_contents(of->type[i], &inner) ? !is_of_the_mpi(inner.combiner) : true)
            cs_mpi_Type_free(&of->type[i]);
}

static bool describe_derived(MPI_Datatype type, struct contents *of, struct cs_layout *layout, int depth)
{
    bool described = false;
    struct cs_layout *element = malloc(sizeof *element);
    of->integer = malloc(((size_t)of->integers + 1) * sizeof *of->integer);
    of->address = malloc(((size_t)of->addresses + 1) * sizeof *of->address);
    of->type = malloc(((size_t)of->types + 1) * sizeof *of->type);
    if (element && of->integer && of->address && of->type &&
        cs_mpi_Type_get_contents(type, of->integers, of->addresses, of->types, of->integer, of->address, of->type) ==
            MPI_SUCCESS) {
        if (cs_type_combiner(of->combiner) == CS_COMBINER_STRUCT)
            described = add_struct(layout, of, depth + 1);
        else
            described =
                of->types == 1 && describe(of->type[0], element, depth + 1) && add_contents(layout, element, of);
        free_types(of);
    }
    free(of->type);
    free(of->address);
    free(of->integer);
    free(element);
    return described;
}

static bool describe(MPI_Datatype type, struct cs_layout *layout, int depth)
{
    struct contents of;
    MPI_Count lower = 0, extent = 0;
    layout->runs = 0;
    if (depth == DEPTH_MOST || !has_few_contents(type, &of) ||
        cs_mpi_Type_get_extent_x(type, &lower, &extent) != MPI_SUCCESS)
        return false;
    layout->extent = extent;
    return is_of_the_mpi(of.combiner) ? describe_basic(type, layout) : describe_derived(type, &of, layout, depth);
}

/* ---- those of the program ---- */

static struct cs_lock lock;
static struct cs_layout *layouts[LAYOUTS_MOST];
static int layouts_count;
/* By number of the datatype, modulo the size. */
static struct {
    uint32_t type;
    const struct cs_layout *layout;
} types[TYPES_MOST];

/* With the lock. Programs make the same datatype again and again. */
static const struct cs_layout *keep(const struct cs_layout *layout)
{
    for (int i = 0; i < layouts_count; i++)
        if (cs_layout_is_equal(layouts[i], layout))
            return layouts[i];
    const size_t bytes = offsetof(struct cs_layout, run) + (size_t)layout->runs * sizeof layout->run[0];
    struct cs_layout *kept = layouts_count < LAYOUTS_MOST ? malloc(bytes) : NULL;
    if (kept)
        memcpy(kept, layout, bytes);
    if (kept)
        layouts[layouts_count++] = kept;
    return kept;
}

const struct cs_layout *cs_layout_of_type(struct cs_call *call, MPI_Datatype type)
{
    const struct callsign_record *known = cs_type_before_call(call, type);
    const struct cs_layout *found = NULL;
    if (!known)
        return NULL;
    const uint32_t id = known->id, at = id % TYPES_MOST;
    bool locked = cs_guard_enter(&lock);
    bool is_kept = types[at].type == id;
    found = types[at].layout;
    cs_guard_leave(&lock, locked);
    if (is_kept)
        return found;
    struct cs_layout *layout = malloc(sizeof *layout); /* the MPI is asked without the lock */
    bool described = layout && cs_mpi_answers() && describe(type, layout, 0);
    locked = cs_guard_enter(&lock);
    found = described ? keep(layout) : NULL;
    types[at].type = id;
    types[at].layout = found;
    cs_guard_leave(&lock, locked);
    free(layout);
    return found;
}
