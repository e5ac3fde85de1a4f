"""The late rank of why.c, in Python; for why_campaign.py."""

import array
import mmap
import os
import sys
import threading
import time
import zlib

from mpi4py import MPI

REASON, FILE = sys.argv[1], sys.argv[2]
RANK, RANKS = MPI.COMM_WORLD.rank, MPI.COMM_WORLD.size
LATE = RANK == RANKS // 2
value = array.array("d", [RANK])  # objects would go by messages, without a call in which all wait for all


def work(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        sum(range(10000))


def touch(megabytes):
    with mmap.mmap(-1, megabytes << 20) as memory:
        for at in range(0, len(memory), 4096):
            memory[at] = 1


def read_file(megabytes):
    buffer = bytearray(1 << 20)
    with open(FILE, "rb", buffering=0) as file:
        for _ in range(megabytes):
            file.seek(0)
            file.readinto(buffer)


def wait_for_lock():
    """Another thread has the lock while it works, without Python's own."""
    lock, taken = threading.Lock(), threading.Event()

    def hold():
        with lock:
            taken.set()
            end = time.thread_time() + 0.15
            while time.thread_time() < end:
                zlib.crc32(bytes(1 << 20))

    thread = threading.Thread(target=hold)
    thread.start()
    taken.wait()
    with lock:
        thread.join()


def be_stopped():
    os.spawnlp(os.P_WAIT, "sh", "sh", "-c", 'kill -STOP "$PPID"; sleep 0.2; kill -CONT "$PPID"')


def compute():
    if REASON == "work":
        work(0.2 if LATE else 0.02)
    elif REASON == "equal":
        for _ in range(600):  # a fixed amount of work: a slower core needs longer for it
            sum(range(10000))
    elif REASON == "sleep":
        time.sleep(0.2 if LATE else 0.02)
    elif REASON == "touch":
        touch(192 if LATE else 1)
    elif REASON == "huge":
        touch(1024 if LATE else 1)
    elif REASON == "file":
        read_file(1500 if LATE else 1)
    elif REASON == "lock" and LATE:
        wait_for_lock()
    elif REASON == "stop" and LATE:
        be_stopped()


def step():
    MPI.COMM_SELF.Barrier()
    compute()
    ring.Allreduce(MPI.IN_PLACE, value)


def chain():
    if RANK == RANKS - 1:
        time.sleep(0.2)
        MPI.COMM_WORLD.send(RANK, RANKS // 2)
        return
    if LATE:
        MPI.COMM_WORLD.recv(source=RANKS - 1)
    ring.Allreduce(MPI.IN_PLACE, value)


ring = MPI.COMM_WORLD.Split(REASON == "chain" and RANK == RANKS - 1, RANK)
ring.Set_name("ring")
for _ in range(4):
    chain() if REASON == "chain" else step()
ring.Free()
