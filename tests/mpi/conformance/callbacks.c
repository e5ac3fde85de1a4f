/* MPI 4.1, 7.7: the order of callbacks, what they are given, what they may do, what becomes of what they refuse. */
#include "conformance.h"

enum { KEYS = 4 };
static int keys[KEYS];

static MPI_Comm with(int count)
{
    MPI_Comm comm = duplicate();
    for (int i = 0; i < KEYS; i++)
        keys[i] = telling();
    for (int i = 0; i < count; i++)
        MPI_Comm_set_attr(comm, keys[i], VALUE(i + 1));
    return comm;
}

static void end(MPI_Comm *comm)
{
    meddle = NULL;
    refused = 0;
    if (*comm != MPI_COMM_NULL)
        MPI_Comm_free(comm);
    for (int i = 0; i < KEYS; i++)
        MPI_Comm_free_keyval(&keys[i]);
}

/* ---- order ---- */

static void newest_first(void)
{
    MPI_Comm comm = with(4);
    MPI_Comm_free(&comm);
    end(&comm);
}

static void overwritten_is_new(void)
{
    MPI_Comm comm = with(3);
    MPI_Comm_set_attr(comm, keys[0], VALUE(5));
    found("then ");
    MPI_Comm_free(&comm);
    end(&comm);
}

static void copied_in_order(void)
{
    MPI_Comm comm = with(3), made;
    MPI_Comm_dup(comm, &made);
    found("then ");
    MPI_Comm_free(&made);
    end(&comm);
}

static void type_order(void)
{
    MPI_Datatype type = pair();
    int first = telling_type(), second = telling_type();
    MPI_Type_set_attr(type, first, VALUE(1));
    MPI_Type_set_attr(type, second, VALUE(2));
    MPI_Type_free(&type);
    MPI_Type_free_keyval(&first);
    MPI_Type_free_keyval(&second);
}

static void win_order(void)
{
    MPI_Win win = window();
    int first = telling_win(), second = telling_win();
    MPI_Win_set_attr(win, first, VALUE(1));
    MPI_Win_set_attr(win, second, VALUE(2));
    MPI_Win_free(&win);
    MPI_Win_free_keyval(&first);
    MPI_Win_free_keyval(&second);
}

static void at_disconnect(void)
{
    MPI_Comm comm = with(2);
    MPI_Comm_disconnect(&comm);
    end(&comm);
}

static void type_in_use(void)
{
    MPI_Datatype type = pair(), outer;
    int keyval = telling_type();
    MPI_Type_contiguous(2, type, &outer);
    MPI_Type_set_attr(type, keyval, VALUE(1));
    MPI_Type_free(&type);
    found("then");
    MPI_Type_free(&outer);
    MPI_Type_free_keyval(&keyval);
}

/* ---- arguments ---- */

static int told_keyval;
static void *told_state;
static MPI_Comm told_comm;

static int state_copy(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    told_keyval = keyval;
    told_state = extra;
    told_comm = comm;
    *(void **)out = (char *)in + 1;
    *flag = 1;
    return MPI_SUCCESS;
}

static int state_delete(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)value;
    told_keyval = keyval;
    told_state = extra;
    told_comm = comm;
    return MPI_SUCCESS;
}

static void arguments(void)
{
    int keyval, state = 0;
    MPI_Comm comm = duplicate(), copy, made;
    MPI_Comm_create_keyval(state_copy, state_delete, &keyval, &state);
    MPI_Comm_set_attr(comm, keyval, VALUE(1));
    MPI_Comm_dup(comm, &made);
    found("%d %d %d %s ", told_keyval == keyval, told_state == &state, told_comm == comm, held(made, keyval));
    copy = made;
    told_state = NULL;
    MPI_Comm_free(&made);
    found("%d %d %d", told_keyval == keyval, told_state == &state, told_comm == copy);
    MPI_Comm_free(&comm);
    MPI_Comm_free_keyval(&keyval);
}

static int flag_copy(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    (void)comm, (void)keyval, (void)extra, (void)in, (void)out;
    *flag = 0;
    return MPI_SUCCESS;
}

