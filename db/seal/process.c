#include "db/seal/process.h"

#include "db/journal/names.h"

/* Instant 0 by a clock that was read when the journal began; NULL where the header makes no sense. */
static struct cs_value zero_by(struct cs_sealing *sealing, uint64_t first_ns)
{
    int64_t zero_ns;
    if (__builtin_sub_overflow(first_ns, cs_sealing_instant(sealing, sealing->header->first.ticks), &zero_ns))
        return cs_text(NULL);
    return cs_int(zero_ns);
}

enum cs_status cs_process_write(struct cs_sealing *sealing, enum cs_outcome outcome)
{
    const struct cs_journal_header *header = sealing->header;
    const struct cs_thread_state *last = &sealing->last;
    bool inside = last->function && outcome != CS_OUTCOME_FINALIZED;
    bool damaged = sealing->damaged || cs_journal_read_damaged(sealing->reader);
    uint64_t found = outcome == CS_OUTCOME_DIED ? cs_sealing_now(sealing) : 0;
    struct cs_value nothing = cs_text(NULL);
    return CS_WRITE(
        sealing->rows, CS_ROW_PROCESS, cs_int(sealing->rank), cs_int_unless(header->size, -1),
        cs_text(sealing->about[CS_ABOUT_NODE]), cs_int(header->pid), cs_text(sealing->about[CS_ABOUT_PROGRAM]),
        cs_text(sealing->about[CS_ABOUT_ARGUMENTS]), cs_text(sealing->about[CS_ABOUT_THREAD_LEVEL]),
        cs_text(sealing->about[CS_ABOUT_STARTED]), zero_by(sealing, header->first.realtime_ns),
        zero_by(sealing, header->first.monotonic_ns), cs_sealing_instant_unless_0(sealing, header->first.ticks),
        cs_sealing_instant_unless_0(sealing, header->init_ticks),
        cs_sealing_instant_unless_0(sealing, header->finalize_ticks),
        cs_sealing_instant_unless_0(sealing, sealing->seen_ticks),
        cs_sealing_instant_unless_0(sealing, found > sealing->seen_ticks ? found : 0),
        cs_text(cs_name_of_outcome(outcome)), inside ? cs_sealing_function(sealing, last->function) : nothing,
        inside ? cs_int_unless(last->object, 0) : nothing, inside ? cs_int_unless(last->peer, CS_NO_PEER) : nothing,
        inside ? cs_int_unless(last->tag, CS_NO_TAG) : nothing,
        inside ? cs_int_unless((int64_t)last->bytes, (int64_t)CS_NO_BYTES) : nothing,
        inside ? cs_int_unless(sealing->last_site, 0) : nothing,
        inside ? cs_sealing_instant_unless_0(sealing, last->since_ticks) : nothing,
        cs_int(cs_sealing_count(sealing, sealing->threads)), cs_int((int64_t)sealing->calls),
        cs_int((int64_t)sealing->mpi_ns), cs_int(cs_sealing_count(sealing, header->lost)), cs_int(damaged),
        cs_int((int64_t)header->run_hash));
}
