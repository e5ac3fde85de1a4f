"""Roles that keep what all members of a collective call must agree on; db/trace/views/checks.sql compares it."""

from ..arguments import BUFFER, COUNT, COUNTS, RANK, TYPE, TYPES, value
from .role import AFTER_BYTES, BEFORE, Role

SIDE, SIDES, SIDEW = (COUNT, TYPE), (COUNTS, TYPE), (COUNTS, TYPES)

# Signatures that are equal on all members.
AGREED = {
    "agreed-data": SIDE,
    "agreed-gather": (BUFFER,) + SIDE + SIDE + (RANK,),
    "agreed-scatter": SIDE + (BUFFER,) + SIDE + (RANK,),
    "agreed-blocks": (BUFFER,) + SIDE + SIDE,
    "agreed-op": (value("MPI_Op"),),  # after the others
    "agreed-op-only": (value("MPI_Op"),),
}

# Signatures for each pair of members, from arrays that may be garbage before the call.
PAIRED = {
    "paired-gather": (BUFFER,) + SIDE + SIDES + (RANK,),
    "paired-scatter": SIDES + (BUFFER,) + SIDE + (RANK,),
    "paired-allgather": (BUFFER,) + SIDE + SIDES,
    "paired-alltoall": (BUFFER,) + SIDES + SIDES,
    "paired-alltoallw": (BUFFER,) + SIDEW + SIDEW,
    "agreed-counts": SIDES,
}


def check_roles():
    for name, arguments in AGREED.items():
        yield Role(name, "cs_check_" + name.replace("-", "_"), BEFORE, arguments, fills_data=True)
    for name, arguments in PAIRED.items():
        yield Role(name, "cs_check_" + name.replace("-", "_"), AFTER_BYTES, arguments)
