"""What only the journal has: whole call stacks and members. It is read while it exists (db/journal/format.h); without it the table's own words are
shown. Members are in the journal of a communicator's first member, which lies in the same folder."""

import os
import stat
import struct

from .words import escape

MAGIC, VERSION = b"CSJOURN\n", 6
BLOCK, LOG, PAGE = 0x4B425343, 1, 4096
OBJECT, COMMUNICATOR, STACK = 3, 4, 14
SITE_STACK = 1 << 63
MOST_BYTES, MOST_FACTS, MOST_FILES = 1 << 30, 1 << 22, 4096


class Born:
    """The birth of one object."""

    def __init__(self, site, family, stack):
        self.site, self.family, self.stack = site, family, stack


class Journal:
    def __init__(self, path):
        self.path = path
        self.births, self.stacks, self.ranges, self.of_uid = {}, {}, {}, {}
        self.read()

    @staticmethod
    def of(table):
        """That of a process, or None."""
        path = table.text(table.header.journal)
        if not path:
            return None
        try:
            return Journal(path)
        except (OSError, ValueError, struct.error):
            return None

    def facts(self):
        """(type, bytes) of each fact of the log."""
        fd = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)  # what is there now may be anything, a pipe too
        try:
            status = os.fstat(fd)
            head = os.pread(fd, 16, 0) if stat.S_ISREG(status.st_mode) else b""
            if head != MAGIC + struct.pack("<II", VERSION, 0x01020304):
                raise ValueError("no journal of this version")
            at, size, left = PAGE, min(status.st_size, MOST_BYTES), MOST_FACTS
            while at + 64 <= size:
                magic, kind, bytes_, used = struct.unpack("<IIQQ", os.pread(fd, 24, at))
                if magic != BLOCK or bytes_ < 64 or bytes_ % PAGE:
                    return
                data = os.pread(fd, min(64 + used, bytes_, size - at), at) if kind == LOG else b""
                fact = 64
                while fact + 16 <= len(data) and left:
                    number, _, length = struct.unpack_from("<HHI", data, fact)
                    if length < 16 or fact + length > len(data):
                        break
                    yield number, data[fact:fact + length]
                    fact, left = fact + length, left - 1
                at += bytes_
        finally:
            os.close(fd)

    def read(self):
        for number, fact in self.facts():
            if number == OBJECT and len(fact) >= 80:
                object_, = struct.unpack_from("<I", fact, 16)
                site, uid, family = struct.unpack_from("<QQQ", fact, 48)
                self.births[object_] = (site, family or uid)
                self.of_uid.setdefault(uid, object_)
            elif number == STACK and len(fact) >= 24:
                stack, count = struct.unpack_from("<II", fact, 16)
                count = min(count, (len(fact) - 24) // 8)
                self.stacks[stack] = struct.unpack_from(f"<{count}Q", fact, 24)
            elif number == COMMUNICATOR and len(fact) > 40:
                object_, = struct.unpack_from("<I", fact, 16)
                self.ranges[object_] = escape(fact[40:].split(b"\0")[0])

    def object(self, number):
        """None: its birth is not in the journal."""
        if number not in self.births:
            return None
        site, family = self.births[number]
        return Born(site, family, self.stacks.get(site & ~SITE_STACK) if site & SITE_STACK else None)

    def members(self, table, record):
        """World ranks in ranges, or None. A duplicate has the members of its original."""
        for _ in range(64):
            ranks = self.ranges.get(record.id) or self.members_elsewhere(record.uid)
            if ranks or not record.flags & 16:
                return ranks
            record = table.numbered(record.parent)
            if not record:
                return None
        return None

    def members_elsewhere(self, uid):
        if not uid:
            return None
        folder = os.path.dirname(self.path)
        for name in sorted(os.listdir(folder))[:MOST_FILES]:
            path = os.path.join(folder, name)
            if not name.endswith(b".journal") or path == self.path:
                continue
            try:
                other = Journal(path)
            except (OSError, ValueError, struct.error):
                continue
            ranks = other.ranges.get(other.of_uid.get(uid))
            if ranks:
                return ranks
        return None
