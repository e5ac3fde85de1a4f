#include "wrappers/fallback/emulated_attribute.h"

#include <limits.h>
#include <stddef.h>

#include "pmpi_queries.h"
#include "wrappers/fallback/emulated_store.h"
#include "wrappers/fallback/emulation.h"
#include "wrappers/fallback/underlying_mpi.h"
#include "wrappers/mpi/handle.h"

/* ---- predefined attributes ---- */

/* MPICH and its derivatives have two numbers for each keyval; Fortran's is one higher. */
#if defined(MPICH_VERSION) || defined(MPICH_NAME)
enum { NUMBERS = 2 };
#else
enum { NUMBERS = 1 };
#endif

static bool is(int keyval, int predefined)
{
    return keyval >= predefined && keyval < predefined + NUMBERS;
}

/* True if the keyval is predefined for some kind of object, in C or Fortran. */
static bool is_predefined_for(enum callsign_kind kind, int keyval)
{
    const struct {
        enum callsign_kind kind;
        int keyval;
    } all[] = {
        {CALLSIGN_COMMUNICATOR, MPI_TAG_UB},
        {CALLSIGN_COMMUNICATOR, MPI_HOST},
        {CALLSIGN_COMMUNICATOR, MPI_IO},
        {CALLSIGN_COMMUNICATOR, MPI_WTIME_IS_GLOBAL},
        {CALLSIGN_COMMUNICATOR, MPI_UNIVERSE_SIZE},
        {CALLSIGN_COMMUNICATOR, MPI_LASTUSEDCODE},
        {CALLSIGN_COMMUNICATOR, MPI_APPNUM},
        {CALLSIGN_WINDOW, MPI_WIN_BASE},
        {CALLSIGN_WINDOW, MPI_WIN_SIZE},
        {CALLSIGN_WINDOW, MPI_WIN_DISP_UNIT},
        {CALLSIGN_WINDOW, MPI_WIN_CREATE_FLAVOR},
        {CALLSIGN_WINDOW, MPI_WIN_MODEL},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].kind == kind && is(keyval, all[i].keyval))
            return true;
    return false;
}

static bool is_predefined(int keyval)
{
    return is_predefined_for(CALLSIGN_COMMUNICATOR, keyval) || is_predefined_for(CALLSIGN_WINDOW, keyval);
}

/* The MPI's integers act as if set by Fortran: C gets the address, Fortran the value. */
static struct cs_emulated_answer integer(int *value)
{
    return (struct cs_emulated_answer){true, {.integer = *value, .kind = CS_EMULATED_INTEGER}, value};
}

static struct cs_emulated_answer of_communicator(MPI_Comm comm, int keyval)
{
    static int tag_ub = INT_MAX, host = MPI_PROC_NULL, io = MPI_ANY_SOURCE, last = MPI_ERR_LASTCODE;
    static int yes = 1, no = 0;
    int size = 0;
    if (is(keyval, MPI_TAG_UB))
        return integer(&tag_ub);
    if (is(keyval, MPI_HOST))
        return integer(&host);
    if (is(keyval, MPI_IO))
        return integer(&io);
    if (is(keyval, MPI_LASTUSEDCODE))
        return integer(&last);
    if (!is(keyval, MPI_WTIME_IS_GLOBAL))
        return (struct cs_emulated_answer){.found = false};
    cs_mpi_Comm_size(comm, &size);
    return integer(size == 1 ? &yes : &no);
}

static struct cs_emulated_answer of_window(uint64_t window, int keyval)
{
    struct cs_emulated_window *kept = cs_emulated_window_kept(window);
    if (!kept)
        return (struct cs_emulated_answer){.found = false};
    if (is(keyval, MPI_WIN_BASE))
        return (struct cs_emulated_answer){true, {.pointer = kept->base, .kind = CS_EMULATED_POINTER}, NULL};
    if (is(keyval, MPI_WIN_SIZE))
        return (struct cs_emulated_answer){
            true, {.address = kept->size_bytes, .kind = CS_EMULATED_ADDRESS}, &kept->size_bytes};
    return integer(is(keyval, MPI_WIN_DISP_UNIT)       ? &kept->displacement_unit_bytes
                   : is(keyval, MPI_WIN_CREATE_FLAVOR) ? &kept->flavor
                                                       : &kept->model);
}

/* The answer if the MPI has none. found is false: no such attribute. */
static struct cs_emulated_answer answer_predefined(enum callsign_kind kind, uint64_t object, int keyval)
{
    return kind == CALLSIGN_WINDOW ? of_window(object, keyval)
                                   : of_communicator(CS_HANDLE_OF(MPI_Comm, object), keyval);
}

/* ---- keyvals ---- */

static int code_of(struct cs_emulated_result result)
{
    switch (result.outcome) {
    case CS_EMULATED_DONE:
        return MPI_SUCCESS;
    case CS_EMULATED_NO_KEYVAL:
        return MPI_ERR_KEYVAL;
    case CS_EMULATED_NO_MEMORY:
        return MPI_ERR_NO_MEM;
    case CS_EMULATED_REFUSED:
        break;
    }
    return result.code;
}

