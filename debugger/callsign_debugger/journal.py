"""Data that only the journal has: whole call stacks and members. The journal is read if it exists (journal/format.h); otherwise the table's data is
shown. The members of a communicator are in its first member's journal, in the same folder."""

import os
import stat
import struct

from .layout import (BLOCK, BLOCK_LOG, BLOCK_MAGIC, FACT, FACT_COMMUNICATOR, FACT_OBJECT, FACT_PYTHON_FRAME, FACT_STACK,
                     JOURNAL_BYTE_ORDER, JOURNAL_HEADER, JOURNAL_MAGIC, JOURNAL_PAGE, JOURNAL_VERSION, OBJECT_DUPLICATE, SITE_STACK)
from .words import escape

MOST_BYTES, MOST_FACTS, MOST_FILES = 1 << 30, 1 << 22, 4096
SHAPES = {shape.number: shape for shape in (FACT_OBJECT, FACT_COMMUNICATOR, FACT_STACK, FACT_PYTHON_FRAME)}


class Born:
    """The birth of one object."""

    def __init__(self, site, family, stack):
        self.site, self.family, self.stack = site, family, stack


class Journal:
    def __init__(self, path):
        self.path = path
        self.births, self.stacks, self.ranges, self.of_uid = {}, {}, {}, {}
        self.python = {0: "<partial>"}  # the outer frames that a stack lacks
        self.read()

    @staticmethod
    def of(table):
        """The journal of a process, or None."""
        path = table.text(table.header.journal)
        if not path:
            return None
        try:
            return Journal(path)
        except (OSError, ValueError, struct.error):
            return None

    def facts(self):
        """(type, bytes) of each fact of the log."""
        fd = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)  # the path may name anything now, even a pipe
        try:
            status = os.fstat(fd)
            head = JOURNAL_HEADER.beginning(os.pread(fd, JOURNAL_HEADER.bytes, 0) if stat.S_ISREG(status.st_mode) else b"")
            if (head.magic, head.version, head.byte_order) != (JOURNAL_MAGIC, JOURNAL_VERSION, JOURNAL_BYTE_ORDER):
                raise ValueError("no journal of this version")
            at, size, left = JOURNAL_PAGE, min(status.st_size, MOST_BYTES), MOST_FACTS
            while at + BLOCK.bytes <= size:
                block = BLOCK.of(os.pread(fd, BLOCK.bytes, at))
                if block.magic != BLOCK_MAGIC or block.bytes < BLOCK.bytes or block.bytes % JOURNAL_PAGE:
                    return
                end = min(BLOCK.bytes + block.used, block.bytes, size - at)
                data = os.pread(fd, end, at)[BLOCK.bytes:] if block.type == BLOCK_LOG else b""
                fact = 0
                while fact + FACT.bytes <= len(data) and left:
                    one = FACT.of(data[fact:fact + FACT.bytes])
                    if one.bytes < FACT.bytes or fact + one.bytes > len(data):
                        break
                    yield one.type, data[fact:fact + one.bytes]
                    fact, left = fact + one.bytes, left - 1
                at += block.bytes
        finally:
            os.close(fd)

    def read(self):
        for number, data in self.facts():
            shape = SHAPES.get(number)
            if not shape or len(data) < shape.bytes:
                continue
            fact, rest = shape.beginning(data), data[shape.bytes:]
            if shape is FACT_OBJECT:
                self.births[fact.object] = (fact.site, fact.family or fact.uid)
                self.of_uid.setdefault(fact.uid, fact.object)
            elif shape is FACT_STACK:
                count = min(fact.count, len(rest) // 8)
                self.stacks[fact.stack] = struct.unpack_from(f"<{count}Q", rest)
            elif shape is FACT_PYTHON_FRAME:
                file, function, *_ = rest.split(b"\0") + [b"", b""]
                self.python[fact.number] = f"{escape(function)} {escape(os.path.basename(file))}:{fact.line}"
            elif rest:
                self.ranges[fact.object] = escape(rest.split(b"\0")[0])

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
            if ranks or not record.flags & OBJECT_DUPLICATE:
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
