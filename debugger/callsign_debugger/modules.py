"""Finds the file of a code address, and the address within the file, from its ELF headers."""

import bisect
import os
import struct
import subprocess

from .memory import Unreadable
from .words import escape

PT_LOAD, PT_NOTE = 1, 4
EXECUTABLE = 1
NT_GNU_BUILD_ID = 3
MOST_HEADERS, MOST_NOTES = 64, 1 << 12
DELETED = b" (deleted)"  # suffix in /proc/PID/maps for a file that was deleted or replaced


class Image:
    """The ELF headers of a file that is mapped."""

    def __init__(self, read):
        """read(offset, size): bytes from the file's beginning; Unreadable: they are not there."""
        self.loads, self.build_id = [], ""
        head = read(0, 64)
        if head[:6] != b"\x7fELF\x02\x01":
            raise Unreadable("ELF header")
        table, = struct.unpack_from("<Q", head, 32)
        size, count = struct.unpack_from("<HH", head, 54)
        if size != 56 or count > MOST_HEADERS:
            raise Unreadable("program headers")
        for kind, flags, offset, address, _, in_file, _, _ in struct.iter_unpack("<IIQQQQQQ", read(table, size * count)):
            if kind == PT_LOAD:
                self.loads.append((not flags & EXECUTABLE, offset, in_file, address))
            elif kind == PT_NOTE and not self.build_id:
                self.build_id = self.build_id_in(read, offset, in_file)
        self.loads.sort()  # code first: two segments may share a page of the file

    @staticmethod
    def build_id_in(read, offset, size):
        try:
            notes, at = read(offset, min(size, MOST_NOTES)), 0
        except Unreadable:
            return ""
        while at + 12 <= len(notes):
            name_bytes, bytes_, kind = struct.unpack_from("<III", notes, at)
            begin = at + 12 + (name_bytes + 3) // 4 * 4
            if kind == NT_GNU_BUILD_ID and notes[at + 12:at + 16] == b"GNU\0":
                return notes[begin:begin + bytes_].hex()
            at = begin + (bytes_ + 3) // 4 * 4
        return ""

    def address_of(self, offset):
        """The address within the file for this file offset."""
        return next((address + offset - first for _, first, size, address in self.loads if first <= offset < first + size), offset)


class Lines:
    """Asks the callsign command for function, file and line, one address after the other."""

    def __init__(self, command):
        self.command, self.process = command, None

    def of(self, path, build_id, address):
        """None: the command does not answer."""
        try:
            if not self.process:
                # Without buffers: what the command does not take is not written again when Python ends.
                self.process = subprocess.Popen([self.command, "lines"], bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            self.process.stdin.write(b"%d\0%s\0%s\0" % (address, build_id.encode(), path))
            answer = bytearray()
            while not answer.endswith(b"\0"):
                part = self.process.stdout.read(1 << 12)
                if not part:
                    return None
                answer += part
            return bytes(answer[:-1])
        except OSError:
            return None

    def close(self):
        if self.process:
            self.process.stdin.close()
            self.process.stdout.close()
            self.process.wait()


class Modules:
    """The files that a process has mapped."""

    def __init__(self, memory, mappings):
        """mappings: (begin, end, offset in the file, path) of each, sorted."""
        self.memory, self.mappings, self.images = memory, mappings, {}
        self.starts = [mapping[0] for mapping in mappings]
        self.lines = None  # None: only addresses are known

    def image(self, begin, path):
        """The module of the mapping that begins there; None: its headers are not in memory."""
        if begin not in self.images:
            # A file may be mapped twice, and its path may have been another file's before: the nearest headers are its own.
            heads = [first for first, _, offset, name in self.mappings if name == path and not offset]
            head = max((first for first in heads if first <= begin), default=min(heads, default=0))
            try:
                self.images[begin] = Image(lambda offset, size: self.memory.read(head + offset, size))
            except Unreadable:
                self.images[begin] = None
        return self.images[begin]

    def where(self, address):
        """A return address in words."""
        at = bisect.bisect_right(self.starts, address) - 1
        begin, end, offset, path = self.mappings[at] if at >= 0 else (0, 0, 0, b"")
        if address >= end:
            return f"{address:#x}"
        image, place = self.image(begin, path), address - begin + offset
        own = image.address_of(place) if image else place
        path = path.removesuffix(DELETED)
        text = self.lines.of(path, image.build_id, own) if self.lines and image else None
        return escape(text or os.path.basename(path)) + ("" if text else f"+{own:#x}")
