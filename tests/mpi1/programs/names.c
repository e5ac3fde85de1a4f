/* Names and attributes in a program for an MPI that has none of them: callsign's header declares them, its library
   serves them. Says what it found; returns 1 when something is not as the standard has it. */
#include <callsign/mpi_names.h>
#include <stdio.h>
#include <string.h>

static int wrong;
#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            printf("%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);                                      \
            wrong = 1;                                                                                                 \
        }                                                                                                              \
    } while (0)

static int copied, deleted;

static int copy(MPI_Comm comm, int keyval, void *extra_state, void *in, void *out, int *flag)
{
    (void)comm, (void)keyval;
    copied++;
    *(void **)out = (char *)in + *(int *)extra_state;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete (MPI_Comm comm, int keyval, void *value, void *extra_state)
{
    (void)comm, (void)keyval, (void)value, (void)extra_state;
    deleted++;
    return MPI_SUCCESS;
}

static void names(void)
{
    char name[MPI_MAX_OBJECT_NAME];
    int length;
    MPI_Comm twin, again;
    MPI_Datatype row;

    MPI_Comm_get_name(MPI_COMM_WORLD, name, &length);
    CHECK(strcmp(name, "MPI_COMM_WORLD") == 0 && length == 14);
    MPI_Type_get_name(MPI_DOUBLE, name, &length);
    CHECK(strcmp(name, "MPI_DOUBLE") == 0);
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    MPI_Comm_get_name(twin, name, &length);
    CHECK(length == 0);
    MPI_Comm_set_name(twin, "twin");
    MPI_Comm_get_name(twin, name, &length);
    CHECK(strcmp(name, "twin") == 0);
    MPI_Comm first = twin;
    MPI_Comm_free(&twin);
    MPI_Comm_dup(MPI_COMM_WORLD, &again);
    CHECK(again == first); /* the same handle, and yet another object */
    MPI_Comm_get_name(again, name, &length);
    CHECK(length == 0);
    MPI_Comm_free(&again);
    MPI_Type_contiguous(4, MPI_INT, &row);
    MPI_Type_set_name(row, "row");
    MPI_Type_get_name(row, name, &length);
    CHECK(strcmp(name, "row") == 0);
    MPI_Type_free(&row);
    MPI_Get_processor_name(name, &length);
    CHECK(length > 0);
}

static void attributes(void)
{
    int keyval, of_type, plain, found, seven = 7, *tag_ub, dims = 1, periods = 0;
    char text[16], *value;
    MPI_Comm twin, grid;
    MPI_Datatype row;

    MPI_Comm_create_keyval(copy, delete, &keyval, &seven);
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &plain, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, text);
    MPI_Comm_set_attr(MPI_COMM_WORLD, plain, text + 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    MPI_Comm_get_attr(twin, keyval, &value, &found);
    CHECK(copied == 1 && found && value == text + 7);
    MPI_Comm_get_attr(twin, plain, &value, &found);
    CHECK(found && value == text + 1);
    MPI_Comm_free(&twin);
    CHECK(deleted == 1);
    /* This MPI makes a grid by duplicating, but a grid is no duplicate. */
    MPI_Cart_create(MPI_COMM_WORLD, 1, &dims, &periods, 0, &grid);
    MPI_Comm_get_attr(grid, keyval, &value, &found);
    CHECK(copied == 1 && !found);
    MPI_Comm_free(&grid);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval);
    MPI_Comm_get_attr(MPI_COMM_WORLD, keyval, &value, &found);
    CHECK(deleted == 2 && !found);
    MPI_Comm_free_keyval(&keyval);
    CHECK(keyval == MPI_KEYVAL_INVALID);

    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &tag_ub, &found);
    CHECK(found && *tag_ub >= 32767);

    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &of_type, NULL);
    MPI_Type_contiguous(2, MPI_INT, &row);
    MPI_Type_set_attr(row, of_type, text);
    MPI_Type_get_attr(row, of_type, &value, &found);
    CHECK(found && value == text);
    MPI_Type_free(&row);

    MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK(MPI_Comm_set_attr(MPI_COMM_WORLD, of_type, text) != MPI_SUCCESS);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    names();
    attributes();
    MPI_Comm left;
    MPI_Comm_dup(MPI_COMM_WORLD, &left);
    MPI_Comm_set_name(left, "left behind");
    MPI_Finalize();
    puts(wrong ? "not all of it held" : "names and attributes");
    return wrong;
}
