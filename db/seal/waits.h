/* What tells of a hang: collective calls, requests that are not complete, locks that are held. */
#pragma once

#include "base/status.h"
#include "db/seal/sealing.h"

/* Writes the tables. all: requests and locks too; else the process ended as it should, and they mean nothing. */
enum cs_status cs_waits_write(struct cs_sealing *sealing, bool all);
