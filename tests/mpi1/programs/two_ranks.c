/* Names and attributes in a program of two ranks for an MPI that has none of them. Each rank says what it found;
 * returns 1 when something is not as the standard has it. */
#include <callsign/mpi_names.h>
#include <stdio.h>
#include <string.h>

static int rank, wrong, copied, deleted;
#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            printf("rank %d: %s:%d: does not hold: %s\n", rank, __FILE__, __LINE__, #condition);                       \
            wrong = 1;                                                                                                 \
        }                                                                                                              \
    } while (0)

/* Copies are shifted by the rank's number plus one, so that each rank has its own values. */
static int copy(MPI_Comm comm, int keyval, void *extra_state, void *in, void *out, int *flag)
{
    (void)comm, (void)keyval;
    copied++;
    *(void **)out = (char *)in + *(int *)extra_state;
    *flag = 1;
    return MPI_SUCCESS;
}

static int copy_of_type(MPI_Datatype type, int keyval, void *extra_state, void *in, void *out, int *flag)
{
    (void)type;
    return copy(MPI_COMM_NULL, keyval, extra_state, in, out, flag);
}

static int delete (MPI_Comm comm, int keyval, void *value, void *extra_state)
{
    (void)comm, (void)keyval, (void)value, (void)extra_state;
    deleted++;
    return MPI_SUCCESS;
}

static int delete_of_win(MPI_Win win, int keyval, void *value, void *extra_state)
{
    (void)win;
    return delete (MPI_COMM_NULL, keyval, value, extra_state);
}

static int at_finalize(MPI_Comm comm, int keyval, void *value, void *extra_state)
{
    (void)keyval, (void)extra_state;
    printf("rank %d: %s\n", rank, comm == MPI_COMM_SELF ? (char *)value : "of another communicator");
    return MPI_SUCCESS;
}

static const char *name_of(MPI_Comm comm)
{
    static char name[MPI_MAX_OBJECT_NAME];
    int length = -1;
    MPI_Comm_get_name(comm, name, &length);
    CHECK((int)strlen(name) == length);
    return name;
}

static char *value_of(MPI_Comm comm, int keyval)
{
    char *value = NULL;
    int found = 0;
    MPI_Comm_get_attr(comm, keyval, &value, &found);
    return found ? value : NULL;
}

/* The other rank has the number of this one, from a message in this communicator. */
static void exchange(MPI_Comm comm)
{
    int other = -1;
    MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank, 5, &other, 1, MPI_INT, 1 - rank, 5, comm, MPI_STATUS_IGNORE);
    CHECK(other == 1 - rank);
}

static void communicators(void)
{
    static char text[16], words[32];
    int keyval, step = rank + 1;
    MPI_Comm twin, later, half;
    MPI_Request request;

    CHECK(strcmp(name_of(MPI_COMM_WORLD), "MPI_COMM_WORLD") == 0);
    MPI_Comm_create_keyval(copy, delete, &keyval, &step);
    MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, text);

    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    CHECK(copied == 1 && value_of(twin, keyval) == text + step && *name_of(twin) == '\0');
    MPI_Comm_set_name(twin, "twin");
    exchange(twin);

    MPI_Comm_idup(twin, &later, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(copied == 2 && value_of(later, keyval) == text + 2 * step && *name_of(later) == '\0');
    MPI_Comm_set_name(later, "later");
    exchange(later);

    MPI_Comm_split(twin, rank, 0, &half);
    CHECK(copied == 2 && !value_of(half, keyval) && *name_of(half) == '\0');
    snprintf(words, sizeof words, "half of rank %d", rank);
    MPI_Comm_set_name(half, words);
    CHECK(strcmp(name_of(half), words) == 0 && strcmp(name_of(twin), "twin") == 0);

    MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval);
    CHECK(deleted == 1 && !value_of(MPI_COMM_WORLD, keyval));
    MPI_Comm_free(&half);
    CHECK(deleted == 1);
    MPI_Comm_free(&later);
    MPI_Comm_free(&twin);
    CHECK(deleted == 3);
    MPI_Comm_free_keyval(&keyval);
    CHECK(keyval == MPI_KEYVAL_INVALID);
}

