"""Roles of objects: creating, freeing, naming, returning to the program, attributes."""

from ..arguments import (
    COUNTS,
    ADDRESS, ADDRESS_OUT, ATTRIBUTE, BORROWED_OUT, COMPARED, COPY_FUNCTION, COUNT, DELETE_FUNCTION, DUPLICATE, DUPLICATED, EXTRA_STATE, FLAG, INFO_OUT, INTEGER,
    KEYVAL, KEYVAL_OUT, NAME, NAMED_OBJECT, OBJECT_FREED, OBJECT_OUT, ONE_TYPE, PORT_NAME, SIZE, TYPE, TYPES, output, value,
)
from .role import AFTER_OBJECT, ALWAYS, BEFORE, FREES, Role, from_fortran_too

# Roles that create an object with a name by lineage. Their functions have a `lineage:verb,participants`.
WITH_LINEAGE = ("makes-comm", "makes-win", "makes-file")


def object_roles():
    yield Role("makes-comm", "cs_made_comm", AFTER_OBJECT, (output("MPI_Comm"),))
    yield Role("makes-type", "cs_made_type", AFTER_OBJECT, (output("MPI_Datatype"), TYPE))
    yield Role("makes-type-of", "cs_made_type_of", AFTER_OBJECT, (output("MPI_Datatype"), COUNT, TYPES, COUNTS))
    yield Role("makes-win", "cs_made_win", AFTER_OBJECT, (output("MPI_Win"),))
    yield Role("makes-file", "cs_made_file", AFTER_OBJECT, (output("MPI_File"),))
    yield Role("locks-window", "cs_locked_window", AFTER_OBJECT, (INTEGER,))
    for role in ("locked-all", "unlocked-window", "unlocked-all"):
        yield Role(role.replace("locked", "locks"), "cs_" + role.replace("-", "_"), AFTER_OBJECT, ())
    yield Role("opens-access", "cs_open_access", BEFORE, (value("MPI_Group"), INTEGER), always="cs_opened_access")
    yield Role("closes-access", "cs_closed_access", AFTER_OBJECT, ())
    yield Role("opens-exposure", "cs_opened_exposure", AFTER_OBJECT, (value("MPI_Group"),))
    yield Role("closes-exposure", "cs_closed_exposure", AFTER_OBJECT, (FLAG,), optional=1, condition=1)
    yield Role("makes-message", "cs_made_message", AFTER_OBJECT, (output("MPI_Message"), FLAG), optional=1, condition=2)
    yield Role("makes", "cs_made", AFTER_OBJECT, (OBJECT_OUT,))
    yield Role("makes-memory", "cs_made_memory", AFTER_OBJECT, (ADDRESS_OUT, SIZE))
    yield Role("makes-port", "cs_made_port", AFTER_OBJECT, (PORT_NAME,))
    yield Role("hands-out-info", "cs_handed_out_info", AFTER_OBJECT, (INFO_OUT,))
    yield Role("hands-out-type", "cs_handed_out_types", AFTER_OBJECT, (ONE_TYPE,))
    yield Role("hands-out-contents", "cs_type_contents", AFTER_OBJECT, (TYPE, COUNT, TYPES))
    yield Role("borrows", "cs_adopt_borrowed", AFTER_OBJECT, (BORROWED_OUT,))
    yield Role("commits-type", "cs_committed_type", AFTER_OBJECT, (output("MPI_Datatype"),))


def free_roles():
    yield frees("frees", "cs_begin_free", (OBJECT_FREED,))
    yield Role("frees-keyval", "cs_begin_free_keyval", FREES, (KEYVAL_OUT,), fortran="cs_begin_free_keyval_fortran", always="cs_end_free_keyval")
    yield frees("frees-memory", "cs_begin_free", (ADDRESS,), first=("CALLSIGN_MEMORY",))
    yield frees("frees-port", "cs_begin_free_port", (PORT_NAME,))


def frees(name, function, arguments, **options):
    """The object is unlinked before the native call. After the call it is dead or linked again."""
    return Role(name, function, FREES, arguments, always="cs_end_free", **options)


def name_roles():
    yield Role("renames-type", "cs_record_predefined_type", BEFORE, (value("MPI_Datatype"),))
    yield from_fortran_too("names", "cs_record_name", ALWAYS, (NAMED_OBJECT, NAME))


def compare_roles():
    yield Role("compares", "cs_record_comparison", AFTER_OBJECT, (COMPARED, COMPARED, output("int")))


def attribute_roles():
    yield from_fortran_too("got-attribute", "cs_got_attribute", ALWAYS, (NAMED_OBJECT, KEYVAL, ATTRIBUTE, FLAG))
    yield from_fortran_too("set-attribute", "cs_set_attribute", ALWAYS, (NAMED_OBJECT, KEYVAL, ATTRIBUTE))
    yield from_fortran_too("deleted-attribute", "cs_deleted_attribute", ALWAYS, (NAMED_OBJECT, KEYVAL))
    yield Role("copies-attributes", "cs_copied_attributes", AFTER_OBJECT, (DUPLICATED, DUPLICATE))
    yield from_fortran_too("makes-keyval", "cs_made_keyval", AFTER_OBJECT, (COPY_FUNCTION, DELETE_FUNCTION, output("int"), EXTRA_STATE))
