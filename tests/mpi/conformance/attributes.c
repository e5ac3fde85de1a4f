/* MPI 4.1, 7.7: setting, getting, deleting, duplicates, predefined attributes. */
#include "conformance.h"

static void basic(void)
{
    MPI_Comm comm = duplicate();
    int keyval = telling();
    found("%s ", held(comm, keyval));
    found("%s ", class_of(MPI_Comm_set_attr(comm, keyval, VALUE(1))));
    found("%s ", held(comm, keyval));
    found("%s ", class_of(MPI_Comm_delete_attr(comm, keyval)));
    found("%s", held(comm, keyval));
    MPI_Comm_free(&comm);
    MPI_Comm_free_keyval(&keyval);
}

static void basic_type(void)
{
    MPI_Datatype type = pair();
    int keyval = telling_type(), flag = -1;
    void *value = NULL;
    MPI_Type_get_attr(type, keyval, &value, &flag);
    found("%d ", flag);
    MPI_Type_set_attr(type, keyval, VALUE(2));
    MPI_Type_get_attr(type, keyval, &value, &flag);
    found("%d %d ", flag, value == VALUE(2));
    MPI_Type_delete_attr(type, keyval);
    MPI_Type_get_attr(type, keyval, &value, &flag);
    found("%d", flag);
    MPI_Type_free(&type);
    MPI_Type_free_keyval(&keyval);
}

static void basic_win(void)
{
    MPI_Win win = window();
    int keyval = telling_win(), flag = -1;
    void *value = NULL;
    MPI_Win_get_attr(win, keyval, &value, &flag);
    found("%d ", flag);
    MPI_Win_set_attr(win, keyval, VALUE(2));
    MPI_Win_get_attr(win, keyval, &value, &flag);
    found("%d %d ", flag, value == VALUE(2));
    MPI_Win_delete_attr(win, keyval);
    MPI_Win_get_attr(win, keyval, &value, &flag);
    found("%d ", flag);
    MPI_Win_set_attr(win, keyval, VALUE(3));
    MPI_Win_free(&win);
    MPI_Win_free_keyval(&keyval);
}

static void null_value(void)
{
    MPI_Comm comm = duplicate(), made;
    int keyval = telling(), flag = 0;
    void *value = VALUE(1);
    MPI_Comm_set_attr(comm, keyval, NULL);
    MPI_Comm_get_attr(comm, keyval, &value, &flag);
    found("%d %s ", flag, value ? "?" : "null");
    MPI_Comm_dup(comm, &made);
    MPI_Comm_free(&made);
    MPI_Comm_free(&comm);
    MPI_Comm_free_keyval(&keyval);
}

static void predefined_type(void)
{
    int keyval = telling_type(), flag = 0;
    void *value = NULL;
    found("%s ", class_of(MPI_Type_set_attr(MPI_INT, keyval, VALUE(4))));
    MPI_Type_get_attr(MPI_INT, keyval, &value, &flag);
    found("%d %d ", flag, value == VALUE(4));
    MPI_Type_delete_attr(MPI_INT, keyval);
    MPI_Type_free_keyval(&keyval);
}

static void invalid_after(void)
{
    int comm = telling(), type = telling_type(), win = telling_win();
    MPI_Comm_free_keyval(&comm);
    MPI_Type_free_keyval(&type);
    MPI_Win_free_keyval(&win);
    found("%d %d %d", comm == MPI_KEYVAL_INVALID, type == MPI_KEYVAL_INVALID, win == MPI_KEYVAL_INVALID);
}

static void old_and_new(void)
{
    MPI_Comm comm = duplicate();
    int keyval = telling(), old, flag = 0;
    void *value = NULL;
    MPI_Attr_put(comm, keyval, VALUE(1));
    found("%s ", held(comm, keyval));
    MPI_Comm_set_attr(comm, keyval, VALUE(2));
    MPI_Attr_get(comm, keyval, &value, &flag);
    found("%d ", flag && value == VALUE(2));
    MPI_Attr_delete(comm, keyval);
    MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, &old, NULL);
    MPI_Comm_set_attr(comm, old, VALUE(3));
    found("%s", held(comm, old));
    MPI_Comm_free(&comm);
    MPI_Keyval_free(&old);
    MPI_Keyval_free(&keyval);
}

static void on_copies(MPI_Comm comm, int dup_key, int null_key)
{
    found("%s ", held(comm, dup_key));
    found("%s ", held(comm, null_key));
    MPI_Comm_free(&comm);
}

