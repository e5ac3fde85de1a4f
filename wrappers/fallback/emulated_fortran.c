#include "wrappers/fallback/emulated_fortran.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "fortran_next.h"
#include "pmpi_queries.h"
#include "wrappers/fallback/emulated_attribute.h"
#include "wrappers/fallback/emulated_lifetime.h"
#include "wrappers/fallback/emulated_name.h"
#include "wrappers/fallback/emulation.h"
#include "wrappers/fallback/underlying_mpi.h"
#include "wrappers/mpi/handle.h"

/* The native Fortran function of a routine; NULL: not known. */
#define NATIVE(routine) atomic_load_explicit(&native_##routine, memory_order_acquire)
#define ENTRY(C, name, own, native)                                                                                    \
    {                                                                                                                  \
        name, (void **)&cs_next.MPI_##C, (void **)&cs_native.MPI_##C, (void *)cs_fallback_##C, (void *)(own), native   \
    }

/* Subroutines with arguments by reference (MPI 4.1, 7.7). */
typedef void fortran_callback(void);

/* ---- keyvals ---- */

/* The result has room for an address: MPICH's MPI_DUP_FN copies an address even if values are INTEGER. */
#define CALLBACKS(name, Integer, value_of)                                                                             \
    CS_CALLS_BACK static int copy_##name(const struct cs_emulated_keyval *keyval, uint64_t object,                     \
                                         struct cs_emulated_value in, struct cs_emulated_value *out, int *flag)        \
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
    CS_CALLS_BACK static int delete_##name(const struct cs_emulated_keyval *keyval, uint64_t object,                   \
                                           struct cs_emulated_value value)                                             \
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

static MPI_Fint create_keyval_fortran(enum callsign_kind kind, fortran_callback *copy, fortran_callback *delete_fn,
                                      MPI_Fint *keyval, MPI_Aint extra_state)
{
    const struct cs_emulated_callbacks callbacks = {.call_copy = copy_address,
                                                    .call_delete = delete_address,
                                                    .copy = copy,
                                                    .delete = delete_fn,
                                                    .extra_state = cs_value_of_address(extra_state)};
    return cs_fallback_create_keyval(kind, &callbacks, keyval);
}

/* Values and extra state have the size of an address; for MPI-1 they are INTEGER. Returns an error code. */
static MPI_Fint create_integer_keyval(fortran_callback *copy, fortran_callback *delete_fn, MPI_Fint *keyval,
                                      MPI_Fint extra_state)
{
    const struct cs_emulated_callbacks callbacks = {.call_copy = copy_integer,
                                                    .call_delete = delete_integer,
                                                    .copy = copy,
                                                    .delete = delete_fn,
                                                    .extra_state = cs_value_of_integer(extra_state)};
    return cs_fallback_create_keyval(CALLSIGN_COMMUNICATOR, &callbacks, keyval);
}

/* ---- windows ---- */

/* The MPI's own function makes the window: it knows Fortran's MPI_BOTTOM and how to return allocated memory. A
   program may use several bindings, so each argument layout has its own function. */

#ifdef CS_HAS_MPI_Win_create
static void keep(MPI_Fint error, MPI_Fint win, int flavor, void *base, MPI_Aint size, MPI_Aint unit)
{
    if (error == MPI_SUCCESS)
        cs_fallback_keep_window(cs_mpi_Win_f2c(win), flavor, base, size, unit);
}
#endif

/* where: address of the memory, from the argument `base`. */
#define CREATES(name, Unit, where)                                                                                     \
    static void *_Atomic native_##name;                                                                                \
    static void name(void *base, MPI_Aint *size, Unit *unit, void *info, void *comm, MPI_Fint *win, MPI_Fint *error)   \
    {                                                                                                                  \
        ((cs_fortran_7)NATIVE(name))(base, size, unit, info, comm, win, error);                                        \
        keep(*error, *win, MPI_WIN_FLAVOR_CREATE, where, *size, *unit);                                                \
    }
#define ALLOCATES(name, Unit, flavor)                                                                                  \
    static void *_Atomic native_##name;                                                                                \
    static void name(MPI_Aint *size, Unit *unit, void *info, void *comm, void **base, MPI_Fint *win, MPI_Fint *error)  \
    {                                                                                                                  \
        ((cs_fortran_7)NATIVE(name))(size, unit, info, comm, base, win, error);                                        \
        keep(*error, *win, flavor, *base, *size, *unit);                                                               \
    }
