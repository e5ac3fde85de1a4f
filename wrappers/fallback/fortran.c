#include "wrappers/fallback/fortran.h"

#include "asked.h"

#include <string.h>
#include <strings.h>

#include "fortran_next.h"
#include "wrappers/fallback/attribute.h"
#include "wrappers/fallback/fortran_handle.h"
#include "wrappers/fallback/fortran_keyval.h"
#include "wrappers/fallback/fortran_object.h"
#include "wrappers/fallback/fortran_window.h"
#include "wrappers/fallback/keyval.h"
#include "wrappers/fallback/name.h"
#include "wrappers/fallback/native.h"
#include "wrappers/fallback/value.h"

enum { FALSE = 0, TRUE = 1 };

/* ---- names: padded with blanks to the length of their variable, of which those at the end are none of the name ----
 */

static MPI_Fint set_name(enum callsign_kind kind, MPI_Fint handle, const char *name, size_t room)
{
    while (room && name[room - 1] == ' ')
        room--;
    return cs_fallback_set_name(kind, cs_key_of_fortran(kind, handle), name, room);
}

static void pad(const char *found, MPI_Fint length, char *name, size_t room)
{
    size_t bytes = (size_t)length < room ? (size_t)length : room;
    memcpy(name, found, bytes);
    memset(name + bytes, ' ', room - bytes);
}

static MPI_Fint get_name(enum callsign_kind kind, MPI_Fint handle, char *name, MPI_Fint *length, size_t room)
{
    char found[MPI_MAX_OBJECT_NAME];
    int result = cs_fallback_get_name(kind, cs_key_of_fortran(kind, handle), found, length);
    if (result != MPI_SUCCESS)
        return result;
    pad(found, *length, name, room);
    return MPI_SUCCESS;
}

#ifdef CS_HAS_MPI_Get_processor_name
static void get_processor_name(char *name, MPI_Fint *length, MPI_Fint *error, size_t room)
{
    char found[MPI_MAX_PROCESSOR_NAME];
    *error = cs_fallback_Get_processor_name(found, length);
    if (*error == MPI_SUCCESS)
        pad(found, *length, name, room);
}
#endif

/* ---- attributes ---- */

static MPI_Fint get(enum callsign_kind kind, MPI_Fint handle, MPI_Fint keyval, MPI_Aint *value, MPI_Fint *flag)
{
    struct cs_own_answer answer;
    int result = cs_fallback_get_attr(kind, cs_key_of_fortran(kind, handle), keyval, &answer);
    if (result != MPI_SUCCESS)
        return result;
    *flag = answer.found ? TRUE : FALSE;
    if (answer.found)
        *value = cs_value_in_fortran(answer.value);
    return MPI_SUCCESS;
}

/* ---- entry points: of each kind, and of MPI-1 ---- */

#define NATIVES(X)                                                                                                     \
    static void *native_##X##_free_keyval, *native_##X##_set_attr, *native_##X##_get_attr, *native_##X##_delete_attr;

