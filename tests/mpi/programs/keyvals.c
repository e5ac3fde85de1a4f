/* Keys of attributes: with which functions they are made, and who has a value when they are freed. */
#include <dlfcn.h>
#include <link.h>
#include <stdint.h>

#include "check.h"

static int extra;

#define COPY(name, handle)                                                                                             \
    int name(handle from, int key, void *state, void *value, void *copy, int *flag)                                    \
    {                                                                                                                  \
        (void)from, (void)key, (void)state;                                                                            \
        *(void **)copy = value;                                                                                        \
        *flag = 1;                                                                                                     \
        return MPI_SUCCESS;                                                                                            \
    }
#define DROP(name, handle)                                                                                             \
    int name(handle of, int key, void *value, void *state)                                                             \
    {                                                                                                                  \
        (void)of, (void)key, (void)value, (void)state;                                                                 \
        return MPI_SUCCESS;                                                                                            \
    }
static COPY(copy_of_communicator, MPI_Comm);
static COPY(copy_of_datatype, MPI_Datatype);
static COPY(copy_of_window, MPI_Win);
static DROP(drop_of_communicator, MPI_Comm);
static DROP(drop_of_datatype, MPI_Datatype);
static DROP(drop_of_window, MPI_Win);

/* The location of a function, as in the trace. */
static long offset_of(uintptr_t function)
{
    Dl_info info;
    struct link_map *module;
    CHECK(dladdr1((void *)function, &info, (void **)&module, RTLD_DL_LINKMAP));
    return (long)(function - module->l_addr);
}

#define OFFSET_OF(function) offset_of((uintptr_t) & (function))

#define FUNCTION(function) NULL, offset_of((uintptr_t) & (function))
#define NAMED(function)    #function, 0

enum { NEVER = -1 };

/* The next key, in the order of creation, has these functions, by name or else by offset, and so many holders when it
 * is freed. */
static void expect(const char *kind, const char *copy, long copy_offset, const char *delete, long delete_offset,
                   const void *state, int holders)
{
    static int number;
    check_sql("SELECT k.kind = '%s' AND k.language = 'C' AND coalesce(k.copy_function, '') = '%s' AND "
              "coalesce(k.delete_function, '') = '%s' AND coalesce(c.offset - 1, 0) = %ld AND "
              "coalesce(d.offset - 1, 0) = %ld AND k.extra_state = %ld AND coalesce(k.holders, -1) = %d "
              "FROM created_keyval k LEFT JOIN sites c ON c.site = k.copy_site LEFT JOIN sites d ON d.site = "
              "k.delete_site JOIN object o USING (object) WHERE NOT o.internal ORDER BY k.object LIMIT 1 OFFSET %d",
              kind, copy ? copy : "", delete ? delete : "", copy_offset, delete_offset, (long)(intptr_t)state, holders,
              number++);
}

