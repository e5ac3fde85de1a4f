/* The rows of objects, their names, and what only communicators, datatypes and windows have. */
#pragma once

#include "base/status.h"
#include "db/seal/sealing.h"

/* Writes all objects that were gathered. Nothing more may be gathered then. */
enum cs_status cs_object_rows_write(struct cs_sealing *sealing);
