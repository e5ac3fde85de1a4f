/* Bad use: the error classes of the standard, and the error handler that is told. */
#include "conformance.h"

static char name[MPI_MAX_OBJECT_NAME + 1];
static int length, flag;
static void *value;

static void get_name_of_null(void)
{
    found("%s ", class_of(MPI_Comm_get_name(MPI_COMM_NULL, name, &length)));
    found("%s ", class_of(MPI_Type_get_name(MPI_DATATYPE_NULL, name, &length)));
    found("%s", class_of(MPI_Win_get_name(MPI_WIN_NULL, name, &length)));
}

static void set_name_of_null(void)
{
    found("%s ", class_of(MPI_Comm_set_name(MPI_COMM_NULL, "x")));
    found("%s ", class_of(MPI_Type_set_name(MPI_DATATYPE_NULL, "x")));
    found("%s", class_of(MPI_Win_set_name(MPI_WIN_NULL, "x")));
}

static void no_name(void)
{
    MPI_Comm comm = duplicate();
    MPI_Datatype type = pair();
    MPI_Win win = window();
    found("%s ", class_of(MPI_Comm_set_name(comm, NULL)));
    found("%s ", class_of(MPI_Type_set_name(type, NULL)));
    found("%s", class_of(MPI_Win_set_name(win, NULL)));
    MPI_Comm_free(&comm);
    MPI_Type_free(&type);
    MPI_Win_free(&win);
}

static void no_room(void)
{
    found("%s ", class_of(MPI_Comm_get_name(MPI_COMM_WORLD, NULL, &length)));
    found("%s", class_of(MPI_Comm_get_name(MPI_COMM_WORLD, name, NULL)));
}

static void comm_null(void)
{
    int keyval = telling();
    found("%s ", class_of(MPI_Comm_set_attr(MPI_COMM_NULL, keyval, VALUE(1))));
    found("%s ", class_of(MPI_Comm_get_attr(MPI_COMM_NULL, keyval, &value, &flag)));
    found("%s", class_of(MPI_Comm_delete_attr(MPI_COMM_NULL, keyval)));
    MPI_Comm_free_keyval(&keyval);
}

static void type_null(void)
{
    int keyval = telling_type();
    found("%s ", class_of(MPI_Type_set_attr(MPI_DATATYPE_NULL, keyval, VALUE(1))));
    found("%s ", class_of(MPI_Type_get_attr(MPI_DATATYPE_NULL, keyval, &value, &flag)));
    found("%s", class_of(MPI_Type_delete_attr(MPI_DATATYPE_NULL, keyval)));
    MPI_Type_free_keyval(&keyval);
}

static void win_null(void)
{
    int keyval = telling_win();
    found("%s ", class_of(MPI_Win_set_attr(MPI_WIN_NULL, keyval, VALUE(1))));
    found("%s ", class_of(MPI_Win_get_attr(MPI_WIN_NULL, keyval, &value, &flag)));
    found("%s", class_of(MPI_Win_delete_attr(MPI_WIN_NULL, keyval)));
    MPI_Win_free_keyval(&keyval);
}

static void attributes_of_null(void)
{
    MPI_Comm comm = MPI_COMM_NULL, made;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    found("%s ", class_of(MPI_Comm_dup(comm, &made)));
    found("%s ", class_of(MPI_Comm_free(&comm)));
    found("%s", class_of(MPI_Type_free(&type)));
}

static void lasting(void)
{
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Datatype type = MPI_INT;
    int keyval = telling(), type_keyval = telling_type();
    MPI_Comm_set_attr(comm, keyval, VALUE(1));
    MPI_Type_set_attr(type, type_keyval, VALUE(2));
    found("%s ", class_of(MPI_Comm_free(&comm)));
    found("%s ", class_of(MPI_Type_free(&type)));
    found("%s ", held(MPI_COMM_WORLD, keyval));
    MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval);
    MPI_Type_delete_attr(MPI_INT, type_keyval);
    MPI_Comm_free_keyval(&keyval);
    MPI_Type_free_keyval(&type_keyval);
}