#define ROW(C, name, own) ENTRY(C, name, own, &native_##own)

/* An array descriptor begins with the address. */
#ifdef CS_HAS_MPI_Win_create
CREATES(create, MPI_Fint, base)
CREATES(create_array, MPI_Fint, *(void **)base)
#endif
#ifdef CS_HAS_MPI_Win_create_c
CREATES(create_large_array, MPI_Aint, *(void **)base)
#endif
#ifdef CS_HAS_MPI_Win_allocate
ALLOCATES(allocate, MPI_Fint, MPI_WIN_FLAVOR_ALLOCATE)
#endif
#ifdef CS_HAS_MPI_Win_allocate_c
ALLOCATES(allocate_large, MPI_Aint, MPI_WIN_FLAVOR_ALLOCATE)
#endif
#ifdef CS_HAS_MPI_Win_allocate_shared
ALLOCATES(allocate_shared, MPI_Fint, MPI_WIN_FLAVOR_SHARED)
#endif
#ifdef CS_HAS_MPI_Win_allocate_shared_c
ALLOCATES(allocate_shared_large, MPI_Aint, MPI_WIN_FLAVOR_SHARED)
#endif

/* ---- contents of datatypes ---- */

#ifdef CS_HAS_MPI_Type_get_contents
/* Returns room for datatypes in C's form. NULL: no memory. */
static MPI_Datatype *room_for(MPI_Count most)
{
    size_t count = most > 0 ? (size_t)most : 0;
    MPI_Datatype *found = malloc((count + 1) * sizeof *found);
    for (size_t i = 0; found && i < count; i++)
        found[i] = MPI_DATATYPE_NULL;
    return found;
}

static void hand_out(MPI_Datatype *found, MPI_Count most, MPI_Fint *types, MPI_Fint error)
{
    for (MPI_Count i = 0; i < most && error == MPI_SUCCESS; i++)
        if (found[i] != MPI_DATATYPE_NULL)
            types[i] = cs_mpi_Type_c2f(found[i]);
    free(found);
}

static void type_get_contents(MPI_Fint *type, MPI_Fint *max_integers, MPI_Fint *max_addresses, MPI_Fint *max_types,
                              MPI_Fint *integers, MPI_Aint *addresses, MPI_Fint *types, MPI_Fint *error)
{
    MPI_Datatype *found = room_for(*max_types);
    *error = found ? cs_fallback_Type_get_contents(cs_mpi_Type_f2c(*type), *max_integers, *max_addresses, *max_types,
                                                   integers, addresses, found)
                   : cs_native_raise_without_object(MPI_ERR_NO_MEM);
    hand_out(found, *max_types, types, *error);
}
#endif

#ifdef CS_HAS_MPI_Type_get_contents_c
static void type_get_contents_large(MPI_Fint *type, MPI_Count *max_integers, MPI_Count *max_addresses,
                                    MPI_Count *max_counts, MPI_Count *max_types, MPI_Fint *integers,
                                    MPI_Aint *addresses, MPI_Count *counts, MPI_Fint *types, MPI_Fint *error)
{
    MPI_Datatype *found = room_for(*max_types);
    *error = found ? cs_fallback_Type_get_contents_c(cs_mpi_Type_f2c(*type), *max_integers, *max_addresses, *max_counts,
                                                     *max_types, integers, addresses, counts, found)
                   : cs_native_raise_without_object(MPI_ERR_NO_MEM);
    hand_out(found, *max_types, types, *error);
}
#endif

