"""Compares the expectations of programs/holding.c with the table, for the same handles."""

import struct

from callsign_debugger import show
from callsign_debugger.layout import KIND_WORDS

MAGIC = b"BELIEVED-" + b"HANDLE\0"  # in two parts: this text itself may lie in the memory of a debugger
HELD = struct.Struct("<QQIIII64s64s")
NOTHING, LIVES, FREED = range(3)
REMEMBERED = 4096 - 16  # dead records; some are of objects that are not held
AT_REST, MAKING, NAMING, FREEING = range(4)


class Held:
    """One handle."""

    def __init__(self, data):
        self.epoch, self.handle, self.kind, self.state, self.doing, self.died, name, coming = HELD.unpack(data)
        self.name, self.coming = (text.split(b"\0")[0].decode("utf-8", "replace") for text in (name, coming))

    @property
    def amid(self):
        return self.epoch % 2 == 1


class Belief:
    """All of them, in the memory of a process."""

    def __init__(self, memory):
        self.memory, self.address = memory, None
        for address in memory.search(MAGIC):
            count, size = struct.unpack("<QQ", memory.read(address + 16, 16))
            if size == HELD.size and 0 < count < 1000:
                self.address, self.count = address + 40, count
        self.looked_up = self.stops = self.amid = self.table_amid = self.forgotten = 0
        self.wrong = []

    def dead(self):
        return struct.unpack("<Q", self.memory.read(self.address - 8, 8))[0]

    def one(self, number):
        return Held(self.memory.read(self.address + number * HELD.size, HELD.size))

    def all(self):
        data = self.memory.read(self.address, self.count * HELD.size)
        return [Held(data[at:at + HELD.size]) for at in range(0, len(data), HELD.size)]

    def check(self, held, others, shown):
        """`shown` is what a reader says of this handle. others: all that are held, for a value that is somebody else's by now."""
        self.looked_up += 1
        names = {held.name, held.coming} if held.doing == NAMING else {held.name}
        right = {f'{held.handle:#x} "{name}"' for name in names}
        if held.state == FREED or held.doing == FREEING:
            right = {text + " FREED" for text in right} | (right if held.doing == FREEING else set())
            if not shown and self.dead() - held.died > REMEMBERED:
                self.forgotten += 1  # one thread may not have run for long
                return
            if shown not in right and any(other.doing == MAKING for other in others):
                return  # it has been made again, and its owner does not know yet
        if shown not in right:
            self.wrong.append((shown, vars(held)))

    def told(self):
        return (f"{self.looked_up} looked up at {self.stops} stops, {self.amid} amid a change by the program, {self.table_amid} amid one of the table, "
                f"{self.forgotten} freed too long ago; {len(self.wrong)} wrong {self.wrong[:3] or ''}")

    def known(self, held):
        return held.state != NOTHING and held.doing != MAKING

    def check_stopped(self, table):
        """All handles, in a process that is stopped."""
        everything = self.all()
        self.stops += 1
        self.amid += any(held.amid for held in everything)
        self.table_amid += table.header.epoch % 2
        for held in everything:
            if self.known(held):
                self.check(held, everything, show.of_handle(table, KIND_WORDS[held.kind], held.handle))

    def check_running(self, table):
        """All handles, in a process that runs on: what was the same before and after counts."""
        for number in range(self.count):
            held = self.one(number)
            if not self.known(held) or held.amid:
                continue
            table.refresh()
            shown = show.of_handle(table, KIND_WORDS[held.kind], held.handle)
            self.table_amid += table.header.epoch % 2
            others = self.all()
            if self.one(number).epoch == held.epoch:
                self.check(held, others, shown)