static void not_copied(void)
{
    int keyval;
    MPI_Comm comm = duplicate(), made;
    MPI_Comm_create_keyval(flag_copy, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    MPI_Comm_set_attr(comm, keyval, VALUE(1));
    MPI_Comm_dup(comm, &made);
    found("%s", held(made, keyval));
    MPI_Comm_free(&made);
    MPI_Comm_free(&comm);
    MPI_Comm_free_keyval(&keyval);
}

/* ---- refusals ---- */

static int handled, handled_code;
static void on_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    handled++;
    handled_code = *code;
}

static void copy_refused(void)
{
    MPI_Comm comm = with(1), made = comm;
    refused = 1;
    found("%s", class_of(MPI_Comm_dup(comm, &made)));
    found(" %s ", made == MPI_COMM_NULL ? "null" : "?");
    end(&comm);
}

static void own_error(void)
{
    int class, own, length;
    char words[MPI_MAX_ERROR_STRING];
    MPI_Errhandler handler;
    MPI_Comm comm = with(1), made;
    MPI_Add_error_class(&class);
    MPI_Add_error_code(class, &refusal);
    MPI_Add_error_string(refusal, "not this one");
    MPI_Comm_create_errhandler(on_error, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    handled = 0;
    refused = 1;
    int result = MPI_Comm_dup(comm, &made);
    MPI_Error_class(result, &own);
    MPI_Error_string(result, words, &length);
    found("%d %d [%s] %d %d ", result == refusal, own == class, words, handled, handled_code == refusal);
    MPI_Errhandler_free(&handler);
    end(&comm);
}

static void delete_refused(void)
{
    MPI_Comm comm = with(1);
    refused = 1;
    found("%s ", class_of(MPI_Comm_delete_attr(comm, keys[0])));
    found("%s ", held(comm, keys[0]));
    end(&comm);
}

static void overwriting_refused(void)
{
    MPI_Comm comm = with(1);
    refused = 1;
    found("%s ", class_of(MPI_Comm_set_attr(comm, keys[0], VALUE(2))));
    found("%s ", held(comm, keys[0]));
    end(&comm);
}

static void free_refused(void)
{
    MPI_Comm comm = with(1), copy = comm;
    refused = 1;
    found("%s ", class_of(MPI_Comm_free(&comm)));
    found("%s %s ", comm == copy ? "kept" : "gone", comm == copy ? held(comm, keys[0]) : "");
    end(&comm);
}

static void free_refused_in_the_middle(void)
{
    MPI_Comm comm = with(3), copy = comm;
    refused = 2;
    found("%s ", class_of(MPI_Comm_free(&comm)));
    found("%s ", comm == copy ? "kept" : "gone");
    if (comm == copy) {
        found("%s ", held(comm, keys[0]));
        found("%s ", held(comm, keys[1]));
        found("%s ", held(comm, keys[2]));
    }
    end(&comm);
}

static void type_free_refused(void)
{
    MPI_Datatype type = pair(), copy = type;
    int keyval = telling_type();
    MPI_Type_set_attr(type, keyval, VALUE(1));
    refused = 1;
    found("%s ", class_of(MPI_Type_free(&type)));
    found("%s ", type == copy ? "kept" : "gone");
    refused = 0;
    if (type == copy)
        MPI_Type_free(&type);
    MPI_Type_free_keyval(&keyval);
}

static void win_free_refused(void)
{
    MPI_Win win = window(), copy = win;
    int keyval = telling_win();
    MPI_Win_set_attr(win, keyval, VALUE(1));
    refused = 1;
    found("%s ", class_of(MPI_Win_free(&win)));
    found("%s ", win == copy ? "kept" : "gone");
    refused = 0;
    if (win == copy)
        MPI_Win_free(&win);
    MPI_Win_free_keyval(&keyval);
}

/* ---- what callbacks may do ---- */

static void get_own(MPI_Comm comm, int value)
{
    found("(%s) ", held(comm, keys[value - 1]));
}

static void reads_in_delete(void)
{
    MPI_Comm comm = with(1);
    meddle = get_own;
    MPI_Comm_delete_attr(comm, keys[0]);
    end(&comm);
}

static void reads_in_free(void)
{
    MPI_Comm comm = with(2);
    meddle = get_own;
    MPI_Comm_free(&comm);
    end(&comm);
}

static void delete_first(MPI_Comm comm, int value)
{
    if (value == 3)
        MPI_Comm_delete_attr(comm, keys[0]);
}

static void set_last(MPI_Comm comm, int value)
{
    if (value == 1)
        MPI_Comm_set_attr(comm, keys[3], VALUE(9));
}

static void sets_another(void)
{
    MPI_Comm comm = with(1);
    meddle = set_last;
    MPI_Comm_delete_attr(comm, keys[0]);
    found("%s ", held(comm, keys[3]));
    end(&comm);
}

static void free_key(MPI_Comm comm, int value)
{
    (void)comm, (void)value;
    if (keys[0] != MPI_KEYVAL_INVALID)
        MPI_Comm_free_keyval(&keys[0]);
}

static void frees_its_keyval(void)
{
    MPI_Comm comm = with(1);
    meddle = free_key;
    MPI_Comm_delete_attr(comm, keys[0]);
    found("%d", keys[0] == MPI_KEYVAL_INVALID);
    keys[0] = telling();
    end(&comm);
}

static void dup_it(MPI_Comm comm, int value)
{
    MPI_Comm made;
    if (value != 1)
        return;
    MPI_Comm_dup(comm, &made);
    found("(%s) ", held(made, keys[1]));
    meddle = NULL;
    MPI_Comm_free(&made);
}

static void duplicates(void)
{
    MPI_Comm comm = with(2);
    meddle = dup_it;
    MPI_Comm_delete_attr(comm, keys[0]);
    end(&comm);
}

static void deletes_another(void)
{
    MPI_Comm comm = with(3);
    meddle = delete_first;
    MPI_Comm_free(&comm);
    end(&comm);
}

const struct probe callback_probes[] = {
    {"attributes are deleted newest first", "-4 -3 -2 -1", newest_first},
    {"an attribute that was set again is the newest", "-1 then -5 -3 -2", overwritten_is_new},
    {"attributes are copied in the order in which they were set", "+1 +2 +3 then -3 -2 -1 -3 -2 -1", copied_in_order},
    {"attributes of a datatype are deleted newest first", "-2 -1", type_order},
    {"attributes of a window are deleted newest first", "-2 -1", win_order},
    {"attributes of a communicator are deleted at its disconnect", "-2 -1", at_disconnect},
    {"attributes of a datatype in use are deleted when it is freed", "-1 then", type_in_use},
    {"copy callbacks get keyval, extra state and object, and may give another value", "1 1 1 2 1 1 1", arguments},
    {"an attribute that a copy callback omits is missing", "none", not_copied},
    {"a copy that is refused fails the dup", "+1 code 9999 null -1", copy_refused},
    {"the error handler gets the callback's code, class and text", "+1 1 1 [not this one] 1 1 -1", own_error},
    {"an attribute stays if its callback refuses MPI_*_delete_attr", "-1 code 9999 1 -1", delete_refused},
    {"an attribute stays if its callback refuses MPI_*_set_attr", "-1 code 9999 1 -1", overwriting_refused},
    {"a communicator is not freed when a callback refuses", "-1 code 9999 kept 1 -1", free_refused},
    {"a communicator is not freed when the second of three callbacks refuses", "-3 -2 code 9999 kept 1 2 none -2 -1",
     free_refused_in_the_middle},
    {"a datatype is not freed when a callback refuses", "-1 code 9999 kept -1", type_free_refused},
    {"a window is not freed when a callback refuses", "-1 code 9999 kept -1", win_free_refused},
    {"a delete callback reads its attribute", "-1 (1)", reads_in_delete},
    {"a delete callback reads its attribute while the object is freed", "-2 (2) -1 (1)", reads_in_free},
    {"a delete callback sets another attribute", "-1 9 -9", sets_another},
    {"a delete callback frees its keyval", "-1 1", frees_its_keyval},
    {"a delete callback duplicates the object", "-1 +2 (2) -2 -2", duplicates},
    {"a delete callback deletes another attribute while the object is freed", "-3 -1 -2", deletes_another},
    {NULL, NULL, NULL},
};
