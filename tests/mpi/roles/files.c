#include "roles.h"

static int in[2] = {1, 2}, out[2];

#define TRANSFER(name, ...)                                                                                            \
    do {                                                                                                               \
        MPI_Request request;                                                                                           \
        CALL(name)(__VA_ARGS__, &request);                                                                             \
        CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);                                                                   \
    } while (0)

/* All nonblocking transfers of a file, in this form or with large counts. */
#define TRANSFERS(file, suffix)                                                                                        \
    do {                                                                                                               \
        TRANSFER(MPI_File_iwrite##suffix, file, in, 1, MPI_INT);                                                       \
        TRANSFER(MPI_File_iwrite_at##suffix, file, 0, in, 1, MPI_INT);                                                 \
        TRANSFER(MPI_File_iwrite_all##suffix, file, in, 1, MPI_INT);                                                   \
        TRANSFER(MPI_File_iwrite_at_all##suffix, file, 4, in, 1, MPI_INT);                                             \
        TRANSFER(MPI_File_iwrite_shared##suffix, file, in, 1, MPI_INT);                                                \
        CALL(MPI_File_seek)(file, 0, MPI_SEEK_SET);                                                                    \
        CALL(MPI_File_seek_shared)(file, 0, MPI_SEEK_SET);                                                             \
        TRANSFER(MPI_File_iread##suffix, file, out, 1, MPI_INT);                                                       \
        TRANSFER(MPI_File_iread_at##suffix, file, 0, out, 1, MPI_INT);                                                 \
        TRANSFER(MPI_File_iread_all##suffix, file, out, 1, MPI_INT);                                                   \
        TRANSFER(MPI_File_iread_at_all##suffix, file, 4, out, 1, MPI_INT);                                             \
        TRANSFER(MPI_File_iread_shared##suffix, file, out, 1, MPI_INT);                                                \
    } while (0)

static void on_file(MPI_File *file, int *code, ...)
{
    (void)file;
    (void)code;
}

static void free_derived(MPI_Datatype type)
{
    int integers, addresses, types, combiner;
    CALL(MPI_Type_get_envelope)(type, &integers, &addresses, &types, &combiner);
    if (combiner != MPI_COMBINER_NAMED)
        CALL(MPI_Type_free)(&type);
}

static void ask(MPI_File file)
{
    MPI_Group group;
    MPI_Info info;
    MPI_Errhandler handler;
    MPI_Datatype pair, element, type;
    MPI_Offset displacement;
    char representation[MPI_MAX_DATAREP_STRING];
    CALL(MPI_File_get_group)(file, &group);
    free_group(group);
    CALL(MPI_File_get_info)(file, &info);
    free_info(info);
    CALL(MPI_File_create_errhandler)(on_file, &handler);
    CALL(MPI_File_set_errhandler)(file, handler);
    free_handler(handler);
    CALL(MPI_File_get_errhandler)(file, &handler);
    free_handler(handler);
    CALL(MPI_Type_contiguous)(2, MPI_INT, &pair);
    CALL(MPI_Type_commit)(&pair);
    CALL(MPI_File_set_view)(file, 0, MPI_INT, pair, "native", MPI_INFO_NULL);
    CALL(MPI_File_get_view)(file, &displacement, &element, &type, representation);
    free_derived(element);
    free_derived(type);
    CALL(MPI_Type_free)(&pair);
}

void files(void)
{
    char path[4096];
    MPI_File file;
    snprintf(path, sizeof path, "%s/roles.%d", folder, rank);
    int mode = MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE;
    CALL(MPI_File_open)(own, path, mode, MPI_INFO_NULL, &file);
    TRANSFERS(file, );
#ifdef HAS_LARGE_COUNTS
    TRANSFERS(file, _c);
#endif
    ask(file);
    CALL(MPI_File_close)(&file);
}