static void datatypes(void)
{
    static char text[16];
    char name[MPI_MAX_OBJECT_NAME], *value;
    int keyval, found, length, step = rank + 1;
    MPI_Datatype row, other;

    copied = 0;
    MPI_Type_create_keyval(copy_of_type, MPI_TYPE_NULL_DELETE_FN, &keyval, &step);
    MPI_Type_contiguous(4, MPI_INT, &row);
    MPI_Type_set_name(row, "row");
    MPI_Type_set_attr(row, keyval, text);
    MPI_Type_dup(row, &other);
    MPI_Type_get_attr(other, keyval, &value, &found);
    CHECK(copied == 1 && found && value == text + step);
    MPI_Type_get_name(other, name, &length);
    CHECK(length == 0);
    MPI_Type_get_name(row, name, &length);
    CHECK(strcmp(name, "row") == 0 && length == 3);
    MPI_Type_free(&other);
    MPI_Type_free(&row);
    MPI_Type_free_keyval(&keyval);
}

static void windows(void)
{
    static char text[16];
    char name[MPI_MAX_OBJECT_NAME], *value;
    int keyval, found, length;
    void *memory;
    MPI_Win board;

    deleted = 0;
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, delete_of_win, &keyval, NULL);
    MPI_Win_allocate(64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &board);
    MPI_Win_set_name(board, "board");
    MPI_Win_get_name(board, name, &length);
    CHECK(strcmp(name, "board") == 0 && length == 5);
    MPI_Win_set_attr(board, keyval, text + rank);
    MPI_Win_get_attr(board, keyval, &value, &found);
    CHECK(found && value == text + rank);
    MPI_Win_free(&board);
    CHECK(deleted == 1);
    MPI_Win_free_keyval(&keyval);
}

/* Checks a window's attributes and frees it. */
static void check_window(MPI_Win *win, const void *base, MPI_Aint size, int unit, int flavor)
{
    void *found_base;
    MPI_Aint *found_size;
    int *found_unit, *found_flavor, *model, all = 0, found;

    MPI_Win_get_attr(*win, MPI_WIN_BASE, &found_base, &found), all += found;
    MPI_Win_get_attr(*win, MPI_WIN_SIZE, &found_size, &found), all += found;
    MPI_Win_get_attr(*win, MPI_WIN_DISP_UNIT, &found_unit, &found), all += found;
    MPI_Win_get_attr(*win, MPI_WIN_CREATE_FLAVOR, &found_flavor, &found), all += found;
    MPI_Win_get_attr(*win, MPI_WIN_MODEL, &model, &found), all += found;
    CHECK(all == 5);
    if (all == 5) {
        CHECK(found_base == base && *found_size == size && *found_unit == unit && *found_flavor == flavor);
        CHECK(*model == (flavor == MPI_WIN_FLAVOR_SHARED ? MPI_WIN_UNIFIED : MPI_WIN_SEPARATE));
    }
    MPI_Win_free(win);
}

static void predefined_of_windows(void)
{
    static int memory[10];
    void *allocated;
    MPI_Win win;

    MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    check_window(&win, memory, sizeof memory, sizeof *memory, MPI_WIN_FLAVOR_CREATE);
    /* One rank only: in MPICH 5 on UCX no two share memory. */
    MPI_Win_allocate_shared(16, 8, MPI_INFO_NULL, MPI_COMM_SELF, &allocated, &win);
    check_window(&win, allocated, 16, 8, MPI_WIN_FLAVOR_SHARED);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    check_window(&win, MPI_BOTTOM, 0, 1, MPI_WIN_FLAVOR_DYNAMIC);
}

int main(int argc, char **argv)
{
    static char lines[BUFSIZ];
    int size, keyval;
    MPI_Comm left;

    MPI_Init(&argc, &argv);
    /* Whole lines at once: the launcher joins what several ranks write. MPICH took the stream's own buffer away. */
    setvbuf(stdout, lines, _IOLBF, sizeof lines);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK(size == 2);
    communicators();
    datatypes();
    windows();
    predefined_of_windows();
    MPI_Comm_dup(MPI_COMM_WORLD, &left);
    MPI_Comm_set_name(left, "left behind");
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_finalize, &keyval, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, keyval, "at the end");
    printf("rank %d: %s\n", rank, wrong ? "not all of it held" : "names and attributes");
    MPI_Finalize();
    return wrong;
}
