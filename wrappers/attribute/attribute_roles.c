/* The program's use of attributes: get, set, delete; copies; keyvals. */
#include "wrappers/attribute/attribute_roles.h"

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <string.h>

#include "functions.h"
#include "pmpi_queries.h"
#include "record/call/thread_life.h"
#include "record/object/attribute_values.h"
#include "record/process/thread.h"
#include "wrappers/mpi/quirks.h"
#include "wrappers/object/any_object.h"
#include "wrappers/object/birth.h"

struct predefined {
    int keyval;
    enum callsign_kind kind;
    const char *name;
    enum { IS_ADDRESS, POINTS_TO_INT, POINTS_TO_AINT } meaning; /* what the pointer returned in C points to */
};

/* Filled at run time: in some MPIs these constants are variables. */
static struct predefined predefined[12];

#define CONSTANT(name)                                                                                                 \
    {                                                                                                                  \
#name, name                                                                                                    \
    }

/* Values with names; the numbers differ between MPIs. */
static void note_constants(void)
{
    const struct {
        const char *name;
        int value;
    } constants[] = {
        CONSTANT(MPI_PROC_NULL),           CONSTANT(MPI_ANY_SOURCE),         CONSTANT(MPI_WIN_FLAVOR_CREATE),
        CONSTANT(MPI_WIN_FLAVOR_ALLOCATE), CONSTANT(MPI_WIN_FLAVOR_DYNAMIC), CONSTANT(MPI_WIN_FLAVOR_SHARED),
        CONSTANT(MPI_WIN_SEPARATE),        CONSTANT(MPI_WIN_UNIFIED),
    };
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        cs_attribute_note_constant(constants[i].name, constants[i].value);
}

void cs_attributes_predefined(void)
{
    const struct predefined all[sizeof predefined / sizeof *predefined] = {
        {MPI_TAG_UB, CALLSIGN_COMMUNICATOR, "MPI_TAG_UB", POINTS_TO_INT},
        {MPI_HOST, CALLSIGN_COMMUNICATOR, "MPI_HOST", POINTS_TO_INT},
        {MPI_IO, CALLSIGN_COMMUNICATOR, "MPI_IO", POINTS_TO_INT},
        {MPI_WTIME_IS_GLOBAL, CALLSIGN_COMMUNICATOR, "MPI_WTIME_IS_GLOBAL", POINTS_TO_INT},
        {MPI_UNIVERSE_SIZE, CALLSIGN_COMMUNICATOR, "MPI_UNIVERSE_SIZE", POINTS_TO_INT},
        {MPI_LASTUSEDCODE, CALLSIGN_COMMUNICATOR, "MPI_LASTUSEDCODE", POINTS_TO_INT},
        {MPI_APPNUM, CALLSIGN_COMMUNICATOR, "MPI_APPNUM", POINTS_TO_INT},
        {MPI_WIN_BASE, CALLSIGN_WINDOW, "MPI_WIN_BASE", IS_ADDRESS},
        {MPI_WIN_SIZE, CALLSIGN_WINDOW, "MPI_WIN_SIZE", POINTS_TO_AINT},
        {MPI_WIN_DISP_UNIT, CALLSIGN_WINDOW, "MPI_WIN_DISP_UNIT", POINTS_TO_INT},
        {MPI_WIN_CREATE_FLAVOR, CALLSIGN_WINDOW, "MPI_WIN_CREATE_FLAVOR", POINTS_TO_INT},
        {MPI_WIN_MODEL, CALLSIGN_WINDOW, "MPI_WIN_MODEL", POINTS_TO_INT},
    };
    memcpy(predefined, all, sizeof predefined);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        cs_keyval_note(all[i].keyval, all[i].kind, all[i].name, 0, 0);
    note_constants();
}

