"""Roles that keep arguments of the call that creates an object."""

from ..arguments import COMM, COUNT, INFO, INTEGER, INTEGERS, INTS, NAME, ROOT, TEXTS, TYPES
from .role import DETAIL, Role

# Roles and their keys in journal/detail.h, by the type of argument. Roles that end in -at-root are for arguments that only the root passes.
DETAILS = {
    "cs_detail_integer": (
        (INTEGER,),
        "color key tag local-leader remote-leader-at-root maxprocs-at-root high reorder indegree outdegree root fd size disp-unit count "
        "count-at-root blocklength stride rank lb extent p r commute",
    ),
    "cs_detail_integers": (
        (COUNT, INTEGERS),
        "dims periods index sources degrees destinations blocklengths displacements sizes subsizes starts gsizes psizes ranks",
    ),
    "cs_detail_text": ((NAME,), "stringtag command-at-root port-name-at-root pset-name"),
    "cs_detail_path": ((NAME,), "filename"),
    "cs_detail_texts": ((COUNT, TEXTS), "commands-at-root"),
    "cs_detail_info": ((INFO,), "info info-at-root"),
    "cs_detail_types": ((COUNT, TYPES), "types"),
    "cs_detail_remain_dims": ((COMM, INTEGERS), "remain-dims"),
    "cs_detail_edges": ((COUNT, INTS, INTS), "edges"),
    "cs_detail_split_type": ((INTEGER,), "split-type"),
    "cs_detail_amode": ((INTEGER,), "amode"),
    "cs_detail_order": ((INTEGER,), "order"),
    "cs_detail_distribs": ((COUNT, INTS), "distribs"),
    "cs_detail_dargs": ((COUNT, INTS), "dargs"),
}


def detail(name, function, arguments, key=""):
    """A role of DETAILS. For an argument that only the root passes, the last position is the root."""
    plain = name.removesuffix("-at-root")
    key = "CS_DETAIL_" + (key or plain).upper().replace("-", "_")
    fortran = function + "_fortran" if NAME in arguments or TEXTS in arguments else ""
    condition = 0
    if plain != name:
        arguments += (ROOT,)
        condition = len(arguments)
    return Role(name, function, DETAIL, arguments, condition=condition, fortran=fortran, first=(key,))


def detail_roles():
    for function, (arguments, names) in DETAILS.items():
        for name in names.split():
            yield detail(name, function, arguments)
    yield detail("destinations-by-degree", "cs_detail_destinations", (COUNT, INTS, INTS), "destinations")
    yield detail("maxprocs-of-each-at-root", "cs_detail_integers", (COUNT, INTEGERS), "maxprocs")
