#include "wrappers/object/datatype_signature.h"

#include <stdbool.h>
#include <string.h>

#include "record/process/recorder.h"
#include "wrappers/mpi/constants.h"
#include "wrappers/mpi/handle.h"

/* ---- types of the MPI ---- */

enum part { NONE, INTEGER, REAL, LOGICAL, COMPLEX };

/* Names without MPI_, and their parts. A prefix counts if nothing but digits follows: MPI_INTEGER4. Types that are
   missing here are unknown: their data is not compared. */
static const struct {
    const char *name;
    uint8_t part, index; /* index: an INT follows, as in MPI_FLOAT_INT */
    uint8_t copies;
} named[] = {
    {"CHAR", INTEGER, NONE, 1},
    {"SIGNED_CHAR", INTEGER, NONE, 1},
    {"UNSIGNED_CHAR", INTEGER, NONE, 1},
    {"WCHAR", INTEGER, NONE, 1},
    {"SHORT", INTEGER, NONE, 1},
    {"UNSIGNED_SHORT", INTEGER, NONE, 1},
    {"INT", INTEGER, NONE, 1},
    {"UNSIGNED", INTEGER, NONE, 1},
    {"LONG", INTEGER, NONE, 1},
    {"UNSIGNED_LONG", INTEGER, NONE, 1},
    {"LONG_LONG_INT", INTEGER, NONE, 1},
    {"LONG_LONG", INTEGER, NONE, 1},
    {"UNSIGNED_LONG_LONG", INTEGER, NONE, 1},
    {"INT8_T", INTEGER, NONE, 1},
    {"INT16_T", INTEGER, NONE, 1},
    {"INT32_T", INTEGER, NONE, 1},
    {"INT64_T", INTEGER, NONE, 1},
    {"UINT8_T", INTEGER, NONE, 1},
    {"UINT16_T", INTEGER, NONE, 1},
    {"UINT32_T", INTEGER, NONE, 1},
    {"UINT64_T", INTEGER, NONE, 1},
    {"AINT", INTEGER, NONE, 1},
    {"COUNT", INTEGER, NONE, 1},
    {"OFFSET", INTEGER, NONE, 1},
    {"CHARACTER", INTEGER, NONE, 1},
    {"INTEGER", INTEGER, NONE, 1},
    {"FLOAT", REAL, NONE, 1},
    {"DOUBLE", REAL, NONE, 1},
    {"LONG_DOUBLE", REAL, NONE, 1},
    {"REAL", REAL, NONE, 1},
    {"DOUBLE_PRECISION", REAL, NONE, 1},
    {"C_BOOL", LOGICAL, NONE, 1},
    {"CXX_BOOL", LOGICAL, NONE, 1},
    {"LOGICAL", LOGICAL, NONE, 1},
    {"C_COMPLEX", COMPLEX, NONE, 1},
    {"C_DOUBLE_COMPLEX", COMPLEX, NONE, 1},
    {"C_LONG_DOUBLE_COMPLEX", COMPLEX, NONE, 1},
    {"CXX_FLOAT_COMPLEX", COMPLEX, NONE, 1},
    {"CXX_DOUBLE_COMPLEX", COMPLEX, NONE, 1},
    {"CXX_LONG_DOUBLE_COMPLEX", COMPLEX, NONE, 1},
    {"COMPLEX", COMPLEX, NONE, 1},
    {"DOUBLE_COMPLEX", COMPLEX, NONE, 1},
    {"FLOAT_INT", REAL, INTEGER, 1},
    {"DOUBLE_INT", REAL, INTEGER, 1},
    {"LONG_DOUBLE_INT", REAL, INTEGER, 1},
    {"LONG_INT", INTEGER, INTEGER, 1},
    {"SHORT_INT", INTEGER, INTEGER, 1},
    {"2INT", INTEGER, NONE, 2},
    {"2INTEGER", INTEGER, NONE, 2},
    {"2REAL", REAL, NONE, 2},
    {"2DOUBLE_PRECISION", REAL, NONE, 2},
    {"2COMPLEX", COMPLEX, NONE, 2},
    {"2DOUBLE_COMPLEX", COMPLEX, NONE, 2},
};

static bool is_named(const char *name, const char *known)
{
    size_t length = strlen(known);
    return strncmp(name, known, length) == 0 && strspn(name + length, "0123456789") == strlen(name + length);
}

/* The signature of one element, whose copies the type consists of. */
static uint64_t signature_of(enum part part, uint64_t bytes)
{
    switch (part) {
    case INTEGER:
        return cs_type_basic(CS_BASIC_INTEGER, bytes);
    case REAL:
        return cs_type_basic(CS_BASIC_REAL, bytes);
    case LOGICAL:
        return cs_type_basic(CS_BASIC_LOGICAL, bytes);
    case COMPLEX:
        return cs_type_basic(CS_BASIC_REAL, bytes / 2);
    default:
        return CS_TYPE_UNKNOWN;
    }
}

/* With CALLSIGN_CHECK=all they differ from signed ones, as in the standard; characters never do. */
static bool is_unsigned(const char *name, uint64_t bytes)
{
    return cs_recorder.checks && bytes > 1 && (strncmp(name, "UNSIGNED", 8) == 0 || strncmp(name, "UINT", 4) == 0);
}

static uint64_t signature_of_name(const char *name, uint64_t bytes)
{
    if (strcmp(name, "BYTE") == 0)
        return CS_TYPE_BYTES;
    if (is_unsigned(name, bytes))
        return cs_type_basic(CS_BASIC_UNSIGNED, bytes);
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        if (!is_named(name, named[i].name))
            continue;
        if (named[i].index == NONE)
            return signature_of(named[i].part, bytes / named[i].copies);
        if (bytes <= sizeof(int))
            return CS_TYPE_UNKNOWN;
        uint64_t first = bytes - sizeof(int);
        return cs_sequence_join((struct cs_sequence){signature_of(named[i].part, first), first},
                                (struct cs_sequence){signature_of(INTEGER, sizeof(int)), sizeof(int)})
            .signature;
    }
    return CS_TYPE_UNKNOWN;
}

uint64_t cs_signature_made_by_mpi(MPI_Datatype type, int combiner, MPI_Count size_bytes)
{
    if (size_bytes <= 0)
        return CS_TYPE_UNKNOWN;
    if (combiner == MPI_COMBINER_F90_REAL)
        return signature_of(REAL, (uint64_t)size_bytes);
    if (combiner == MPI_COMBINER_F90_COMPLEX)
        return signature_of(COMPLEX, (uint64_t)size_bytes);
    if (combiner == MPI_COMBINER_F90_INTEGER)
        return signature_of(INTEGER, (uint64_t)size_bytes);
    const char *name = combiner == MPI_COMBINER_NAMED ? cs_constant_name(CALLSIGN_DATATYPE, CS_KEY(type)) : NULL;
    return name && strncmp(name, "MPI_", 4) == 0 ? signature_of_name(name + 4, (uint64_t)size_bytes) : CS_TYPE_UNKNOWN;
}

/* ---- types of the program ---- */

/* All constructors but that of a struct make copies of one type: their number follows from the sizes. */
uint64_t cs_signature_of_copies(const struct callsign_record *from, int64_t size_bytes)
{
    if (!from || from->bytes <= 0 || size_bytes <= 0 || size_bytes % from->bytes)
        return CS_TYPE_UNKNOWN;
    struct cs_sequence one = {from->uid, (uint64_t)from->bytes};
    return cs_sequence_repeat(one, (uint64_t)(size_bytes / from->bytes)).signature;
}
