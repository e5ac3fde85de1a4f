"""Roles that count messages by their envelopes, after their bytes."""

from ..arguments import STATUS_OUT, value
from .role import AFTER_REQUEST, Role

STATUS = (STATUS_OUT,)


def envelope_roles():
    yield Role("sends-message", "cs_message_sent", AFTER_REQUEST, ())
    yield Role("receives-message", "cs_message_received", AFTER_REQUEST, STATUS, fortran="cs_message_received_fortran", receives=True)
    yield Role("exchanges-messages", "cs_message_exchanged", AFTER_REQUEST, STATUS, fortran="cs_message_exchanged_fortran", receives=True)
    yield Role("puts", "cs_target_put", AFTER_REQUEST, ())
    yield Role("gets", "cs_target_got", AFTER_REQUEST, ())
    yield Role("swaps", "cs_target_accessed", AFTER_REQUEST, (), first=("true",))
    yield Role("accesses", "cs_target_accessed", AFTER_REQUEST, (value("MPI_Op"),), template="{0} != MPI_NO_OP")
