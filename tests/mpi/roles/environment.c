/* Memory, ports, the tool interface, sessions. */
#include "roles.h"

static void memory(void)
{
    void *bytes;
    CALL(MPI_Alloc_mem)(100, MPI_INFO_NULL, &bytes);
    CALL(MPI_Free_mem)(bytes);
}

static void ports(void)
{
    char port[MPI_MAX_PORT_NAME];
    if (!HAS_PORTS)
        return;
    CALL(MPI_Open_port)(MPI_INFO_NULL, port);
    CALL(MPI_Close_port)(port);
}

static void control_variables(void)
{
    MPI_T_cvar_handle handle;
    int count, length = 1, verbosity, bind, scope;
    char name[1];
    MPI_Datatype type;
    MPI_T_enum words;
    CALL(MPI_T_cvar_get_info)(0, name, &length, &verbosity, &type, &words, NULL, NULL, &bind, &scope);
    CALL(MPI_T_cvar_handle_alloc)(0, NULL, &handle, &count);
    CALL(MPI_T_cvar_handle_free)(&handle);
}

/* The first one that needs no object; some MPIs have none at all. */
static void performance_variables(void)
{
    MPI_T_pvar_session session;
    MPI_T_pvar_handle handle;
    int count, number;
    CALL(MPI_T_pvar_session_create)(&session);
    CALL(MPI_T_pvar_get_num)(&number);
    for (int i = 0, done = 0; i < number && !done; i++) {
        int class, bind, readonly, continuous, atomic, length = 1, verbosity;
        char name[1];
        MPI_Datatype type;
        MPI_T_enum words;
        CALL(MPI_T_pvar_get_info)
        (i, name, &length, &verbosity, &class, &type, &words, NULL, NULL, &bind, &readonly, &continuous, &atomic);
        if (bind == MPI_T_BIND_NO_OBJECT &&
            CALL(MPI_T_pvar_handle_alloc)(session, i, NULL, &handle, &count) == MPI_SUCCESS) {
            CALL(MPI_T_pvar_handle_free)(session, &handle);
            done = 1;
        }
    }
    CALL(MPI_T_pvar_session_free)(&session);
}

#ifdef HAS_EVENTS
static void on_event(MPI_T_event_instance event, MPI_T_event_registration registration, MPI_T_cb_safety safety,
                     void *user_data)
{
    (void)event, (void)registration, (void)safety, (void)user_data;
}

static void event_of(int number)
{
    int length = 1, verbosity, elements = 1, bind;
    char name[1];
    MPI_Datatype type;
    MPI_Aint at;
    MPI_T_enum words;
    MPI_Info info = MPI_INFO_NULL;
    MPI_T_event_registration registration;
    CALL(MPI_T_event_get_info)
    (number, name, &length, &verbosity, &type, &at, &elements, &words, &info, NULL, NULL, &bind);
    if (info != MPI_INFO_NULL)
        free_info(info);
    if (CALL(MPI_T_event_handle_alloc)(number, NULL, MPI_INFO_NULL, &registration) != MPI_SUCCESS)
        return;
    if (CALL(MPI_T_event_handle_get_info)(registration, &info) == MPI_SUCCESS)
        free_info(info);
    CALL(MPI_T_event_register_callback)(registration, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, NULL, on_event);
    if (CALL(MPI_T_event_callback_get_info)(registration, MPI_T_CB_REQUIRE_NONE, &info) == MPI_SUCCESS)
        free_info(info);
    CALL(MPI_T_event_handle_free)(registration, NULL, NULL);
}

/* The first ones; some MPIs have none at all. */
static void events(void)
{
    int events, sources, length = 1;
    char name[1];
    MPI_T_source_order order;
    MPI_Count ticks, most;
    MPI_Info info = MPI_INFO_NULL;
    CALL(MPI_T_event_get_num)(&events);
    if (events > 0)
        event_of(0);
    CALL(MPI_T_source_get_num)(&sources);
    if (sources > 0)
        CALL(MPI_T_source_get_info)(0, name, &length, NULL, NULL, &order, &ticks, &most, &info);
    if (info != MPI_INFO_NULL)
        free_info(info);
}
#endif

static void tools(void)
{
    int provided;
    CALL(MPI_T_init_thread)(MPI_THREAD_SINGLE, &provided);
    control_variables();
    performance_variables();
#ifdef HAS_EVENTS
    events();
#endif
    CALL(MPI_T_finalize)();
}

#ifdef HAS_MPI_4
static void on_session(MPI_Session *session, int *code, ...)
{
    (void)session;
    (void)code;
}

static void sessions(void)
{
    MPI_Session session;
    MPI_Group group;
    MPI_Info info;
    MPI_Errhandler handler;
    CALL(MPI_Session_create_errhandler)(on_session, &handler);
    CALL(MPI_Session_init)(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    CALL(MPI_Session_set_errhandler)(session, handler);
    free_handler(handler);
    CALL(MPI_Session_get_errhandler)(session, &handler);
    free_handler(handler);
    CALL(MPI_Group_from_session_pset)(session, "mpi://WORLD", &group);
    free_group(group);
    CALL(MPI_Session_get_info)(session, &info);
    free_info(info);
    CALL(MPI_Session_get_pset_info)(session, "mpi://WORLD", &info);
    free_info(info);
#ifdef HAS_MPI_4_1
    static char buffer[1 << 12];
    MPI_Request request;
    void *detached;
    int bytes;
    CALL(MPI_Session_attach_buffer)(session, buffer, sizeof buffer);
    CALL(MPI_Session_iflush_buffer)(session, &request);
    CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);
    CALL(MPI_Session_detach_buffer)(session, &detached, &bytes);
#endif
    CALL(MPI_Session_finalize)(&session);
}
#endif

#ifdef HAS_MPI_5
static void binary_interface(void)
{
    MPI_Info info;
    CALL(MPI_Abi_get_info)(&info);
    free_info(info);
    CALL(MPI_Abi_get_fortran_info)(&info);
    free_info(info);
}
#endif

void environment(void)
{
    memory();
    ports();
    tools();
#ifdef HAS_MPI_4
    sessions();
#endif
#ifdef HAS_MPI_5
    binary_interface();
#endif
}
