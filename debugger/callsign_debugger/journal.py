"""What only the journal has: whole call stacks and members. It is read while it exists (db/journal/format.h); without it the table's own words are
shown. Members are in the journal of a communicator's first member, which lies in the same folder."""

import mmap
import os
import struct

MAGIC, VERSION = b"CSJOURN\n", 5
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
        with open(self.path, "rb") as file:
            size = min(os.fstat(file.fileno()).st_size, MOST_BYTES)
            with mmap.mmap(file.fileno(), size, prot=mmap.PROT_READ) as data:
                if data[:8] != MAGIC or struct.unpack_from("<II", data, 8) != (VERSION, 0x01020304):
                    raise ValueError("no journal of this version")
                at, left = PAGE, MOST_FACTS
                while at + 64 <= size:
                    magic, kind, bytes_, used = struct.unpack_from("<IIQQ", data, at)
                    if magic != BLOCK or bytes_ < 64 or bytes_ % PAGE:
                        return
                    fact, end = at + 64, min(at + 64 + used, at + bytes_, size)
                    while kind == LOG and fact + 16 <= end and left:
                        number, _, length = struct.unpack_from("<HHI", data, fact)
                        if length < 16 or fact + length > end:
                            break
                        yield number, data[fact:fact + length]
                        fact, left = fact + length, left - 1
                    at += bytes_

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
                self.ranges[object_] = fact[40:].split(b"\0")[0].decode("ascii", "replace")

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
