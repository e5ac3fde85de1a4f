/* Facts about keyvals become rows. */
#pragma once

#include "base/status.h"
#include "db/seal/sealing.h"

/* A keyval came into being; what the program gave with it; how many objects had a value when it was freed. */
enum cs_status cs_keyvals_load(struct cs_sealing *sealing, const struct cs_fact *fact);
enum cs_status cs_keyvals_load_callbacks(struct cs_sealing *sealing, const struct cs_fact *fact);
enum cs_status cs_keyvals_load_holders(struct cs_sealing *sealing, const struct cs_fact *fact);
