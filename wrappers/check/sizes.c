#include "wrappers/check/sizes.h"

#include "wrappers/call/handles.h"
#include "wrappers/check/variables.h"

void cs_checks_output(struct cs_call *call, const void *output)
{
    if (!output)
        cs_misuse_note(call, CS_MISUSE_NULL_OUTPUT, 0, 0);
}

void cs_checks_status(struct cs_call *call, const void *status)
{
    if (!status && MPI_STATUS_IGNORE)
        cs_misuse_note(call, CS_MISUSE_NULL_OUTPUT, 0, 0);
}

void cs_checks_statuses(struct cs_call *call, MPI_Count count, const void *statuses)
{
    if (!statuses && MPI_STATUSES_IGNORE && count > 0)
        cs_misuse_note(call, CS_MISUSE_NULL_OUTPUT, 0, 0);
}

void cs_checks_array(struct cs_call *call, MPI_Count count, const int values[])
{
    if (!values && count > 0)
        cs_misuse_note(call, CS_MISUSE_NULL_ARRAY, 0, 0);
}

void cs_checks_count(struct cs_call *call, MPI_Count count)
{
    if (count < 0)
        cs_misuse_note(call, CS_MISUSE_NEGATIVE_COUNT, count, 0);
}

void cs_checks_size(struct cs_call *call, int64_t size)
{
    if (size < 0)
        cs_misuse_note(call, CS_MISUSE_INVALID_SIZE, size, 0);
}

void cs_checks_unit(struct cs_call *call, int64_t unit)
{
    if (unit <= 0)
        cs_misuse_note(call, CS_MISUSE_INVALID_SIZE, unit, 0);
}

void cs_checks_sizes(struct cs_call *call, MPI_Count count, struct cs_counts sizes)
{
    if (!sizes.values && count > 0)
        cs_misuse_note(call, CS_MISUSE_NULL_ARRAY, 0, 0);
    for (MPI_Count i = 0; sizes.values && i < count; i++)
        if (cs_count_at(sizes, (int)i) < 0) {
            cs_misuse_note(call, CS_MISUSE_INVALID_SIZE, cs_count_at(sizes, (int)i), 0);
            return;
        }
}

void cs_checks_types(struct cs_call *call, MPI_Count count, struct cs_types types)
{
    if (!types.handles && count > 0)
        cs_misuse_note(call, CS_MISUSE_NULL_ARRAY, 0, 0);
    for (MPI_Count i = 0; types.handles && i < count; i++)
        cs_checks_handle(call, CALLSIGN_DATATYPE, CS_KEY(cs_type_at(types, i)));
}

void cs_checks_subarray(struct cs_call *call, MPI_Count dimensions, struct cs_counts sizes, struct cs_counts parts,
                        struct cs_counts starts)
{
    if (dimensions <= 0) /* MPI 4.1, 5.1.3: a positive integer */
        cs_misuse_note(call, CS_MISUSE_INVALID_SIZE, dimensions, 0);
    if (dimensions > 0 && !(sizes.values && parts.values && starts.values))
        cs_misuse_note(call, CS_MISUSE_NULL_ARRAY, 0, 0);
    for (int i = 0; sizes.values && parts.values && starts.values && i < dimensions; i++) {
        MPI_Count size = cs_count_at(sizes, i), part = cs_count_at(parts, i), start = cs_count_at(starts, i);
        if (size < 1 || part < 1 || part > size) {
            cs_misuse_note(call, CS_MISUSE_INVALID_SIZE, size < 1 ? size : part, 0);
            return;
        }
        if (start < 0 || start > size - part) {
            cs_misuse_note(call, CS_MISUSE_INVALID_START, start, 0);
            return;
        }
    }
}

void cs_checks_memory(struct cs_call *call, const void *memory, int64_t bytes)
{
    if (!memory && bytes > 0)
        cs_misuse_note(call, CS_MISUSE_NULL_BUFFER, 0, 0);
    else if (bytes > 0)
        cs_check_variable(call, true, (uint64_t)(uintptr_t)memory, (uint64_t)bytes);
}
