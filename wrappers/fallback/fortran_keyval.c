#include "wrappers/fallback/fortran_keyval.h"

#include "wrappers/fallback/callback.h"
#include "wrappers/fallback/fortran_handle.h"
#include "wrappers/fallback/keyval.h"
#include "wrappers/fallback/value.h"

/* There is room for an address: MPICH's MPI_DUP_FN copies one even where values are INTEGER. */
#define CALLBACKS(name, Integer, value_of)                                                                             \
    CS_CALLS_BACK static int copy_##name(const struct cs_own_keyval *keyval, uint64_t object, struct cs_own_value in,  \
                                         struct cs_own_value *out, int *flag)                                          \
    {                                                                                                                  \
        typedef void copier(MPI_Fint *, MPI_Fint *, Integer *, Integer *, Integer *, MPI_Fint *, MPI_Fint *);          \
        MPI_Fint handle = cs_fortran_of_key(keyval->kind, object), number = keyval->number;                            \
        MPI_Fint copied = 0, error = MPI_SUCCESS;                                                                      \
        Integer extra = (Integer)cs_value_in_fortran(keyval->callbacks.extra_state);                                   \
        union {                                                                                                        \
            Integer value;                                                                                             \
            MPI_Aint room;                                                                                             \
        } given = {.value = (Integer)cs_value_in_fortran(in)}, made = {.room = 0};                                     \
        ((copier *)keyval->callbacks.copy)(&handle, &number, &extra, &given.value, &made.value, &copied, &error);      \
        *out = value_of(made.value);                                                                                   \
        *flag = copied != 0;                                                                                           \
        return error;                                                                                                  \
    }                                                                                                                  \
    CS_CALLS_BACK static int delete_##name(const struct cs_own_keyval *keyval, uint64_t object,                        \
                                           struct cs_own_value value)                                                  \
    {                                                                                                                  \
        typedef void deleter(MPI_Fint *, MPI_Fint *, Integer *, Integer *, MPI_Fint *);                                \
        MPI_Fint handle = cs_fortran_of_key(keyval->kind, object), number = keyval->number, error = MPI_SUCCESS;       \
        Integer extra = (Integer)cs_value_in_fortran(keyval->callbacks.extra_state);                                   \
        Integer given = (Integer)cs_value_in_fortran(value);                                                           \
        ((deleter *)keyval->callbacks.delete)(&handle, &number, &given, &extra, &error);                               \
        return error;                                                                                                  \
    }

CALLBACKS(address, MPI_Aint, cs_value_of_address)
CALLBACKS(integer, MPI_Fint, cs_value_of_integer)

MPI_Fint cs_fallback_create_keyval_fortran(enum callsign_kind kind, cs_fortran_callback *copy,
                                           cs_fortran_callback *delete_fn, MPI_Fint *keyval, MPI_Aint extra_state)
{
    const struct cs_own_callbacks callbacks = {.call_copy = copy_address,
                                               .call_delete = delete_address,
                                               .copy = copy,
                                               .delete = delete_fn,
                                               .extra_state = cs_value_of_address(extra_state)};
    return cs_fallback_create_keyval(kind, &callbacks, keyval);
}

MPI_Fint cs_fallback_keyval_create_fortran(cs_fortran_callback *copy, cs_fortran_callback *delete_fn, MPI_Fint *keyval,
                                           MPI_Fint extra_state)
{
    const struct cs_own_callbacks callbacks = {.call_copy = copy_integer,
                                               .call_delete = delete_integer,
                                               .copy = copy,
                                               .delete = delete_fn,
                                               .extra_state = cs_value_of_integer(extra_state)};
    return cs_fallback_create_keyval(CALLSIGN_COMMUNICATOR, &callbacks, keyval);
}
