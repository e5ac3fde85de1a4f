"""Reads a live process while it runs, without stopping it."""

import os
import time

from .memory import Memory, Trouble, Unreadable
from .modules import Modules

MOST_MAPS = 1 << 24


def maps_of(pid):
    """(begin, end, permissions, offset, path) of each mapping."""
    with open(f"/proc/{pid}/maps", "rb") as file:
        for line in file.read(MOST_MAPS).splitlines():
            words = line.split(None, 5)
            if len(words) < 5:
                continue
            begin, end = (int(word, 16) for word in words[0].split(b"-"))
            yield begin, end, words[1].decode(), int(words[2], 16), words[5] if len(words) > 5 else b""


def writable_of(maps):
    """Like Memory.writable."""
    def likely(mapping):
        path = mapping[4]
        return 0 if b"libcallsign-" in path else 1 if b".so" in path else 2
    mine = [mapping for mapping in maps if mapping[2].startswith("rw") and mapping[2][3] == "p"]
    return [(begin, end - begin) for begin, end, *_ in sorted(mine, key=likely)]


class Process(Memory):
    moves = True

    def __init__(self, pid):
        self.pid = pid
        try:
            self.maps = sorted(maps_of(pid))
            self.fd = os.open(f"/proc/{pid}/mem", os.O_RDONLY | os.O_CLOEXEC)
        except (FileNotFoundError, ProcessLookupError):
            raise Trouble(f"there is no process {pid} here") from None
        except PermissionError:
            raise Trouble(f"process {pid} may not be read: it is another user's, or kernel.yama.ptrace_scope forbids it; "
                          "ask as root or as its user, with ptrace_scope 0") from None
        except OSError as error:
            raise Trouble(f"process {pid}: {error.strerror}") from None
        if not self.maps:
            raise Trouble(f"process {pid} has no memory any more: it has ended")
        self.modules = Modules(self, [(begin, end, offset, path) for begin, end, _, offset, path in self.maps if path.startswith(b"/")])

    def fetch(self, address, size):
        found = b""
        while len(found) < size:
            try:
                part = os.pread(self.fd, size - len(found), address + len(found))
            except OSError:
                part = b""
            if not part:
                raise Unreadable(f"{address:#x}")
            found += part
        return found

    def writable(self):
        return writable_of(self.maps)

    def where(self, address):
        return self.modules.where(address)

    def now(self):
        return time.clock_gettime_ns(time.CLOCK_MONOTONIC)
