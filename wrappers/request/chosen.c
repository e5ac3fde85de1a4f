#include "wrappers/request/chosen.h"

/* Whether these may be the indices of what is complete. What has completed is null now in the array of requests, unless
   it is persistent or was only queried. */
static bool are_complete(const struct cs_request_list *list, const struct cs_chosen *chosen, bool queried)
{
    for (int i = 0; i < chosen->count; i++) {
        int at = cs_chosen_at(chosen, i);
        if (at < 0 || at >= list->count)
            return false;
        const struct cs_request *known = cs_request_at(list, at);
        bool stays = queried || known->flags & CS_REQUEST_PERSISTENT;
        if (!cs_request_is_active(known) || (!stays && !cs_request_is_null(list->handles, at)))
            return false;
    }
    return true;
}

/* The index of the first request in Fortran: 1, but 0 in mpi_f08 of MPICH 4.0. Some indices may be true either way:
   then it is what it was when only one way was possible. */
static int base_in_fortran(const struct cs_request_list *list, struct cs_chosen chosen, bool queried)
{
    enum { FROM_0, FROM_1, UNKNOWN };
    static int usual = UNKNOWN; /* atomic */
    int known = __atomic_load_n(&usual, __ATOMIC_RELAXED), expected = known == FROM_0 ? 0 : 1;
    if (!CS_FORTRAN_HANDLES_ARE_C)
        return 1;
    chosen.base = expected;
    bool as_expected = are_complete(list, &chosen, queried);
    if (as_expected && known != UNKNOWN)
        return expected;
    chosen.base = 1 - expected;
    if (are_complete(list, &chosen, queried) == as_expected)
        return expected;
    int found = as_expected ? expected : 1 - expected;
    __atomic_store_n(&usual, found, __ATOMIC_RELAXED);
    return found;
}

bool cs_choose(struct cs_chosen *chosen, const struct cs_request_list *list, int count, const int indices[],
               bool queried)
{
    *chosen = (struct cs_chosen){.indices = indices, .count = count};
    if (list->handles.fortran)
        chosen->base = base_in_fortran(list, *chosen, queried);
    for (int i = 0; i < count; i++)
        if (cs_chosen_at(chosen, i) < 0 || cs_chosen_at(chosen, i) >= list->count)
            return false;
    return true;
}
