/* Facts of a journal. Most become rows at once: gen/model says where each column comes from, and gen/model_loaders.py
   generates loaders.c of that. Those about objects are gathered. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "db/seal/sealing.h"
#include "journal/format.h"

/* Makes rows of a fact, which has its structure and its texts. CS_CORRUPT: it makes no sense; CS_NO_MEMORY. */
typedef enum cs_status cs_fact_load(struct cs_sealing *sealing, const struct cs_fact *fact);

struct cs_fact_loader {
    cs_fact_load *load;
    bool first; /* before all others */
};

#include "loaders.h"

/* By fact type; load NULL: it is of a newer callsign. Generated. */
extern const struct cs_fact_loader cs_fact_loaders[CS_FACT_LOADERS];

/* Loads all facts. A fact that makes no sense is left out and
   remembered. */
enum cs_status cs_facts_load(struct cs_sealing *sealing);

/* What the number of an error is called: the words, which are good until cs_errors_destroy; "error N" for a number that
   no fact names. NULL: out of memory. */
const char *cs_errors_words(struct cs_errors *errors, int32_t error);

/* NULL: out of memory. */
struct cs_errors *cs_errors_create(void);
void cs_errors_destroy(struct cs_errors *errors);