/* Stores the value that C returned. Addresses are left out: they mean nothing outside this process. */
static void decode(struct cs_attribute *attribute, enum callsign_kind kind, void *answer)
{
    attribute->value_kind = CS_VALUE_ADDRESS;
    attribute->value = (uint64_t)(uintptr_t)answer;
    for (size_t i = 0; i < sizeof predefined / sizeof *predefined; i++) {
        const struct predefined *known = &predefined[i];
        if (known->keyval != attribute->keyval || known->kind != kind || known->meaning == IS_ADDRESS || !answer)
            continue;
        attribute->value_kind = CS_VALUE_INTEGER;
        if (known->meaning == POINTS_TO_INT)
            attribute->value = (uint64_t)(int64_t) * (const int *)answer;
        else
            attribute->value = (uint64_t)(int64_t) * (const MPI_Aint *)answer;
        return;
    }
}

int cs_attribute_keyval(enum callsign_kind kind, int fortran_keyval)
{
#if defined(MPICH_VERSION) || defined(MPICH_NAME)
    for (size_t i = 0; i < sizeof predefined / sizeof *predefined; i++)
        if (predefined[i].kind == kind && predefined[i].keyval + 1 == fortran_keyval)
            return predefined[i].keyval;
#endif
    (void)kind;
    return fortran_keyval;
}

void cs_attributes_survey(void)
{
    struct cs_thread *thread = cs_thread_self ? cs_thread_self : cs_thread_begin();
    const struct callsign_record *world = cs_object_find(CALLSIGN_COMMUNICATOR, CS_KEY(MPI_COMM_WORLD));
    for (size_t i = 0; thread && world && i < sizeof predefined / sizeof *predefined; i++) {
        if (predefined[i].kind != CALLSIGN_COMMUNICATOR)
            continue;
        /* MPICH queries its launcher for this one, and starts a launcher if there is none. */
        if (predefined[i].keyval == MPI_UNIVERSE_SIZE)
            continue;
        void *answer = NULL;
        int found = 0;
        struct cs_attribute attribute = {.object = world->id,
                                         .keyval = predefined[i].keyval,
                                         .operation = CS_ATTRIBUTE_SURVEY,
                                         .kind = CALLSIGN_COMMUNICATOR,
                                         .ticks = cs_clock_ticks()};
        if (cs_mpi_Comm_get_attr(MPI_COMM_WORLD, predefined[i].keyval, &answer, &found) != MPI_SUCCESS)
            continue;
        attribute.found = found;
        if (found)
            decode(&attribute, CALLSIGN_COMMUNICATOR, answer);
        cs_attribute_count(thread, &attribute);
    }
}

/* ---- what the program does ---- */

/* The object of a handle that the MPI accepted. */
static const struct callsign_record *object_of(const struct cs_call *call, enum callsign_kind kind, uint64_t handle)
{
    const struct callsign_record *on = call->on;
    return on && on->handle == handle && on->kind == kind ? on : cs_record_of(call, kind, handle);
}

static void failed(struct cs_call *call, struct cs_attribute *attribute, int result)
{
    struct cs_error_words error = cs_error_words(result);
    attribute->found = false;
    attribute->value_kind = CS_VALUE_ERROR;
    attribute->value = (uint64_t)(int64_t)error.error;
    if (cs_attribute_count(call->thread, attribute))
        cs_attribute_note_error(error.error, error.words);
}

bool cs_attribute_of(struct cs_call *call, enum cs_attribute_operation operation, enum callsign_kind kind,
                     uint64_t handle, int keyval, int result, struct cs_attribute *attribute)
{
    if (!call->thread || !call->counted)
        return false;
    bool refused = result != MPI_SUCCESS;
    /* The handle of a failed call may be anything. */
    const struct callsign_record *object = refused ? cs_object_look_up(kind, handle) : object_of(call, kind, handle);
    *attribute = (struct cs_attribute){.site = cs_call_site(call),
                                       .object = object ? object->id : 0,
                                       .keyval = keyval,
                                       .operation = operation,
                                       .kind = kind,
                                       .found = true,
                                       .ticks = call->stop};
    if (refused)
        failed(call, attribute, result);
    return !refused;
}

