/* Names: the whole history, what the MPI made of them, and get_name answers as without callsign. */
#include "check.h"

static int rank;

static void say_comm_name(const char *what, MPI_Comm comm)
{
    char name[MPI_MAX_OBJECT_NAME];
    int length = -1;
    int result = CALL(MPI_Comm_get_name)(comm, name, &length);
    check_say("rank %d: %s: %d [%s] %d", rank, what, result, result == MPI_SUCCESS ? name : "", length);
}

static void say_type_name(const char *what, MPI_Datatype type)
{
    char name[MPI_MAX_OBJECT_NAME];
    int length = -1;
    CALL(MPI_Type_get_name)(type, name, &length);
    check_say("rank %d: %s: [%s] %d", rank, what, name, length);
}

static void history(void)
{
    MPI_Comm comm, copy;
    CALL(MPI_Comm_dup)(MPI_COMM_SELF, &comm);
    say_comm_name("fresh", comm);
    CALL(MPI_Comm_set_name)(comm, "first");
    CALL(MPI_Comm_set_name)(comm, "second");
    CALL(MPI_Comm_set_name)(comm, "  third, with blanks  ");
    say_comm_name("renamed", comm);
    CALL(MPI_Comm_dup)(comm, &copy);
    check_made("communicator", "MPI_Comm_dup", 2);
    say_comm_name("copy has no name", copy);
    check_sql("SELECT group_concat(name, '|') = 'first|second|  third, with blanks  ' FROM (SELECT n.name FROM naming "
              "n JOIN object o "
              "USING (object) WHERE o.name = '  third, with blanks  ' AND n.origin = 'program' ORDER BY at_ns)");
    check_sql("SELECT count(*) = 1 FROM object o JOIN object p ON p.object = o.parent WHERE p.name = '  third, with "
              "blanks  ' "
              "AND o.name = '  third, with blanks  .dup1' AND o.name_origin = 'derived'");
    CALL(MPI_Comm_free)(&copy);
    CALL(MPI_Comm_free)(&comm);
    check_freed("communicator", "MPI_Comm_free", 2);
}

/* Longer than the MPI can keep; and not plain ASCII. */
static void lengths(void)
{
    char longest[400], cut[MPI_MAX_OBJECT_NAME];
    MPI_Comm comm;
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    CALL(MPI_Comm_dup)(MPI_COMM_SELF, &comm);
    CALL(MPI_Comm_set_name)(comm, longest);
    say_comm_name("cut", comm);
    memcpy(cut, longest, sizeof cut);
    cut[MPI_MAX_OBJECT_NAME - 1] = 0;
    check_sql("SELECT count(*) = 1 FROM object WHERE name = '%s'", cut);
    CALL(MPI_Comm_free)(&comm);
    CALL(MPI_Comm_dup)(MPI_COMM_SELF, &comm);
    CALL(MPI_Comm_set_name)(comm, "größe 大小 'quoted' \"twice\"");
    say_comm_name("UTF-8", comm);
    check_sql("SELECT count(*) = 1 FROM object WHERE name = 'größe 大小 ''quoted'' \"twice\"'");
    CALL(MPI_Comm_free)(&comm);
    CALL(MPI_Comm_dup)(MPI_COMM_SELF, &comm);
    CALL(MPI_Comm_set_name)(comm, "soon empty");
    CALL(MPI_Comm_set_name)(comm, "");
    say_comm_name("empty", comm);
    CALL(MPI_Comm_free)(&comm);
    check_made("communicator", "MPI_Comm_dup", 3);
    check_freed("communicator", "MPI_Comm_free", 3);
}

/* Duplicates of one parent differ in their number. The parent is renamed, once and at once again; other creations come
   in between. */
