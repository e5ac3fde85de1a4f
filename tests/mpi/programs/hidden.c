/* Names that callsign gives to the MPI's own objects: MPI_*_get_name answers to the byte as without it, and
   PMPI_*_get_name tells what the MPI's own messages show. argv[1]: what CALLSIGN_APPLY is (shared, all, none). argv[2]
   "fatal": ends with an error on a communicator of derived name. */
#include "check.h"

#include <stdbool.h>

static int rank, size;
static const char *applied;

struct answer {
    char name[MPI_MAX_OBJECT_NAME + 1];
    int length;
};

static struct answer untouched(void)
{
    struct answer answer = {.length = -1};
    memset(answer.name, '\177', MPI_MAX_OBJECT_NAME);
    return answer;
}

/* Bytes written beyond the name belong to the answer, too. */
static void say(const char *what, int result, const struct answer *answer)
{
    int touched = 0;
    for (int i = 0; i < MPI_MAX_OBJECT_NAME; i++)
        if (answer->name[i] != '\177')
            touched = i + 1;
    check_say("rank %d: %s: %d [%s] %d, %d bytes written", rank, what, result, answer->name, answer->length, touched);
}

/* The name in the MPI: callsign's for kinds whose names are applied with `least`, else the name that the program
   sees. */
static void check_inside(const struct answer *shown, const char *has, const char *least, const char *name)
{
    bool is_applied = getenv("CHECK_FOLDER") && (strcmp(applied, least) == 0 || strcmp(applied, "all") == 0);
    CHECK(strcmp(has, is_applied ? name : shown->name) == 0);
}

static void comm_name(const char *what, MPI_Comm comm, const char *name)
{
    struct answer shown = untouched(), has;
    say(what, CALL(MPI_Comm_get_name)(comm, shown.name, &shown.length), &shown);
    PMPI_Comm_get_name(comm, has.name, &has.length);
    check_inside(&shown, has.name, "shared", name);
}

static void type_name(const char *what, MPI_Datatype type, const char *name)
{
    struct answer shown = untouched(), has;
    say(what, CALL(MPI_Type_get_name)(type, shown.name, &shown.length), &shown);
    PMPI_Type_get_name(type, has.name, &has.length);
    check_inside(&shown, has.name, "all", name);
}

static void win_name(const char *what, MPI_Win win, const char *name)
{
    struct answer shown = untouched(), has;
    say(what, CALL(MPI_Win_get_name)(win, shown.name, &shown.length), &shown);
    PMPI_Win_get_name(win, has.name, &has.length);
    check_inside(&shown, has.name, "shared", name);
}

static void communicators(void)
{
    MPI_Comm dup, part, copy, later;
    MPI_Request request;
    CALL(MPI_Comm_dup)(MPI_COMM_WORLD, &dup);
    comm_name("dup", dup, "MPI_COMM_WORLD.dup1");
    CALL(MPI_Comm_split)(dup, rank, 0, &part);
    comm_name("split", part, rank ? "MPI_COMM_WORLD.dup1.split1[1]" : "MPI_COMM_WORLD.dup1.split1[0]");
    CALL(MPI_Comm_idup)(dup, &later, &request);
    CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);
    comm_name("idup", later, "MPI_COMM_WORLD.dup1.dup1");
    CALL(MPI_Comm_set_name)(part, "mine");
    CALL(MPI_Comm_dup)(part, &copy);
    comm_name("dup of a named one", copy, "mine.dup1");
    CALL(MPI_Comm_free)(&copy);
    CALL(MPI_Comm_set_name)(part, "");
    char answer[MPI_MAX_OBJECT_NAME];
    int length;
    CALL(MPI_Comm_get_name)(part, answer, &length);
    check_say("rank %d: no name any more: [%s] %d", rank, answer, length);
    CALL(MPI_Comm_free)(&part);
    CALL(MPI_Comm_free)(&later);
    CALL(MPI_Comm_free)(&dup);
    /* Far beyond what the MPI has room for. */
    MPI_Comm line[12] = {MPI_COMM_SELF};
    for (int i = 1; i < 12; i++)
        CALL(MPI_Comm_dup)(line[i - 1], &line[i]);
    CALL(MPI_Comm_get_name)(line[11], answer, &length);
    check_say("rank %d: end of a line: [%s] %d", rank, answer, length);
    if (getenv("CHECK_FOLDER") && strcmp(applied, "none") != 0) {
        PMPI_Comm_get_name(line[11], answer, &length);
        CHECK(length <= MPI_MAX_OBJECT_NAME - 1 && strcmp(answer + length - 10, ".dup1.dup1") == 0);
    }
    for (int i = 1; i < 12; i++)
        CALL(MPI_Comm_free)(&line[i]);
}

