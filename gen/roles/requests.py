"""Roles of requests."""

from ..arguments import REQUEST_OUT, output
from .role import AFTER_REQUEST, Role


def request_roles():
    yield Role("request", "cs_made_request", AFTER_REQUEST, (REQUEST_OUT,), fortran="cs_made_request_fortran")
    yield Role("persistent", "cs_made_persistent", AFTER_REQUEST, (output("MPI_Request"),))
