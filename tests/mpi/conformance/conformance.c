/* Runs the probes from number argv[1] on, in one process, and says what each found:
 *     begin NUMBER TAB behaviour TAB expected
 *     NUMBER TAB behaviour TAB expected TAB found
 * with the MPI's version before them, and "end" after MPI_Finalize.
 * argv[1] "finalize": what happens in MPI_Finalize. */
#include "conformance.h"

#include <stdarg.h>

char values[16];
int refused, refusal;
void (*meddle)(MPI_Comm comm, int value);

static char text[4096];

void found(const char *format, ...)
{
    va_list arguments;
    size_t used = strlen(text);
    va_start(arguments, format);
    vsnprintf(text + used, sizeof text - used, format, arguments);
    va_end(arguments);
}

const char *class_of(int result)
{
    static char words[64];
    const struct {
        int class;
        const char *name;
    } names[] = {{MPI_SUCCESS, "success"},         {MPI_ERR_COMM, "MPI_ERR_COMM"},
                 {MPI_ERR_TYPE, "MPI_ERR_TYPE"},   {MPI_ERR_WIN, "MPI_ERR_WIN"},
                 {MPI_ERR_ARG, "MPI_ERR_ARG"},     {MPI_ERR_KEYVAL, "MPI_ERR_KEYVAL"},
                 {MPI_ERR_OTHER, "MPI_ERR_OTHER"}, {MPI_ERR_INTERN, "MPI_ERR_INTERN"}};
    int class = result;
    snprintf(words, sizeof words, "code %d", result);
    if (result == 9999)
        return words;
    MPI_Error_class(result, &class);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].class == class)
            return names[i].name;
    return words;
}

static int number_of(const void *value)
{
    return value ? (int)((const char *)value - values) : 0;
}

static int tell_copy(void *in, void *out, int *flag)
{
    found("+%d ", number_of(in));
    if (refused && number_of(in) == refused)
        return refusal;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static int tell_delete(MPI_Comm comm, void *value)
{
    found("-%d ", number_of(value));
    if (meddle)
        meddle(comm, number_of(value));
    return refused && number_of(value) == refused ? refusal : MPI_SUCCESS;
}

static int copy_comm(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    (void)comm, (void)keyval, (void)extra;
    return tell_copy(in, out, flag);
}

static int copy_type(MPI_Datatype type, int keyval, void *extra, void *in, void *out, int *flag)
{
    (void)type, (void)keyval, (void)extra;
    return tell_copy(in, out, flag);
}

static int delete_comm(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)keyval, (void)extra;
    return tell_delete(comm, value);
}

static int delete_type(MPI_Datatype type, int keyval, void *value, void *extra)
{
    (void)type, (void)keyval, (void)extra;
    return tell_delete(MPI_COMM_NULL, value);
}

static int delete_win(MPI_Win win, int keyval, void *value, void *extra)
{
    (void)win, (void)keyval, (void)extra;
    return tell_delete(MPI_COMM_NULL, value);
}

int telling(void)
{
    int keyval = 0;
    MPI_Comm_create_keyval(copy_comm, delete_comm, &keyval, NULL);
    return keyval;
}

int telling_type(void)
{
    int keyval = 0;
    MPI_Type_create_keyval(copy_type, delete_type, &keyval, NULL);
    return keyval;
}

int telling_win(void)
{
    int keyval = 0;
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, delete_win, &keyval, NULL);
    return keyval;
}

MPI_Comm duplicate(void)
{
    MPI_Comm made;
    MPI_Comm_dup(MPI_COMM_SELF, &made);
    MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN);
    return made;
}

MPI_Datatype pair(void)
{
    MPI_Datatype made;
    MPI_Type_contiguous(2, MPI_INT, &made);
    return made;
}

MPI_Win window(void)
{
    MPI_Win made;
    void *memory;
    MPI_Win_allocate(24, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &made);
    MPI_Win_set_errhandler(made, MPI_ERRORS_RETURN);
    return made;
}

const char *held(MPI_Comm comm, int keyval)
{
    static char words[8];
    void *value;
    int flag = 0;
    if (MPI_Comm_get_attr(comm, keyval, &value, &flag) != MPI_SUCCESS)
        return "error";
    snprintf(words, sizeof words, "%d", flag ? number_of(value) : 0);
    return flag ? words : "none";
}

/* ---- the end ---- */

static int at_end(MPI_Comm comm, int keyval, void *value, void *extra)
{
    int size = 0, finalized = 1;
    (void)keyval, (void)extra;
    MPI_Finalized(&finalized);
    if (!finalized)
        MPI_Comm_size(comm, &size);
    printf("%s %d%s\n",
           comm == MPI_COMM_SELF    ? "self"
           : comm == MPI_COMM_WORLD ? "world"
                                    : "?",
           number_of(value), comm == MPI_COMM_SELF && (finalized || size != 1) ? " too late" : "");
    return MPI_SUCCESS;
}

static void finalize(void)
{
    int keyval;
    for (int i = 1; i <= 3; i++) {
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_end, &keyval, NULL);
        MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, VALUE(i));
        MPI_Comm_set_attr(MPI_COMM_SELF, keyval, VALUE(i));
        MPI_Comm_free_keyval(&keyval);
    }
}

static void run(const struct probe *probe, int number)
{
    text[0] = '\0';
    refused = 0;
    refusal = 9999;
    meddle = NULL;
    printf("begin %d\t%s\t%s\n", number, probe->name, probe->expected);
    fflush(stdout);
    probe->run();
    size_t length = strlen(text);
    if (length && text[length - 1] == ' ')
        text[length - 1] = '\0';
    printf("%d\t%s\t%s\t%s\n", number, probe->name, probe->expected, text);
    fflush(stdout);
}

static void say_version(void)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length;
    MPI_Get_library_version(version, &length);
    version[strcspn(version, "\n,")] = '\0';
    printf("mpi %s\n", version);
}

int main(int argc, char **argv)
{
    static char lines[BUFSIZ];
    const struct probe *const groups[] = {name_probes, attribute_probes, callback_probes, error_probes};
    bool ends = argc > 1 && strcmp(argv[1], "finalize") == 0;
    int from = argc > 1 && !ends ? atoi(argv[1]) : 0, number = 0;
    MPI_Init(&argc, &argv);
    /* Whole lines at once: the launcher joins what several ranks write. MPICH took the stream's own buffer away. */
    setvbuf(stdout, lines, _IOLBF, sizeof lines);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    if (ends)
        finalize();
    else
        say_version();
    for (size_t i = 0; i < sizeof groups / sizeof *groups && !ends; i++)
        for (const struct probe *probe = groups[i]; probe->name; probe++, number++)
            if (number >= from)
                run(probe, number);
    MPI_Finalize();
    printf("end\n");
    return 0;
}
