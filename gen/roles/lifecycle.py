"""Roles of the calls that begin and end the recording, and of MPI_Get_processor_name."""

from ..arguments import INTEGER, PROCESSOR_NAME
from .role import AFTER_OBJECT, BEFORE, Role


def lifecycle_roles():
    yield Role("initializes", "cs_lifecycle_initializing", BEFORE, (), always="cs_lifecycle_initialized")
    yield Role("initializes-session", "cs_lifecycle_session_initializing", BEFORE, (), always="cs_lifecycle_session_initialized")
    yield Role("finalizes-session", "cs_lifecycle_session_finalized", AFTER_OBJECT, ())
    yield Role("asks-processor", "cs_asked_processor", AFTER_OBJECT, (PROCESSOR_NAME,))
    yield Role("aborts", "cs_lifecycle_aborting", BEFORE, (INTEGER,))
