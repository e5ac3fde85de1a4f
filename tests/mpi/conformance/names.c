/* MPI 4.1, 7.8. */
#include "conformance.h"

static char name[MPI_MAX_OBJECT_NAME + 1];
static int length;

static const char *name_of(MPI_Comm comm)
{
    name[0] = '\0';
    MPI_Comm_get_name(comm, name, &length);
    return name;
}

static const char *name_of_type(MPI_Datatype type)
{
    name[0] = '\0';
    MPI_Type_get_name(type, name, &length);
    return name;
}

static const char *name_of_win(MPI_Win win)
{
    name[0] = '\0';
    MPI_Win_get_name(win, name, &length);
    return name;
}

static void kept(const char *text)
{
    MPI_Comm comm = duplicate();
    int result = MPI_Comm_set_name(comm, text);
    found("%s [%s]", class_of(result), name_of(comm));
    found(" %d", length);
    MPI_Comm_free(&comm);
}

static void plain(void)
{
    kept("rows");
}

static void blanks(void)
{
    kept("  a b  ");
}

static void empty(void)
{
    kept("");
}

static void bytes(void)
{
    kept("r\xc3\xa9seau");
}

static void long_name(int bytes_given)
{
    char text[400];
    MPI_Comm comm = duplicate();
    memset(text, 'x', sizeof text);
    text[bytes_given] = '\0';
    int result = MPI_Comm_set_name(comm, text);
    name_of(comm);
    found("%s, MPI_MAX_OBJECT_NAME - %d", class_of(result), MPI_MAX_OBJECT_NAME - length);
    MPI_Comm_free(&comm);
}

static void longest(void)
{
    long_name(MPI_MAX_OBJECT_NAME - 1);
}

static void too_long(void)
{
    long_name(399);
}

static void replaced(void)
{
    MPI_Comm comm = duplicate();
    MPI_Comm_set_name(comm, "a longer one");
    MPI_Comm_set_name(comm, "short");
    found("[%s]", name_of(comm));
    MPI_Comm_free(&comm);
}

static int touched(void)
{
    int last = 0;
    for (int i = 0; i < MPI_MAX_OBJECT_NAME; i++)
        if (name[i] != '\177')
            last = i + 1;
    return last;
}

static void written(void)
{
    MPI_Comm comm = duplicate();
    MPI_Datatype type = pair();
    MPI_Win win = window();
    MPI_Comm_set_name(comm, "rows");
    MPI_Type_set_name(type, "rows");
    MPI_Win_set_name(win, "rows");
    memset(name, '\177', sizeof name);
    MPI_Comm_get_name(comm, name, &length);
    found("%d ", touched());
    memset(name, '\177', sizeof name);
    MPI_Type_get_name(type, name, &length);
    found("%d ", touched());
    memset(name, '\177', sizeof name);
    MPI_Win_get_name(win, name, &length);
    found("%d", touched());
    MPI_Comm_free(&comm);
    MPI_Type_free(&type);
    MPI_Win_free(&win);
}

static void duplicate_of_named(void)
{
    MPI_Comm comm = duplicate(), made;
    MPI_Comm_set_name(comm, "rows");
    MPI_Comm_dup(comm, &made);
    found("[%s]", name_of(made));
    MPI_Comm_free(&comm);
    MPI_Comm_free(&made);
}

static void duplicate_of_named_type(void)
{
    MPI_Datatype type = pair(), made;
    MPI_Type_set_name(type, "pair");
    MPI_Type_dup(type, &made);
    found("[%s]", name_of_type(made));
    MPI_Type_free(&type);
    MPI_Type_free(&made);
}

static void fresh(void)
{
    MPI_Comm comm = duplicate();
    MPI_Datatype type = pair();
    MPI_Win win = window();
    found("[%s] ", name_of(comm));
    found("[%s] ", name_of_type(type));
    found("[%s]", name_of_win(win));
    MPI_Comm_free(&comm);
    MPI_Type_free(&type);
    MPI_Win_free(&win);
}

static void predefined_comms(void)
{
    found("%s ", name_of(MPI_COMM_WORLD));
    found("%s", name_of(MPI_COMM_SELF));
}

