/* What the program leaves behind of things that are too many to follow each as an object: transfers and matched
   messages. mpi4py, to name one, matches every message that it receives. */
#include "functions.h"
#include "record/object.h"
#include "record/recorder.h"
#include "record/request.h"
#include "wrappers/object/birth.h"
#include "wrappers/request/completion.h"
#include "wrappers/object/simple.h"

/* Its birth is told late: function, place and communicator are those of the call that made it, the time is now. One
   handle that stands for several transfers, as sends that are complete at once have in some MPIs, is one object, if all
   of them began at the same place. */
static void left(const struct cs_request *entry, enum callsign_kind kind)
{
    uint64_t handle = CS_REQUEST_IS_NUMBER(entry->handle) ? CS_KEY(PMPI_Request_f2c((MPI_Fint)(uint32_t)entry->handle))
                                                          : entry->handle;
    struct cs_birth birth = cs_birth_met(kind, handle, entry->flags & CS_REQUEST_INTERNAL ? CS_OBJECT_INTERNAL : 0);
    if (entry->flags & CS_REQUEST_MIXED)
        return;
    birth.function = cs_profile_function(entry->started);
    birth.site = entry->started.site;
    birth.parent = cs_profile_object(entry->started);
    cs_born(NULL, &birth);
}

static void request_left(const struct cs_request *request, void *nothing)
{
    (void)nothing;
    if (!(request->flags & CS_REQUEST_PERSISTENT)) /* those are objects from the beginning */
        left(request, CALLSIGN_REQUEST);
}

static void message_left(const struct cs_request *message, void *nothing)
{
    (void)nothing;
    left(message, CALLSIGN_MESSAGE);
}

void cs_requests_left(void)
{
    if (!cs_recorder.on)
        return;
    cs_request_each(&cs_requests, request_left, NULL);
    cs_request_each(&cs_messages, message_left, NULL);
}
