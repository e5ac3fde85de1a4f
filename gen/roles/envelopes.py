"""Roles that count messages by their envelopes, after their bytes."""

from ..arguments import STATUS_OUT
from .role import AFTER_REQUEST, Role

STATUS = (STATUS_OUT,)


def envelope_roles():
    yield Role("sends-message", "cs_message_sent", AFTER_REQUEST, ())
    yield Role("receives-message", "cs_message_received", AFTER_REQUEST, STATUS, fortran="cs_message_received_fortran", receives=True)
    yield Role("exchanges-messages", "cs_message_exchanged", AFTER_REQUEST, STATUS, fortran="cs_message_exchanged_fortran", receives=True)
    for role, what in (("puts", "put"), ("gets", "got"), ("accesses", "accessed")):
        yield Role(role, f"cs_target_{what}", AFTER_REQUEST, ())
