"""An mpi4py program with pickled objects, buffers, a split, a derived datatype and a window. What it prints is the same in every run."""

import os

from mpi4py import MPI


def say(*words):
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


world = MPI.COMM_WORLD
row = world.Split(world.rank % 2, world.rank)
row.Set_name("rows")
say(world.rank, "object", world.bcast({"from": 0, "list": [1, 2, 3]} if world.rank == 0 else None))
say(world.rank, "sum", row.allreduce(world.rank), "of", row.size)
numbers = bytearray(8 * 4)
vector = MPI.DOUBLE.Create_vector(2, 1, 2).Commit()
request = world.Irecv([numbers, 1, vector], source=world.rank, tag=7)
world.Send([bytearray(b"\x01" * 32), 1, vector], dest=world.rank, tag=7)
request.Wait()
vector.Free()
say(world.rank, "bytes", sum(numbers))
window = MPI.Win.Allocate(8, comm=world)
window.Set_name("board")
window.Fence()
window.Put(bytearray(b"\x05" * 8), (world.rank + 1) % world.size)
window.Fence()
say(world.rank, "window", sum(window.tomemory()))
window.Free()
row.Free()
