"""Roles of requests: creation, and completion by a call."""

from ..arguments import COUNT, FLAG, INDEX, INTEGER, ONE_REQUEST, REQUEST_OUT, REQUESTS, STATUS_OUT, output
from .role import AFTER_REQUEST, ALWAYS, BEFORE, FREES, STATUS, Role

# The wrapper's variable with the list of requests of a call. on-request(s) fills it; the roles after it need it.
LIST = "cs_list"
LISTING = ("on-request", "on-requests")


# What ends a call that does nothing after it began a request, if it only sends, or only receives.
LEAVING = {name: Role(name, f"cs_leave_with_{name}", AFTER_REQUEST, (REQUEST_OUT,), fortran=f"cs_leave_with_{name}_fortran") for name in ("send", "receive")}


def leaving(uses):
    """The one of LEAVING that replaces the last roles, and their number."""
    names = [use.role for use in uses]
    if names[-2:] == ["posted", "request"] and "sent" not in names:
        return LEAVING["receive"], 1
    return (LEAVING["send"], 2) if names[-2:] == ["sends-message", "request"] and "posted" not in names else (None, 0)


def request_roles():
    yield Role("request", "cs_made_request", AFTER_REQUEST, (REQUEST_OUT,), fortran="cs_made_request_fortran")
    yield Role("persistent", "cs_made_persistent", AFTER_REQUEST, (output("MPI_Request"),))
    yield of_list("on-request", "cs_on_requests", BEFORE, (ONE_REQUEST,), waiting="cs_on_awaited_requests")
    yield of_list("on-requests", "cs_on_requests", BEFORE, (COUNT, REQUESTS), waiting="cs_on_awaited_requests")
    yield Role("statuses", "cs_statuses_c", STATUS, (STATUS_OUT,), fortran="cs_statuses_fortran")
    for which, indices in (("all", ()), ("any", (INDEX,))):
        yield of_list_if(f"completes-{which}", f"cs_{which}_completed", ALWAYS, indices + (FLAG,))
        yield of_list_if(f"queries-{which}", f"cs_{which}_queried", AFTER_REQUEST, indices + (FLAG,))
    yield of_list("completes-some", "cs_some_completed", ALWAYS, (INDEX, INDEX))
    yield of_list("queries-some", "cs_some_queried", AFTER_REQUEST, (INDEX, INDEX))
    yield of_list("starts-requests", "cs_requests_started", AFTER_REQUEST)
    yield Role("partitions", "cs_made_partitions", AFTER_REQUEST, (output("MPI_Request"), INTEGER))
    yield of_list("readies-partition", "cs_partition_ready", AFTER_REQUEST)
    yield of_list("readies-range", "cs_partition_range_ready", AFTER_REQUEST, (INTEGER, INTEGER))
    yield of_list("readies-partitions", "cs_partitions_ready", AFTER_REQUEST, (COUNT,))
    yield of_list("cancels-request", "cs_request_cancelled", AFTER_REQUEST)
    yield of_list("frees-request", "cs_begin_free_request", FREES, always="cs_end_free")
    yield of_list("forgets-request", "cs_forget_request", AFTER_REQUEST)


def of_list(name, function, when, arguments=(), **options):
    return Role(name, function, when, arguments, first=(f"&{LIST}",), **options)


def of_list_if(name, function, when, arguments):
    """A role with an optional flag as its last argument."""
    return of_list(name, function, when, arguments, optional=1, condition=len(arguments))


def has_list(uses):
    return any(use.role in LISTING for use in uses)


def needs_list(role):
    return f"&{LIST}" in role.first and role.name not in LISTING
