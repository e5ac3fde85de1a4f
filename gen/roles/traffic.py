"""Roles that count bytes, by the form of a call's arguments."""

from ..arguments import BUFFER, COUNT, COUNTS, RANK, STATUS_OUT, TYPE, TYPES, Argument, value
from ..prototype import Type
from .role import AFTER_BYTES, Role

# One side (sending or receiving) of a collective.
SIDE, SIDES, SIDEW = (COUNT, TYPE), (COUNTS, TYPE), (COUNTS, TYPES)

BYTES = {
    "sent": SIDE + (RANK,),
    "received": (STATUS_OUT,),
    "received-as": (TYPE,),
    "posted": SIDE,
    "partitions-sent": (Argument("partitions", (Type("int", 0),)),) + SIDE + (RANK,),
    "partitions-posted": (Argument("partitions", (Type("int", 0),)),) + SIDE,
    "written": SIDE,
    "bcast": SIDE + (RANK,),
    "gather": (BUFFER,) + SIDE + SIDE + (RANK,),
    "gatherv": (BUFFER,) + SIDE + SIDES + (RANK,),
    "scatter": SIDE + (BUFFER,) + SIDE + (RANK,),
    "scatterv": SIDES + (BUFFER,) + SIDE + (RANK,),
    "allgather": (BUFFER,) + SIDE + SIDE,
    "allgatherv": (BUFFER,) + SIDE + SIDES,
    "alltoall": (BUFFER,) + SIDE + SIDE,
    "alltoallv": (BUFFER,) + SIDES + SIDES,
    "alltoallw": (BUFFER,) + SIDEW + SIDEW,
    "reduce": SIDE + (RANK,),
    "allreduce": SIDE,
    "exscan": SIDE,
    "reduce-scatter": SIDES,
    "reduce-scatter-block": SIDE,
    "neighbor-allgather": SIDE + SIDE,
    "neighbor-allgatherv": SIDE + SIDES,
    "neighbor-alltoall": SIDE + SIDE,
    "neighbor-alltoallv": SIDES + SIDES,
    "neighbor-alltoallw": SIDEW + SIDEW,
    "put": SIDE + (RANK,),
    "get": SIDE + (RANK,),
    "get-accumulate": SIDE + SIDE + (RANK, value("MPI_Op")),
    "fetch": (TYPE, RANK),
    "fetch-and-op": (TYPE, RANK, value("MPI_Op")),
}


# With MPI_NO_OP the origin arguments have no meaning and may be garbage.
TEMPLATES = {"get-accumulate": "{5} == MPI_NO_OP ? 0 : {0}, {1}, {2}, {3}, {4}"}


def traffic_roles():
    for name, arguments in BYTES.items():
        function = "cs_bytes_" + name.replace("-", "_")
        fortran = "cs_bytes_received_fortran" if name == "received" else ""
        yield Role(name, function, AFTER_BYTES, arguments, template=TEMPLATES.get(name, ""), fortran=fortran)
