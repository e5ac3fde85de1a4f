/* What can go wrong inside callsign. Functions that can fail return this; results come last and are set only on CS_OK.
 */
#pragma once

enum cs_status {
    CS_OK,
    CS_NO_MEMORY, /* allocation or mapping failed */
    CS_NO_SPACE,  /* disk full, quota, file size limit */
    CS_IO,        /* a file could not be opened, read or written; errno has the cause */
    CS_CORRUPT,   /* a journal or trace does not have what its header says */
    CS_NOT_OURS,  /* the file is not of callsign at all */
    CS_TOO_NEW,   /* written by a newer callsign */
    CS_SQL,       /* SQLite refused; the message was logged */
    CS_INVALID,   /* a value from outside (option, environment, argument) makes no sense */
    CS_BUSY,      /* the process that writes it is still running */
    CS_DENIED,    /* the file belongs to another user */
    CS_STATUS_COUNT
};

/* A short English phrase for the status ("no space left"), never NULL. */
const char *cs_status_text(enum cs_status status);
