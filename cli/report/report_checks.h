/* Calls whose arguments differ between members, messages that differ between sender and receiver, and calls that
   returned an error, in sentences. */
#pragma once

#include <stdint.h>

#include "cli/report/report_print.h"

struct cs_check {
    int64_t id;         /* of the communicator, window or file, as in the view */
    const char *kind;   /* as in the view mismatches; message_type, not_received, not_sent, truncated; error_returned */
    const char *what;   /* "call 17", "tag 7", "messages", "error" */
    const char *object; /* name of the communicator, window or file */
    int64_t site;       /* call site of the lowest rank that made it; 0: unknown */
    int64_t number;     /* of the call; 0: others */
};

/* Makes a sentence for each mismatch and passes it to `tell`, which may change it. Returns CS_SQL if the view cannot be
   read; that was logged. */
enum cs_status cs_checks_tell(const struct cs_report_output *output,
                              void (*tell)(void *context, const struct cs_check *check, struct cs_phrase *line),
                              void *context);

/* The same for calls that may be right: warnings and notes. */
enum cs_status cs_checks_tell_apart(const struct cs_report_output *output,
                                    void (*tell)(void *context, const struct cs_check *check, struct cs_phrase *line),
                                    void *context);