static void unset(void)
{
    MPI_Comm comm = duplicate();
    MPI_Datatype type = pair();
    int keyval = telling(), type_keyval = telling_type();
    found("%s ", class_of(MPI_Comm_delete_attr(comm, keyval)));
    found("%s", class_of(MPI_Type_delete_attr(type, type_keyval)));
    MPI_Comm_free(&comm);
    MPI_Type_free(&type);
    MPI_Comm_free_keyval(&keyval);
    MPI_Type_free_keyval(&type_keyval);
}

static void with_key(MPI_Comm comm, int keyval)
{
    found("%s ", class_of(MPI_Comm_set_attr(comm, keyval, VALUE(1))));
    found("%s ", class_of(MPI_Comm_get_attr(comm, keyval, &value, &flag)));
    found("%s ", class_of(MPI_Comm_delete_attr(comm, keyval)));
}

static void invalid(void)
{
    int keyval = MPI_KEYVAL_INVALID;
    with_key(MPI_COMM_SELF, keyval);
    found("%s", class_of(MPI_Comm_free_keyval(&keyval)));
}

static void stale(void)
{
    int keyval = telling(), copy = keyval;
    MPI_Comm_free_keyval(&keyval);
    with_key(MPI_COMM_SELF, copy);
    found("%s", class_of(MPI_Comm_free_keyval(&copy)));
}

static void of_datatypes(void)
{
    int keyval = telling_type(), copy = keyval;
    with_key(MPI_COMM_SELF, keyval);
    found("%s", class_of(MPI_Comm_free_keyval(&copy)));
    MPI_Type_free_keyval(&keyval);
}

static void of_communicators(void)
{
    int keyval = telling(), copy = keyval;
    MPI_Datatype type = pair();
    MPI_Win win = window();
    found("%s ", class_of(MPI_Type_set_attr(type, keyval, VALUE(1))));
    found("%s ", class_of(MPI_Type_get_attr(type, keyval, &value, &flag)));
    found("%s ", class_of(MPI_Win_set_attr(win, keyval, VALUE(1))));
    found("%s ", class_of(MPI_Win_get_attr(win, keyval, &value, &flag)));
    found("%s ", class_of(MPI_Type_free_keyval(&copy)));
    found("%s", class_of(MPI_Win_free_keyval(&copy)));
    MPI_Type_free(&type);
    MPI_Win_free(&win);
    MPI_Comm_free_keyval(&keyval);
}

static void set_predefined(void)
{
    int limit = 5;
    found("%s ", class_of(MPI_Comm_set_attr(MPI_COMM_WORLD, MPI_TAG_UB, &limit)));
    found("%s", class_of(MPI_Attr_put(MPI_COMM_WORLD, MPI_TAG_UB, &limit)));
}

static void delete_predefined(void)
{
    found("%s ", class_of(MPI_Comm_delete_attr(MPI_COMM_WORLD, MPI_TAG_UB)));
    found("%s", class_of(MPI_Attr_delete(MPI_COMM_WORLD, MPI_TAG_UB)));
}

static void free_predefined(void)
{
    int keyval = MPI_TAG_UB, old = MPI_TAG_UB, win_key = MPI_WIN_BASE;
    found("%s ", class_of(MPI_Comm_free_keyval(&keyval)));
    found("%s ", class_of(MPI_Keyval_free(&old)));
    found("%s", class_of(MPI_Win_free_keyval(&win_key)));
}

static void predefined_of_windows(void)
{
    MPI_Win win = window();
    int unit = 5;
    found("%s ", class_of(MPI_Win_set_attr(win, MPI_WIN_DISP_UNIT, &unit)));
    found("%s ", class_of(MPI_Win_delete_attr(win, MPI_WIN_DISP_UNIT)));
    found("%s ", class_of(MPI_Win_get_attr(win, MPI_TAG_UB, &value, &flag)));
    found("%s", class_of(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WIN_BASE, &value, &flag)));
    MPI_Win_free(&win);
}

static int told;
static void on_comm(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    told++;
}

static void on_win(MPI_Win *win, int *code, ...)
{
    (void)win, (void)code;
    told += 10;
}

