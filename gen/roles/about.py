"""Roles that record, before the call, what it is about: communicator, window or file, peer, message."""

from ..arguments import ANY_HANDLE, COUNT, FILE, MESSAGE, OBJECT, ON_COMM, ON_WIN, RANK, STATUS_OUT, TAG, TYPE
from .role import BEFORE, NEVER, STATUS, Role

# A function with such a parameter needs one of these roles, or a role that ignores the parameter.
NAMING = ("comm", "win", "file", "message")
# Roles whose object is added to the table if it is unknown.
ADOPTING = ("comm", "win", "file")


def about_roles():
    yield Role("ignores", "", NEVER, (ANY_HANDLE,))
    yield Role("comm", "cs_on_comm", BEFORE, (ON_COMM,), fortran="cs_on_comm_fortran")
    yield Role("win", "cs_on_win", BEFORE, (ON_WIN,), fortran="cs_on_win_fortran")
    yield Role("file", "cs_on_file", BEFORE, (FILE,))
    yield Role("peer", "cs_on_peer", BEFORE, (RANK, TAG), optional=1, missing="CS_NO_TAG")
    yield Role("creation-tag", "cs_on_tag", BEFORE, (TAG,))
    yield Role("source", "cs_on_source", BEFORE, (RANK, TAG))
    yield Role("length", "cs_on_length", BEFORE, (COUNT, TYPE))
    yield Role("message", "cs_on_message", BEFORE, (MESSAGE,))
    yield Role("of", "cs_on", BEFORE, (OBJECT,))
    yield Role("status", "cs_statuses_c", STATUS, (STATUS_OUT,), fortran="cs_status_fortran")
