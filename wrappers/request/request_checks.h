/* Local checks of the requests of a call, before the MPI gets them. */
#pragma once

#include "wrappers/request/request_list.h"

/* The requests must be persistent and inactive. */
void cs_checks_started_requests(struct cs_call *call, const struct cs_request_list *list);
/* No request may be in the list twice, except null ones. */
void cs_checks_awaited_requests(struct cs_call *call, const struct cs_request_list *list);
/* The call cancels or frees one. */
void cs_checks_request(struct cs_call *call, const struct cs_request_list *list);