static void ready_made(void)
{
    MPI_Comm comm = duplicate(), made;
    int dup_key, null_key, old_dup, old_null;
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &dup_key, NULL);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &null_key, NULL);
    MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, &old_dup, NULL);
    MPI_Keyval_create(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, &old_null, NULL);
    MPI_Comm_set_attr(comm, dup_key, VALUE(1));
    MPI_Comm_set_attr(comm, null_key, VALUE(2));
    MPI_Comm_set_attr(comm, old_dup, VALUE(3));
    MPI_Comm_set_attr(comm, old_null, VALUE(4));
    MPI_Comm_dup(comm, &made);
    found("%s ", held(made, old_dup));
    found("%s ", held(made, old_null));
    on_copies(made, dup_key, null_key);
    MPI_Comm_free(&comm);
    MPI_Comm_free_keyval(&dup_key);
    MPI_Comm_free_keyval(&null_key);
    MPI_Keyval_free(&old_dup);
    MPI_Keyval_free(&old_null);
}

static void ready_made_type(void)
{
    MPI_Datatype type = pair(), made;
    int dup_key, null_key, dup_flag, null_flag;
    void *value;
    MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &dup_key, NULL);
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &null_key, NULL);
    MPI_Type_set_attr(type, dup_key, VALUE(1));
    MPI_Type_set_attr(type, null_key, VALUE(2));
    MPI_Type_dup(type, &made);
    MPI_Type_get_attr(made, dup_key, &value, &dup_flag);
    MPI_Type_get_attr(made, null_key, &value, &null_flag);
    found("%d %d", dup_flag, null_flag);
    MPI_Type_free(&made);
    MPI_Type_free(&type);
    MPI_Type_free_keyval(&dup_key);
    MPI_Type_free_keyval(&null_key);
}

static void no_functions(void)
{
    MPI_Comm comm = duplicate(), made;
    int keyval = MPI_KEYVAL_INVALID;
    found("%s ", class_of(MPI_Comm_create_keyval(NULL, NULL, &keyval, NULL)));
    MPI_Comm_set_attr(comm, keyval, VALUE(1));
    found("%s ", held(comm, keyval));
    MPI_Comm_dup(comm, &made);
    found("%s ", held(made, keyval));
    MPI_Comm_free(&made);
    MPI_Comm_free(&comm);
    found("%s", class_of(MPI_Comm_free_keyval(&keyval)));
}

static void by_every_dup(void)
{
    MPI_Comm comm = duplicate(), made;
    MPI_Request request;
    int keyval = telling();
    MPI_Comm_set_attr(comm, keyval, VALUE(1));
    MPI_Comm_dup(comm, &made);
    found("%s, ", held(made, keyval));
    MPI_Comm_free(&made);
    found(", ");
    MPI_Comm_dup_with_info(comm, MPI_INFO_NULL, &made);
    found("%s, ", held(made, keyval));
    MPI_Comm_free(&made);
    found(", ");
    MPI_Comm_idup(comm, &made, &request);
    found("then ");
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    found("%s", held(made, keyval));
    MPI_Comm_free_keyval(&keyval);
    refused = 0;
}

static void by_nothing_else(void)
{
    int dims = 1, periods = 0, index = 1, edges = 0, keyval = telling();
    MPI_Comm comm = duplicate(), made;
    MPI_Group group;
    MPI_Comm_set_attr(comm, keyval, VALUE(1));
    MPI_Comm_split(comm, 0, 0, &made);
    found("%s ", held(made, keyval));
    MPI_Comm_free(&made);
    MPI_Comm_group(comm, &group);
    MPI_Comm_create(comm, group, &made);
    MPI_Group_free(&group);
    found("%s ", held(made, keyval));
    MPI_Comm_free(&made);
    MPI_Cart_create(comm, 1, &dims, &periods, 0, &made);
    found("%s ", held(made, keyval));
    MPI_Comm_free(&made);
    MPI_Graph_create(comm, 1, &index, &edges, 0, &made);
    found("%s ", held(made, keyval));
    MPI_Comm_free(&made);
    MPI_Comm_delete_attr(comm, keyval);
    MPI_Comm_free(&comm);
    MPI_Comm_free_keyval(&keyval);
}

static void reused(void)
{
    MPI_Comm comm = duplicate(), again;
    int keyval = telling();
    MPI_Comm_set_attr(comm, keyval, VALUE(1));
    MPI_Comm_free(&comm);
    again = duplicate();
    found("%s", held(again, keyval));
    MPI_Comm_free(&again);
    MPI_Comm_free_keyval(&keyval);
}

static void no_collision(void)
{
    MPI_Comm comm = duplicate();
    int attached = telling(), copy = attached, fresh, collisions = 0;
    MPI_Comm_set_attr(comm, attached, VALUE(1));
    MPI_Comm_free_keyval(&attached);
    for (int i = 0; i < 32; i++) {
        fresh = telling();
        collisions += fresh == copy || strcmp(held(comm, fresh), "none") != 0;
        MPI_Comm_free_keyval(&fresh);
    }
    found("%d ", collisions);
    MPI_Comm_free(&comm);
}

static void freed_key(void)
{
    MPI_Comm comm = duplicate(), made;
    int keyval = telling(), copy = keyval;
    MPI_Comm_set_attr(comm, keyval, VALUE(1));
    MPI_Comm_free_keyval(&keyval);
    found("%s ", held(comm, copy));
    found("%s ", class_of(MPI_Comm_set_attr(comm, copy, VALUE(2))));
    MPI_Comm_dup(comm, &made);
    found("%s ", held(made, copy));
    MPI_Comm_free(&made);
    MPI_Comm_free(&comm);
}

