/* What the numbers of errors in a journal are called. */
#pragma once

#include "db/seal/sealing.h"

/* NULL: out of memory. */
struct cs_errors *cs_errors_create(void);
void cs_errors_destroy(struct cs_errors *errors);

/* Learns one. */
enum cs_status cs_errors_load(struct cs_sealing *sealing, const struct cs_fact *fact);

/* The words, which are good until cs_errors_destroy; "error N" for a number that was not told, which N is. NULL: out of
   memory. */
const char *cs_errors_words(struct cs_errors *errors, int32_t error);
