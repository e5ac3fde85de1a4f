"""The live table, as include/callsign/debug.h describes it. Everything is read again at each query: the process may have continued."""

import struct

from . import clock, detail
from .layout import CALL, CONSTANT, DEBUG_SEGMENTS, FREED, INDEX, LIVE, MPI, RECORD, REQUEST, REQUESTS, THREAD
from .journal import Journal
from .locate import check
from .memory import Unreadable
from .words import KIND_NUMBER, escape

MOST_RECORDS, MOST_PROBES, MOST_THREADS, MOST_SLOTS, MOST_CONSTANTS, MOST_TEXT = 1 << 22, 1 << 12, 1 << 16, 1 << 22, 1 << 12, 1 << 20
PAGE = 4096
BULK = 1 << 13  # records that are read at once

# Offsets in a record (its first byte tells the state) and in a request.
KIND, STATE = RECORD.offsets["kind"], RECORD.offsets["state"]
REFERENCES = REQUEST.offsets["references"]


def callsign_hash(kind, handle):
    x = (handle ^ kind << 56) * 0x9E3779B97F4A7C15 & (1 << 64) - 1
    return x ^ x >> 29


class Table:
    def __init__(self, memory, address):
        self.memory, self.address = memory, address
        self.header = check(memory, address)
        self.kept, self.kept_for, self.dead = [], None, None
        self.sites, self.known, self.pages, self.made_names = {}, {}, {}, {}
        self.functions = self.constants = None
        self.journal_read = []

    def journal(self):
        """The journal of the process as it is now, or None."""
        if not self.journal_read:
            self.journal_read = [Journal.of(self)]
        return self.journal_read[0]

    def refresh(self):
        """False: it is not there any more."""
        self.header = check(self.memory, self.address)
        self.journal_read = []
        self.sites, self.known, self.pages, self.made_names = {}, {}, {}, {}
        return self.header is not None

    # ---- texts ----

    def page(self, address):
        """The memory from this address to the end of its page. With many objects, most strings are on few pages."""
        if self.memory.moves:
            return b""
        number = address // PAGE
        if number not in self.pages:
            try:
                self.pages[number] = self.memory.read(number * PAGE, PAGE)
            except Unreadable:
                self.pages[number] = b""
        return self.pages[number][address % PAGE:]

    def text(self, address):
        try:
            text, end, _ = self.page(address).partition(b"\0") if address else (b"", b"", b"")
            if end:
                return text
            return self.memory.string(address) if address else b""
        except Unreadable:
            return b""

    def function_facts(self, number):
        """What callsign knows about an MPI function: (name, {"class": "point-to-point", "transfer": "receive", ...})."""
        if self.functions is None:
            self.functions = {}
            header = self.header
            try:
                text = self.memory.read(header.functions, min(header.functions_bytes, MOST_TEXT))
            except Unreadable:
                text = b""
            for line in text.split(b"\n"):
                digits, _, rest = line.partition(b" ")
                if digits.isdigit() and len(digits) < 6:
                    name, *words = escape(rest).split(" ")
                    self.functions[int(digits)] = (name, dict(word.partition(":")[::2] for word in words))
        return self.functions.get(number, (f"MPI function {number}", {}))

    def function(self, number):
        """Its name; "" for none."""
        return self.function_facts(number)[0] if number else ""

    def function_property(self, number, word):
        """One of its properties, as gen/spec has them; "": it says nothing of it."""
        return self.function_facts(number)[1].get(word, "")

    def constant(self, kind, handle):
        """The name that mpi.h has for it, or ""."""
        if self.constants is None:
            self.constants = {}
            try:
                data = self.memory.read(self.header.constants, min(self.header.constant_count, MOST_CONSTANTS) * CONSTANT.bytes)
            except Unreadable:
                data = b""
            for at in range(0, len(data), CONSTANT.bytes):
                one = CONSTANT.of(data[at:at + CONSTANT.bytes])
                self.constants.setdefault((one.kind, one.handle), escape(one.name.split(b"\0")[0]))
        return self.constants.get((kind, handle), "")

    def detail_address(self, record):
        """The address of its struct callsign_detail; 0: none."""
        unit, units = record.detail - 1, 1 << self.header.first_string_log2 - 4
        k = (unit // units + 1).bit_length() - 1 if unit >= 0 else DEBUG_SEGMENTS
        base = struct.unpack_from("<Q", self.header.string_segment, 8 * k)[0] if k < DEBUG_SEGMENTS else 0
        return base and base + 16 * (unit - units * ((1 << k) - 1))

    def detail(self, record):
        """The items that its maker left, as bytes."""
        address = self.detail_address(record)
        if not address:
            return b""
        try:
            page = self.page(address)
            if len(page) >= 8:
                size, = struct.unpack_from("<Q", page)
                if size <= len(page) - 8:
                    return page[8:8 + size]
            size, = struct.unpack("<Q", self.memory.read(address, 8))
            return self.memory.read(address + 8, size) if size <= 4096 else b""
        except Unreadable:
            return b""

    def name(self, record, deep=0):
        """The name as it is shown, escaped; "": none."""
        given = escape(self.given_name(record))
        # The MPI's own name of a duplicate says less than a name derived from its creation.
        if given and not (record.kind == KIND_NUMBER["datatype"] and record.origin == MPI and record.function):
            return given
        return self.composed(record, deep) or given

    def given_name(self, record):
        """In a process that runs on, the memory may be another name's by now: what is read counts if the record is the same after that."""
        for _ in range(4):
            text = self.text(record.name)
            if not self.memory.moves or not text:
                return text
            try:
                now = RECORD.at(self.memory, record.at)
            except Unreadable:
                return b""
            if now.id != record.id or now.state not in (LIVE, FREED):
                return b""
            if now.name == record.name:
                return text
            record["name"] = now.name
        return b""

    def composed(self, record, deep):
        """A name that tells how a datatype or a file was made. Each is made once: structures of structures would take for ever."""
        if deep > detail.DEEPEST or record.kind not in (KIND_NUMBER["file"], KIND_NUMBER["datatype"]):
            return ""
        if record.kind == KIND_NUMBER["file"]:
            return escape(detail.file_name(self.detail(record)))
        if record.id not in self.made_names:
            def name_of(number):
                other = self.numbered(number)
                return self.name(other, deep + 1) if other else ""
            self.made_names[record.id] = ""  # to itself: there is damage that makes circles
            self.made_names[record.id] = detail.datatype_name(self.function_property(record.function, "shape"), record.parent, self.detail(record), name_of)
        return self.made_names[record.id]

    # ---- records ----

    def segment(self, number):
        """Address of a record, and how many lie behind it in its segment, itself included."""
        first = 1 << self.header.first_record_log2
        k = (number // first + 1).bit_length() - 1
        if k >= DEBUG_SEGMENTS:
            raise Unreadable("record")
        base = struct.unpack_from("<Q", self.header.record_segment, 8 * k)[0]
        inside = number - first * ((1 << k) - 1)
        return base + inside * RECORD.bytes, (first << k) - inside

    def record(self, number):
        """None: it has not been used."""
        if not 0 <= number < min(self.header.records, MOST_RECORDS):
            return None
        try:
            address, _ = self.segment(number)
            record = RECORD.at(self.memory, address)
        except Unreadable:
            return None
        record["at"] = address
        return record if record.state in (LIVE, FREED) else None

    def parts(self):
        """All records, as (address, bytes), in parts. Kept while the table says that nothing has changed."""
        now = (self.header.epoch, self.header.records)
        if self.kept_for != now or now[0] % 2:
            self.kept_for, self.kept, self.dead = now, list(self.read_parts()), None
        return self.kept

    def read_parts(self):
        number, count = 0, min(self.header.records, MOST_RECORDS)
        while number < count:
            address, there = self.segment(number)
            there = min(there, count - number, BULK)
            try:
                yield address, self.memory.read(address, there * RECORD.bytes)
            except Unreadable:
                pass
            number += there

    def records(self, kinds=None, freed=False):
        for address, part in self.parts():
            for at in range(0, len(part), RECORD.bytes):
                state, kind = part[at + STATE], part[at + KIND]
                if (state == LIVE or freed and state == FREED) and (kinds is None or kind in kinds):
                    yield self.record_in(address, part, at)

    def record_in(self, address, part, at):
        record = RECORD.of(part[at:at + RECORD.bytes])
        record["at"] = address + at
        return record

    def scan(self, field, value):
        """Live and dead records with this value in a field."""
        offset, pattern = RECORD.offsets[field], RECORD.pack_one(field, value)
        for address, part in self.parts():
            at = part.find(pattern)
            while at >= 0:
                if at % RECORD.bytes == offset:
                    record = self.record_in(address, part, at - offset)
                    if record.state in (LIVE, FREED):
                        yield record
                at = part.find(pattern, at + 1)

    def numbered(self, number):
        """The object with this id, or None. Records are used again: mostly, but not always, it is the record of that number."""
        if number not in self.known:
            record = self.record(number - 1)
            if number and not (record and record.id == number):
                record = next(self.scan("id", number), None)
            self.known[number] = record
        return self.known[number]

    def live(self, kind, handle):
        """By the index."""
        try:
            slots, _ = struct.unpack("<QQ", self.memory.read(self.header.index, INDEX.bytes))
            if not slots or slots & slots - 1 or slots > 1 << 32:
                return None
            hashed = callsign_hash(kind, handle)
            for probe in range(0, MOST_PROBES, 16):
                first = (hashed + probe) % slots
                step = min(16, slots - first)
                entries = struct.unpack(f"<{step}Q", self.memory.read(self.header.index + INDEX.bytes + 8 * first, 8 * step))
                if step < 16:
                    entries += struct.unpack(f"<{16 - step}Q", self.memory.read(self.header.index + INDEX.bytes, 8 * (16 - step)))
                for entry in entries:
                    if not entry:
                        return None
                    if entry == (1 << 64) - 1 or (entry ^ hashed) >> 32:
                        continue
                    record = self.record((entry & 0xFFFFFFFF) - 1)
                    if record and record.state == LIVE and record.kind == kind and record.handle == handle:
                        return record
        except Unreadable:
            pass
        return None

    def latest(self, candidates, kind):
        """Of a kind's records, the live one, else the last that died."""
        found = [record for record in candidates if record.kind == kind]
        return max(found, key=lambda record: (record.state == LIVE, record.id), default=None)

    def find(self, kind, handle):
        """The object behind a handle, or the last that had it and is freed; None."""
        found = self.live(kind, handle)
        if found or self.header.epoch % 2:  # amid an update, what lives may not be in the index
            return found or self.latest(self.scan("handle", handle), kind)
        return self.latest(self.dead_of(kind, handle), kind)

    def dead_of(self, kind, handle):
        """Those that had this handle, are freed, and are remembered."""
        if self.header.epoch % 2:
            return [record for record in self.scan("handle", handle) if record.kind == kind and record.state == FREED]
        parts = self.parts()
        if self.dead is None:
            self.dead = {}
            for address, part in parts:
                for at in range(0, len(part), RECORD.bytes):
                    if part[at + STATE] == FREED:
                        self.dead.setdefault((part[at + KIND], part[at:at + 8]), []).append((address, part, at))
        return [self.record_in(*place) for place in self.dead.get((kind, struct.pack("<Q", handle)), ())]

    def former(self, record):
        """The former object with this handle, or None."""
        before = [dead for dead in self.dead_of(record.kind, record.handle) if dead.id < record.id]
        return self.numbered(record.previous) if record.previous else max(before, key=lambda dead: dead.id, default=None)

    def find_fortran(self, kind, number):
        return self.latest(self.scan("fortran_handle", number), kind)

    def called(self, name, kinds):
        """The living objects of that name, as it is shown."""
        return [record for record in self.records(kinds) if self.name(record) == name]

    # ---- threads and requests ----

    def threads(self):
        address, seen = self.header.threads, set()
        while address and address not in seen and len(seen) < MOST_THREADS:
            seen.add(address)
            try:
                thread = THREAD.at(self.memory, address)
            except Unreadable:
                return
            thread["address"] = address
            yield thread
            address = thread.next

    def call(self, thread):
        """The call that a thread is in; None: none, or it has only just begun."""
        if not thread.depth or thread.depth > 1 << 20:
            return None
        try:
            call = CALL.at(self.memory, struct.unpack_from("<Q", thread.calls)[0])
        except Unreadable:
            return None
        return call if call.thread == thread.address else None

    def pending(self, messages=False):
        """Requests that are not complete, or matched messages."""
        try:
            table = REQUESTS.at(self.memory, self.header.messages if messages else self.header.requests)
        except Unreadable:
            return
        slots, at = min(table.mask + 1, MOST_SLOTS), 0
        while table.slots and at < slots:
            step = min(slots - at, BULK)
            try:
                data = self.memory.read(table.slots + at * REQUEST.bytes, step * REQUEST.bytes)
            except Unreadable:
                return
            for place in range(0, len(data), REQUEST.bytes):
                if data[place + REFERENCES:place + REFERENCES + 4] != bytes(4):
                    yield REQUEST.of(data[place:place + REQUEST.bytes])
            at += step

    def request(self, handle, messages=False):
        """The one with this handle, or None."""
        try:
            table = REQUESTS.at(self.memory, self.header.messages if messages else self.header.requests)
            if not table.slots or table.mask & table.mask + 1 or table.mask >= 1 << 32:
                return None
            x = handle * 0x9E3779B97F4A7C15 & (1 << 64) - 1
            for probe in range(MOST_PROBES):
                slot = REQUEST.at(self.memory, table.slots + REQUEST.bytes * ((x ^ x >> 48) + probe & table.mask))
                if not slot.references:
                    return None
                if slot.handle == handle:
                    return slot
        except Unreadable:
            pass
        return None

    def since(self, ticks):
        """Time since then in ns; None: unknown."""
        return clock.since(self.header, ticks, self.memory.now())
