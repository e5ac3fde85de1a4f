/* Roles whose arguments have another form in Fortran than in C. */
#pragma once

#include "wrappers/attribute/attribute_roles.h"
#include "wrappers/call/about.h"
#include "wrappers/fortran/decode.h"

/* Not inline: the compiler would forget where the arguments are during the call, and debuggers show them. */
void cs_on_comm_fortran(struct cs_call *call, const void *comm);
void cs_on_win_fortran(struct cs_call *call, const void *win);

void cs_bytes_received_fortran(struct cs_call *call, const void *status);
void cs_message_received_fortran(struct cs_call *call, const void *status);
void cs_message_exchanged_fortran(struct cs_call *call, const void *status);
void cs_check_probed_fortran(struct cs_call *call, const void *status);

/* Names are padded with blanks. The MPI is queried for the name that it stored, because MPIs treat blanks and long
   names differently. */
void cs_record_name_fortran(struct cs_call *call, enum callsign_kind kind, uint64_t handle, const char *name,
                            size_t length, int result);

/* Attributes are integers of `bytes` bytes. Predefined ones are values, not pointers. */
void cs_got_attribute_fortran(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval,
                              const void *value, size_t bytes, const void *found, int result);
void cs_set_attribute_fortran(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval,
                              const void *value, size_t bytes, int result);
void cs_deleted_attribute_fortran(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval,
                                  int result);
void cs_made_keyval_fortran(struct cs_call *call, enum callsign_kind kind, uint64_t copy, uint64_t delete, int keyval,
                            const void *extra_state, size_t bytes, enum cs_language language);
void cs_begin_free_keyval_fortran(struct cs_call *call, int keyval);
