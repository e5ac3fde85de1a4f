#include "wrappers/object/compare.h"

#include "record/object.h"
#include "wrappers/object/adopt.h"

/* 0: MPI_GROUP_EMPTY, and a group that was made where callsign could not see it. */
static uint32_t id_of(const struct cs_call *call, enum callsign_kind kind, uint64_t handle)
{
    const struct callsign_record *object =
        kind == CALLSIGN_GROUP ? cs_object_look_up(kind, handle) : cs_record_of(call, kind, handle);
    return object ? object->id : 0;
}

static enum cs_comparison_answer answer_of(int answer)
{
    return answer == MPI_IDENT       ? CS_COMPARED_IDENT
           : answer == MPI_CONGRUENT ? CS_COMPARED_CONGRUENT
           : answer == MPI_SIMILAR   ? CS_COMPARED_SIMILAR
                                     : CS_COMPARED_UNEQUAL;
}

void cs_compared(struct cs_call *call, enum callsign_kind first_kind, uint64_t first, enum callsign_kind second_kind,
                 uint64_t second, int answer)
{
    if (!call->counted)
        return;
    const struct cs_comparison comparison = {.site = cs_call_site(call),
                                             .first = id_of(call, first_kind, first),
                                             .second = id_of(call, second_kind, second),
                                             .kind = first_kind,
                                             .answer = answer_of(answer),
                                             .ticks = call->stop};
    cs_comparison_count(call->thread, &comparison);
}