static void of_the_mpi(void)
{
    int key;
    CALL(MPI_Comm_create_keyval)(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    expect("communicator", NAMED(MPI_COMM_NULL_COPY_FN), NAMED(MPI_COMM_NULL_DELETE_FN), NULL, 0);
    CALL(MPI_Comm_free_keyval)(&key);
    CALL(MPI_Comm_create_keyval)(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &key, &extra);
    expect("communicator", NAMED(MPI_COMM_DUP_FN), NAMED(MPI_COMM_NULL_DELETE_FN), &extra, 0);
    CALL(MPI_Comm_free_keyval)(&key);
    CALL(MPI_Type_create_keyval)(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &key, NULL);
    expect("datatype", NAMED(MPI_TYPE_NULL_COPY_FN), NAMED(MPI_TYPE_NULL_DELETE_FN), NULL, 0);
    CALL(MPI_Type_free_keyval)(&key);
    CALL(MPI_Type_create_keyval)(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &key, (void *)-1);
    expect("datatype", NAMED(MPI_TYPE_DUP_FN), NAMED(MPI_TYPE_NULL_DELETE_FN), (void *)-1, 0);
    CALL(MPI_Type_free_keyval)(&key);
    CALL(MPI_Win_create_keyval)(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &key, NULL);
    expect("window", NAMED(MPI_WIN_NULL_COPY_FN), NAMED(MPI_WIN_NULL_DELETE_FN), NULL, 0);
    CALL(MPI_Win_free_keyval)(&key);
    CALL(MPI_Win_create_keyval)(MPI_WIN_DUP_FN, MPI_WIN_NULL_DELETE_FN, &key, NULL);
    expect("window", NAMED(MPI_WIN_DUP_FN), NAMED(MPI_WIN_NULL_DELETE_FN), NULL, NEVER);
#ifndef STANDARD_ABI
    CALL(MPI_Keyval_create)(MPI_DUP_FN, MPI_NULL_DELETE_FN, &key, NULL);
    expect("communicator", NAMED(MPI_DUP_FN), NAMED(MPI_NULL_DELETE_FN), NULL, 0);
    CALL(MPI_Keyval_free)(&key);
    CALL(MPI_Keyval_create)(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, &key, NULL);
    expect("communicator", NAMED(MPI_NULL_COPY_FN), NAMED(MPI_NULL_DELETE_FN), NULL, 0);
    CALL(MPI_Keyval_free)(&key);
#endif
}

static void of_the_program(void)
{
    int key;
    CALL(MPI_Comm_create_keyval)(copy_of_communicator, drop_of_communicator, &key, &extra);
    expect("communicator", FUNCTION(copy_of_communicator), FUNCTION(drop_of_communicator), &extra, 0);
    CALL(MPI_Comm_free_keyval)(&key);
    CALL(MPI_Type_create_keyval)(copy_of_datatype, drop_of_datatype, &key, NULL);
    expect("datatype", FUNCTION(copy_of_datatype), FUNCTION(drop_of_datatype), NULL, 0);
    CALL(MPI_Type_free_keyval)(&key);
    CALL(MPI_Win_create_keyval)(copy_of_window, drop_of_window, &key, NULL);
    expect("window", FUNCTION(copy_of_window), FUNCTION(drop_of_window), NULL, 0);
    CALL(MPI_Win_free_keyval)(&key);
}

enum { HOLDERS = 4 };

/* Set on four, twice each, deleted from one, and another one is freed: two are left. */
static void of_communicators(void)
{
    MPI_Comm comm[HOLDERS];
    int key;
    CALL(MPI_Comm_create_keyval)(MPI_COMM_NULL_COPY_FN, drop_of_communicator, &key, NULL);
    expect("communicator", NAMED(MPI_COMM_NULL_COPY_FN), FUNCTION(drop_of_communicator), NULL, 2);
    for (int i = 0; i < HOLDERS; i++) {
        CALL(MPI_Comm_split)(MPI_COMM_SELF, 0, 0, &comm[i]);
        CALL(MPI_Comm_set_attr)(comm[i], key, &extra);
        CALL(MPI_Comm_set_attr)(comm[i], key, comm);
    }
    check_made("communicator", "MPI_Comm_split", HOLDERS);
    CALL(MPI_Comm_delete_attr)(comm[0], key);
    CALL(MPI_Comm_free)(&comm[1]);
    CALL(MPI_Comm_free_keyval)(&key);
    for (int i = 0; i < HOLDERS; i++)
        if (i != 1)
            CALL(MPI_Comm_free)(&comm[i]);
    check_freed("communicator", "MPI_Comm_free", HOLDERS);
}

/* Two keys on one object, freed one after the other; and one that nobody holds. */
static void of_others(void)
{
    MPI_Datatype type;
    MPI_Win win;
    int key[2], *memory;
    CALL(MPI_Type_contiguous)(2, MPI_INT, &type);
    check_made("datatype", "MPI_Type_contiguous", 1);
    for (int i = 0; i < 2; i++) {
        CALL(MPI_Type_create_keyval)(copy_of_datatype, MPI_TYPE_NULL_DELETE_FN, &key[i], NULL);
        expect("datatype", FUNCTION(copy_of_datatype), NAMED(MPI_TYPE_NULL_DELETE_FN), NULL, 1);
        CALL(MPI_Type_set_attr)(type, key[i], &extra);
    }
    for (int i = 0; i < 2; i++)
        CALL(MPI_Type_free_keyval)(&key[i]);
    CALL(MPI_Type_free)(&type);
    check_freed("datatype", "MPI_Type_free", 1);
    CALL(MPI_Win_allocate)(40, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    check_made("window", "MPI_Win_allocate", 1);
    CALL(MPI_Win_create_keyval)(MPI_WIN_NULL_COPY_FN, drop_of_window, &key[0], NULL);
    expect("window", NAMED(MPI_WIN_NULL_COPY_FN), FUNCTION(drop_of_window), NULL, 0);
    CALL(MPI_Win_set_attr)(win, key[0], &extra);
    CALL(MPI_Win_free)(&win);
    check_freed("window", "MPI_Win_free", 1);
    CALL(MPI_Win_free_keyval)(&key[0]);
}

int main(int argc, char **argv)
{
    CALL(MPI_Init)(&argc, &argv);
    of_the_mpi();
    of_the_program();
    of_communicators();
    of_others();
    check_say("done");
    CALL(MPI_Finalize)();
    return check_write();
}
