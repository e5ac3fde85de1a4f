#include "wrappers/fallback/attribute.h"

#include "wrappers/fallback/keyval.h"
#include "wrappers/fallback/native.h"
#include "wrappers/fallback/predefined.h"
#include "wrappers/fallback/value.h"

bool cs_fallback_is_to_get(enum callsign_kind kind, int keyval)
{
    return cs_fallback_is_foreign(keyval) && (!cs_predefined_is_any(keyval) || cs_predefined_is_for(kind, keyval));
}

bool cs_fallback_is_to_change(int keyval)
{
    return cs_fallback_is_foreign(keyval) && !cs_predefined_is_any(keyval);
}

/* ---- any kind ---- */

int cs_fallback_set_attr(enum callsign_kind kind, uint64_t object, int keyval, struct cs_own_value value)
{
    int result = cs_native_check(kind, object);
    if (result != MPI_SUCCESS)
        return result;
    return cs_fallback_answer(kind, object, cs_own_set(kind, object, keyval, value));
}

/* What has an attribute is an object: the MPI is asked about others only. */
int cs_fallback_get_attr(enum callsign_kind kind, uint64_t object, int keyval, struct cs_own_answer *answer)
{
    enum cs_own_outcome outcome = cs_own_get(kind, object, keyval, answer);
    if (__builtin_expect(answer->found, 1))
        return MPI_SUCCESS;
    int result = cs_native_check(kind, object);
    if (result != MPI_SUCCESS)
        return result;
    if (cs_predefined_is_for(kind, keyval)) {
        *answer = cs_predefined_answer(kind, object, keyval);
        return MPI_SUCCESS;
    }
    return cs_fallback_answer(kind, object, (struct cs_own_result){.outcome = outcome});
}

int cs_fallback_delete_attr(enum callsign_kind kind, uint64_t object, int keyval)
{
    int result = cs_native_check(kind, object);
    if (result != MPI_SUCCESS)
        return result;
    return cs_fallback_answer(kind, object, cs_own_delete(kind, object, keyval));
}

static int answer_in_c(enum callsign_kind kind, uint64_t object, int keyval, void *value, int *flag)
{
    struct cs_own_answer answer;
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

/* ---- communicators ---- */

int cs_fallback_Comm_set_attr(MPI_Comm comm, int keyval, void *value)
{
    if (cs_native.MPI_Comm_set_attr && cs_fallback_is_to_change(keyval))
        return cs_native.MPI_Comm_set_attr(comm, keyval, value);
    return cs_fallback_set_attr(CALLSIGN_COMMUNICATOR, CS_KEY(comm), keyval, cs_value_of_c(value));
}

int cs_fallback_Comm_get_attr(MPI_Comm comm, int keyval, void *value, int *flag)
{
    if (__builtin_expect(cs_own_keyval_is(keyval), 1) || !cs_native.MPI_Comm_get_attr ||
        !cs_fallback_is_to_get(CALLSIGN_COMMUNICATOR, keyval))
        return answer_in_c(CALLSIGN_COMMUNICATOR, CS_KEY(comm), keyval, value, flag);
    return cs_native.MPI_Comm_get_attr(comm, keyval, value, flag);
}

int cs_fallback_Comm_delete_attr(MPI_Comm comm, int keyval)
{
    if (cs_native.MPI_Comm_delete_attr && cs_fallback_is_to_change(keyval))
        return cs_native.MPI_Comm_delete_attr(comm, keyval);
    return cs_fallback_delete_attr(CALLSIGN_COMMUNICATOR, CS_KEY(comm), keyval);
}

int cs_fallback_Attr_put(MPI_Comm comm, int keyval, void *value)
{
    return cs_fallback_Comm_set_attr(comm, keyval, value);
}

int cs_fallback_Attr_get(MPI_Comm comm, int keyval, void *value, int *flag)
{
    return cs_fallback_Comm_get_attr(comm, keyval, value, flag);
}

int cs_fallback_Attr_delete(MPI_Comm comm, int keyval)
{
    return cs_fallback_Comm_delete_attr(comm, keyval);
}

/* ---- datatypes ---- */

int cs_fallback_Type_set_attr(MPI_Datatype type, int keyval, void *value)
{
    if (cs_native.MPI_Type_set_attr && cs_fallback_is_to_change(keyval))
        return cs_native.MPI_Type_set_attr(type, keyval, value);
    return cs_fallback_set_attr(CALLSIGN_DATATYPE, CS_KEY(type), keyval, cs_value_of_c(value));
}

int cs_fallback_Type_get_attr(MPI_Datatype type, int keyval, void *value, int *flag)
{
    if (__builtin_expect(cs_own_keyval_is(keyval), 1) || !cs_native.MPI_Type_get_attr ||
        !cs_fallback_is_to_get(CALLSIGN_DATATYPE, keyval))
        return answer_in_c(CALLSIGN_DATATYPE, CS_KEY(type), keyval, value, flag);
    return cs_native.MPI_Type_get_attr(type, keyval, value, flag);
}

int cs_fallback_Type_delete_attr(MPI_Datatype type, int keyval)
{
    if (cs_native.MPI_Type_delete_attr && cs_fallback_is_to_change(keyval))
        return cs_native.MPI_Type_delete_attr(type, keyval);
    return cs_fallback_delete_attr(CALLSIGN_DATATYPE, CS_KEY(type), keyval);
}

/* ---- windows ---- */

#ifdef CS_HAS_MPI_Win_set_attr

int cs_fallback_Win_set_attr(MPI_Win win, int keyval, void *value)
{
    if (cs_native.MPI_Win_set_attr && cs_fallback_is_to_change(keyval))
        return cs_native.MPI_Win_set_attr(win, keyval, value);
    return cs_fallback_set_attr(CALLSIGN_WINDOW, CS_KEY(win), keyval, cs_value_of_c(value));
}

int cs_fallback_Win_get_attr(MPI_Win win, int keyval, void *value, int *flag)
{
    if (__builtin_expect(cs_own_keyval_is(keyval), 1) || !cs_native.MPI_Win_get_attr ||
        !cs_fallback_is_to_get(CALLSIGN_WINDOW, keyval))
        return answer_in_c(CALLSIGN_WINDOW, CS_KEY(win), keyval, value, flag);
    return cs_native.MPI_Win_get_attr(win, keyval, value, flag);
}

int cs_fallback_Win_delete_attr(MPI_Win win, int keyval)
{
    if (cs_native.MPI_Win_delete_attr && cs_fallback_is_to_change(keyval))
        return cs_native.MPI_Win_delete_attr(win, keyval);
    return cs_fallback_delete_attr(CALLSIGN_WINDOW, CS_KEY(win), keyval);
}
#endif