void cs_attribute_held(const struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval,
                       size_t integer_bytes)
{
    const struct callsign_record *object = object_of(call, kind, handle);
    if (object)
        cs_presence_set(call->thread, object, keyval, (uint32_t)integer_bytes);
}

void cs_got_attribute(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval, const void *value,
                      const int *found, int result)
{
    CS_KEEP_ERRNO;
    struct cs_attribute attribute;
    if (!cs_attribute_of(call, CS_ATTRIBUTE_GET, kind, handle, keyval, result, &attribute))
        return;
    attribute.found = *found;
    if (*found)
        decode(&attribute, kind, *(void *const *)value);
    cs_attribute_count(call->thread, &attribute);
}

void cs_set_attribute(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval, const void *value,
                      int result)
{
    CS_KEEP_ERRNO;
    struct cs_attribute attribute;
    if (!cs_attribute_of(call, CS_ATTRIBUTE_SET, kind, handle, keyval, result, &attribute))
        return;
    attribute.value_kind = CS_VALUE_ADDRESS;
    attribute.value = (uint64_t)(uintptr_t)value;
    cs_attribute_count(call->thread, &attribute);
    cs_attribute_held(call, kind, handle, keyval, 0);
}

void cs_deleted_attribute(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval, int result)
{
    CS_KEEP_ERRNO;
    struct cs_attribute attribute;
    if (!cs_attribute_of(call, CS_ATTRIBUTE_DELETE, kind, handle, keyval, result, &attribute))
        return;
    cs_attribute_count(call->thread, &attribute);
    cs_presence_delete(object_of(call, kind, handle), keyval);
}

/* ---- copies ---- */

/* The value that C gets for an attribute set by Fortran points to the integer in the MPI. This also holds for a
   copy, if the key's functions are from Fortran, too. */
static void decode_copy(const struct cs_presence *held, void *answer, struct cs_attribute *attribute)
{
    const struct callsign_record *key = cs_object_find(CALLSIGN_KEYVAL, CS_KEY(held->keyval));
    bool is_integer = answer && held->integer_bytes && key && key->bytes;
    bool small = held->integer_bytes == sizeof(MPI_Fint) || (key && key->bytes == sizeof(MPI_Fint));
    attribute->value_kind = is_integer ? CS_VALUE_INTEGER : CS_VALUE_ADDRESS;
    attribute->value = !is_integer ? (uint64_t)(uintptr_t)answer
                       : small     ? (uint64_t)(int64_t) * (const MPI_Fint *)answer
                                   : (uint64_t)(int64_t) * (const MPI_Aint *)answer;
}

/* Queries one attribute of the duplicate. Returns true if the duplicate has it; then it is counted. */
static bool ask(struct cs_call *call, const struct callsign_record *duplicate, const struct cs_presence *held,
                uint64_t site)
{
    void *answer = NULL;
    int found = 0, result;
    if (duplicate->kind == CALLSIGN_DATATYPE)
        result =
            cs_mpi_Type_get_attr(CS_HANDLE_OF(MPI_Datatype, duplicate->handle), held->keyval, (void *)&answer, &found);
    else
        result = cs_mpi_Comm_get_attr(CS_HANDLE_OF(MPI_Comm, duplicate->handle), held->keyval, (void *)&answer, &found);
    if (result != MPI_SUCCESS)
        return false;
    struct cs_attribute attribute = {.site = site,
                                     .object = duplicate->id,
                                     .keyval = held->keyval,
                                     .operation = CS_ATTRIBUTE_COPY,
                                     .kind = duplicate->kind,
                                     .found = found,
                                     .ticks = call->stop};
    if (found)
        decode_copy(held, answer, &attribute);
    cs_attribute_count(call->thread, &attribute);
    return found;
}