static void numbers(void)
{
    enum { COPIES = 112, RENAMED = 38, RENAMED_AGAIN = 103 };
    MPI_Comm parent, copy, other;
    CALL(MPI_Comm_dup)(MPI_COMM_SELF, &parent);
    CALL(MPI_Comm_set_name)(parent, "early");
    for (int i = 1; i <= COPIES; i++) {
        if (i == RENAMED)
            CALL(MPI_Comm_set_name)(parent, "later");
        if (i == RENAMED_AGAIN) {
            CALL(MPI_Comm_set_name)(parent, "quick");
            CALL(MPI_Comm_set_name)(parent, "final");
        }
        CALL(MPI_Comm_dup)(parent, &copy);
        if (i % 29 == 0) {
            CALL(MPI_Comm_dup)(copy, &other);
            CALL(MPI_Comm_free)(&other);
        }
        if (i % 31 == 0) {
            CALL(MPI_Comm_split)(parent, 5, 0, &other);
            CALL(MPI_Comm_free)(&other);
        }
        CALL(MPI_Comm_free)(&copy);
    }
    CALL(MPI_Comm_free)(&parent);
    check_made("communicator", "MPI_Comm_dup", 1 + COPIES + COPIES / 29);
    check_made("communicator", "MPI_Comm_split", COPIES / 31);
    check_freed("communicator", "MPI_Comm_free", 1 + COPIES + COPIES / 29 + COPIES / 31);
    check_sql(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) "
        "SELECT count(*) = %d AND count(DISTINCT o.object) = %d FROM n JOIN object o ON o.name = CASE WHEN i < %d "
        "THEN 'early' WHEN i < %d THEN 'later' ELSE 'final' END || '.dup' || i",
        COPIES, COPIES, COPIES, RENAMED, RENAMED_AGAIN);
    check_sql("SELECT group_concat(name, ' ') = 'early.dup29.dup1 later.dup58.dup1 later.dup87.dup1' FROM "
              "(SELECT name FROM object WHERE name GLOB '*.dup*.dup1' AND name NOT LIKE '%%blanks%%' ORDER BY object)");
    check_sql("SELECT group_concat(name, ' ') = 'early.split1[5] later.split2[5] later.split3[5]' FROM "
              "(SELECT name FROM object WHERE name GLOB '*.split*' ORDER BY object)");
}

/* Names whose numbers follow each other, on two parents, and of two functions. */
static void in_turn(void)
{
    enum { ROUNDS = 3 };
    MPI_Comm left, right, copy;
    MPI_Win win;
    int *memory;
    CALL(MPI_Comm_dup)(MPI_COMM_SELF, &left);
    CALL(MPI_Comm_dup)(MPI_COMM_SELF, &right);
    CALL(MPI_Comm_set_name)(left, "left");
    CALL(MPI_Comm_set_name)(right, "right");
    for (int i = 0; i < ROUNDS; i++) {
        CALL(MPI_Win_allocate)(40, 4, MPI_INFO_NULL, left, &memory, &win);
        CALL(MPI_Win_free)(&win);
        CALL(MPI_Comm_dup)(left, &copy);
        CALL(MPI_Comm_free)(&copy);
    }
    for (int i = 0; i < ROUNDS; i++) {
        CALL(MPI_Comm_dup)(right, &copy);
        CALL(MPI_Comm_free)(&copy);
        if (i == 0) {
            CALL(MPI_Comm_free)(&left);
            CALL(MPI_Comm_dup)(MPI_COMM_SELF, &left);
            CALL(MPI_Comm_set_name)(left, "again");
        }
        CALL(MPI_Comm_dup)(left, &copy);
        CALL(MPI_Comm_free)(&copy);
    }
    CALL(MPI_Comm_free)(&right);
    CALL(MPI_Comm_free)(&left);
    check_made("communicator", "MPI_Comm_dup", 3 + 3 * ROUNDS);
    check_made("window", "MPI_Win_allocate", ROUNDS);
    check_freed("communicator", "MPI_Comm_free", 3 + 3 * ROUNDS);
    check_freed("window", "MPI_Win_free", ROUNDS);
    check_sql(
        "SELECT group_concat(name, ' ') = 'left.win1 left.dup1 left.win2 left.dup2 left.win3 left.dup3 right.dup1 "
        "again.dup1 right.dup2 again.dup2 right.dup3 again.dup3' FROM (SELECT name FROM object "
        "WHERE name GLOB 'left.*' OR name GLOB 'right.*' OR name GLOB 'again.*' ORDER BY object)");
}

