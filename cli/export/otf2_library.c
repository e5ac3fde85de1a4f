#include "cli/export/otf2_library.h"

#include <dlfcn.h>

#include "base/log.h"

#define FUNCTION(field, name)                                                                                          \
    {                                                                                                                  \
        offsetof(struct cs_otf2, field), "OTF2_" name                                                                  \
    }

static const struct {
    size_t at;
    const char *name;
} functions[] = {
    FUNCTION(on_error, "Error_RegisterCallback"),
    FUNCTION(open, "Archive_Open"),
    FUNCTION(close, "Archive_Close"),
    FUNCTION(set_flush, "Archive_SetFlushCallbacks"),
    FUNCTION(set_serial, "Archive_SetSerialCollectiveCallbacks"),
    FUNCTION(set_creator, "Archive_SetCreator"),
    FUNCTION(open_events, "Archive_OpenEvtFiles"),
    FUNCTION(close_events, "Archive_CloseEvtFiles"),
    FUNCTION(open_definitions, "Archive_OpenDefFiles"),
    FUNCTION(close_definitions, "Archive_CloseDefFiles"),
    FUNCTION(events, "Archive_GetEvtWriter"),
    FUNCTION(end_events, "Archive_CloseEvtWriter"),
    FUNCTION(local, "Archive_GetDefWriter"),
    FUNCTION(end_local, "Archive_CloseDefWriter"),
    FUNCTION(definitions, "Archive_GetGlobalDefWriter"),
    FUNCTION(list_new, "AttributeList_New"),
    FUNCTION(list_delete, "AttributeList_Delete"),
    FUNCTION(list_text, "AttributeList_AddStringRef"),
    FUNCTION(list_number, "AttributeList_AddUint64"),
    FUNCTION(clock, "GlobalDefWriter_WriteClockProperties"),
    FUNCTION(text, "GlobalDefWriter_WriteString"),
    FUNCTION(attribute, "GlobalDefWriter_WriteAttribute"),
    FUNCTION(node, "GlobalDefWriter_WriteSystemTreeNode"),
    FUNCTION(process, "GlobalDefWriter_WriteLocationGroup"),
    FUNCTION(location, "GlobalDefWriter_WriteLocation"),
    FUNCTION(region, "GlobalDefWriter_WriteRegion"),
    FUNCTION(group, "GlobalDefWriter_WriteGroup"),
    FUNCTION(communicator, "GlobalDefWriter_WriteComm"),
    FUNCTION(intercommunicator, "GlobalDefWriter_WriteInterComm"),
    FUNCTION(window, "GlobalDefWriter_WriteRmaWin"),
    FUNCTION(enter, "EvtWriter_Enter"),
    FUNCTION(leave, "EvtWriter_Leave"),
    FUNCTION(send, "EvtWriter_MpiSend"),
    FUNCTION(isend, "EvtWriter_MpiIsend"),
    FUNCTION(sent, "EvtWriter_MpiIsendComplete"),
    FUNCTION(post, "EvtWriter_MpiIrecvRequest"),
    FUNCTION(receive, "EvtWriter_MpiRecv"),
    FUNCTION(ireceive, "EvtWriter_MpiIrecv"),
    FUNCTION(collective_begin, "EvtWriter_MpiCollectiveBegin"),
    FUNCTION(collective_end, "EvtWriter_MpiCollectiveEnd"),
    FUNCTION(fence_begin, "EvtWriter_RmaCollectiveBegin"),
    FUNCTION(fence_end, "EvtWriter_RmaCollectiveEnd"),
    FUNCTION(put, "EvtWriter_RmaPut"),
    FUNCTION(get, "EvtWriter_RmaGet"),
    FUNCTION(atomic, "EvtWriter_RmaAtomic"),
    FUNCTION(complete, "EvtWriter_RmaOpCompleteRemote"),
    FUNCTION(lock, "EvtWriter_RmaAcquireLock"),
    FUNCTION(unlock, "EvtWriter_RmaReleaseLock"),
    FUNCTION(collective_post, "EvtWriter_NonBlockingCollectiveRequest"),
    FUNCTION(collective_done, "EvtWriter_NonBlockingCollectiveComplete"),
};

/* OTF2 3.0 and 3.1 have this version; older ones have other arguments. Debian renames the library. */
static const char *const names[] = {"libotf2.so.10", "libopen-trace-format2.so.10"};

bool cs_otf2_load(struct cs_otf2 *otf2)
{
    void *library = NULL; /* stays until the process ends */
    for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    bool found = library != NULL;
    for (size_t i = 0; found && i < sizeof functions / sizeof *functions; i++) {
        void *function = dlsym(library, functions[i].name);
        *(void **)((char *)otf2 + functions[i].at) = function;
        found = function != NULL;
    }
    if (!found)
        cs_log("--otf2 needs libotf2.so.10 of OTF2 3 (Debian: comes with otf2-tools), which is not here");
    return found;
}
