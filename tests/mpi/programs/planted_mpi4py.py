"""The case late_rank of planted.c in Python."""
import sys
import time

from mpi4py import MPI

comm = MPI.COMM_WORLD
changed = sys.argv[-1] == "changed"
comm.Barrier()
begun = MPI.Wtime()
for _ in range(20):  # the first call of a program in Python takes longer
    time.sleep(0.12 if comm.rank == 1 and not changed else 0.06)
    comm.allreduce(comm.rank)
comm.Barrier()
if comm.rank == 0:
    print(f"{MPI.Wtime() - begun:.6f}")
