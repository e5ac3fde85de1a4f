/* Fortran: what its entry points take, as C. Every argument is an address: of an INTEGER for integers and handles (a
   handle of mpi_f08 is a structure of one INTEGER), of an array, of a buffer. Generated entry points forward all of
   them untouched; these functions decode what callsign records. */
#ifndef CS_WRAPPERS_FORTRAN_FORTRAN_H
#define CS_WRAPPERS_FORTRAN_FORTRAN_H

#include "fortran_next.h"
#include "wrappers/request/completion.h"
#include "wrappers/request/pending.h"
#include "wrappers/request/persistent.h"
#include "wrappers/roles.h"

_Static_assert(sizeof(MPI_Fint) == sizeof(int), "INTEGER of Fortran must be int of C");

/* The native function of an entry point. Looked up at the first call of each, because C programs have no Fortran
 * library. */
void *cs_fortran_find(enum cs_fortran_number number);

static inline void *cs_fortran_native(enum cs_fortran_number number)
{
    void *native = __atomic_load_n(&cs_fortran_natives[number], __ATOMIC_ACQUIRE);
    return __builtin_expect(native != NULL, 1) ? native : cs_fortran_find(number);
}

/* ---- constants: in Fortran they are variables, and their address is what they mean. Known after the first
 * cs_fortran_find ---- */

enum { CS_FORTRAN_SPELLINGS = 2 }; /* mpif.h and mpi_f08 may have their own */

struct cs_fortran_constants {
    const void *in_place[CS_FORTRAN_SPELLINGS];
    const void *status_ignore[CS_FORTRAN_SPELLINGS];
    const void *statuses_ignore[CS_FORTRAN_SPELLINGS];
};
extern struct cs_fortran_constants cs_fortran_constants __attribute__((visibility("hidden")));

static inline bool cs_fortran_is(const void *address, const void *const constant[CS_FORTRAN_SPELLINGS])
{
    return address == constant[0] || address == constant[1];
}

static inline bool cs_fortran_ignores_status(const void *status)
{
    return cs_fortran_is(status, cs_fortran_constants.status_ignore);
}

static inline struct cs_statuses cs_status_fortran(void *status)
{
    return (struct cs_statuses){status, cs_fortran_ignores_status(status), true};
}

static inline struct cs_statuses cs_statuses_fortran(void *statuses)
{
    return (struct cs_statuses){statuses, cs_fortran_is(statuses, cs_fortran_constants.statuses_ignore), true};
}

/* A choice buffer: MPI_IN_PLACE as C calls it, or the address. */
static inline const void *cs_fortran_buffer(const void *buffer)
{
    return cs_fortran_is(buffer, cs_fortran_constants.in_place) ? MPI_IN_PLACE : buffer;
}

/* The same from a descriptor of an array, which begins with the address. */
static inline const void *cs_fortran_descriptor(const void *descriptor)
{
    return cs_fortran_buffer(*(const void *const *)descriptor);
}

/* ---- values ---- */

static inline int cs_fortran_integer(const void *value)
{
    return *(const MPI_Fint *)value;
}
static inline MPI_Count cs_fortran_count(const void *value)
{
    return *(const MPI_Count *)value;
}
static inline MPI_Aint cs_fortran_address(const void *value)
{
    return *(const MPI_Aint *)value;
}

/* Where CS_FORTRAN_HANDLES_ARE_C what follows costs nothing. Elsewhere asking for the address takes three nanoseconds
   each, which most calls can do without. */

static inline MPI_Comm cs_fortran_comm(const void *handle)
{
    return PMPI_Comm_f2c(*(const MPI_Fint *)handle);
}

/* Predefined datatypes, by their number in Fortran: they are never freed, so a number once known stays so. NULL: not
   known to be one. Atomic. */
enum { CS_FORTRAN_TYPES = 128 };
extern MPI_Datatype cs_fortran_types[CS_FORTRAN_TYPES] __attribute__((visibility("hidden")));
MPI_Datatype cs_fortran_type_find(MPI_Fint handle);

