/* Envelopes of messages: the tables traffic and tag. */
#pragma once

#include "db/seal/sealing.h"

enum cs_status cs_envelopes_write(struct cs_sealing *sealing);