static void freed_twice(void)
{
    MPI_Comm comm = duplicate();
    int keyval = telling(), copy = keyval;
    MPI_Comm_set_attr(comm, keyval, VALUE(1));
    MPI_Comm_free_keyval(&keyval);
    found("%s ", class_of(MPI_Comm_free_keyval(&copy)));
    MPI_Comm_free(&comm);
}

static void handed_out(void)
{
    int keyval = telling_type(), integers[1];
    MPI_Aint addresses[1];
    MPI_Datatype inner = pair(), outer, out[1];
    MPI_Type_contiguous(2, inner, &outer);
    MPI_Type_set_attr(inner, keyval, VALUE(1));
    MPI_Type_get_contents(outer, 1, 0, 1, integers, addresses, out);
    MPI_Type_free(&out[0]);
    found("then ");
    MPI_Type_free(&inner);
    MPI_Type_free(&outer);
    MPI_Type_free_keyval(&keyval);
}

static void of_worlds(void)
{
    int *value, flag;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag);
    found("%s ", flag && *value >= 32767 ? "limit" : "?");
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &value, &flag);
    found("%s ", flag && *value >= MPI_ERR_LASTCODE ? "last" : "?");
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &value, &flag);
    found("%s", flag && (*value == 0 || *value == 1) ? "global" : "?");
}

static void of_windows(void)
{
    MPI_Win win;
    char *memory, *base;
    MPI_Aint *size;
    int *unit, *flavor, *model, flag, all = 0;
    MPI_Win_allocate(24, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_get_attr(win, MPI_WIN_BASE, &base, &flag), all += flag;
    MPI_Win_get_attr(win, MPI_WIN_SIZE, &size, &flag), all += flag;
    MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &unit, &flag), all += flag;
    MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &flavor, &flag), all += flag;
    MPI_Win_get_attr(win, MPI_WIN_MODEL, &model, &flag), all += flag;
    if (all != 5)
        found("%d of 5", all);
    else
        found("%d %d %ld %d %d %d", all, base == memory, (long)*size, *unit, *flavor == MPI_WIN_FLAVOR_ALLOCATE,
              *model == MPI_WIN_SEPARATE || *model == MPI_WIN_UNIFIED);
    MPI_Win_free(&win);
}

/* MPIs duplicate the communicator for themselves. */
static void by_windows(void)
{
    void *memory;
    MPI_Win win;
    MPI_Comm comm = duplicate();
    int keyval = telling();
    MPI_Comm_set_attr(comm, keyval, VALUE(1));
    MPI_Win_allocate(8, 1, MPI_INFO_NULL, comm, &memory, &win);
    MPI_Win_free(&win);
    found("then ");
    MPI_Comm_free(&comm);
    MPI_Comm_free_keyval(&keyval);
}

const struct probe attribute_probes[] = {
    {"communicator: set, get, delete", "none success 1 -1 success none", basic},
    {"datatype: set, get, delete", "0 1 1 -2 0", basic_type},
    {"window: set, get, delete, and at its free", "0 1 1 -2 0 -3", basic_win},
    {"NULL is a value, copied and deleted", "1 null +0 -0 -0", null_value},
    {"predefined datatypes may have attributes", "success 1 1 -4", predefined_type},
    {"freeing a keyval makes it invalid", "1 1 1", invalid_after},
    {"functions of MPI-1 have the same attributes", "1 -1 1 -2 3", old_and_new},
    {"MPI_DUP_FN copies and MPI_NULL_COPY_FN does not", "3 none 1 none", ready_made},
    {"MPI_TYPE_DUP_FN copies and MPI_TYPE_NULL_COPY_FN does not", "1 0", ready_made_type},
    {"a keyval may have no functions at all", "success 1 none success", no_functions},
    {"every function that duplicates copies attributes, at its call", "+1 1, -1 , +1 1, -1 , +1 then 1", by_every_dup},
    {"split, create, cart and graph copy no attributes", "none none none none -1", by_nothing_else},
    {"a window copies nothing of its communicator", "then -1", by_windows},
    {"an object with the handle of a freed one has no name", "-1 none", reused},
    {"a new keyval differs from freed ones that are still attached", "0 -1", no_collision},
    {"a freed keyval still works for attached attributes", "1 -1 success +2 2 -2 -2", freed_key},
    {"a keyval is freed twice while attached", "success -1", freed_twice},
    {"a datatype that the MPI gives out again keeps its attributes", "then -1", handed_out},
    {"MPI_COMM_WORLD has the predefined attributes", "limit last global", of_worlds},
    {"windows have the predefined attributes: address, MPI_Aint, int", "5 1 24 4 1 1", of_windows},
    {NULL, NULL, NULL},
};
