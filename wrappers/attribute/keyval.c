#include "wrappers/attribute/keyval.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "functions.h"
#include "record/attribute_values.h"
#include "wrappers/attribute/attribute.h"
#include "wrappers/object/birth.h"
#include "wrappers/object/free.h"

/* ---- what the MPI has ---- */

enum ready_made { DUPLICATES, COPIES_NOTHING, DELETES_NOTHING, READY_MADE };

static const char *const suffixes[READY_MADE] = {"DUP_FN", "NULL_COPY_FN", "NULL_DELETE_FN"};

/* The name that a program gives this one in a call of the function. MPICH has some of them once for all kinds. */
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

/* The symbol of a function of the MPI, or of callsign's in its place; NULL: it is the program's. A program that is not
   position-independent has for each function of a library one address of its own, with a symbol that it does not
   define. */
static const char *symbol_in_mpi(uint64_t address)
{
    Dl_info info;
    const ElfW(Sym) *symbol = NULL;
    if (!dladdr1((const void *)(uintptr_t)address, &info, (void **)&symbol, RTLD_DL_SYMENT) || !info.dli_sname)
        return NULL;
    enum cs_module_owner owner = cs_module_owner(address);
    bool elsewhere = symbol && symbol->st_shndx == SHN_UNDEF;
    bool is_ours = owner == CS_MODULE_MPI || owner == CS_MODULE_MPI_FORTRAN || owner == CS_MODULE_CALLSIGN;
    return is_ours || elsewhere ? info.dli_sname : NULL;
}

/* Several MPIs have null pointers for what copies and deletes nothing; the standard ABI has 1 for what copies. */
static struct cs_callback callback(const struct cs_call *call, uint64_t address, enum ready_made null)
{
    struct cs_callback callback = {.address = address};
    if (address <= 1)
        callback.name = name_for(call->function, address ? DUPLICATES : null);
    const char *symbol = address > 1 ? symbol_in_mpi(address) : NULL;
    for (int i = 0; symbol && i < READY_MADE; i++)
        if (strcasestr(symbol, suffixes[i]))
            callback.name = name_for(call->function, (enum ready_made)i);
    return callback;
}

/* ---- roles ---- */

void cs_made_keyval_by(struct cs_call *call, enum callsign_kind kind, uint64_t copy, uint64_t delete, int keyval,
                       int64_t extra_state, size_t integer_bytes, enum cs_language language)
{
    cs_keyval_born(keyval, kind, NULL, call->function, cs_call_site(call));
    struct cs_birth birth = cs_birth_of(call, CALLSIGN_KEYVAL, CS_KEY(keyval));
    birth.fortran_handle = keyval;
    birth.bytes = (int64_t)integer_bytes;
    const struct callsign_record *object = cs_born(call, &birth);
    const struct cs_callbacks callbacks = {.kind = kind,
                                           .language = language,
                                           .copy = callback(call, copy, COPIES_NOTHING),
                                           .delete = callback(call, delete, DELETES_NOTHING),
                                           .extra_state = extra_state};
    if (object)
        cs_keyval_callbacks(object, &callbacks);
}

void cs_made_keyval(struct cs_call *call, enum callsign_kind kind, uint64_t copy, uint64_t delete, int keyval,
                    int64_t extra_state)
{
    cs_made_keyval_by(call, kind, copy, delete, keyval, extra_state, 0, CS_LANGUAGE_C);
}

/* The kind of object that the keyvals of a function are for. */
static enum callsign_kind kind_of_keyvals(uint16_t function)
{
    return function == CS_MPI_Type_free_keyval  ? CALLSIGN_DATATYPE
           : function == CS_MPI_Win_free_keyval ? CALLSIGN_WINDOW
                                                : CALLSIGN_COMMUNICATOR;
}

void cs_freeing_keyval(struct cs_call *call, int keyval)
{
    cs_freeing(call, CALLSIGN_KEYVAL, CS_KEY(keyval));
}

void cs_freed_keyval(struct cs_call *call, int result)
{
    if (!call->thread)
        return;
    const struct callsign_record *freeing = call->freeing.object;
    uint32_t key = freeing ? freeing->id : 0;
    int keyval = freeing                                 ? (int)(uint32_t)freeing->handle
                 : call->unknown_kind == CALLSIGN_KEYVAL ? (int)(uint32_t)call->unknown
                                                         : MPI_KEYVAL_INVALID;
    cs_freed(call, result);
    struct cs_attribute attribute;
    if (result != MPI_SUCCESS)
        cs_attribute_of(call, CS_ATTRIBUTE_FREE, kind_of_keyvals(call->function), 0, keyval, result, &attribute);
    else if (key)
        cs_keyval_freed(key, cs_held_freed(key));
}
