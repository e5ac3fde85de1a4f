#include "db/trace/event_rows.h"

#include "base/array.h"

const char *const cs_event_wait_word[] = {
    [CS_LATE_SENDER] = "late_sender",         [CS_WRONG_ORDER] = "wrong_order",   [CS_LATE_RECEIVER] = "late_receiver",
    [CS_WAIT_AT_BARRIER] = "wait_at_barrier", [CS_WAIT_AT_NXN] = "wait_at_nxn",   [CS_WAIT_AT_FENCE] = "wait_at_fence",
    [CS_LATE_BROADCAST] = "late_broadcast",   [CS_EARLY_REDUCE] = "early_reduce", [CS_EARLY_SCAN] = "early_scan",
};

struct cs_event_row *cs_event_rows_add(struct cs_event_rows *rows)
{
    if (!cs_array_grow(&rows->row, rows->count, &rows->room, sizeof *rows->row)) {
        rows->failed = true;
        return NULL;
    }
    return &rows->row[rows->count++];
}

void cs_event_rows_add_wait(struct cs_event_rows *rows, const struct cs_event_call *call,
                            const struct cs_event_cause *cause)
{
    int64_t end_ns = cause->until_ns < call->end_ns ? cause->until_ns : call->end_ns;
    int64_t wait_ns = cs_event_minus(end_ns, call->start_ns);
    if (!cause->error_ns.known || wait_ns <= cause->error_ns.value)
        return;
    struct cs_event_row *row = cs_event_rows_add(rows);
    if (!row)
        return;
    *row = (struct cs_event_row){{{(int64_t)cause->kind, true},
                                  {call->rank, true},
                                  {call->thread, true},
                                  {call->event, true},
                                  call->function,
                                  call->site,
                                  {cause->named_by, true},
                                  {cause->object, true},
                                  {cause->id, true},
                                  {cause->rank, true},
                                  cause->function,
                                  cause->site,
                                  {call->start_ns, true},
                                  {wait_ns, true},
                                  cause->error_ns}};
}
