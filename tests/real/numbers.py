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
right, left = (world.rank + 1) % world.size, (world.rank - 1) % world.size
pending = [world.isend({"from": world.rank, "part": part}, dest=right, tag=part) for part in range(3)]
say(world.rank, "parts", [world.recv(source=MPI.ANY_SOURCE, tag=part)["part"] for part in (2, 0, 1)])  # a matched probe first
MPI.Request.waitall(pending)
say(world.rank, "left", world.sendrecv(world.rank, dest=right, source=left))
board = bytearray(16)
halves = [world.Send_init([bytes(8), MPI.BYTE], dest=right, tag=9), world.Recv_init([board, MPI.BYTE], source=left, tag=MPI.ANY_TAG)]
for turn in range(4):
    MPI.Prequest.Startall(halves)
    status = [MPI.Status(), MPI.Status()]
    MPI.Request.Waitall(halves, status)
    say(world.rank, "turn", turn, status[1].Get_count(MPI.BYTE), status[1].tag)
for half in halves:
    half.Free()
unmatched = world.Irecv(board, source=left, tag=10)
unmatched.Cancel()
unmatched.Wait()
window = MPI.Win.Allocate(8, comm=world)
window.Set_name("board")
window.Fence()
window.Put(bytearray(b"\x05" * 8), (world.rank + 1) % world.size)
window.Fence()
say(world.rank, "window", sum(window.tomemory()))
window.Free()
row.Free()
