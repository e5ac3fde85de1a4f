#include "base/status.h"

static const char *const texts[CS_STATUS_COUNT] = {
    [CS_OK] = "success",
    [CS_NO_MEMORY] = "out of memory",
    [CS_NO_SPACE] = "no space left",
    [CS_IO] = "input/output error",
    [CS_CORRUPT] = "damaged",
    [CS_NOT_OURS] = "not written by callsign",
    [CS_TOO_NEW] = "written by a newer callsign",
    [CS_SQL] = "database error",
    [CS_INVALID] = "invalid value",
    [CS_BUSY] = "still being written",
    [CS_DENIED] = "belongs to another user",
};

const char *cs_status_text(enum cs_status status)
{
    if ((unsigned)status >= CS_STATUS_COUNT || !texts[status])
        return "unknown error";
    return texts[status];
}