#define KIND(X, KIND_)                                                                                                 \
    NATIVES(X)                                                                                                         \
    static void X##_set_name(MPI_Fint *handle, char *name, MPI_Fint *error, size_t room)                               \
    {                                                                                                                  \
        *error = set_name(KIND_, *handle, name, room);                                                                 \
    }                                                                                                                  \
    static void X##_get_name(MPI_Fint *handle, char *name, MPI_Fint *length, MPI_Fint *error, size_t room)             \
    {                                                                                                                  \
        *error = get_name(KIND_, *handle, name, length, room);                                                         \
    }                                                                                                                  \
    static void X##_create_keyval(cs_fortran_callback *copy, cs_fortran_callback *delete_fn, MPI_Fint *keyval,         \
                                  MPI_Aint *extra_state, MPI_Fint *error)                                              \
    {                                                                                                                  \
        *error = cs_fallback_create_keyval_fortran(KIND_, copy, delete_fn, keyval, *extra_state);                      \
    }                                                                                                                  \
    static void X##_set_attr(MPI_Fint *handle, MPI_Fint *keyval, MPI_Aint *value, MPI_Fint *error)                     \
    {                                                                                                                  \
        if (native_##X##_set_attr && cs_fallback_is_to_change(*keyval))                                                \
            ((cs_fortran_4)native_##X##_set_attr)(handle, keyval, value, error);                                       \
        else                                                                                                           \
            *error =                                                                                                   \
                cs_fallback_set_attr(KIND_, cs_key_of_fortran(KIND_, *handle), *keyval, cs_value_of_address(*value));  \
    }                                                                                                                  \
    static void X##_get_attr(MPI_Fint *handle, MPI_Fint *keyval, MPI_Aint *value, MPI_Fint *flag, MPI_Fint *error)     \
    {                                                                                                                  \
        if (native_##X##_get_attr && cs_fallback_is_to_get(KIND_, *keyval))                                            \
            ((cs_fortran_5)native_##X##_get_attr)(handle, keyval, value, flag, error);                                 \
        else                                                                                                           \
            *error = get(KIND_, *handle, *keyval, value, flag);                                                        \
    }                                                                                                                  \
    static void X##_delete_attr(MPI_Fint *handle, MPI_Fint *keyval, MPI_Fint *error)                                   \
    {                                                                                                                  \
        if (native_##X##_delete_attr && cs_fallback_is_to_change(*keyval))                                             \
            ((cs_fortran_3)native_##X##_delete_attr)(handle, keyval, error);                                           \
        else                                                                                                           \
            *error = cs_fallback_delete_attr(KIND_, cs_key_of_fortran(KIND_, *handle), *keyval);                       \
    }                                                                                                                  \
    static void X##_free_keyval(MPI_Fint *keyval, MPI_Fint *error)                                                     \
    {                                                                                                                  \
        if (native_##X##_free_keyval && cs_fallback_is_to_change(*keyval))                                             \
            ((cs_fortran_2)native_##X##_free_keyval)(keyval, error);                                                   \
        else                                                                                                           \
            *error = cs_fallback_free_keyval(KIND_, keyval);                                                           \
    }

KIND(comm, CALLSIGN_COMMUNICATOR)
KIND(type, CALLSIGN_DATATYPE)
#ifdef CS_HAS_MPI_Win_set_attr
KIND(win, CALLSIGN_WINDOW)
#endif

#ifdef CS_HAS_MPI_Keyval_create
static void keyval_create(cs_fortran_callback *copy, cs_fortran_callback *delete_fn, MPI_Fint *keyval,
                          MPI_Fint *extra_state, MPI_Fint *error)
{
    *error = cs_fallback_keyval_create_fortran(copy, delete_fn, keyval, *extra_state);
}

static void *native_attr_put, *native_attr_get;

static void attr_put(MPI_Fint *comm, MPI_Fint *keyval, MPI_Fint *value, MPI_Fint *error)
{
    if (native_attr_put && cs_fallback_is_to_change(*keyval))
        ((cs_fortran_4)native_attr_put)(comm, keyval, value, error);
    else
        *error = cs_fallback_set_attr(CALLSIGN_COMMUNICATOR, cs_key_of_fortran(CALLSIGN_COMMUNICATOR, *comm), *keyval,
                                      cs_value_of_integer(*value));
}

static void attr_get(MPI_Fint *comm, MPI_Fint *keyval, MPI_Fint *value, MPI_Fint *flag, MPI_Fint *error)
{
    MPI_Aint wide = *value;
    if (native_attr_get && cs_fallback_is_to_get(CALLSIGN_COMMUNICATOR, *keyval)) {
        ((cs_fortran_5)native_attr_get)(comm, keyval, value, flag, error);
        return;
    }
    *error = get(CALLSIGN_COMMUNICATOR, *comm, *keyval, &wide, flag);
    *value = (MPI_Fint)wide;
}
#endif

/* ---- which of them there are ---- */

#define NAMED(Kind, x)                                                                                                 \
    CS_FORTRAN_OWN(Kind##_set_name, "mpi_" #x "_set_name", x##_set_name, NULL),                                        \
        CS_FORTRAN_OWN(Kind##_get_name, "mpi_" #x "_get_name", x##_get_name, NULL)
#define ATTRIBUTED(Kind, x)                                                                                            \
    CS_FORTRAN_OWN(Kind##_create_keyval, "mpi_" #x "_create_keyval", x##_create_keyval, NULL),                         \
        CS_FORTRAN_OWN(Kind##_free_keyval, "mpi_" #x "_free_keyval", x##_free_keyval, &native_##x##_free_keyval),      \
        CS_FORTRAN_OWN(Kind##_set_attr, "mpi_" #x "_set_attr", x##_set_attr, &native_##x##_set_attr),                  \
        CS_FORTRAN_OWN(Kind##_get_attr, "mpi_" #x "_get_attr", x##_get_attr, &native_##x##_get_attr),                  \
        CS_FORTRAN_OWN(Kind##_delete_attr, "mpi_" #x "_delete_attr", x##_delete_attr, &native_##x##_delete_attr)

static const struct cs_fortran_own own[] = {
#ifdef CS_HAS_MPI_Get_processor_name
    CS_FORTRAN_OWN(Get_processor_name, "mpi_get_processor_name", get_processor_name, NULL),
#endif
    NAMED(Comm, comm),
    NAMED(Type, type),
    ATTRIBUTED(Comm, comm),
    ATTRIBUTED(Type, type),
#ifdef CS_HAS_MPI_Win_set_attr
    NAMED(Win, win),
    ATTRIBUTED(Win, win),
#endif
#ifdef CS_HAS_MPI_Keyval_create
    CS_FORTRAN_OWN(Keyval_create, "mpi_keyval_create", keyval_create, NULL),
    CS_FORTRAN_OWN(Keyval_free, "mpi_keyval_free", comm_free_keyval, &native_comm_free_keyval),
    CS_FORTRAN_OWN(Attr_put, "mpi_attr_put", attr_put, &native_attr_put),
    CS_FORTRAN_OWN(Attr_get, "mpi_attr_get", attr_get, &native_attr_get),
    CS_FORTRAN_OWN(Attr_delete, "mpi_attr_delete", comm_delete_attr, &native_comm_delete_attr),
#endif
};

static bool is_of(const char *entry_point, const char *name)
{
    static const char *const endings[] = {"", "_", "__", "_f08_", "_f08ts_"};
    size_t length = strlen(name);
    if (strncasecmp(entry_point, name, length) != 0)
        return false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (strcasecmp(entry_point + length, endings[i]) == 0)
            return true;
    return false;
}

static const struct cs_fortran_own *find(const struct cs_fortran_own *table, size_t count, const char *entry_point)
{
    for (size_t i = 0; i < count; i++)
        if (is_of(entry_point, table[i].name))
            return &table[i];
    return NULL;
}

void *cs_fallback_fortran(const char *entry_point, void *native)
{
    const struct cs_fortran_own *found = find(own, sizeof own / sizeof *own, entry_point);
    if (!found)
        found = find(cs_fortran_objects, cs_fortran_objects_count, entry_point);
    if (!found)
        found = find(cs_fortran_windows, cs_fortran_windows_count, entry_point);
    if (!found || *found->next != found->in_c)
        return native;
    if (found->native && *found->of_mpi)
        __atomic_store_n(found->native, native, __ATOMIC_RELEASE);
    return found->own;
}
