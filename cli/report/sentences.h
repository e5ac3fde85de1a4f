/* The sentences of the overview with the findings that they are about. */
#pragma once

#include "cli/report/report_print.h"

struct cs_sentence {
    char *text;
    char *kind;          /* of the finding, as in the view findings; NULL: of the whole run */
    const char *picture; /* the part of the page that shows it */
    int severity;        /* enum cs_severity */
    int64_t key;         /* communicator in pictures; 0: none, or several */
};

struct cs_sentences {
    char *run; /* what ran, where and when */
    struct cs_sentence *sentence;
    size_t count, room;
    char *besides; /* as in struct cs_report_output */
};

/* Collects them, the most severe first. `output` has database, resolver and run. To be freed in any case. CS_SQL,
   CS_NO_MEMORY: logged. */
enum cs_status cs_sentences_collect(const struct cs_report_output *output, struct cs_sentences *sentences);

void cs_sentences_free(struct cs_sentences *sentences);
