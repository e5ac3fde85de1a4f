"""Damages the live table of a core, again and again, and has it read: whatever the memory holds, a reader shows something or says one line, soon.

The core is made small first: the pages that a reader needs, in a file of their own, which is damaged and mended in place.
"""

import contextlib
import os
import random
import re
import signal
import struct
import tempfile
import time
import traceback

from callsign_debugger import command, show
from callsign_debugger.core import PT_LOAD, PT_NOTE, Core
from callsign_debugger.layout import CONSTANT, DEBUG, DEBUG_SEGMENTS, INDEX, KIND_WORDS, RECORD, REQUEST, REQUESTS, THREAD
from callsign_debugger.locate import locate
from callsign_debugger.memory import Trouble
from callsign_debugger.table import Table
from callsign_debugger.words import KIND_NUMBER

PAGE = 4096
EDGES = (0, 1, 2, 15, 16, 63, 255, 4095, 4096, 65535, 1 << 20, 1 << 22, (1 << 22) + 1, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, 1 << 32, 1 << 40,
         (1 << 63) - 1, 1 << 63, (1 << 64) - 4096, (1 << 64) - 1)


# ---- a small core ----

def noting_pages(core):
    """The same core, which now notes the pages that are read."""
    core.pages, fetch = set(), core.fetch

    def noted(address, size):
        data = fetch(address, size)
        core.pages.update(range(address // PAGE, (address + max(size, 1) - 1) // PAGE + 1))
        return data
    core.fetch = noted
    return core


def read_everything(table):
    """All that can be asked of a table."""
    lines = [*show.whole(table), *show.info(table, "all")]
    records = [record for number in range(80) if (record := table.record(number))]
    for record in records:
        lines += [*show.where(table, record), *show.members(table, record, None)]
        word = KIND_WORDS.get(record.kind)
        lines += [show.of_handle(table, word, record.handle), show.of_fortran(table, word, record.fortran_handle)] if word else []
    for handle in (0, 1, 0x44000000, (1 << 64) - 1, *(record.handle for record in records[-3:])):
        lines += [text for _, text in show.guesses(table, handle)]
    lines.append(str(len(table.called("rows", {KIND_NUMBER["communicator"]}))))
    return lines


def smaller(path):
    """The bytes of a core with what a reader needs of this one: its notes, and the pages that were read."""
    core = noting_pages(Core(path))
    table = Table(core, locate(core))
    core.pages.clear()
    table.refresh()
    read_everything(table)
    pages = sorted(core.pages)
    headers = struct.unpack_from("<Q", core.head, 32)[0], struct.unpack_from("<H", core.head, 56)[0]
    notes = b""
    for kind, _, offset, _, _, there, _, _ in struct.iter_unpack("<IIQQQQQQ", core.part(headers[0], 56 * headers[1])):
        notes += core.part(offset, there) if kind == PT_NOTE else b""
    runs = []
    for page in pages:
        if runs and runs[-1][0] + len(runs[-1][1]) == page * PAGE:
            runs[-1][1].extend(core.read(page * PAGE, PAGE))
        else:
            runs.append((page * PAGE, bytearray(core.read(page * PAGE, PAGE))))
    offset = 64 + 56 * (len(runs) + 1)
    table_of_headers, body = struct.pack("<IIQQQQQQ", PT_NOTE, 4, offset, 0, 0, len(notes), 0, 1), notes
    for begin, data in runs:
        table_of_headers += struct.pack("<IIQQQQQQ", PT_LOAD, 6, offset + len(body), begin, 0, len(data), len(data), 1)
        body += data
    head = bytearray(core.head)
    struct.pack_into("<Q", head, 32, 64)
    struct.pack_into("<QI", head, 40, 0, 0)
    struct.pack_into("<HHH", head, 56, len(runs) + 1, 0, 0)
    return bytes(head) + table_of_headers + body


# ---- damage ----

def fields(shape, address, names):
    return [address + shape.offsets[name] for name in names.split()]


class Mutations:
    """Ways to damage the table of a core, reproducible by a seed."""

    def __init__(self, path, seed):
        self.core, self.chance = Core(path), random.Random(seed)
        table = Table(self.core, locate(self.core))
        header, at = table.header, table.address
        records = [record for number in range(header.records) if (record := table.record(number))]
        threads = [thread.address for thread in table.threads()]
        requests = REQUESTS.at(self.core, header.requests)
        texts = [record.name for record in records if record.name] + [header.journal]
        self.numbers = [record.id for record in records]
        self.records = [record.at for record in records]
        self.details = [(table.detail_address(record), len(table.detail(record))) for record in records if table.detail(record)]
        starts = [address for address, _ in self.details]
        self.places = [(at, DEBUG.bytes), (header.index, INDEX.bytes + 8 * self.number(header.index)), (header.requests, REQUESTS.bytes),
                       (header.constants, 40 * CONSTANT.bytes), (header.functions, 512), (requests.slots, REQUEST.bytes * (requests.mask + 1)),
                       *((thread, THREAD.bytes) for thread in threads), *((record, RECORD.bytes) for record in self.records),
                       *((address, 8 + size) for address, size in self.details), *((text, 24) for text in texts)]
        segments = fields(DEBUG, at, "record_segment string_segment")
        self.pointers = [*fields(DEBUG, at, "index threads functions constants requests messages journal"), header.requests,
                         *(segment + 8 * k for segment in segments for k in range(DEBUG_SEGMENTS)),
                         *(place for thread in threads for place in fields(THREAD, thread, "next calls")),
                         *(place for record in records for place in fields(RECORD, record.at, "name"))]
        self.targets = [at, header.index, header.threads, header.functions, header.constants, header.requests, requests.slots,
                        *threads, *self.records, *starts, *texts]
        self.counts = [*fields(DEBUG, at, "records functions_bytes constant_count"), header.index, header.index + 8, header.requests + 8,
                       header.requests + 16, *starts, *(start + 12 for start in starts),
                       *(place for thread in threads for place in fields(THREAD, thread, "depth"))]
        self.small = fields(DEBUG, at, "first_record_log2 first_string_log2 handle_bytes flags")
        self.head = fields(DEBUG, at, "magic byte_order major minor header_bytes record_bytes self")
        self.kinds = [self.bytes_change, self.pointers_go_astray, self.chains_loop, self.counts_grow, self.sizes_change, self.file_is_cut,
                      self.head_changes, self.elf_changes, self.blocks_move]

    def number(self, address):
        return struct.unpack("<Q", self.core.read(address, 8))[0]

    def bytes_change(self):
        for _ in range(self.chance.choice((1, 1, 8, 64))):
            begin, size = self.chance.choice(self.places)
            yield begin + self.chance.randrange(size), bytes([self.chance.choice((0, 1, 2, 0x7f, 0x80, 0xff, self.chance.randrange(256)))])

    def pointers_go_astray(self):
        for _ in range(self.chance.choice((1, 3))):
            target = self.chance.choice(self.targets) + self.chance.choice((0, 0, 0, 1, -1, 8, -8, 60, PAGE - 3))
            yield self.chance.choice(self.pointers), struct.pack("<Q", self.chance.choice((target, target, *EDGES[-4:], 0)))

    def chains_loop(self):
        """Threads, parents, former owners, and the types that structures are made of."""
        pick = self.chance.choice
        if pick((0, 1)):
            yield pick(self.pointers), struct.pack("<Q", pick(self.targets))
        for record in self.records:
            for name in ("parent", "previous"):
                if pick((0, 1)):
                    yield record + RECORD.offsets[name], struct.pack("<I", pick(self.numbers))
        for start, size in self.details:
            if pick((0, 1)):
                for place in range(start + 24, start + 8 + size - 7, 8):
                    yield place, struct.pack("<Q", pick(self.numbers))

    def counts_grow(self):
        for _ in range(self.chance.choice((1, 4))):
            yield self.chance.choice(self.counts), struct.pack("<Q", self.chance.choice(EDGES))[:self.chance.choice((4, 8))]

    def sizes_change(self):
        yield self.chance.choice(self.small), struct.pack("<I", self.chance.choice((0, 1, 4, 8, 23, 24, 31, 32, 63, 64, 65, 1 << 31)))

    def head_changes(self):
        yield self.chance.choice(self.head), struct.pack("<Q", self.chance.choice(EDGES))[:self.chance.choice((2, 4, 8))]

    def blocks_move(self):
        """A piece of the table over another one."""
        (begin, size), (to, room) = self.chance.sample(self.places, 2)
        yield to, self.core.read(begin, min(size, room))

    def file_is_cut(self):
        return ()

    def elf_changes(self):
        return ()

    def offset(self, address):
        """Its offset in the file, and the number of bytes from there on; None: it is not in the core."""
        for begin, size, offset, _ in self.core.segments:
            if begin <= address < begin + size:
                return offset + address - begin, begin + size - address
        return None

    def next(self):
        """(words, [(offset in the file, bytes)], bytes that the file then has or None)."""
        changes, size = [], None
        kinds = self.chance.choices(self.kinds, k=self.chance.choice((1, 1, 1, 2, 3)))
        for kind in kinds:
            for address, data in kind():
                place = self.offset(address)
                if place:
                    changes.append((place[0], data[:place[1]]))
            if kind == self.file_is_cut:
                size = self.chance.randrange(self.core.size)
            if kind == self.elf_changes:
                end = min(offset for _, _, offset, _ in self.core.segments)
                begin = self.chance.choice((0, 0, 64))  # its header, program headers and notes
                for _ in range(self.chance.choice((1, 4))):
                    changes.append((self.chance.randrange(begin, self.chance.choice((64, end)) if not begin else end),
                                    struct.pack("<Q", self.chance.choice(EDGES))[:self.chance.choice((1, 2, 4, 8))]))
        return " ".join(kind.__name__ for kind in kinds), changes, size


class Damaged:
    """A file that is damaged for a moment."""

    def __init__(self, fd):
        self.fd, self.size = fd, os.fstat(fd).st_size

    @contextlib.contextmanager
    def by(self, changes, size):
        former = [(offset, os.pread(self.fd, len(data), offset)) for offset, data in changes]
        rest = os.pread(self.fd, self.size - size, size) if size is not None else b""
        for offset, data in changes:
            os.pwrite(self.fd, data, offset)
        if size is not None:
            os.ftruncate(self.fd, size)
        try:
            yield
        finally:
            if size is not None:
                os.pwrite(self.fd, rest, size)
            for offset, data in reversed(former):
                os.pwrite(self.fd, data, offset)
            os.ftruncate(self.fd, self.size)


def each(path, times, seed):
    """(words, a context in which the file is damaged), so many times."""
    mutations = Mutations(path, seed)
    with open(path, "r+b", buffering=0) as file:
        damaged = Damaged(file.fileno())
        for _ in range(times):
            what, changes, size = mutations.next()
            yield what, damaged.by(changes, size)


# ---- reading it ----

class TooLong(BaseException):
    pass


def too_long(number, frame):
    raise TooLong(f"in {frame.f_code.co_filename}:{frame.f_lineno}")


def read_once(path):
    """"shown", "refused: ...", or what is wrong."""
    lines = command.core_lines(path)
    core = Core(path)
    lines += read_everything(Table(core, locate(core)))
    ugly = [line for line in lines if not line.isprintable()]
    return f"WRONG: shows {ugly[0]!r}" if ugly else "shown"


def judged(path, seconds=2):
    signal.signal(signal.SIGALRM, too_long)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return read_once(path)
    except Trouble as trouble:
        return "refused: " + re.sub(r"\d[\dxa-f.]*", "N", str(trouble).replace(path, "FILE"))
    except TooLong as late:
        return f"WRONG: more than {seconds} s {late}"
    except BaseException as error:  # whatever it is: that is what is looked for
        where = traceback.extract_tb(error.__traceback__)[-1]
        return f"WRONG: {type(error).__name__}: {error} in {where.filename}:{where.lineno}"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def campaign(core, times, seed, seconds=2):
    """Counts the outcomes, {outcome: (times, an example)}, and prints them."""
    with tempfile.TemporaryDirectory(prefix="callsign-mutations-") as folder:
        path = os.path.join(folder, "small")
        with open(path, "wb") as file:
            file.write(smaller(core))
        outcomes, longest = {}, 0
        for number, (what, damaged) in enumerate(each(path, times, seed)):
            with damaged:
                before = time.monotonic()
                outcome = judged(path, seconds)
                longest = max(longest, time.monotonic() - before)
            count, example = outcomes.get(outcome, (0, f"mutation {number}: {what}"))
            outcomes[outcome] = count + 1, example
    for outcome, (count, example) in sorted(outcomes.items(), key=lambda item: -item[1][0]):
        print(f"{count:7}  {outcome}" + (f" ({example})" if outcome.startswith("WRONG") else ""))
    print(f"seed {seed}, longest {longest:.2f} s")
    return outcomes