static void predefined(void)
{
    say_comm_name("world", MPI_COMM_WORLD);
    say_comm_name("self", MPI_COMM_SELF);
    say_type_name("double", MPI_DOUBLE);
    say_type_name("long long", MPI_LONG_LONG);
    CALL(MPI_Comm_set_name)(MPI_COMM_SELF, "me");
    say_comm_name("self renamed", MPI_COMM_SELF);
    CALL(MPI_Type_set_name)(MPI_DOUBLE, "real64");
    say_type_name("double renamed", MPI_DOUBLE);
    check_sql(
        "SELECT count(*) = 1 FROM object WHERE name = 'me' AND name_origin = 'program' AND kind = 'communicator'");
    check_sql("SELECT count(*) = 1 FROM object WHERE name = 'real64' AND kind = 'datatype'");
    /* Named before anything else was done with it. */
    check_sql(
        "SELECT group_concat(name || ' ' || origin, ', ') = 'MPI_DOUBLE mpi, real64 program' FROM (SELECT n.name, "
        "n.origin FROM naming n JOIN object o USING (object) WHERE o.name = 'real64' ORDER BY n.at_ns)");
    CALL(MPI_Comm_set_errhandler)(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    char name[MPI_MAX_OBJECT_NAME];
    int length, class;
    int result = CALL(MPI_Comm_get_name)(MPI_COMM_NULL, name, &length);
    CALL(MPI_Error_class)(result, &class);
    check_say("rank %d: name of null: class %d", rank, class);
    result = CALL(MPI_Comm_set_name)(MPI_COMM_NULL, "nobody");
    CALL(MPI_Error_class)(result, &class);
    check_say("rank %d: naming null: class %d", rank, class);
    check_sql("SELECT count(*) = 0 FROM naming WHERE name = 'nobody'");
}

static void types(void)
{
    MPI_Datatype type, copy;
    CALL(MPI_Type_contiguous)(2, MPI_INT, &type);
    check_made("datatype", "MPI_Type_contiguous", 1);
    CALL(MPI_Type_set_name)(type, "couple");
    CALL(MPI_Type_dup)(type, &copy);
    check_made("datatype", "MPI_Type_dup", 1);
    say_type_name("copy of a named type", copy); /* one MPI invents a name here */
    check_sql("SELECT coalesce(o.name_origin, '') != 'program' FROM object o JOIN object p ON p.object = o.parent "
              "WHERE p.name = 'couple'");
    CALL(MPI_Type_free)(&copy);
    CALL(MPI_Type_free)(&type);
    check_freed("datatype", "MPI_Type_free", 2);
}

/* The trace tells these calls of the object with this name, or of none: refused for this class, or else as the MPI
 * says. */
static void refused(const char *kind, const char *object, int calls, int class, const char *error, int result)
{
    int found;
    CHECK(result != MPI_SUCCESS);
    CALL(MPI_Error_class)(result, &found);
    CHECK(found == class);
    check_sql("SELECT count(*) = %d AND min(n.kind = '%s') AND max(n.name) IS NULL AND min(n.origin) = 'program' AND "
              "min(n.site IS NOT NULL) AND min(n.at_ns > 0) FROM naming n LEFT JOIN object o USING (object) "
              "WHERE n.kind = '%s' AND n.error = '%s' AND coalesce(o.name, '') = '%s'",
              calls, kind, kind, error, object ? object : "");
}

/* Refused names are recorded; neither the handle nor the name is used. */
static void refusals(void)
{
    MPI_Comm comm;
    MPI_Datatype type;
    MPI_Win win;
    int *memory;
    CALL(MPI_Comm_set_errhandler)(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CALL(MPI_Comm_set_errhandler)(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    CALL(MPI_Comm_dup)(MPI_COMM_WORLD, &comm);
    check_made("communicator", "MPI_Comm_dup", 1);
    CALL(MPI_Type_contiguous)(3, MPI_INT, &type);
    check_made("datatype", "MPI_Type_contiguous", 1);
    CALL(MPI_Win_allocate)(40, 4, MPI_INFO_NULL, comm, &memory, &win);
    check_made("window", "MPI_Win_allocate", 1);
    CALL(MPI_Win_set_errhandler)(win, MPI_ERRORS_RETURN);
    CALL(MPI_Comm_set_name)(comm, "kept");
    CALL(MPI_Type_set_name)(type, "triple");
    CALL(MPI_Win_set_name)(win, "board");
    /* Once here and once in predefined(). */
    refused("communicator", NULL, 2, MPI_ERR_COMM, "MPI_ERR_COMM", CALL(MPI_Comm_set_name)(MPI_COMM_NULL, NULL));
    refused("datatype", NULL, 1, MPI_ERR_TYPE, "MPI_ERR_TYPE", CALL(MPI_Type_set_name)(MPI_DATATYPE_NULL, NULL));
    refused("window", NULL, 1, MPI_ERR_WIN, "MPI_ERR_WIN", CALL(MPI_Win_set_name)(MPI_WIN_NULL, NULL));
    refused("communicator", "kept", 1, MPI_ERR_ARG, "MPI_ERR_ARG", CALL(MPI_Comm_set_name)(comm, NULL));
    refused("datatype", "triple", 1, MPI_ERR_ARG, "MPI_ERR_ARG", CALL(MPI_Type_set_name)(type, NULL));
    refused("window", "board", 1, MPI_ERR_ARG, "MPI_ERR_ARG", CALL(MPI_Win_set_name)(win, NULL));
    say_comm_name("its name stays", comm);
    check_sql("SELECT count(*) = 7 AND count(object) = 3 AND count(name) = 0 FROM names WHERE error IS NOT NULL");
    CALL(MPI_Win_free)(&win);
    check_freed("window", "MPI_Win_free", 1);
    CALL(MPI_Type_free)(&type);
    check_freed("datatype", "MPI_Type_free", 1);
    CALL(MPI_Comm_free)(&comm);
    check_freed("communicator", "MPI_Comm_free", 1);
}

int main(int argc, char **argv)
{
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    history();
    lengths();
    numbers();
    in_turn();
    predefined();
    types();
    refusals();
    CALL(MPI_Finalize)();
    return check_write();
}