#define CHECK_TYPE(type)                                                                                               \
    if (strcmp(name_of_type(type), #type) != 0)                                                                        \
    found("%s is %s ", #type, name)

static void predefined_types(void)
{
    CHECK_TYPE(MPI_CHAR);
    CHECK_TYPE(MPI_SIGNED_CHAR);
    CHECK_TYPE(MPI_UNSIGNED_CHAR);
    CHECK_TYPE(MPI_BYTE);
    CHECK_TYPE(MPI_WCHAR);
    CHECK_TYPE(MPI_SHORT);
    CHECK_TYPE(MPI_UNSIGNED_SHORT);
    CHECK_TYPE(MPI_INT);
    CHECK_TYPE(MPI_UNSIGNED);
    CHECK_TYPE(MPI_LONG);
    CHECK_TYPE(MPI_UNSIGNED_LONG);
    CHECK_TYPE(MPI_LONG_LONG_INT);
    CHECK_TYPE(MPI_UNSIGNED_LONG_LONG);
    CHECK_TYPE(MPI_FLOAT);
    CHECK_TYPE(MPI_DOUBLE);
    CHECK_TYPE(MPI_LONG_DOUBLE);
    CHECK_TYPE(MPI_INT8_T);
    CHECK_TYPE(MPI_INT16_T);
    CHECK_TYPE(MPI_INT32_T);
    CHECK_TYPE(MPI_INT64_T);
    CHECK_TYPE(MPI_UINT8_T);
    CHECK_TYPE(MPI_UINT16_T);
    CHECK_TYPE(MPI_UINT32_T);
    CHECK_TYPE(MPI_UINT64_T);
    CHECK_TYPE(MPI_C_BOOL);
    CHECK_TYPE(MPI_C_COMPLEX);
    CHECK_TYPE(MPI_C_DOUBLE_COMPLEX);
    CHECK_TYPE(MPI_C_LONG_DOUBLE_COMPLEX);
    CHECK_TYPE(MPI_AINT);
    CHECK_TYPE(MPI_COUNT);
    CHECK_TYPE(MPI_OFFSET);
    CHECK_TYPE(MPI_PACKED);
    found("all");
}

static void predefined_pairs(void)
{
    CHECK_TYPE(MPI_FLOAT_INT);
    CHECK_TYPE(MPI_DOUBLE_INT);
    CHECK_TYPE(MPI_LONG_INT);
    CHECK_TYPE(MPI_2INT);
    CHECK_TYPE(MPI_SHORT_INT);
    CHECK_TYPE(MPI_LONG_DOUBLE_INT);
    found("all");
}

static void predefined_fortran_types(void)
{
    CHECK_TYPE(MPI_CHARACTER);
    CHECK_TYPE(MPI_LOGICAL);
    CHECK_TYPE(MPI_INTEGER);
    CHECK_TYPE(MPI_REAL);
    CHECK_TYPE(MPI_DOUBLE_PRECISION);
    CHECK_TYPE(MPI_COMPLEX);
    CHECK_TYPE(MPI_DOUBLE_COMPLEX);
    CHECK_TYPE(MPI_INTEGER4);
    CHECK_TYPE(MPI_INTEGER8);
    CHECK_TYPE(MPI_REAL4);
    CHECK_TYPE(MPI_REAL8);
    CHECK_TYPE(MPI_2INTEGER);
    CHECK_TYPE(MPI_2REAL);
    CHECK_TYPE(MPI_2DOUBLE_PRECISION);
    found("all");
}

static void synonyms(void)
{
    found("%s ", name_of_type(MPI_LONG_LONG));
    found("%s", name_of_type(MPI_C_FLOAT_COMPLEX));
}

static void renamed(void)
{
    found("%s ", class_of(MPI_Comm_set_name(MPI_COMM_WORLD, "everybody")));
    found("[%s] ", name_of(MPI_COMM_WORLD));
    found("%s ", class_of(MPI_Type_set_name(MPI_INT, "word")));
    found("[%s]", name_of_type(MPI_INT));
    MPI_Comm_set_name(MPI_COMM_WORLD, "MPI_COMM_WORLD");
    MPI_Type_set_name(MPI_INT, "MPI_INT");
}

static void reused(void)
{
    MPI_Comm comm = duplicate(), again;
    MPI_Datatype type = pair(), type_again;
    MPI_Comm_set_name(comm, "old");
    MPI_Type_set_name(type, "old");
    MPI_Comm_free(&comm);
    MPI_Type_free(&type);
    again = duplicate();
    type_again = pair();
    found("[%s] ", name_of(again));
    found("[%s]", name_of_type(type_again));
    MPI_Comm_free(&again);
    MPI_Type_free(&type_again);
}

static void try(MPI_Comm comm)
{
    MPI_Comm_set_name(comm, "exact");
    found("%s", strcmp(name_of(comm), "exact") == 0 && length == 5 ? "." : "?");
    MPI_Comm_free(&comm);
}

static void every_communicator(void)
{
    int dims = 1, periods = 0, index = 1, edges = 0, sources = 0, degrees = 1;
    MPI_Comm made;
    MPI_Request request;
    MPI_Group group;
    MPI_Comm_dup(MPI_COMM_SELF, &made), try(made);
    MPI_Comm_dup_with_info(MPI_COMM_SELF, MPI_INFO_NULL, &made), try(made);
    MPI_Comm_idup(MPI_COMM_SELF, &made, &request), MPI_Wait(&request, MPI_STATUS_IGNORE), try(made);
    MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &made), try(made);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made), try(made);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Comm_create(MPI_COMM_WORLD, group, &made), try(made);
    MPI_Comm_create_group(MPI_COMM_WORLD, group, 0, &made), try(made);
    MPI_Group_free(&group);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &dims, &periods, 0, &made), try(made);
    MPI_Graph_create(MPI_COMM_WORLD, 1, &index, &edges, 0, &made), try(made);
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &sources, &degrees, &edges, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
    try(made);
}