/* Freed keys are skipped: the MPI would call the program's error handler. */
static void ask_all(struct cs_call *call, const struct callsign_record *duplicate, uint64_t site)
{
    struct cs_presence held;
    for (size_t i = 0; cs_presence_get(duplicate, i, &held);) {
        if (!cs_presence_has_keyval(&held) || ask(call, duplicate, &held, site))
            i++;
        else
            cs_presence_remove(duplicate, &held);
    }
}

void cs_duplicated(struct cs_call *call, enum callsign_kind kind, uint64_t original, uint64_t duplicate)
{
    const struct callsign_record *from = cs_object_find(kind, original);
    const struct callsign_record *object = cs_has_values(from) ? cs_object_find(kind, duplicate) : NULL;
    if (!object || !call->counted)
        return;
    cs_presence_copy(from, object);
    const struct cs_function *function = cs_function_find(call->function);
    if (!function || function->mode != CS_MODE_NONBLOCKING) /* not complete yet: do not query */
        ask_all(call, object, cs_call_site(call));
}

void cs_duplicate_ready(struct cs_call *call, uint32_t id, uint64_t site)
{
    const struct callsign_record *object =
        atomic_load_explicit(&cs_presence_any, memory_order_relaxed) ? cs_object_find_id(id) : NULL;
    if (cs_has_values(object) && cs_object_is(object, CALLSIGN_COMMUNICATOR, object->handle))
        ask_all(call, object, site);
}

/* ---- keyvals ---- */

/* ---- what the MPI has ---- */

enum ready_made { DUPLICATES, COPIES_NOTHING, DELETES_NOTHING, READY_MADE };

static const char *const suffixes[READY_MADE] = {"DUP_FN", "NULL_COPY_FN", "NULL_DELETE_FN"};

/* The function's name for this predefined callback. MPICH shares some of them between all kinds. */
static const char *name_for(uint16_t function, enum ready_made one)
{
    static const struct {
        uint16_t function;
        const char *names[READY_MADE];
    } names[] = {
        {CS_MPI_Comm_create_keyval, {"MPI_COMM_DUP_FN", "MPI_COMM_NULL_COPY_FN", "MPI_COMM_NULL_DELETE_FN"}},
        {CS_MPI_Type_create_keyval, {"MPI_TYPE_DUP_FN", "MPI_TYPE_NULL_COPY_FN", "MPI_TYPE_NULL_DELETE_FN"}},
        {CS_MPI_Win_create_keyval, {"MPI_WIN_DUP_FN", "MPI_WIN_NULL_COPY_FN", "MPI_WIN_NULL_DELETE_FN"}},
        {CS_MPI_Keyval_create, {"MPI_DUP_FN", "MPI_NULL_COPY_FN", "MPI_NULL_DELETE_FN"}},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].function == function)
            return names[i].names[one];
    return NULL;
}

/* The symbol of a function in the MPI, or of callsign's replacement; NULL: a function of the program. A program that
   is not position-independent has its own address for each library function, with a symbol that it does not define. */
static const char *symbol_in_mpi(uint64_t address)
{
    Dl_info info;
    const ElfW(Sym) *symbol = NULL;
    if (!dladdr1((const void *)(uintptr_t)address, &info, (void **)&symbol, RTLD_DL_SYMENT) || !info.dli_sname)
        return NULL;
    enum cs_module_owner owner = cs_module_find_owner(address);
    bool elsewhere = symbol && symbol->st_shndx == SHN_UNDEF;
    bool is_ours = owner == CS_MODULE_MPI || owner == CS_MODULE_MPI_FORTRAN || owner == CS_MODULE_CALLSIGN;
    return is_ours || elsewhere ? info.dli_sname : NULL;
}

/* Which predefined callback the function at this address is; -1: none. Finding the symbol takes microseconds, so an
   answer is kept in a word with the address and with the number of replaced libraries by then. */
