/* What the program leaves behind. */
#include "functions.h"
#include "record/object.h"
#include "record/recorder.h"
#include "record/request.h"
#include "wrappers/births.h"
#include "wrappers/kinds.h"

/* Its birth is told late: function, place and communicator are those of the call that began the transfer, the time is
   now. A persistent request is an object from the beginning. One handle that stands for several transfers, as sends
   that are complete at once have in some MPIs, is one object, if all of them began at the same place. */
static void left(const struct cs_request *request, void *nothing)
{
    (void)nothing;
    if (request->flags & (CS_REQUEST_PERSISTENT | CS_REQUEST_MIXED))
        return;
    struct cs_birth birth =
        cs_birth_met(CALLSIGN_REQUEST, request->handle, request->flags & CS_REQUEST_INTERNAL ? CS_OBJECT_INTERNAL : 0);
    birth.function = cs_profile_function(request->started);
    birth.site = request->started.site;
    birth.parent = cs_profile_communicator(request->started);
    cs_born(NULL, &birth);
}

void cs_requests_left(void)
{
    if (cs_recorder.on)
        cs_request_each(&cs_requests, left, NULL);
}
