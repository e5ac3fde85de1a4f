"""Roles that check arguments and the use of the MPI before a call, if CALLSIGN_CHECK asks for it. gen/argument_checks.py gives them to functions."""

from ..arguments import ALL_KINDS, BUFFER, COUNT, COUNTS, FLAG, INTEGER, INTEGERS, INTS, ONE_TYPE, OUTPUT, RANGES, RANK, ROOT, STATUS_OUT, TAG, TYPE, TYPES, handle, value
from .role import AFTER_BYTES, AFTER_OBJECT, CHECK, Role

DATA = (BUFFER, COUNT, TYPE)
VARYING = (BUFFER, COUNTS, INTEGERS, TYPE)


def local_check_roles():
    for name, arguments in (
        ("checks-handle", (handle(ALL_KINDS, 0),)),
        ("checks-handle-or-null", (handle(ALL_KINDS, 0),)),
        ("checks-group-ranks", (value("MPI_Group"), COUNT, INTS)),
        ("checks-translated-ranks", (value("MPI_Group"), COUNT, INTS)),
        ("checks-group-ranges", (value("MPI_Group"), COUNT, RANGES)),
        ("checks-subgroup", (value("MPI_Group"),)),
        ("checks-array", (COUNT, INTS)),
        ("checks-dimensions", (COUNT, INTS)),
        ("checks-given-dimensions", (COUNT, COUNT, INTS)),
        ("checks-dimension", (INTEGER,)),
        ("checks-topology-rank", (RANK,)),
        ("checks-graph", (COUNT, INTS, INTS)),
        ("checks-neighbors", (COUNT, INTS)),
        ("checks-destinations", (COUNT, INTS, INTS)),
        ("checks-weights", (COUNT, INTS, COUNT, INTS)),
        ("checks-probed", (RANK, TAG)),
        ("checks-color", (INTEGER,)),
        ("checks-output", (OUTPUT,)),
        ("checks-status", (STATUS_OUT,)),
        ("checks-statuses", (COUNT, STATUS_OUT)),
        ("checks-count", (COUNT,)),
        ("checks-size", (INTEGER,)),
        ("checks-unit", (INTEGER,)),
        ("checks-sizes", (COUNT, COUNTS)),
        ("checks-types", (COUNT, TYPES)),
        ("checks-subarray", (COUNT, COUNTS, COUNTS, COUNTS)),
        ("checks-memory", (BUFFER, INTEGER)),
        ("checks-rank", (RANK,)),
        ("checks-source", (RANK,)),
        ("checks-tag", (TAG, RANK)),
        ("checks-received-tag", (TAG, RANK)),
        ("checks-root", (RANK,)),
        ("checks-reduction", (value("MPI_Op"), TYPE)),
        ("checks-accumulation", (value("MPI_Op"),)),
        ("checks-room", (COUNT, TYPE, COUNT, TYPE)),
        ("reaches-target", (RANK, INTEGER, COUNT, TYPE)),
        ("checks-epoch", (RANK,)),
        ("continues-by-access", ()),
        ("continues-by-reading", ()),
        ("continues-by-lock", (INTEGER,)),
        ("continues-by-completion", ()),
        ("checks-fence", (INTEGER,)),
        ("checks-unlock", ()),
        ("checks-lock", ()),
        ("checks-freed-window", ()),
        ("keeps-origin", ()),
        ("ends-accesses", ()),
        ("ends-origins", ()),
        ("checks-window-memory", ()),
        ("checks-all-locked", ()),
        ("checks-locking-all", ()),
        ("checks-flush", ()),
        ("checks-started", ()),
        ("checks-starting", ()),
        ("checks-posted", ()),
        ("checks-posting", ()),
        ("checks-never-in-place", (BUFFER,)),
        ("checks-in-place-at-root", (BUFFER, RANK)),
        ("checks-in-place", (BUFFER,)),
        ("checks-buffered", (COUNT, TYPE, RANK)),
        ("checks-attaching", ()),
    ):
        yield Role(name, "cs_" + name.replace("-", "_"), CHECK, arguments)
    for name, function, first in (("reads", "cs_use_data", "CS_USE_READ"), ("writes", "cs_use_data", "CS_USE_WRITE"),
                                  ("reads-blocks", "cs_use_blocks", "CS_USE_READ"), ("writes-blocks", "cs_use_blocks", "CS_USE_WRITE")):
        yield Role(name, function, CHECK, DATA, first=(first,))
        if name != "reads":
            yield Role(name + "-at-root", function, CHECK, DATA + (ROOT,), first=(first,), condition=4)
    for name, first in (("reads-here", "CS_USE_READ"), ("writes-here", "CS_USE_WRITE")):
        yield Role(name, "cs_use_here", CHECK, DATA, first=(first,))
    yield Role("checks-type", "cs_checks_types", CHECK, (ONE_TYPE,))
    for name, first in (("sends-to", "CS_USE_READ"), ("receives-from", "CS_USE_WRITE")):
        yield Role(name, "cs_use_data_with", CHECK, DATA + (RANK,), first=(first,))
    yield Role("checks-data", "cs_check_data", CHECK, (COUNT, TYPE))
    yield Role("checks-never-in-place-at-root", "cs_checks_never_in_place", CHECK, (BUFFER, ROOT), condition=2)
    for name, first in (("reads-element", "CS_USE_READ"), ("writes-element", "CS_USE_WRITE")):
        yield Role(name, "cs_use_element", CHECK, (BUFFER, TYPE), first=(first,))
    yield Role("combines", "cs_use_combined", CHECK, DATA + (value("MPI_Op"),))
    yield Role("combines-element", "cs_use_combined_element", CHECK, (BUFFER, TYPE, value("MPI_Op")))
    yield Role("probed", "cs_check_probed", AFTER_OBJECT, (STATUS_OUT, FLAG), optional=1, condition=2, fortran="cs_check_probed_fortran")
    for name in ("intra", "inter", "cartesian", "graph", "dist-graph", "topology"):
        yield Role("needs-" + name, "cs_checks_shape", CHECK, (), first=("CS_SHAPE_" + name.upper().replace("-", "_"),))
    for name in ("checks-started-requests", "checks-awaited-requests", "checks-request"):
        yield Role(name, "cs_" + name.replace("-", "_"), CHECK, (), first=("&cs_list",))
    for name, arguments in (("partition", (INTEGER,)), ("range", (INTEGER, INTEGER)), ("list", (COUNT, INTS))):
        yield Role("checks-ready-" + name, "cs_checks_ready_" + name, CHECK, arguments, first=("&cs_list",))
    for name, first in (("reads", "CS_USE_READ"), ("writes", "CS_USE_WRITE")):
        yield Role(name + "-varying-blocks", "cs_use_varying_blocks", CHECK, VARYING, first=(first,))
        yield Role(name + "-varying-blocks-at-root", "cs_use_varying_blocks", CHECK, VARYING + (ROOT,), first=(first,), condition=5)
        yield Role(name + "-typed-blocks", "cs_use_typed_blocks", CHECK, (BUFFER, COUNTS, INTEGERS, TYPES), first=(first,))
    yield Role("reduces-blocks", "cs_use_reduced_blocks", CHECK, (BUFFER, BUFFER, COUNTS, TYPE))
    yield Role("broadcasts", "cs_use_broadcast", CHECK, DATA + (RANK,))
    for name, first in (("puts-at", "CS_USE_WRITE"), ("gets-at", "CS_USE_READ")):
        yield Role(name, "cs_use_target", CHECK, (RANK, INTEGER, COUNT, TYPE), first=(first,))
    yield Role("accumulates-at", "cs_accumulate_at", CHECK, (RANK, INTEGER, COUNT, TYPE, value("MPI_Op")))
    yield Role("gets-by-request", "cs_get_by_request", CHECK, (RANK, INTEGER, COUNT, TYPE))
    yield Role("accumulates-by-request", "cs_accumulate_by_request", CHECK, (RANK, INTEGER, COUNT, TYPE, value("MPI_Op")))
    yield Role("fetches-at", "cs_fetch_at", CHECK, (RANK, INTEGER, TYPE, value("MPI_Op")))
    yield Role("swaps-at", "cs_swap_at", CHECK, (RANK, INTEGER, TYPE))
    yield Role("notes-attached", "cs_check_attached", AFTER_OBJECT, (BUFFER, COUNT))
    yield Role("notes-detached", "cs_check_detached", AFTER_OBJECT, ())
    yield Role("notes-attached-elsewhere", "cs_check_attached_elsewhere", AFTER_OBJECT, ())
    yield Role("notes-lock", "cs_check_locked", AFTER_OBJECT, (INTEGER,))
    yield Role("notes-meeting", "cs_check_meeting", AFTER_OBJECT, ())
    yield Role("notes-window", "cs_check_new_window", AFTER_BYTES, ())  # when the object and the epoch are known
    yield Role("notes-post", "cs_check_exposed", AFTER_BYTES, ())
    yield Role("notes-wait", "cs_check_access", AFTER_OBJECT, (FLAG,), first=("CS_ACCESS_WAIT",), optional=1, condition=1)
    for change in ("lock-all", "unlock", "unlock-all", "start", "complete"):
        yield Role("notes-" + change, "cs_check_access", AFTER_OBJECT, (), first=("CS_ACCESS_" + change.upper().replace("-", "_"),))
    yield Role("notes-split-begun", "cs_check_split_begun", AFTER_OBJECT, ())
    yield Role("notes-split-ended", "cs_check_split_ended", AFTER_OBJECT, ())
    yield Role("forgets-window", "cs_check_forgotten_window", AFTER_OBJECT, ())
    yield Role("fences", "cs_check_fenced", AFTER_OBJECT, (INTEGER,))
