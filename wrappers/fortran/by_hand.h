/* Entry points that are not generated, each for the reason that its source gives. native is what to call, site who
   called. Arguments as in Fortran; error is never NULL unless it says so. */
#pragma once

#include <stddef.h>

void cs_fortran_comm_get_name(void *native, const void *site, void *comm, void *name, void *length, void *error,
                              size_t room);
void cs_fortran_type_get_name(void *native, const void *site, void *type, void *name, void *length, void *error,
                              size_t room);
void cs_fortran_win_get_name(void *native, const void *site, void *win, void *name, void *length, void *error,
                             size_t room);

/* The standard's arguments are info and error; MPIs differ in what else they look at. error may be NULL. */
void cs_fortran_info_create_env(void *native, const void *site, void *info, void *error, void *third, void *fourth);

void cs_fortran_finalize(void *native, const void *site, void *error);
/* error may be anything here: the standard does not have it. */
void cs_fortran_pcontrol(void *native, const void *site, void *level, void *error);
