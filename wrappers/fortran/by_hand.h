/* Hand-written entry points; each source gives the reason. native: the function to call; site: the caller. Arguments
   are Fortran's; error is not NULL unless stated. */
#pragma once

#include <stddef.h>

void cs_fortran_comm_get_name(void *native, const void *site, void *comm, void *name, void *length, void *error,
                              size_t room);
void cs_fortran_type_get_name(void *native, const void *site, void *type, void *name, void *length, void *error,
                              size_t room);
void cs_fortran_win_get_name(void *native, const void *site, void *win, void *name, void *length, void *error,
                             size_t room);

/* The standard has the arguments info and error; some MPIs read more. error may be NULL. */
void cs_fortran_info_create_env(void *native, const void *site, void *info, void *error, void *third, void *fourth);

void cs_fortran_finalize(void *native, const void *site, void *error);
/* error may be anything: the standard does not have it. */
void cs_fortran_pcontrol(void *native, const void *site, void *level, void *error);
