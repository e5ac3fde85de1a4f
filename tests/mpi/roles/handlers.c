/* Ops, error handlers, infos, keyvals. */
#include "roles.h"

static void add(void *in, void *inout, int *length, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *length; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void on_comm(MPI_Comm *where, int *code, ...)
{
    (void)where;
    (void)code;
}

static void on_win(MPI_Win *where, int *code, ...)
{
    (void)where;
    (void)code;
}

static void on_file(MPI_File *where, int *code, ...)
{
    (void)where;
    (void)code;
}

static void ops(void)
{
    MPI_Op op;
    CALL(MPI_Op_create)(add, 1, &op);
    CALL(MPI_Op_free)(&op);
#ifdef HAS_LARGE_COUNTS
    CALL(MPI_Op_create_c)((MPI_User_function_c *)add, 1, &op);
    CALL(MPI_Op_free)(&op);
#endif
}

/* A handler that was set and freed lives on in what it was set on: each question for it makes one more to free. */
static void error_handlers(void)
{
    MPI_Errhandler handler, got;
    MPI_Comm twin;
    CALL(MPI_Comm_dup)(own, &twin);
    CALL(MPI_Comm_create_errhandler)(on_comm, &handler);
    CALL(MPI_Comm_set_errhandler)(twin, handler);
    free_handler(handler);
    CALL(MPI_Comm_get_errhandler)(twin, &got);
    free_handler(got);
#ifndef STANDARD_ABI
    CALL(MPI_Errhandler_get)(twin, &got);
    CALL(MPI_Comm_get_errhandler)(twin, &handler);
    free_handler(handler);
    free_handler(got);
    CALL(MPI_Errhandler_create)(on_comm, &handler);
    free_handler(handler);
#endif
    CALL(MPI_Comm_set_errhandler)(twin, MPI_ERRORS_RETURN);
    CALL(MPI_Comm_get_errhandler)(twin, &got);
    CHECK(got == MPI_ERRORS_RETURN);
    CALL(MPI_Win_create_errhandler)(on_win, &handler);
    free_handler(handler);
    CALL(MPI_File_create_errhandler)(on_file, &handler);
    free_handler(handler);
    CALL(MPI_Comm_free)(&twin);
}

#ifdef HAS_STATE_OF_CALLBACKS
static void reduce(void *in, void *inout, MPI_Count length, MPI_Datatype type, void *state)
{
    (void)state;
    int bounded = (int)length;
    add(in, inout, &bounded, &type);
}

static void on_comm_with_state(MPI_Comm where, int code, void *state)
{
    (void)where, (void)code, (void)state;
}

static void on_win_with_state(MPI_Win where, int code, void *state)
{
    (void)where, (void)code, (void)state;
}

static void on_file_with_state(MPI_File where, int code, void *state)
{
    (void)where, (void)code, (void)state;
}

static void on_session_with_state(MPI_Session where, int code, void *state)
{
    (void)where, (void)code, (void)state;
}

static void end_of_state(void *state)
{
    (void)state;
}

static void callbacks_with_state(void)
{
    MPI_Op op;
    MPI_Errhandler handler;
    CALL(MPIX_Op_create_x)(reduce, end_of_state, 1, NULL, &op);
    CALL(MPI_Op_free)(&op);
    CALL(MPIX_Comm_create_errhandler_x)(on_comm_with_state, end_of_state, NULL, &handler);
    free_handler(handler);
    CALL(MPIX_Win_create_errhandler_x)(on_win_with_state, end_of_state, NULL, &handler);
    free_handler(handler);
    CALL(MPIX_File_create_errhandler_x)(on_file_with_state, end_of_state, NULL, &handler);
    free_handler(handler);
    CALL(MPIX_Session_create_errhandler_x)(on_session_with_state, end_of_state, NULL, &handler);
    free_handler(handler);
}
#endif

static void infos(void)
{
    MPI_Info info, twin;
    CALL(MPI_Info_create)(&info);
    CALL(MPI_Info_set)(info, "colour", "red");
    CALL(MPI_Info_dup)(info, &twin);
    free_info(twin);
    free_info(info);
    CALL(MPI_Comm_get_info)(comm, &info);
    free_info(info);
#ifdef HAS_MPI_4
    CALL(MPI_Info_create_env)(0, NULL, &info);
    free_info(info);
#endif
#ifdef HAS_MPI_4_1
    CALL(MPI_Get_hw_resource_info)(&info);
    free_info(info);
#endif
}

static void keyvals(void)
{
    int key;
    CALL(MPI_Comm_create_keyval)(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    CALL(MPI_Comm_free_keyval)(&key);
    CALL(MPI_Type_create_keyval)(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &key, NULL);
    CALL(MPI_Type_free_keyval)(&key);
    CALL(MPI_Win_create_keyval)(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &key, NULL);
    CALL(MPI_Win_free_keyval)(&key);
#ifndef STANDARD_ABI
    CALL(MPI_Keyval_create)(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, &key, NULL);
    CALL(MPI_Keyval_free)(&key);
#endif
}

void handlers(void)
{
    ops();
    error_handlers();
    infos();
    keyvals();
#ifdef HAS_STATE_OF_CALLBACKS
    callbacks_with_state();
#endif
}
