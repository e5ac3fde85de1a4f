/* Names of later MPI versions for the probes of tests/mpi/conformance. A probe that calls a missing function ends
   its process. */
#pragma once

#include <stdio.h>

#include "whole_mpi.h"

#undef MPI_COMM_SELF
#define MPI_COMM_SELF MPI_COMM_WORLD /* the same process */

/* MPI-1 has it under another name. */
#define MPI_Comm_create_errhandler(function, handler) MPI_Errhandler_create((MPI_Handler_function *)(function), handler)
#define MPI_Comm_set_errhandler(comm, handler)        MPI_Errhandler_set(comm, handler)
#define MPI_Comm_get_errhandler(comm, handler)        MPI_Errhandler_get(comm, handler)
#define MPI_Comm_disconnect(comm)                     MPI_Comm_free(comm)
#define MPI_Finalized(flag)                           (*(flag) = 0)
#define MPI_Get_library_version(text, length)         (*(length) = snprintf(text, 64, "a small MPI"))

/* Ends the process. */
_Noreturn void lacks(const char *name);
#define LACKS(name) (lacks(name), MPI_ERR_OTHER)

#define MPI_UNWEIGHTED ((int *)-1)

#define MPI_Add_error_class(...)       LACKS("MPI_Add_error_class")
#define MPI_Add_error_code(...)        LACKS("MPI_Add_error_code")
#define MPI_Add_error_string(...)      LACKS("MPI_Add_error_string")
#define MPI_Comm_create_group(...)     LACKS("MPI_Comm_create_group")
#define MPI_Comm_dup_with_info(...)    LACKS("MPI_Comm_dup_with_info")
#define MPI_Comm_idup(...)             LACKS("MPI_Comm_idup")
#define MPI_Comm_split_type(...)       LACKS("MPI_Comm_split_type")
#define MPI_Dist_graph_create(...)     LACKS("MPI_Dist_graph_create")
#define MPI_Graph_create(...)          LACKS("MPI_Graph_create")
#define MPI_Type_dup(...)              LACKS("MPI_Type_dup")
#define MPI_Type_get_contents(...)     LACKS("MPI_Type_get_contents")
#define MPI_Win_allocate(...)          LACKS("MPI_Win_allocate")
#define MPI_Win_allocate_shared(...)   LACKS("MPI_Win_allocate_shared")
#define MPI_Win_create_dynamic(...)    LACKS("MPI_Win_create_dynamic")
#define MPI_Win_create_errhandler(...) LACKS("MPI_Win_create_errhandler")
#define MPI_Win_create_keyval(...)     LACKS("MPI_Win_create_keyval")
#define MPI_Win_delete_attr(...)       LACKS("MPI_Win_delete_attr")
#define MPI_Win_free(...)              LACKS("MPI_Win_free")
#define MPI_Win_free_keyval(...)       LACKS("MPI_Win_free_keyval")
#define MPI_Win_get_attr(...)          LACKS("MPI_Win_get_attr")
#define MPI_Win_get_name(...)          LACKS("MPI_Win_get_name")
#define MPI_Win_set_attr(...)          LACKS("MPI_Win_set_attr")
#define MPI_Win_set_errhandler(...)    LACKS("MPI_Win_set_errhandler")
#define MPI_Win_set_name(...)          LACKS("MPI_Win_set_name")
