"""Roles that keep what all members of a collective call must agree on; db/trace/views/checks.sql compares it."""

from ..arguments import BUFFER, COUNT, COUNTS, RANK, TYPE, TYPES, value
from .role import BEFORE, Role

SIDE, SIDES, SIDEW = (COUNT, TYPE), (COUNTS, TYPE), (COUNTS, TYPES)

# Data of the call. agreed: its signature is equal on all members.
DATA = {
    "agreed-data": SIDE,
    "agreed-gather": (BUFFER,) + SIDE + SIDE + (RANK,),
    "agreed-scatter": SIDE + (BUFFER,) + SIDE + (RANK,),
    "agreed-blocks": (BUFFER,) + SIDE + SIDE,
    "agreed-counts": SIDES,
    # for each pair of members
    "paired-gather": (BUFFER,) + SIDE + SIDES + (RANK,),
    "paired-scatter": SIDES + (BUFFER,) + SIDE + (RANK,),
    "paired-allgather": (BUFFER,) + SIDE + SIDES,
    "paired-alltoall": (BUFFER,) + SIDES + SIDES,
    "paired-alltoallw": (BUFFER,) + SIDEW + SIDEW,
    "agreed-op": (value("MPI_Op"),),  # after the others
    "agreed-group": (value("MPI_Group"),),
}


def check_roles():
    for name, arguments in DATA.items():
        yield Role(name, "cs_check_" + name.replace("-", "_"), BEFORE, arguments, fills_data=True)