static void handlers(void)
{
    MPI_Errhandler for_comm, for_win;
    MPI_Comm comm = duplicate();
    MPI_Win win = window();
    MPI_Comm_create_errhandler(on_comm, &for_comm);
    MPI_Win_create_errhandler(on_win, &for_win);
    MPI_Comm_set_errhandler(comm, for_comm);
    MPI_Win_set_errhandler(win, for_win);
    told = 0;
    MPI_Comm_set_attr(comm, MPI_KEYVAL_INVALID, VALUE(1));
    found("%d ", told);
    told = 0;
    MPI_Win_set_attr(win, MPI_KEYVAL_INVALID, VALUE(1));
    found("%d ", told);
    told = 0;
    MPI_Comm_set_name(comm, NULL);
    found("%d", told);
    MPI_Errhandler_free(&for_comm);
    MPI_Errhandler_free(&for_win);
    MPI_Comm_free(&comm);
    MPI_Win_free(&win);
}

/* Also where the mpi.h has it from callsign. */
static void classes(void)
{
    char words[MPI_MAX_ERROR_STRING] = "";
    const int each[] = {MPI_ERR_KEYVAL, MPI_ERR_WIN, MPI_ERR_ARG};
    for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
        int class = -1, bytes = -1;
        found("%s ", class_of(MPI_Error_class(each[i], &class)));
        found("%s ", class_of(MPI_Error_string(each[i], words, &bytes)));
        found("%d%s", class == each[i] && bytes > 0 && (size_t)bytes == strlen(words), i < 2 ? " " : "");
    }
}

#define THREE(class) #class " " #class " " #class
#define KEYVAL       "MPI_ERR_KEYVAL"
#define FOUR_KEYVALS KEYVAL " " KEYVAL " " KEYVAL " " KEYVAL

const struct probe error_probes[] = {
#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
    {"get_name of null handles", "success success success", get_name_of_null},
#else
    {"get_name of null handles", "MPI_ERR_COMM MPI_ERR_TYPE MPI_ERR_WIN", get_name_of_null},
#endif
    {"set_name of null handles", "MPI_ERR_COMM MPI_ERR_TYPE MPI_ERR_WIN", set_name_of_null},
    {"set_name with a null pointer", THREE(MPI_ERR_ARG), no_name},
    {"get_name into a null pointer", "MPI_ERR_ARG MPI_ERR_ARG", no_room},
    {"attributes of MPI_COMM_NULL", THREE(MPI_ERR_COMM), comm_null},
    {"attributes of MPI_DATATYPE_NULL", THREE(MPI_ERR_TYPE), type_null},
    {"attributes of MPI_WIN_NULL", THREE(MPI_ERR_WIN), win_null},
    {"dup and free of null handles", "MPI_ERR_COMM MPI_ERR_COMM MPI_ERR_TYPE", attributes_of_null},
    {"an object that cannot be freed keeps its attributes", "MPI_ERR_COMM MPI_ERR_TYPE 1 -1 -2", lasting},
    {"deleting a missing attribute is no error", "success success", unset},
    {"MPI_KEYVAL_INVALID", FOUR_KEYVALS, invalid},
    {"a keyval that was freed and is not attached", FOUR_KEYVALS, stale},
    {"a keyval of datatypes on a communicator", FOUR_KEYVALS, of_datatypes},
    {"a keyval of communicators on others", THREE(MPI_ERR_KEYVAL) " " THREE(MPI_ERR_KEYVAL), of_communicators},
    {"setting a predefined attribute", "MPI_ERR_KEYVAL MPI_ERR_KEYVAL", set_predefined},
    {"deleting a predefined attribute", "MPI_ERR_KEYVAL MPI_ERR_KEYVAL", delete_predefined},
    {"freeing a predefined keyval", THREE(MPI_ERR_KEYVAL), free_predefined},
    {"predefined keyvals of windows, and on other objects", FOUR_KEYVALS, predefined_of_windows},
    {"errors go to the object's own error handler", "1 10 1", handlers},
    {"error classes are their own class, and have words", "success success 1 success success 1 success success 1",
     classes},
    {NULL, NULL, NULL},
};
