"""A core file, without a debugger: ELF program headers and notes."""

import bisect
import os
import signal
import stat
import struct
import weakref

from .memory import Memory, Trouble, Unreadable
from .modules import Modules

PT_LOAD, PT_NOTE = 1, 4
WRITABLE = 2
NT_PRSTATUS, NT_PRPSINFO, NT_FILE, NT_SIGINFO = 1, 3, 0x46494C45, 0x53494749
PC_PLACE = {62: 112 + 16 * 8, 183: 112 + 32 * 8}  # offset of the program counter in NT_PRSTATUS, by e_machine: x86-64, AArch64
SI_USER, SI_KERNEL = 0, 0x80
WITH_ADDRESS = (4, 5, 7, 8, 11)  # SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV
MOST_HEADERS, MOST_NOTES, MOST_FILES = 1 << 18, 1 << 26, 1 << 16


class Core(Memory):
    def __init__(self, path):
        self.path = path
        try:
            # Not to wait for the other end of a pipe.
            self.fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
            weakref.finalize(self, os.close, self.fd)
            status = os.fstat(self.fd)
            if not stat.S_ISREG(status.st_mode):
                raise Trouble(f"{path} is no core file")
            self.size = status.st_size
            self.head = os.pread(self.fd, 64, 0)
        except OSError as error:
            raise Trouble(f"{path}: {error.strerror}") from None
        self.segments, self.files, self.threads = [], [], []
        self.signal, self.program, self.arguments = 0, "", ""
        self.pc, self.signal_sent = None, None  # program counter of the thread that got the signal: the first of `threads`
        self.cut = 0  # bytes that are missing at its end
        self.read_headers()
        self.starts = [segment[0] for segment in self.segments]
        self.modules = Modules(self, self.files)

    def part(self, offset, size):
        if offset < 0 or size < 0 or offset + size > self.size:
            raise Unreadable("beyond the end of the file")
        found = os.pread(self.fd, size, offset)
        if len(found) < size:  # somebody has cut it meanwhile
            raise Unreadable("beyond the end of the file")
        return found

    def read_headers(self):
        if not self.size:
            raise Trouble(f"{self.path} is empty: was there room for the core, and did ulimit -c allow its size?")
        if len(self.head) < 64 or self.head[:4] != b"\x7fELF":
            raise Trouble(f"{self.path} is no core file")
        if self.head[4:6] != b"\x02\x01":
            raise Trouble(f"{self.path}: only cores of 64 bits, little endian, can be read")
        kind, = struct.unpack_from("<H", self.head, 16)
        if kind != 4:
            raise Trouble(f"{self.path} is an ELF file but no core: name the core that the program left (coredumpctl dump, or ulimit -c)")
        table, sections, size, count = *struct.unpack_from("<QQ", self.head, 32), *struct.unpack_from("<HH", self.head, 54)
        try:
            if count == 0xFFFF:
                count, = struct.unpack_from("<I", self.part(sections, 64), 44)
            if size != 56 or count > MOST_HEADERS:
                raise Unreadable("program headers")
            headers = self.part(table, size * count)
        except Unreadable:
            raise Trouble(f"{self.path} is cut off or damaged: its program headers are not there") from None
        for kind, flags, offset, address, _, there, in_memory, _ in struct.iter_unpack("<IIQQQQQQ", headers):
            if kind == PT_LOAD and there:
                self.segments.append((address, there, offset, flags))
                self.cut = max(self.cut, offset + there - self.size)
            elif kind == PT_NOTE:
                self.read_notes(offset, there)
        self.segments.sort()

    def read_notes(self, offset, size):
        try:
            notes = self.part(offset, min(size, MOST_NOTES))
        except Unreadable:
            return
        at = 0
        while at + 12 <= len(notes):
            name_bytes, bytes_, kind = struct.unpack_from("<III", notes, at)
            begin = at + 12 + (name_bytes + 3) // 4 * 4
            body = notes[begin:begin + bytes_]
            at = begin + (bytes_ + 3) // 4 * 4
            if len(body) < bytes_:
                return
            if kind == NT_PRSTATUS and bytes_ >= 36:
                if not self.threads:
                    self.signal, = struct.unpack_from("<H", body, 12)
                    self.pc = self.pc_in(body)
                self.threads.append(struct.unpack_from("<I", body, 32)[0])
            elif kind == NT_PRPSINFO and bytes_ >= 136:
                self.program = body[40:56].split(b"\0")[0]
                self.arguments = body[56:136].split(b"\0")[0]
            elif kind == NT_SIGINFO and bytes_ >= 24 and not self.signal_sent:
                self.signal_sent = struct.unpack_from("<iiiiQ", body)
            elif kind == NT_FILE and bytes_ >= 16:
                self.read_files(body)

    def pc_in(self, status):
        place = PC_PLACE.get(struct.unpack_from("<H", self.head, 18)[0])
        return struct.unpack_from("<Q", status, place)[0] if place and len(status) >= place + 8 else None

    def signal_text(self):
        """`signal 11 (SIGSEGV) at address 0x8`; "" for none."""
        if not self.signal:
            return ""
        try:
            name = f" ({signal.Signals(self.signal).name})"
        except ValueError:
            name = ""
        text = f"signal {self.signal}{name}"
        number, _, code, _, value = self.signal_sent or (0, 0, 0, 0, 0)
        if number != self.signal:
            return text
        if code == SI_USER:
            return f"{text}, sent by process {value & 0xFFFFFFFF}"
        return f"{text} at address {value:#x}" if 0 < code < SI_KERNEL and number in WITH_ADDRESS else text

    def read_files(self, body):
        count, page = struct.unpack_from("<QQ", body)
        if count > MOST_FILES or 16 + 24 * count > len(body):
            return
        names = body[16 + 24 * count:].split(b"\0")
        for i, name in zip(range(count), names):
            begin, end, offset = struct.unpack_from("<QQQ", body, 16 + 24 * i)
            self.files.append((begin, end, offset * page, name))
        self.files.sort()

    def fetch(self, address, size):
        found = b""
        while len(found) < size:
            at = bisect.bisect_right(self.starts, address + len(found)) - 1
            if at < 0:
                raise Unreadable(f"{address:#x}")
            begin, there, offset, _ = self.segments[at]
            inside = address + len(found) - begin
            if inside >= there:
                raise Unreadable(f"{address:#x}")
            found += self.part(offset + inside, min(size - len(found), there - inside))
        return found

    def file_at(self, address):
        at = bisect.bisect_right(self.files, (address, 1 << 64)) - 1
        return self.files[at] if at >= 0 and address < self.files[at][1] else None

    def writable(self):
        def likely(region):
            file = self.file_at(region[0])
            return 0 if file and b"libcallsign-" in file[3] else 1 if file else 2
        regions = [(begin, size) for begin, size, _, flags in self.segments if flags & WRITABLE]
        return sorted(regions, key=likely)

    def where(self, address):
        return self.modules.where(address)

    def realtime(self):
        """When it was written, in ns."""
        return os.fstat(self.fd).st_mtime_ns
