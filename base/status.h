/* Errors inside callsign. Functions that can fail return this. Results are the last parameters, set only on CS_OK. */
#pragma once

enum cs_status {
    CS_OK,
    CS_NO_MEMORY, /* allocation or mapping failed */
    CS_NO_SPACE,  /* disk full, quota, file size limit */
    CS_IO,        /* a file cannot be opened, read or written; errno has the cause */
    CS_CORRUPT,   /* content of a journal or trace contradicts its header */
    CS_NOT_OURS,  /* not a file of callsign */
    CS_TOO_NEW,   /* written by a newer callsign */
    CS_SQL,       /* SQLite failed; the message was logged */
    CS_INVALID,   /* an invalid value from outside (option, environment, argument) */
    CS_BUSY,      /* the writing process still runs */
    CS_DENIED,    /* the file belongs to another user */
    CS_STATUS_COUNT
};

/* A short English phrase for the status ("no space left"), never NULL. */
const char *cs_status_text(enum cs_status status);