static inline MPI_Datatype cs_fortran_type(const void *handle)
{
    MPI_Fint number = *(const MPI_Fint *)handle;
    if (CS_FORTRAN_HANDLES_ARE_C)
        return PMPI_Type_f2c(number);
    MPI_Datatype known = (MPI_Datatype)0;
    if ((unsigned)number < CS_FORTRAN_TYPES)
        __atomic_load(&cs_fortran_types[number], &known, __ATOMIC_RELAXED);
    return known ? known : cs_fortran_type_find(number);
}
static inline MPI_Win cs_fortran_win(const void *handle)
{
    return PMPI_Win_f2c(*(const MPI_Fint *)handle);
}
static inline MPI_File cs_fortran_file(const void *handle)
{
    return PMPI_File_f2c(*(const MPI_Fint *)handle);
}
static inline MPI_Message cs_fortran_message(const void *handle)
{
    return PMPI_Message_f2c(*(const MPI_Fint *)handle);
}
static inline MPI_Request cs_fortran_request(const void *handle)
{
    return PMPI_Request_f2c(*(const MPI_Fint *)handle);
}
static inline MPI_Info cs_fortran_info(const void *handle)
{
    return PMPI_Info_f2c(*(const MPI_Fint *)handle);
}
static inline MPI_Op cs_fortran_op(const void *handle)
{
    return PMPI_Op_f2c(*(const MPI_Fint *)handle);
}
static inline MPI_Group cs_fortran_group(const void *handle)
{
    return PMPI_Group_f2c(*(const MPI_Fint *)handle);
}
static inline MPI_Errhandler cs_fortran_errhandler(const void *handle)
{
    return PMPI_Errhandler_f2c(*(const MPI_Fint *)handle);
}
#ifdef CS_HAS_SESSIONS
static inline MPI_Session cs_fortran_session(const void *handle)
{
    return PMPI_Session_f2c(*(const MPI_Fint *)handle);
}
#endif

/* ---- roles whose arguments have another shape than in C ---- */

static inline void cs_on_comm_fortran(struct cs_call *call, const void *comm)
{
    if (!call->thread)
        return;
    if (CS_FORTRAN_HANDLES_ARE_C || !cs_call_is_on_last(call, CALLSIGN_COMMUNICATOR, cs_fortran_integer(comm)))
        cs_on_comm_recorded(call, cs_fortran_comm(comm));
}
static inline void cs_on_win_fortran(struct cs_call *call, const void *win)
{
    if (!call->thread)
        return;
    if (CS_FORTRAN_HANDLES_ARE_C || !cs_call_is_on_last(call, CALLSIGN_WINDOW, cs_fortran_integer(win)))
        cs_on_win_recorded(call, cs_fortran_win(win));
}

void cs_fortran_received(struct cs_call *call, const void *status);

/* Names are padded with blanks to their length; blanks at the end are not part of the name, those at the beginning are.
 */
void cs_named_comm_fortran(struct cs_call *call, MPI_Comm comm, const char *name, size_t length);
void cs_named_type_fortran(struct cs_call *call, MPI_Datatype type, const char *name, size_t length);
void cs_named_win_fortran(struct cs_call *call, MPI_Win win, const char *name, size_t length);

/* Attributes are integers of `bytes` bytes; predefined ones are the values themselves and not pointers to them. */
void cs_got_attribute_fortran(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval,
                              const void *value, size_t bytes, const void *found);
void cs_set_attribute_fortran(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval,
                              const void *value, size_t bytes);

/* ---- entry points that are not generated: twin is what to call, site who called. Arguments as in Fortran; error is
 * never NULL ---- */

void cs_fortran_comm_get_name(void *twin, const void *site, void *comm, void *name, void *length, void *error,
                              size_t room);
void cs_fortran_type_get_name(void *twin, const void *site, void *type, void *name, void *length, void *error,
                              size_t room);
void cs_fortran_win_get_name(void *twin, const void *site, void *win, void *name, void *length, void *error,
                             size_t room);
void cs_fortran_type_get_contents(void *twin, const void *site, void *type, void *max_integers, void *max_addresses,
                                  void *max_types, void *integers, void *addresses, void *types, void *error);
void cs_fortran_type_get_contents_c(void *twin, const void *site, void *type, void *max_integers, void *max_addresses,
                                    void *max_counts, void *max_types, void *integers, void *addresses, void *counts,
                                    void *types, void *error);

/* The standard's arguments are info and error; MPIs differ in what else they look at. error may be NULL. */
void cs_fortran_info_create_env(void *twin, const void *site, void *info, void *error, void *third, void *fourth);

void cs_fortran_init(void *twin, const void *site, void *error);
void cs_fortran_init_thread(void *twin, const void *site, void *required, void *provided, void *error);
void cs_fortran_finalize(void *twin, const void *site, void *error);
void cs_fortran_abort(void *twin, const void *site, void *comm, void *errorcode, void *error);
void cs_fortran_session_init(void *twin, const void *site, void *info, void *errhandler, void *session, void *error);
void cs_fortran_session_finalize(void *twin, const void *site, void *session, void *error);
/* error may be anything here: the standard does not have it. */
void cs_fortran_pcontrol(void *twin, const void *site, void *level, void *error);

#endif
