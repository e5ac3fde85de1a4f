#include "wrappers/fallback/keyval.h"

#include "wrappers/fallback/callback.h"
#include "wrappers/fallback/native.h"
#include "wrappers/fallback/predefined.h"
#include "wrappers/fallback/value.h"

static int code_of(struct cs_own_result result)
{
    switch (result.outcome) {
    case CS_OWN_DONE:
        return MPI_SUCCESS;
    case CS_OWN_NO_KEYVAL:
        return MPI_ERR_KEYVAL;
    case CS_OWN_NO_MEMORY:
        return MPI_ERR_NO_MEM;
    case CS_OWN_REFUSED:
        break;
    }
    return result.code;
}

int cs_fallback_answer(enum callsign_kind kind, uint64_t object, struct cs_own_result result)
{
    int code = code_of(result);
    return code == MPI_SUCCESS ? code : cs_native_raise(kind, object, code);
}

bool cs_fallback_is_foreign(int keyval)
{
    return !cs_own_keyval_is(keyval) && keyval != MPI_KEYVAL_INVALID;
}

/* ---- callbacks in C ---- */

/* A null pointer copies nothing, and deletes nothing. What MPI_*_DUP_FN copies stays the value of its language. */
#define CALLBACKS(kind, Handle, copier, deleter, duplicate)                                                            \
    CS_CALLS_BACK static int copy_##kind(const struct cs_own_keyval *keyval, uint64_t object, struct cs_own_value in,  \
                                         struct cs_own_value *out, int *flag)                                          \
    {                                                                                                                  \
        copier *copy = (copier *)keyval->callbacks.copy;                                                               \
        void *made = NULL;                                                                                             \
        *flag = copy == (duplicate);                                                                                   \
        *out = in;                                                                                                     \
        if (*flag || !copy)                                                                                            \
            return MPI_SUCCESS;                                                                                        \
        int code = copy(CS_HANDLE_OF(Handle, object), keyval->number, keyval->callbacks.extra_state.pointer,           \
                        cs_value_in_c(in, &in), &made, flag);                                                          \
        *out = cs_value_of_c(made);                                                                                    \
        return code;                                                                                                   \
    }                                                                                                                  \
    CS_CALLS_BACK static int delete_##kind(const struct cs_own_keyval *keyval, uint64_t object,                        \
                                           struct cs_own_value value)                                                  \
    {                                                                                                                  \
        deleter *call = (deleter *)keyval->callbacks.delete;                                                           \
        return call ? call(CS_HANDLE_OF(Handle, object), keyval->number, cs_value_in_c(value, &value),                 \
                           keyval->callbacks.extra_state.pointer)                                                      \
                    : MPI_SUCCESS;                                                                                     \
    }

CALLBACKS(comm, MPI_Comm, MPI_Comm_copy_attr_function, MPI_Comm_delete_attr_function, MPI_COMM_DUP_FN)
CALLBACKS(type, MPI_Datatype, MPI_Type_copy_attr_function, MPI_Type_delete_attr_function, MPI_TYPE_DUP_FN)
#ifdef CS_HAS_MPI_Win_set_attr
CALLBACKS(win, MPI_Win, MPI_Win_copy_attr_function, MPI_Win_delete_attr_function, MPI_WIN_DUP_FN)
#endif
#ifdef CS_HAS_MPI_Keyval_create
CALLBACKS(old, MPI_Comm, MPI_Copy_function, MPI_Delete_function, MPI_DUP_FN)
#endif

/* ---- make and free ---- */

int cs_fallback_create_keyval(enum callsign_kind kind, const struct cs_own_callbacks *callbacks, int *keyval)
{
    if (!keyval)
        return cs_native_raise_without_object(MPI_ERR_ARG);
    if (cs_own_keyval_create(kind, callbacks, keyval) != CS_OWN_DONE)
        return cs_native_raise_without_object(MPI_ERR_NO_MEM);
    return MPI_SUCCESS;
}

static int create(enum callsign_kind kind, cs_own_copier *call_copy, cs_own_deleter *call_delete, void (*copy)(void),
                  void (*delete_fn)(void), int *keyval, void *extra_state)
{
    const struct cs_own_callbacks callbacks = {.call_copy = call_copy,
                                               .call_delete = call_delete,
                                               .copy = copy,
                                               .delete = delete_fn,
                                               .extra_state = cs_value_of_c(extra_state)};
    return cs_fallback_create_keyval(kind, &callbacks, keyval);
}

int cs_fallback_Comm_create_keyval(MPI_Comm_copy_attr_function *copy, MPI_Comm_delete_attr_function *delete_fn,
                                   int *keyval, void *extra_state)
{
    return create(CALLSIGN_COMMUNICATOR, copy_comm, delete_comm, (void (*)(void))copy, (void (*)(void))delete_fn,
                  keyval, extra_state);
}

int cs_fallback_Type_create_keyval(MPI_Type_copy_attr_function *copy, MPI_Type_delete_attr_function *delete_fn,
                                   int *keyval, void *extra_state)
{
    return create(CALLSIGN_DATATYPE, copy_type, delete_type, (void (*)(void))copy, (void (*)(void))delete_fn, keyval,
                  extra_state);
}

#ifdef CS_HAS_MPI_Win_set_attr
int cs_fallback_Win_create_keyval(MPI_Win_copy_attr_function *copy, MPI_Win_delete_attr_function *delete_fn,
                                  int *keyval, void *extra_state)
{
    return create(CALLSIGN_WINDOW, copy_win, delete_win, (void (*)(void))copy, (void (*)(void))delete_fn, keyval,
                  extra_state);
}
#endif

#ifdef CS_HAS_MPI_Keyval_create
int cs_fallback_Keyval_create(MPI_Copy_function *copy, MPI_Delete_function *delete_fn, int *keyval, void *extra_state)
{
    return create(CALLSIGN_COMMUNICATOR, copy_old, delete_old, (void (*)(void))copy, (void (*)(void))delete_fn, keyval,
                  extra_state);
}
#endif

int cs_fallback_free_keyval(enum callsign_kind kind, int *keyval)
{
    if (cs_own_keyval_free(kind, *keyval) != CS_OWN_DONE)
        return cs_native_raise_without_object(MPI_ERR_KEYVAL);
    *keyval = MPI_KEYVAL_INVALID;
    return MPI_SUCCESS;
}

static int free_keyval(enum callsign_kind kind, int *keyval, int (*native)(int *))
{
    if (!keyval)
        return cs_native_raise_without_object(MPI_ERR_ARG);
    if (native && cs_fallback_is_foreign(*keyval) && !cs_predefined_is_any(*keyval))
        return native(keyval);
    return cs_fallback_free_keyval(kind, keyval);
}

int cs_fallback_Comm_free_keyval(int *keyval)
{
    return free_keyval(CALLSIGN_COMMUNICATOR, keyval, cs_native.MPI_Comm_free_keyval);
}

int cs_fallback_Type_free_keyval(int *keyval)
{
    return free_keyval(CALLSIGN_DATATYPE, keyval, cs_native.MPI_Type_free_keyval);
}

#ifdef CS_HAS_MPI_Win_set_attr
int cs_fallback_Win_free_keyval(int *keyval)
{
    return free_keyval(CALLSIGN_WINDOW, keyval, cs_native.MPI_Win_free_keyval);
}
#endif

#ifdef CS_HAS_MPI_Keyval_create
int cs_fallback_Keyval_free(int *keyval)
{
    return free_keyval(CALLSIGN_COMMUNICATOR, keyval, cs_native.MPI_Keyval_free);
}
#endif