static void try_win(int result, MPI_Win win)
{
    if (result != MPI_SUCCESS)
        return; /* some MPIs have no such window of one process */
    MPI_Win_set_name(win, "exact");
    if (strcmp(name_of_win(win), "exact") != 0 || length != 5)
        found("[%s] %d ", name, length);
    MPI_Win_free(&win);
}

static void every_window(void)
{
    MPI_Win win = MPI_WIN_NULL;
    void *memory;
    int result = MPI_Win_allocate(8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    try_win(result, win);
    result = MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    try_win(result, win);
    result = MPI_Win_allocate_shared(8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    try_win(result, win);
    found("exact");
}

static void processor(void)
{
    char node[MPI_MAX_PROCESSOR_NAME + 1];
    int bytes_of_it = 0;
    found("%s ", class_of(MPI_Get_processor_name(node, &bytes_of_it)));
    found("%s", bytes_of_it > 0 && (int)strlen(node) == bytes_of_it ? "exact" : "?");
}

const struct probe name_probes[] = {
    {"a name is kept as it is", "success [rows] 4", plain},
    {"blanks are part of a name in C", "success [  a b  ] 7", blanks},
    {"a name may be empty", "success [] 0", empty},
    {"a name may have any bytes", "success [r\xc3\xa9seau] 7", bytes},
    {"a name may have MPI_MAX_OBJECT_NAME - 1 bytes", "success, MPI_MAX_OBJECT_NAME - 1", longest},
    {"a longer name is cut", "success, MPI_MAX_OBJECT_NAME - 1", too_long},
    {"the last name counts", "[short]", replaced},
    {"get_name writes the name and its end (communicator, datatype, window)", "5 5 5", written},
    {"a duplicate of a named communicator has no name", "[]", duplicate_of_named},
    {"a duplicate of a named datatype has no name", "[]", duplicate_of_named_type},
    {"new objects have no name (communicator, datatype, window)", "[] [] []", fresh},
    {"predefined communicators have the standard's names", "MPI_COMM_WORLD MPI_COMM_SELF", predefined_comms},
    {"predefined datatypes of C have the standard's names", "all", predefined_types},
    {"datatypes of reductions have the standard's names", "all", predefined_pairs},
    {"predefined datatypes of Fortran have the standard's names", "all", predefined_fortran_types},
    {"a datatype with two names in the standard has the first one", "MPI_LONG_LONG_INT MPI_C_COMPLEX", synonyms},
    {"predefined objects may be renamed", "success [everybody] success [word]", renamed},
    {"an object with the handle of a freed one has no name", "[] []", reused},
    {"every kind of communicator has names", "..........", every_communicator},
    {"every kind of window has names", "exact", every_window},
    {"the processor has a name", "success exact", processor},
    {NULL, NULL, NULL},
};
