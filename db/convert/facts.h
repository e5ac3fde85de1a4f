/* Converts facts of a journal. Most become rows at once: gen/model declares the source of each column, and
   gen/model_loaders.py generates loaders.c from it. Facts about objects are gathered first. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "db/convert/conversion.h"
#include "journal/format.h"

/* Makes rows of a fact, whose structure and texts are complete. CS_CORRUPT: it is invalid; CS_NO_MEMORY. */
typedef enum cs_status cs_fact_load(struct cs_conversion *conversion, const struct cs_fact *fact);

struct cs_fact_loader {
    cs_fact_load *load;
    bool first; /* before all others */
};

#include "loaders.h"

/* Loaders by fact type; load NULL: a type of a newer callsign. Generated. */
extern const struct cs_fact_loader cs_fact_loaders[CS_FACT_LOADERS];

/* Loads all facts. An invalid fact is skipped and remembered. */
enum cs_status cs_facts_load(struct cs_conversion *conversion);

/* The name of an error: words that are valid until cs_errors_destroy; "error N" if no fact names it. NULL: out of
   memory. */
const char *cs_errors_words(struct cs_errors *errors, int32_t error);

/* NULL: out of memory. */
struct cs_errors *cs_errors_create(void);
void cs_errors_destroy(struct cs_errors *errors);