/* ---- names and attributes ---- */

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
    struct cs_emulated_answer answer;
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
    static void *_Atomic native_##X##_free_keyval, *_Atomic native_##X##_set_attr, *_Atomic native_##X##_get_attr,     \
        *_Atomic native_##X##_delete_attr;

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
    static void X##_create_keyval(fortran_callback *copy, fortran_callback *delete_fn, MPI_Fint *keyval,               \
                                  MPI_Aint *extra_state, MPI_Fint *error)                                              \
    {                                                                                                                  \
        *error = create_keyval_fortran(KIND_, copy, delete_fn, keyval, *extra_state);                                  \
    }                                                                                                                  \
    static void X##_set_attr(MPI_Fint *handle, MPI_Fint *keyval, MPI_Aint *value, MPI_Fint *error)                     \
    {                                                                                                                  \
        if (NATIVE(X##_set_attr) && cs_fallback_is_to_change(*keyval))                                                 \
            ((cs_fortran_4)NATIVE(X##_set_attr))(handle, keyval, value, error);                                        \
        else                                                                                                           \
            *error =                                                                                                   \
                cs_fallback_set_attr(KIND_, cs_key_of_fortran(KIND_, *handle), *keyval, cs_value_of_address(*value));  \
    }                                                                                                                  \
    static void X##_get_attr(MPI_Fint *handle, MPI_Fint *keyval, MPI_Aint *value, MPI_Fint *flag, MPI_Fint *error)     \
    {                                                                                                                  \
        if (NATIVE(X##_get_attr) && cs_fallback_is_to_get(KIND_, *keyval))                                             \
            ((cs_fortran_5)NATIVE(X##_get_attr))(handle, keyval, value, flag, error);                                  \
        else                                                                                                           \
            *error = get(KIND_, *handle, *keyval, value, flag);                                                        \
    }                                                                                                                  \
    static void X##_delete_attr(MPI_Fint *handle, MPI_Fint *keyval, MPI_Fint *error)                                   \
    {                                                                                                                  \
        if (NATIVE(X##_delete_attr) && cs_fallback_is_to_change(*keyval))                                              \
            ((cs_fortran_3)NATIVE(X##_delete_attr))(handle, keyval, error);                                            \
        else                                                                                                           \
            *error = cs_fallback_delete_attr(KIND_, cs_key_of_fortran(KIND_, *handle), *keyval);                       \
    }                                                                                                                  \
    static void X##_free_keyval(MPI_Fint *keyval, MPI_Fint *error)                                                     \
    {                                                                                                                  \
        if (NATIVE(X##_free_keyval) && cs_fallback_is_to_change(*keyval))                                              \
            ((cs_fortran_2)NATIVE(X##_free_keyval))(keyval, error);                                                    \
        else                                                                                                           \
            *error = cs_fallback_free_keyval(KIND_, keyval);                                                           \
    }

KIND(comm, CALLSIGN_COMMUNICATOR)
KIND(type, CALLSIGN_DATATYPE)
#ifdef CS_HAS_MPI_Win_set_attr
KIND(win, CALLSIGN_WINDOW)
#endif

#ifdef CS_HAS_MPI_Keyval_create
static void keyval_create(fortran_callback *copy, fortran_callback *delete_fn, MPI_Fint *keyval, MPI_Fint *extra_state,
                          MPI_Fint *error)
{
    *error = create_integer_keyval(copy, delete_fn, keyval, *extra_state);
}

static void *_Atomic native_attr_put, *_Atomic native_attr_get;

static void attr_put(MPI_Fint *comm, MPI_Fint *keyval, MPI_Fint *value, MPI_Fint *error)
{
    if (NATIVE(attr_put) && cs_fallback_is_to_change(*keyval))
        ((cs_fortran_4)NATIVE(attr_put))(comm, keyval, value, error);
    else
        *error = cs_fallback_set_attr(CALLSIGN_COMMUNICATOR, cs_key_of_fortran(CALLSIGN_COMMUNICATOR, *comm), *keyval,
                                      cs_value_of_integer(*value));
}

static void attr_get(MPI_Fint *comm, MPI_Fint *keyval, MPI_Fint *value, MPI_Fint *flag, MPI_Fint *error)
{
    MPI_Aint wide = *value;
    if (NATIVE(attr_get) && cs_fallback_is_to_get(CALLSIGN_COMMUNICATOR, *keyval)) {
        ((cs_fortran_5)NATIVE(attr_get))(comm, keyval, value, flag, error);
        return;
    }
    *error = get(CALLSIGN_COMMUNICATOR, *comm, *keyval, &wide, flag);
    *value = (MPI_Fint)wide;
}
#endif

/* ---- which of them there are ---- */

#define NAMED(Kind, x)                                                                                                 \
    ENTRY(Kind##_set_name, "mpi_" #x "_set_name", x##_set_name, NULL),                                                 \
        ENTRY(Kind##_get_name, "mpi_" #x "_get_name", x##_get_name, NULL)
#define ATTRIBUTED(Kind, x)                                                                                            \
    ENTRY(Kind##_create_keyval, "mpi_" #x "_create_keyval", x##_create_keyval, NULL),                                  \
        ENTRY(Kind##_free_keyval, "mpi_" #x "_free_keyval", x##_free_keyval, &native_##x##_free_keyval),               \
        ENTRY(Kind##_set_attr, "mpi_" #x "_set_attr", x##_set_attr, &native_##x##_set_attr),                           \
        ENTRY(Kind##_get_attr, "mpi_" #x "_get_attr", x##_get_attr, &native_##x##_get_attr),                           \
        ENTRY(Kind##_delete_attr, "mpi_" #x "_delete_attr", x##_delete_attr, &native_##x##_delete_attr)

static const struct cs_emulated_entry own[] = {
#ifdef CS_HAS_MPI_Win_create
    ROW(Win_create, "mpi_win_create_f08ts", create_array),
    ROW(Win_create, "mpi_win_create", create),
#endif
#ifdef CS_HAS_MPI_Win_create_c
    ROW(Win_create_c, "mpi_win_create_f08ts_large", create_large_array),
#endif
#ifdef CS_HAS_MPI_Win_allocate
    ROW(Win_allocate, "mpi_win_allocate", allocate),
    ROW(Win_allocate, "mpi_win_allocate_cptr", allocate),
#endif
#ifdef CS_HAS_MPI_Win_allocate_c
    ROW(Win_allocate_c, "mpi_win_allocate_f08_large", allocate_large),
#endif
#ifdef CS_HAS_MPI_Win_allocate_shared
    ROW(Win_allocate_shared, "mpi_win_allocate_shared", allocate_shared),
    ROW(Win_allocate_shared, "mpi_win_allocate_shared_cptr", allocate_shared),
#endif
#ifdef CS_HAS_MPI_Win_allocate_shared_c
    ROW(Win_allocate_shared_c, "mpi_win_allocate_shared_f08_large", allocate_shared_large),
#endif
#ifdef CS_HAS_MPI_Type_get_contents
    ENTRY(Type_get_contents, "mpi_type_get_contents", type_get_contents, NULL),
#endif
#ifdef CS_HAS_MPI_Type_get_contents_c
    ENTRY(Type_get_contents_c, "mpi_type_get_contents_f08_large", type_get_contents_large, NULL),
#endif
#ifdef CS_HAS_MPI_Get_processor_name
    ENTRY(Get_processor_name, "mpi_get_processor_name", get_processor_name, NULL),
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
    ENTRY(Keyval_create, "mpi_keyval_create", keyval_create, NULL),
    ENTRY(Keyval_free, "mpi_keyval_free", comm_free_keyval, &native_comm_free_keyval),
    ENTRY(Attr_put, "mpi_attr_put", attr_put, &native_attr_put),
    ENTRY(Attr_get, "mpi_attr_get", attr_get, &native_attr_get),
    ENTRY(Attr_delete, "mpi_attr_delete", comm_delete_attr, &native_comm_delete_attr),
#endif
};

static bool is_of(const char *entry_point, const char *name)
{
    static const char *const endings[] = {"", "_", "__", "_f08_", "_f08ts_"};
    const char *ending = cs_ascii_after(entry_point, name);
    for (size_t i = 0; ending && i < sizeof endings / sizeof *endings; i++)
        if (cs_ascii_is_same(ending, endings[i]))
            return true;
    return false;
}

static const struct cs_emulated_entry *find(const struct cs_emulated_entry *table, size_t count,
                                            const char *entry_point)
{
    for (size_t i = 0; i < count; i++)
        if (is_of(entry_point, table[i].name))
            return &table[i];
    return NULL;
}

void *cs_fallback_fortran(const char *entry_point, void *native)
{
    const struct cs_emulated_entry *found = find(own, sizeof own / sizeof *own, entry_point);
    if (!found)
        found = find(cs_emulated_entries, cs_emulated_entry_count, entry_point);
    if (!found || *found->next != found->in_c)
        return native;
    if (found->native && *found->of_mpi)
        atomic_store_explicit(found->native, native, memory_order_release);
    return found->own;
}