static int ready_made_at(uint64_t address)
{
    enum { SLOTS = 64, ADDRESS_SHIFT = 16, REPLACED_SHIFT = 4, REPLACED_MASK = 0xfff, ANSWER_MASK = 15 };
    static _Atomic uint64_t known[SLOTS];
    _Atomic uint64_t *slot = &known[(address >> 4) % SLOTS];
    uint64_t stamp = address << ADDRESS_SHIFT | (uint64_t)(cs_module_count_replaced() & REPLACED_MASK)
                                                    << REPLACED_SHIFT;
    uint64_t word = atomic_load_explicit(slot, memory_order_relaxed);
    if ((word & ~(uint64_t)ANSWER_MASK) == stamp)
        return (int)(word & ANSWER_MASK) - 1;
    const char *symbol = symbol_in_mpi(address);
    int found = -1;
    for (int i = 0; symbol && i < READY_MADE; i++)
        if (strcasestr(symbol, suffixes[i]))
            found = i;
    atomic_store_explicit(slot, stamp | (uint64_t)(found + 1), memory_order_relaxed);
    return found;
}

/* Several MPIs use null pointers for the callbacks that do nothing. In the standard ABI the duplicating callback is
   1. */
static struct cs_callback callback(const struct cs_call *call, uint64_t address, enum ready_made null)
{
    struct cs_callback callback = {.address = address};
    int ready_made = address > 1 ? ready_made_at(address) : address ? DUPLICATES : (int)null;
    if (ready_made >= 0)
        callback.name = name_for(call->function, (enum ready_made)ready_made);
    return callback;
}

/* ---- roles ---- */

void cs_made_keyval_by(struct cs_call *call, enum callsign_kind kind, uint64_t copy, uint64_t delete, int keyval,
                       int64_t extra_state, size_t integer_bytes, enum cs_language language)
{
    cs_keyval_note(keyval, kind, NULL, call->function, cs_call_site(call));
    struct cs_birth birth;
    cs_birth_begin(&birth, call, CALLSIGN_KEYVAL, CS_KEY(keyval));
    birth.fortran_handle = keyval;
    birth.bytes = (int64_t)integer_bytes;
    const struct callsign_record *object = cs_birth_register(&birth, call);
    const struct cs_callbacks callbacks = {.kind = kind,
                                           .language = language,
                                           .copy = callback(call, copy, COPIES_NOTHING),
                                           .delete = callback(call, delete, DELETES_NOTHING),
                                           .extra_state = extra_state};
    if (object)
        cs_keyval_note_callbacks(object, &callbacks);
}

void cs_made_keyval(struct cs_call *call, enum callsign_kind kind, uint64_t copy, uint64_t delete, int keyval,
                    int64_t extra_state)
{
    cs_made_keyval_by(call, kind, copy, delete, keyval, extra_state, 0, CS_LANGUAGE_C);
}

/* The kind of object for the keyvals of a function. */
static enum callsign_kind kind_of_keyvals(uint16_t function)
{
    return function == CS_MPI_Type_free_keyval  ? CALLSIGN_DATATYPE
           : function == CS_MPI_Win_free_keyval ? CALLSIGN_WINDOW
                                                : CALLSIGN_COMMUNICATOR;
}

void cs_begin_free_keyval(struct cs_call *call, int keyval)
{
    cs_begin_free(call, CALLSIGN_KEYVAL, CS_KEY(keyval));
}

void cs_end_free_keyval(struct cs_call *call, int result)
{
    if (!call->thread)
        return;
    const struct callsign_record *freeing = call->freeing.object;
    uint32_t key = freeing ? freeing->id : 0;
    int keyval = freeing                                 ? (int)(uint32_t)freeing->handle
                 : call->unknown_kind == CALLSIGN_KEYVAL ? (int)(uint32_t)call->unknown
                                                         : MPI_KEYVAL_INVALID;
    cs_end_free(call, result);
    struct cs_attribute attribute;
    if (result != MPI_SUCCESS)
        cs_attribute_of(call, CS_ATTRIBUTE_FREE, kind_of_keyvals(call->function), 0, keyval, result, &attribute);
    else if (key)
        cs_keyval_note_holders(key, cs_presence_drop_keyval(key));
}