int cs_fallback_answer(enum callsign_kind kind, uint64_t object, struct cs_emulated_result result)
{
    int code = code_of(result);
    return code == MPI_SUCCESS ? code : cs_native_raise(kind, object, code);
}

/* True if callsign did not make this keyval, but the MPI may have. */
static bool is_foreign(int keyval)
{
    return !cs_emulated_keyval_is(keyval) && keyval != MPI_KEYVAL_INVALID;
}

/* ---- callbacks in C ---- */

/* A null pointer copies nothing and deletes nothing. A value that MPI_*_DUP_FN copies keeps its language. */
#define CALLBACKS(kind, Handle, copier, deleter, duplicate)                                                            \
    CS_CALLS_BACK static int copy_##kind(const struct cs_emulated_keyval *keyval, uint64_t object,                     \
                                         struct cs_emulated_value in, struct cs_emulated_value *out, int *flag)        \
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
    CS_CALLS_BACK static int delete_##kind(const struct cs_emulated_keyval *keyval, uint64_t object,                   \
                                           struct cs_emulated_value value)                                             \
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

int cs_fallback_create_keyval(enum callsign_kind kind, const struct cs_emulated_callbacks *callbacks, int *keyval)
{
    if (!keyval)
        return cs_native_raise_without_object(MPI_ERR_ARG);
    if (cs_emulated_keyval_create(kind, callbacks, keyval) != CS_EMULATED_DONE)
        return cs_native_raise_without_object(MPI_ERR_NO_MEM);
    return MPI_SUCCESS;
}

static int create(enum callsign_kind kind, cs_emulated_copier *call_copy, cs_emulated_deleter *call_delete,
                  void (*copy)(void), void (*delete_fn)(void), int *keyval, void *extra_state)
{
    const struct cs_emulated_callbacks callbacks = {.call_copy = call_copy,
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
    if (cs_emulated_keyval_free(kind, *keyval) != CS_EMULATED_DONE)
        return cs_native_raise_without_object(MPI_ERR_KEYVAL);
    *keyval = MPI_KEYVAL_INVALID;
    return MPI_SUCCESS;
}

int cs_fallback_free_keyval_in_c(enum callsign_kind kind, int *keyval, int (*native)(int *))
{
    if (!keyval)
        return cs_native_raise_without_object(MPI_ERR_ARG);
    if (native && is_foreign(*keyval) && !is_predefined(*keyval))
        return native(keyval);
    return cs_fallback_free_keyval(kind, keyval);
}

/* ---- attributes ---- */

bool cs_fallback_is_to_get(enum callsign_kind kind, int keyval)
{
    return is_foreign(keyval) && (!is_predefined(keyval) || is_predefined_for(kind, keyval));
}

bool cs_fallback_is_to_change(int keyval)
{
    return is_foreign(keyval) && !is_predefined(keyval);
}

/* ---- any kind ---- */

int cs_fallback_set_attr(enum callsign_kind kind, uint64_t object, int keyval, struct cs_emulated_value value)
{
    int result = cs_native_check(kind, object);
    if (result != MPI_SUCCESS)
        return result;
    return cs_fallback_answer(kind, object, cs_emulated_set(kind, object, keyval, value));
}

/* An existing attribute proves that the handle is valid, so only other handles are checked by the MPI. */
int cs_fallback_get_attr(enum callsign_kind kind, uint64_t object, int keyval, struct cs_emulated_answer *answer)
{
    enum cs_emulated_outcome outcome = cs_emulated_get(kind, object, keyval, answer);
    if (__builtin_expect(answer->found, 1))
        return MPI_SUCCESS;
    int result = cs_native_check(kind, object);
    if (result != MPI_SUCCESS)
        return result;
    if (is_predefined_for(kind, keyval)) {
        *answer = answer_predefined(kind, object, keyval);
        return MPI_SUCCESS;
    }
    return cs_fallback_answer(kind, object, (struct cs_emulated_result){.outcome = outcome});
}

int cs_fallback_delete_attr(enum callsign_kind kind, uint64_t object, int keyval)
{
    int result = cs_native_check(kind, object);
    if (result != MPI_SUCCESS)
        return result;
    return cs_fallback_answer(kind, object, cs_emulated_delete(kind, object, keyval));
}

int cs_fallback_get_attr_in_c(enum callsign_kind kind, uint64_t object, int keyval, void *value, int *flag)
{
    struct cs_emulated_answer answer;
    if (!value || !flag)
        return cs_native_raise(kind, object, MPI_ERR_ARG);
    int result = cs_fallback_get_attr(kind, object, keyval, &answer);
    if (result != MPI_SUCCESS)
        return result;
    *flag = answer.found;
    if (answer.found)
        *(void **)value = cs_value_in_c(answer.value, answer.kept);
    return MPI_SUCCESS;
}
