/* All ways to complete requests, with statuses and without. */
#include <sched.h>

#include "books.h"

enum { REQUESTS_MAX = 64 };

struct completion {
    struct actor *actor;
    MPI_Request *requests;
    int count, open;
    bool is_open[REQUESTS_MAX];
    MPI_Status status[REQUESTS_MAX]; /* or MPI_STATUSES_IGNORE for: */
    bool blind;
    completed *done;
    void *context;
};

static MPI_Status *one(struct completion *completion)
{
    return completion->blind ? MPI_STATUS_IGNORE : completion->status;
}

static MPI_Status *all(struct completion *completion)
{
    return completion->blind ? MPI_STATUSES_IGNORE : completion->status;
}

/* The request i completed; its status is the nth. */
static void tell(struct completion *completion, int i, int nth)
{
    if (i < 0 || i >= completion->count || !completion->is_open[i])
        check_give_up("request %d of %d is not one that could be complete", i, completion->count);
    completion->is_open[i] = false;
    completion->open--;
    completion->done(completion->context, i, completion->blind ? NULL : &completion->status[nth]);
}

static void tell_all(struct completion *completion)
{
    for (int i = 0; i < completion->count; i++)
        if (completion->is_open[i])
            tell(completion, i, i);
}

static void wait_for_each(struct completion *completion)
{
    for (int i = completion->count - 1; i >= 0; i--)
        if (completion->is_open[i]) {
            CALL(MPI_Wait)(&completion->requests[i], one(completion));
            tell(completion, i, 0);
        }
}

/* In MPICH, persistent requests with MPI_PROC_NULL are inactive as soon as they are started. In MPICH 4.2, others
   are inactive after the first query. */
static bool tell_inactive(struct completion *completion, int answer)
{
    if (answer == MPI_UNDEFINED)
        wait_for_each(completion);
    return answer == MPI_UNDEFINED;
}

static void tell_some(struct completion *completion, int count, const int indices[])
{
    if (tell_inactive(completion, count))
        return;
    for (int i = 0; i < count; i++)
        tell(completion, indices[i], i);
    if (!count)
        sched_yield();
}

static void wait_for_all(struct completion *completion)
{
    CALL(MPI_Waitall)(completion->count, completion->requests, all(completion));
    tell_all(completion);
}

static void wait_for_any(struct completion *completion)
{
    int index;
    while (completion->open) {
        CALL(MPI_Waitany)(completion->count, completion->requests, &index, one(completion));
        if (!tell_inactive(completion, index))
            tell(completion, index, 0);
    }
}

static void wait_for_some(struct completion *completion)
{
    int count, indices[REQUESTS_MAX];
    while (completion->open) {
        CALL(MPI_Waitsome)(completion->count, completion->requests, &count, indices, all(completion));
        tell_some(completion, count, indices);
    }
}

static void test_each(struct completion *completion)
{
    for (int i = 0; completion->open; i = (i + 1) % completion->count) {
        int flag = 0;
        if (!completion->is_open[i])
            continue;
        CALL(MPI_Test)(&completion->requests[i], &flag, one(completion));
        if (flag)
            tell(completion, i, 0);
        else
            sched_yield();
    }
}

static void test_all(struct completion *completion)
{
    for (int flag = 0; !flag; sched_yield())
        CALL(MPI_Testall)(completion->count, completion->requests, &flag, all(completion));
    tell_all(completion);
}

static void test_any(struct completion *completion)
{
    while (completion->open) {
        int index, flag = 0;
        CALL(MPI_Testany)(completion->count, completion->requests, &index, &flag, one(completion));
        if (!flag)
            sched_yield();
        else if (!tell_inactive(completion, index))
            tell(completion, index, 0);
    }
}

static void test_some(struct completion *completion)
{
    int count, indices[REQUESTS_MAX];
    while (completion->open) {
        CALL(MPI_Testsome)(completion->count, completion->requests, &count, indices, all(completion));
        tell_some(completion, count, indices);
    }
}

static bool is_empty(const MPI_Status *status)
{
    int cancelled;
    CALL(MPI_Test_cancelled)(status, &cancelled);
    return !cancelled && status->MPI_SOURCE == MPI_ANY_SOURCE && status->MPI_TAG == MPI_ANY_TAG;
}

bool ended_by_asking(MPI_Request request, const MPI_Status *said)
{
    MPI_Status again = *said; /* MPICH writes none for a send */
    int flag;
    CALL(MPI_Request_get_status)(request, &flag, &again);
    return flag && is_empty(&again) && !is_empty(said);
}

/* Asks without completing. Whoever wants the status may not ignore this one: it can be the only one that says what
   came. */
static void query(struct completion *completion)
{
    MPI_Status *status = completion->status;
    for (int i = 0; i < completion->count; i++) {
        bool blind = roll(&completion->actor->own, 2) && completion->blind;
        if (!completion->is_open[i] || roll(&completion->actor->own, 2))
            continue;
        for (int flag = 0; !flag; sched_yield())
            CALL(MPI_Request_get_status)(completion->requests[i], &flag, blind ? MPI_STATUS_IGNORE : status);
        if (!blind && ended_by_asking(completion->requests[i], status))
            tell(completion, i, 0);
    }
}

void complete(struct actor *actor, MPI_Request requests[], int count, bool blind, completed *done, void *context)
{
    static void (*const ways[])(struct completion * completion) = {
        wait_for_each, wait_for_all, wait_for_any, wait_for_some, test_each, test_all, test_any, test_some};
    struct completion completion = {
        .actor = actor, .requests = requests, .count = count, .blind = blind, .done = done, .context = context};
    for (int i = 0; i < count; i++) {
        completion.is_open[i] = requests[i] != MPI_REQUEST_NULL;
        completion.open += completion.is_open[i];
    }
    if (roll(&actor->own, 3) == 0)
        query(&completion);
    ways[roll(&actor->own, sizeof ways / sizeof *ways)](&completion);
    CHECK(completion.open == 0);
}

/* ---- generalized requests ---- */

enum { GENERALIZED_BYTES = 5, GENERALIZED_TAG = 4242 };

static int say_status(void *state, MPI_Status *status)
{
    (void)state;
    CALL(MPI_Status_set_elements)(status, MPI_BYTE, GENERALIZED_BYTES);
    CALL(MPI_Status_set_cancelled)(status, 0);
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = GENERALIZED_TAG;
    return MPI_SUCCESS;
}

static int forget(void *state)
{
    (void)state;
    return MPI_SUCCESS;
}

static int never_cancelled(void *state, int complete)
{
    (void)state;
    CHECK(complete);
    return MPI_SUCCESS;
}

MPI_Request generalized(void)
{
    MPI_Request request;
    CALL(MPI_Grequest_start)(say_status, forget, never_cancelled, NULL, &request);
    CALL(MPI_Grequest_complete)(request);
    return request;
}

void see_generalized(struct actor *actor, const MPI_Status *status)
{
    int bytes = 0;
    if (!status)
        return;
    CALL(MPI_Get_count)(status, MPI_BYTE, &bytes);
    CHECK(bytes == GENERALIZED_BYTES && status->MPI_TAG == GENERALIZED_TAG && status->MPI_SOURCE == MPI_UNDEFINED);
    see(actor, 'g', status->MPI_SOURCE, status->MPI_TAG, bytes);
}
