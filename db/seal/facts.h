/* All facts of a journal: some become rows at once, those about objects are gathered. */
#pragma once

#include "base/status.h"
#include "db/seal/sealing.h"

/* Reads the modules first, which all the rest needs. A fact that makes no sense is left out and remembered. */
enum cs_status cs_facts_load(struct cs_sealing *sealing);
