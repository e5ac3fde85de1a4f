#include "wrappers/object/file.h"

#include "db/journal/datatype_name.h"
#include "wrappers/object/birth.h"
#include "wrappers/object/lineage.h"

static_assert((int)CS_DATATYPE_NAME_BYTES == (int)CS_NAME_BYTES, "a name of either kind has room");

/* The communicator says all that is to be known of a file. No Fortran handle: asking for it makes one in MPICH. */
void cs_made_file(struct cs_call *call, MPI_File file)
{
    if (file == MPI_FILE_NULL)
        return;
    char name[CS_NAME_BYTES];
    struct cs_birth birth = cs_birth_of(call, CALLSIGN_FILE, CS_KEY(file));
    if (birth.from) {
        birth.size = birth.from->size;
        birth.rank = birth.from->rank;
    }
    cs_lineage_on(&birth, name);
    /* The path says more than where it was opened. */
    if (cs_file_name(birth.detail, birth.detail_bytes, name))
        cs_birth_name(&birth, name);
    cs_born(call, &birth);
}
