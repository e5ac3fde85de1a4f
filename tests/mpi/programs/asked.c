/* Known questions about attributes, for the report on them: MPI_TAG_UB three times, a key of the program that is looked
   for, set and found and goes along with a duplicate, one that is set on two communicators and never asked for, one
   that is asked for and never set, one that is never freed, one whose delete function is to be called at the end, and a
   store that is refused. The MPI asks for attributes of its own meanwhile: of a file. */
#include "check.h"

static int rank;

static void of_the_mpi(void)
{
    int *value, flag;
    for (int i = 0; i < 3; i++)
        MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag);
    check_say("rank %d: MPI_TAG_UB %d", rank, *value);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    check_say("rank %d: refused %d", rank, MPI_Comm_set_attr(MPI_COMM_WORLD, MPI_TAG_UB, value) != MPI_SUCCESS);
}

static int at_the_end(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm, (void)keyval, (void)value, (void)extra;
    check_say("the end");
    return MPI_SUCCESS;
}

static void for_the_end(void)
{
    int end;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_the_end, &end, NULL); /* end */
    MPI_Comm_set_attr(MPI_COMM_SELF, end, NULL);
    MPI_Comm_free_keyval(&end);
}

static void of_the_program(void)
{
    static int stored;
    MPI_Comm rows[2], again;
    int found, unused, missing, kept, flag;
    void *value;
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &found, NULL);         /* found */
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &unused, NULL);  /* unused */
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &missing, NULL); /* missing */
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &kept, NULL);    /* kept */
    for (int i = 0; i < 2; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &rows[i]);
        MPI_Comm_set_name(rows[i], i ? "row 1" : "row 0");
        MPI_Comm_set_attr(rows[i], unused, &stored);
    }
    MPI_Comm_get_attr(rows[0], found, &value, &flag);
    MPI_Comm_set_attr(rows[0], found, &stored);
    for (int i = 0; i < 5; i++)
        MPI_Comm_get_attr(rows[0], found, &value, &flag);
    MPI_Comm_dup(rows[0], &again);
    MPI_Comm_set_name(again, "again");
    MPI_Comm_free(&again);
    if (rank == 1)
        MPI_Comm_get_attr(MPI_COMM_SELF, missing, &value, &flag);
    for (int i = 0; i < 2; i++)
        MPI_Comm_free(&rows[i]);
    MPI_Comm_free_keyval(&found);
    MPI_Comm_free_keyval(&unused);
    MPI_Comm_free_keyval(&missing);
}

static void of_a_file(const char *path)
{
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_close(&file);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    of_the_mpi();
    of_the_program();
    for_the_end();
    if (argc > 1)
        of_a_file(argv[1]);
    MPI_Finalize();
    return 0;
}