static void windows(void)
{
    MPI_Win win;
    void *part;
    CALL(MPI_Win_allocate)(8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &part, &win);
    win_name("window", win, "MPI_COMM_WORLD.win1");
    CALL(MPI_Win_set_name)(win, "board");
    win_name("named window", win, "board");
    CALL(MPI_Win_free)(&win);
}

static void datatypes(void)
{
    MPI_Datatype pair, copy, named;
    CALL(MPI_Type_contiguous)(2, MPI_INT, &pair);
    type_name("pair", pair, "contiguous(2) of MPI_INT");
    CALL(MPI_Type_dup)(pair, &copy);
    type_name("dup of a pair", copy, "dup of contiguous(2) of MPI_INT");
    CALL(MPI_Type_set_name)(pair, "pair");
    CALL(MPI_Type_dup)(pair, &named);
    type_name("dup of a named type", named, "dup of pair");
    CALL(MPI_Type_free)(&named);
    CALL(MPI_Type_free)(&copy);
    CALL(MPI_Type_free)(&pair);
}

/* A copy callback names the original after the MPI has named the duplicate after it. */
static int rename_original(MPI_Datatype type, int keyval, void *extra_state, void *in, void *out, int *flag)
{
    (void)keyval, (void)in, (void)out;
    CALL(MPI_Type_set_name)(type, extra_state);
    *flag = 0;
    return MPI_SUCCESS;
}

static void renamed_while_duplicated(char *name)
{
    MPI_Datatype original, copy, second;
    int keyval;
    struct answer shown = untouched();
    CALL(MPI_Type_create_keyval)(rename_original, MPI_TYPE_NULL_DELETE_FN, &keyval, name);
    CALL(MPI_Type_contiguous)(3, MPI_INT, &original);
    CALL(MPI_Type_set_attr)(original, keyval, NULL);
    CALL(MPI_Type_dup)(original, &copy);
    say("dup of a type that is named meanwhile", CALL(MPI_Type_get_name)(copy, shown.name, &shown.length), &shown);
    CALL(MPI_Type_dup)(original, &second);
    shown = untouched();
    say("its next dup", CALL(MPI_Type_get_name)(second, shown.name, &shown.length), &shown);
    CALL(MPI_Type_free)(&second);
    CALL(MPI_Type_free)(&copy);
    CALL(MPI_Type_free)(&original);
    CALL(MPI_Type_free_keyval)(&keyval);
}

int main(int argc, char **argv)
{
    applied = argc > 1 ? argv[1] : "shared";
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    CALL(MPI_Comm_size)(MPI_COMM_WORLD, &size);
    check_skip("objects");
    communicators();
    windows();
    datatypes();
    renamed_while_duplicated("meanwhile");
    renamed_while_duplicated("");
    if (argc > 2) {
        MPI_Comm grid;
        int nothing = 0;
        CALL(MPI_Comm_dup)(MPI_COMM_WORLD, &grid);
        check_write();
        MPI_Send(&nothing, 1, MPI_INT, size + 98, 0, grid);
    }
    CALL(MPI_Finalize)();
    return check_write();
}
