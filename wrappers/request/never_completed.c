/* Transfers and matched messages are too many to follow each as an object: mpi4py, to name one, matches every message
   that it receives. */
#include "wrappers/request/never_completed.h"

#include "asked.h"
#include "record/object.h"
#include "record/recorder.h"
#include "record/request.h"
#include "wrappers/object/birth.h"
#include "wrappers/request/pending.h"

/* Its birth is recorded late: function, call site and communicator are those of the call that made it, the time is now.
   One handle that stands for several transfers, as sends that are complete at once have in some MPIs, is one object, if
   all of them began at the same call site. */
static void record(const struct cs_request *entry, enum callsign_kind kind)
{
    uint64_t handle = CS_REQUEST_IS_NUMBER(entry->handle)
                          ? CS_KEY(cs_mpi_Request_f2c((MPI_Fint)(uint32_t)entry->handle))
                          : entry->handle;
    struct cs_birth birth = cs_birth_unseen(kind, handle, entry->flags & CS_REQUEST_INTERNAL ? CS_OBJECT_INTERNAL : 0);
    if (entry->flags & CS_REQUEST_MIXED)
        return;
    birth.function = cs_profile_function(entry->started);
    birth.site = entry->started.site;
    birth.parent = cs_profile_object(entry->started);
    cs_born(NULL, &birth);
}

static void record_request(const struct cs_request *request, void *nothing)
{
    (void)nothing;
    if (!(request->flags & CS_REQUEST_PERSISTENT)) /* those are objects from the beginning */
        record(request, CALLSIGN_REQUEST);
}

static void record_message(const struct cs_request *message, void *nothing)
{
    (void)nothing;
    record(message, CALLSIGN_MESSAGE);
}

void cs_record_never_completed(void)
{
    if (!cs_is_recording())
        return;
    cs_request_each(&cs_requests, record_request, NULL);
    cs_request_each(&cs_messages, record_message, NULL);
}
